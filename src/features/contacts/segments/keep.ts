// The job that keeps who is in the segments of a workspace: right behind every change, when time moves somebody, and from the beginning for
// a new segment or filter. Every step is one transaction, so it can be killed at any time. Which contacts to look at, others say: triggers
// mark them (segment_marks), moments fall due, a segment that is built takes everybody.

import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { oneOf } from '../../../../db/bulk.ts'
import {
  deletedSegments,
  segmentMarks,
  segmentMembers,
  segmentMoments,
  segments,
  segmentTopics,
  unbuilt,
} from '../../../../db/tables/segments.ts'
import type { Reader, Tx } from '../../../core/app.ts'
import { HalvingSteps } from '../../../core/halving-steps.ts'
import { defineJob } from '../../../core/outbox/job.ts'
import { minute, second } from '../../../kit/duration.ts'
import type { StepSizes } from '../../../kit/turn.ts'
import { readTotal } from '../../../people/totals.ts'
import { evaluate } from './evaluate.ts'
import { type Move, recordMoves } from './moves.ts'
import type { Segment } from './segments.ts'
import { leaveAside, lookAtAside, setContactAside, setMarkAside, setMomentAside } from './set-aside.ts'
import { keepPolicy, wakeSegments } from './wake.ts'

/** How long one execution continues; the next one follows at once. */
const turnMs = 5 * second
/** What comes meanwhile is gathered: one look at many contacts costs little more than one at a few. */
const gatherMs = 200
/** When it is tried again after every attempt has failed. */
const afterFailureMs = 10 * minute

export const keepSegments = defineJob<Record<string, never>>({
  ...keepPolicy,
  timeoutMs: 5 * minute,
  retryDelaysMs: [second, 10 * second, minute],

  async run(app, { workspaceId }, { signal, progressed }) {
    const until = performance.now() + turnMs
    const steps = tasks.map(({ sizes }) => new HalvingSteps(app, workspaceId, sizes))
    let more = true
    for (; more && !signal.aborted && performance.now() < until; await progressed()) {
      more = false
      const waiting = await findWaiting(app, workspaceId, app.clock.now())
      for (const [at, task] of tasks.entries())
        if (waiting.includes(task))
          more =
            (await steps[at]?.write({
              work: (tx, size) => task.work(tx, workspaceId, size),
              setAside: (tx, error) => task.setAside(tx, workspaceId, error),
            })) || more
    }
    return more ? { outcome: 'done', code: 'more' } : { outcome: 'done' }
  },

  async ended(tx, ended) {
    for (const { job, ending } of ended) {
      if (ending.state === 'pending') continue
      const restMs = ending.state === 'dead' ? afterFailureMs : ending.code === 'more' ? 0 : gatherMs
      const dueAt = await findNext(tx, job.workspaceId, restMs)
      if (dueAt) await wakeSegments(tx, job.workspaceId, dueAt)
    }
  },
})

interface Task {
  /** Which rows wait for it. */
  waiting(workspaceId: string, now: Date): ReturnType<typeof sql>
  sizes: StepSizes
  /** True where there is more. */
  work(tx: Tx, workspaceId: string, size: number): Promise<boolean>
  /** The first of them cannot be looked at: others are, and it is tried again. True where there is more. */
  setAside(tx: Tx, workspaceId: string, error: unknown): Promise<boolean>
}

const tasks: Task[] = [
  {
    waiting: (workspaceId) => sql`SELECT 1 FROM segment_marks WHERE workspace_id = ${workspaceId} AND failure IS NULL`,
    // A contact may be looked at for each segment.
    sizes: { least: 200, most: 4_000 },
    work: takeMarks,
    setAside: setMarkAside,
  },
  {
    waiting: (workspaceId, now) =>
      sql`SELECT 1 FROM segment_marks WHERE workspace_id = ${workspaceId} AND failure IS NOT NULL AND again_at <= ${now.getTime()}`,
    sizes: { least: 1, most: 1 },
    work: lookAtAside,
    setAside: leaveAside,
  },
  {
    waiting: (workspaceId, now) =>
      sql`SELECT 1 FROM segment_moments WHERE workspace_id = ${workspaceId} AND at <= ${now.getTime()}`,
    sizes: { least: 50, most: 500 },
    work: takeMoments,
    setAside: setMomentAside,
  },
  {
    waiting: (workspaceId) => sql`SELECT 1 FROM segments WHERE workspace_id = ${workspaceId} AND building IS NOT NULL`,
    // Nobody waits for it as they do for an answer.
    sizes: { least: 100, most: 1_000, sparesOwn: true },
    work: buildPage,
    setAside: buildWithout,
  },
  {
    waiting: (workspaceId) => sql`SELECT 1 FROM deleted_segments WHERE workspace_id = ${workspaceId}`,
    sizes: { least: 200, most: 2_000 },
    work: deleteRows,
    setAside: rethrow,
  },
]

async function rethrow(_tx: Tx, _workspaceId: string, error: unknown): Promise<never> {
  throw error
}

async function findWaiting(reader: Reader, workspaceId: string, now: Date): Promise<Task[]> {
  const asked = tasks.map(({ waiting }, at) => sql`SELECT ${at} AS task WHERE EXISTS (${waiting(workspaceId, now)})`)
  const rows = await reader.db.all<{ task: number }>(sql.join(asked, sql` UNION ALL `))
  return rows.flatMap(({ task }) => tasks[task] ?? [])
}

/** When there is work, if some waits that much later: then, at the next moment, or never. */
async function findNext(tx: Tx, workspaceId: string, restMs: number): Promise<Date | null> {
  if ((await findWaiting(tx, workspaceId, tx.now)).length > 0) return new Date(tx.now.getTime() + restMs)
  const [next] = await tx.db.all<{ at: number | null }>(
    sql`SELECT min(at) AS at FROM (SELECT min(at) AS at FROM segment_moments WHERE workspace_id = ${workspaceId}
      UNION ALL SELECT min(again_at) FROM segment_marks WHERE workspace_id = ${workspaceId} AND failure IS NOT NULL)`,
  )
  return next?.at == null ? null : new Date(next.at)
}

/** A new contact is looked at for every segment, any other for those that ask about what changed. */
async function takeMarks(tx: Tx, workspaceId: string, size: number): Promise<boolean> {
  const ofWorkspace = eq(segmentTopics.workspaceId, workspaceId)
  const asking = await tx.db.select().from(segmentTopics).where(ofWorkspace).orderBy(asc(segmentTopics.topic))
  const topics = Map.groupBy(asking, ({ segmentId }) => segmentId)
  const limit = Math.min(size, Math.max(leastMarks, Math.floor(size / Math.max(1, topics.size))))
  const marks = await tx.db
    .delete(segmentMarks)
    .where(
      sql`(workspace_id, contact_id, topic) IN (SELECT workspace_id, contact_id, topic FROM segment_marks
        WHERE workspace_id = ${workspaceId} AND failure IS NULL ORDER BY contact_id, topic LIMIT ${limit})`,
    )
    .returning({ contactId: segmentMarks.contactId, topic: segmentMarks.topic })
  const byTopic = Map.groupBy(marks, ({ topic }) => topic)
  const changed = (segmentId: string) =>
    ['', ...(topics.get(segmentId) ?? []).map(({ topic }) => topic)].filter((topic) => byTopic.has(topic))
  const alike = Map.groupBy(topics.keys(), (segmentId) => JSON.stringify(changed(segmentId)))
  const revisits = Array.from(alike.values(), (segmentIds) => {
    const found = changed(segmentIds[0] ?? '').flatMap((topic) => byTopic.get(topic) ?? [])
    return { segmentIds, contactIds: [...new Set(found.map(({ contactId }) => contactId))] }
  })
  await lookAgain(tx, workspaceId, revisits)
  return marks.length === limit
}

/** However many segments there are: a statement for a single contact would cost more than it finds. */
const leastMarks = 20

async function takeMoments(tx: Tx, workspaceId: string, size: number): Promise<boolean> {
  const due = await tx.db
    .delete(segmentMoments)
    .where(
      sql`(segment_id, contact_id) IN (SELECT segment_id, contact_id FROM segment_moments
        WHERE workspace_id = ${workspaceId} AND at <= ${tx.now.getTime()} ORDER BY at LIMIT ${size})`,
    )
    .returning({ segmentId: segmentMoments.segmentId, contactId: segmentMoments.contactId })
  const bySegment = Map.groupBy(due, ({ segmentId }) => segmentId)
  const revisits = Array.from(bySegment, ([id, of]) => ({
    segmentIds: [id],
    contactIds: of.map(({ contactId }) => contactId),
  }))
  await lookAgain(tx, workspaceId, revisits)
  return due.length === size
}

/** At these contacts, for these segments. */
interface Revisit {
  segmentIds: string[]
  contactIds: string[]
}

async function lookAgain(tx: Tx, workspaceId: string, revisits: Revisit[]): Promise<void> {
  const moves: Move[] = []
  for (const { segmentIds, contactIds } of revisits) {
    if (contactIds.length === 0) continue
    const found = await tx.db
      .select()
      .from(segments)
      .where(and(eq(segments.workspaceId, workspaceId), sql`${segments.id} IN ${oneOf(segmentIds)}`))
    moves.push(...(await evaluate(tx, found, sql`c.id IN ${oneOf(contactIds)}`)))
  }
  if (moves.length > 0) await recordMoves(tx, moves)
}

/** The next contacts of the segment that was made first of those that are being built. */
async function buildPage(tx: Tx, workspaceId: string, size: number): Promise<boolean> {
  const segment = await findBuilding(tx, workspaceId)
  if (!segment) return false
  const { after, done, of } = segment.building ?? unbuilt
  const page = await findPage(tx, workspaceId, { after, size })
  const isInPage = sql`c.workspace_id = ${workspaceId} AND c.id > ${after} AND c.id <= ${page.upTo}`
  if (page.size > 0) await recordMoves(tx, await evaluate(tx, [segment], isInPage))
  await noteBuilt(tx, segment, {
    after: page.upTo,
    done: done + page.size,
    of: done === 0 ? await readTotal(tx, workspaceId, 'contacts') : of,
    isLast: page.size < size,
  })
  return true
}

/** The next contact is built without, and looked at later. */
async function buildWithout(tx: Tx, workspaceId: string, error: unknown): Promise<boolean> {
  const segment = await findBuilding(tx, workspaceId)
  const { after, done, of } = segment?.building ?? unbuilt
  const { upTo, size } = await findPage(tx, workspaceId, { after, size: 1 })
  if (!segment || size === 0) throw error
  await setContactAside(tx, { workspaceId, contactId: upTo }, error)
  await noteBuilt(tx, segment, { after: upTo, done: done + 1, of, isLast: false })
  return true
}

async function findBuilding(tx: Tx, workspaceId: string): Promise<Segment | undefined> {
  const [segment] = await tx.db
    .select()
    .from(segments)
    .where(and(eq(segments.workspaceId, workspaceId), isNotNull(segments.building)))
    .orderBy(asc(segments.id))
    .limit(1)
  return segment
}

async function findPage(tx: Tx, workspaceId: string, { after, size }: { after: string; size: number }) {
  const [page] = await tx.db.all<{ upTo: string | null; size: number }>(
    sql`SELECT max(id) AS upTo, count(*) AS size
      FROM (SELECT id FROM contacts WHERE workspace_id = ${workspaceId} AND id > ${after} ORDER BY id LIMIT ${size})`,
  )
  return { upTo: page?.upTo ?? after, size: page?.size ?? 0 }
}

/** With the last page it is known who is in it, and what is asked of it is answered from there. */
async function noteBuilt(
  tx: Tx,
  { id, builtAt }: Segment,
  { isLast, ...building }: NonNullable<Segment['building']> & { isLast: boolean },
): Promise<void> {
  await tx.db
    .update(segments)
    .set(isLast ? { building: null, builtAt: builtAt ?? tx.now } : { building })
    .where(eq(segments.id, id))
}

/** Some of what is left of a deleted segment. */
async function deleteRows(tx: Tx, workspaceId: string, size: number): Promise<boolean> {
  const ofWorkspace = eq(deletedSegments.workspaceId, workspaceId)
  const [gone] = await tx.db.select().from(deletedSegments).where(ofWorkspace).limit(1)
  if (!gone) return false
  const { segmentId } = gone
  let deleted = 0
  for (const table of [segmentMembers, segmentMoments]) {
    const some = sql`SELECT contact_id FROM ${table} WHERE segment_id = ${segmentId} LIMIT ${size}`
    const rows = await tx.db
      .delete(table)
      .where(sql`segment_id = ${segmentId} AND contact_id IN (${some})`)
      .returning({ segmentId: table.segmentId })
    deleted += rows.length
  }
  if (deleted === 0)
    await tx.db.delete(deletedSegments).where(and(ofWorkspace, eq(deletedSegments.segmentId, segmentId)))
  return true
}
