// A time of a recurring campaign has come. Its job runs once for each, and asks for the next in the transaction in which it ends.

import type { App, Tx } from '../../../core/app.ts'
import { idempotent, type KeyedRequest } from '../../../core/http/idempotency.ts'
import { defineJob, type Ended, type JobResult } from '../../../core/outbox/job.ts'
import { minute, second } from '../../../kit/duration.ts'
import { AppError } from '../../../kit/error.ts'
import { getWorkspace } from '../../../people/workspaces.ts'
import { concludeTime, endTime, type NoCampaign, type Prepared, prepareEdition } from './make.ts'
import { missedAfterMs, nextOccurrence, servedOccurrence, wallTimeOf } from './occurrences.ts'
import {
  awaitTime,
  change,
  findRecurring,
  listRuns,
  type Occurrence,
  occurrencePolicy,
  type Recurring,
} from './recurring.ts'
import { toRunView } from './schema.ts'

/** A feed that failed is fetched again, as long as its time is not missed. */
const feedRetryMs = 10 * minute

const missed: NoCampaign = {
  outcome: 'missed',
  code: 'missed_window',
  reason: 'The server was not running at this time, nor within an hour after it.',
}

export const recurringOccurrence = defineJob<Occurrence>({
  ...occurrencePolicy,
  timeoutMs: 3 * minute,
  retryDelaysMs: [10 * second, minute],
  async run(app, { payload }, { signal }) {
    const recurring = await findAwaiting(app, payload)
    if (recurring === null) return superseded
    const [due, now] = [new Date(payload.at), app.clock.now()]
    const served = servedOccurrence(recurring, due, now)
    const at = served ?? due
    const prepared = served === null ? missed : await prepareNow(app, recurring, { at, signal })
    if (isFeedFault(prepared) && now.getTime() + feedRetryMs - at.getTime() <= missedAfterMs)
      return { outcome: 'defer', code: prepared.code, detail: prepared.reason, delayMs: feedRetryMs }
    return { outcome: 'decide', decide: (tx) => decide(tx, { recurring, prepared, at, payload }) }
  },
  ended: async (tx, ended) => {
    for (const one of ended) await passOver(tx, one)
  },
})

const superseded = { outcome: 'done', code: 'superseded' } as const satisfies JobResult

const isFeedFault = (prepared: Prepared): prepared is NoCampaign =>
  prepared.outcome === 'failed' && prepared.code === 'feed_failed'

async function prepareNow(app: App, recurring: Recurring, when: { at: Date; signal: AbortSignal }): Promise<Prepared> {
  return await prepareEdition(app, await getWorkspace(app, recurring.workspaceId), recurring, when)
}

/** Null when it waits for another time by now, or for none. */
async function findAwaiting(reader: App | Tx, { recurringCampaignId, at }: Occurrence): Promise<Recurring | null> {
  const recurring = await findRecurring(reader, recurringCampaignId)
  return recurring?.nextAt?.getTime() === at ? recurring : null
}

interface Decision {
  recurring: Recurring
  prepared: Prepared
  at: Date
  payload: Occurrence
}

async function decide(tx: Tx, { recurring, prepared, at, payload }: Decision) {
  if ((await findAwaiting(tx, payload)) === null) return superseded
  const localTime = recurring.schedule.inRecipientZone ? wallTimeOf(recurring, at) : null
  const run = await concludeTime(tx, recurring, prepared, { at, localTime, starter: { byPerson: false } })
  if (run === null)
    return { outcome: 'defer', code: 'changed', detail: 'it was changed meanwhile', delayMs: 0 } as const
  await awaitNext(tx, recurring, at)
  return { outcome: 'done', ...(run.code === null ? {} : { code: run.code }) } as const
}

async function awaitNext(tx: Tx, recurring: Recurring, served: Date): Promise<void> {
  const after = served > tx.now ? served : tx.now
  const nextAt = nextOccurrence(recurring, after)
  await change(tx, recurring, { nextAt })
  await awaitTime(tx, recurring, nextAt)
}

/** Of a job that was cancelled, or that no attempt could end: the next time is waited for all the same. */
async function passOver(tx: Tx, { job, ending }: Ended<Occurrence>): Promise<void> {
  if (ending.state !== 'dead' && ending.state !== 'cancelled') return
  const recurring = await findAwaiting(tx, job.payload)
  if (recurring === null) return
  const at = new Date(job.payload.at)
  const reason = ending.detail ?? 'It could not be made.'
  const failure: NoCampaign = { outcome: 'failed', code: ending.code ?? 'failed', reason }
  await endTime(tx, recurring, at, ending.state === 'cancelled' ? { ...missed, reason } : failure)
  await awaitNext(tx, recurring, at)
}

/** Now, or a moment later: the times of a schedule are whole minutes, and each run has a time of its own. */
async function freeTime(tx: Tx, id: string): Promise<Date> {
  const [last] = await listRuns(tx, id, 1)
  const at = Math.max(tx.now.getTime(), (last?.at.getTime() ?? 0) + 1)
  return new Date(at % minute === 0 ? at + 1 : at)
}

/** Makes one now, beside its schedule. Throws 409 when it is changed, or run, in the same moment. */
export async function runNow(
  app: App,
  recurring: Recurring,
  { byPerson, key }: { byPerson: boolean; key: string | null },
) {
  const { workspaceId, id } = recurring
  const request: KeyedRequest = { workspaceId, route: 'POST /v1/recurring-campaigns/run', key, body: { id } }
  return await idempotent(app, request, async () => {
    const workspace = await getWorkspace(app, workspaceId)
    const prepared = await prepareEdition(app, workspace, recurring, { at: app.clock.now() })
    return async (tx) => {
      const at = await freeTime(tx, id)
      const run = await concludeTime(tx, recurring, prepared, { at, localTime: null, starter: { byPerson } })
      if (run) return { status: 200, response: toRunView(run) }
      throw new AppError('invalid_state_transition', 'it was changed or run meanwhile: look at it, and try again')
    }
  })
}
