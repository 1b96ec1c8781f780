// Postmark: bounces, in the form its SDK expects. They are the messages that bounced or were reported as spam; the number of a bounce is
// the rowid of its message. A request looks through the newest messages only, so listing is as fast on a large installation as on a small
// one.

import { and, eq, type SQL, sql } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { isEventful, messageEvents, messages } from '../../../db/tables/messages.ts'
import { type App, type Reader, write } from '../../core/app.ts'
import { findSuppressions, isSuppressed, unsuppress } from '../../features/contacts/consent/suppression.ts'
import { day } from '../../kit/duration.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { nextTurn } from '../../kit/turn.ts'
import { auth, type Caller, toActor } from '../../people/access/auth.ts'
import { readTotal } from '../../people/totals.ts'
import { checkStream, hidden, outbound, root } from './postmark-mail.ts'

const types = {
  HardBounce: { code: 1, name: 'Hard bounce', description: 'The server refused the address for good.' },
  SoftBounce: {
    code: 4_096,
    name: 'Soft bounce',
    description: 'The mailbox did not accept the mail, and may accept the next.',
  },
  SpamComplaint: { code: 100_001, name: 'Spam complaint', description: 'The recipient called the mail spam.' },
} as const
type Type = keyof typeof types
const isType = (name: string): name is Type => Object.hasOwn(types, name)

/** What the report said of a mailbox that exists: by the status of RFC 3463, or in the words of a provider. */
const passing =
  /^(4\.|5\.(2\.[2-9]|3\.|4\.)|soft|transient|temporary|blocked|undetermined|dnserror|spamnotification|unknown)/i

const mostLooked = 10_000
const atOnce = 500
const maxPage = 500
const statuses = ['bounced', 'complained'] as const

type BounceRow = Awaited<ReturnType<typeof loadRows>>[number]
type Bounce = ReturnType<typeof toBounce>

export function postmarkBounceRoutes(app: App) {
  const statistics = ({ workspace }: Pick<Caller, 'workspace'>) => countByType(app, workspace.id)
  return (
    new Elysia({ prefix: root, ...hidden })
      .use(auth)
      .get('/deliverystats', statistics, { auth: 'activity.read' })
      // As its SDK writes it.
      .get('/deliveryStats', statistics, { auth: 'activity.read' })
      .get('/bounces', ({ workspace, query }) => listBounces(app, workspace.id, query), {
        auth: 'activity.read',
        query: t.Record(t.String(), t.String({ maxLength: 500 })),
      })
      .get('/bounces/:id', ({ workspace, params }) => getBounce(app, workspace.id, params.id), {
        auth: 'activity.read',
      })
      .put(
        '/bounces/:id/activate',
        async ({ workspace, credential, params }) => {
          await activate(app, workspace.id, { id: params.id, removedBy: toActor(credential) })
          return { Message: 'OK', Bounce: await getBounce(app, workspace.id, params.id) }
        },
        { auth: 'contacts.write' },
      )
  )
}

async function countByType(app: App, workspaceId: string) {
  const counts = new Map<Type, number>()
  for await (const bounces of bouncesOf(app, workspaceId))
    for (const { Type } of bounces) counts.set(Type, (counts.get(Type) ?? 0) + 1)
  const named = [...counts].map(([Type, Count]) => ({ Type, Name: types[Type].name, Count }))
  const all = { Name: 'All', Count: named.reduce((sum, { Count }) => sum + Count, 0) }
  return { InactiveMails: await readTotal(app, workspaceId, 'suppressions'), Bounces: [all, ...named] }
}

async function listBounces(app: App, workspaceId: string, query: Record<string, string>) {
  const { count, offset, isWanted } = readFilter(query)
  const Bounces: Bounce[] = []
  let TotalCount = 0
  for await (const bounces of bouncesOf(app, workspaceId))
    for (const bounce of bounces.filter(isWanted)) {
      if (TotalCount >= offset && Bounces.length < count) Bounces.push(bounce)
      TotalCount++
    }
  return { TotalCount, Bounces }
}

/** By the names in lower case: its documents and its SDK differ in them. Throws 422. */
function readFilter(query: Record<string, string>) {
  const given = new Map(Object.entries(query).map(([name, value]) => [name.toLowerCase(), value]))
  const take = (name: string) => {
    const value = given.get(name.toLowerCase())
    given.delete(name.toLowerCase())
    return value === '' ? undefined : value
  }
  const [count, offset] = [
    readNumber('count', take('count') ?? '100', maxPage),
    readNumber('offset', take('offset') ?? '0', mostLooked),
  ]
  const [type, inactive, email, tag, messageId] = ['type', 'inactive', 'emailFilter', 'tag', 'messageID'].map(take)
  const from = readTime('fromDate', take('fromDate'), 0)
  const until = readTime('toDate', take('toDate'), day)
  checkStream(take('messageStream') ?? outbound)
  const [unknown] = given.keys()
  if (unknown !== undefined) throw invalidField(unknown, `there is no filter ${unknown}`, 'unknown_field')
  if (type !== undefined && !isType(type)) throw invalidField('type', `type may be ${Object.keys(types).join(', ')}`)
  if (inactive !== undefined && !/^(true|false)$/i.test(inactive))
    throw invalidField('inactive', 'inactive may be true or false')
  const part = email?.toLowerCase() ?? ''
  const isWanted = (one: Bounce) =>
    (type === undefined || one.Type === type) &&
    (inactive === undefined || String(one.Inactive) === inactive.toLowerCase()) &&
    one.Email.toLowerCase().includes(part) &&
    (tag === undefined || one.Tag === tag) &&
    (messageId === undefined || one.MessageID === messageId) &&
    (from === undefined || one.BouncedAt >= from) &&
    (until === undefined || one.BouncedAt < until)
  return { count, offset, isWanted }
}

function readNumber(path: string, text: string, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (number <= most) return number
  throw invalidField(path, `${path} must be a whole number of at most ${most}`)
}

/** A day without a time is a day of UTC, to its end with `more`. */
function readTime(path: string, text: string | undefined, more: number): string | undefined {
  if (text === undefined) return undefined
  const [, date, clock] = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2})?(?:\.\d{1,3})?)?(?:Z)?$/.exec(text) ?? []
  const at = new Date(`${date}${clock ?? 'T00:00'}Z`)
  if (Number.isNaN(at.getTime())) throw invalidField(path, `${path} must be a date, or a date and a time of UTC`)
  return new Date(at.getTime() + (clock ? 0 : more)).toISOString()
}

/** Those of a workspace, the newest mail first. */
async function* bouncesOf(app: App, workspaceId: string): AsyncGenerator<Bounce[]> {
  let before = Number.MAX_SAFE_INTEGER
  for (let looked = 0; looked < mostLooked; looked += atOnce) {
    await nextTurn(workspaceId)
    const sources = statuses.map(
      (status) => sql`SELECT * FROM (SELECT rowid AS number FROM messages WHERE workspace_id = ${workspaceId}
        AND status = ${status} AND ${isEventful} AND rowid < ${before} ORDER BY rowid DESC LIMIT ${atOnce})`,
    )
    const some = await app.db.all<{ number: number }>(
      sql`${sql.join(sources, sql` UNION ALL `)} ORDER BY number DESC LIMIT ${atOnce}`,
    )
    const numbers = some.map(({ number }) => number)
    yield await loadBounces(app, workspaceId, numbers)
    if (numbers.length < atOnce) return
    before = numbers.at(-1) ?? 0
  }
}

async function loadBounces(reader: Reader, workspaceId: string, numbers: number[]): Promise<Bounce[]> {
  const rows = await loadRows(
    reader,
    workspaceId,
    sql`messages.rowid IN (SELECT value FROM json_each(${JSON.stringify(numbers)}))`,
  )
  const reasons = await findSuppressions(
    reader,
    rows.map(({ email }) => ({ workspaceId, email })),
  )
  return rows.map((row, index) => toBounce(row, reasons[index] ?? null))
}

async function loadRows(reader: Reader, workspaceId: string, which: SQL) {
  const { id, status, email, fromEmail, subject, tags } = messages
  const { at, code, detail } = messageEvents
  const number = sql<number>`messages.rowid`
  // A message that was sent again may have come back twice.
  const last = sql`${messageEvents.number} = (SELECT max(e.number) FROM message_events e WHERE e.message_id = ${id} AND e.status = ${status})`
  // By their numbers: a + keeps SQLite from going through the whole workspace.
  const isTheirs = sql`+messages.workspace_id = ${workspaceId} AND +messages.status IN ('bounced', 'complained')`
  return await reader.db
    .select({ number, id, status, email, fromEmail, subject, tags, at, code, detail })
    .from(messages)
    .innerJoin(messageEvents, and(eq(messageEvents.messageId, id), last))
    .where(and(which, isTheirs))
    .orderBy(sql`messages.rowid DESC`)
}

function toBounce(row: BounceRow, suppressed: string | null) {
  const isPassing = passing.test(row.code ?? '')
  const type: Type = row.status === 'complained' ? 'SpamComplaint' : isPassing ? 'SoftBounce' : 'HardBounce'
  const { code, name, description } = types[type]
  return {
    RecordType: 'Bounce',
    ID: row.number,
    Type: type,
    TypeCode: code,
    Name: name,
    Tag: row.tags?.[0] ?? '',
    MessageID: row.id,
    ServerID: 0,
    MessageStream: outbound,
    Description: description,
    Details: row.detail ?? row.code ?? '',
    Email: row.email,
    From: row.fromEmail,
    BouncedAt: row.at.toISOString(),
    DumpAvailable: false,
    Inactive: suppressed !== null,
    CanActivate: suppressed === 'hardBounce',
    Subject: row.subject,
  }
}

/** Throws not_found, also for another workspace's. */
async function getBounce(reader: Reader, workspaceId: string, id: string): Promise<Bounce> {
  const [bounce] = /^\d{1,15}$/.test(id) ? await loadBounces(reader, workspaceId, [Number(id)]) : []
  if (bounce) return bounce
  throw new AppError('not_found', `no bounce ${JSON.stringify(id.slice(0, 80))} in this workspace`)
}

/** Takes its address off the suppression list. Throws 422 when it is there for anything but a bounce. */
async function activate(
  app: App,
  workspaceId: string,
  { id, removedBy }: { id: string; removedBy: string },
): Promise<void> {
  const limit = app.config.complaintRemovalLimit
  const removed = await write(app, async (tx) => {
    const { Email: email } = await getBounce(tx, workspaceId, id)
    const reason = await isSuppressed(tx, workspaceId, email)
    if (reason === null) return false
    if (reason !== 'hardBounce')
      throw invalidField(
        'id',
        `${email} is suppressed because of ${because[reason]}, not because of a bounce, and stays suppressed`,
      )
    await unsuppress(tx, workspaceId, { email, removedBy, limit })
    return true
  })
  if (removed) app.log.info('a suppression was removed', { workspaceId, reason: 'hardBounce', removedBy })
}

const because = {
  complaint: 'a complaint',
  unsubscribe: 'its unsubscribing',
  manual: 'a request of yours',
} as const
