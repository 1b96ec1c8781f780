// The activity as it happens, as server-sent events (HTML standard, 9.2): every accepted mail and each change of its state. One query
// serves all listeners. It reads by the numbers that messages (rowid) and changes (position) get when they are committed, by whichever
// process, so none is sent twice or left out. The id of an event contains both positions and is sealed like a cursor.

import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import { oneOf } from '../../../../db/bulk.ts'
import { activityChanges, type MessageStatus, messageEvents, messages } from '../../../../db/tables/messages.ts'
import type { App, Reader, Tx } from '../../../core/app.ts'
import { withDeadline } from '../../../kit/deadline.ts'
import { second } from '../../../kit/duration.ts'
import { AppError } from '../../../kit/error.ts'
import { isFound } from './search.ts'
import type { Search } from './search-language.ts'

/** After a commit of this process, and for what others commit. */
const soonMs = 100
const lookEveryMs = second
const heartbeatMs = 15 * second
const admitEveryMs = 2 * second
/** A reader that accepts nothing for this long is disconnected; it can come back with the last id. */
const patienceMs = 10 * second
const maxUnreadBytes = 64 * 1024
const maxTailsPerWorkspace = 20
const maxTails = 1_000
/** The most rows of one query. */
const atOnce = 500
/** Kept for those who are a little behind; who is further behind reads for itself. */
const keptChanges = 2_000

/** A reader that was away for longer starts from now. */
const mostBehind = 100_000
const keptInTable = 2 * mostBehind
const deletedAtOnce = 500

/** Deletes a portion of the changes that no reader can request any more; returns how many. */
export async function deleteOldChanges(tx: Tx): Promise<number> {
  const { position } = activityChanges
  const horizon = sql`(SELECT max(position) FROM activity_changes) - ${keptInTable}`
  const old = tx.db.select({ position }).from(activityChanges).where(lte(position, horizon)).orderBy(position)
  const gone = await tx.db
    .delete(activityChanges)
    .where(inArray(position, old.limit(deletedAtOnce)))
    .returning({ position })
  return gone.length
}

/** How far messages and changes have been sent. */
interface Position {
  mail: number
  event: number
}

interface Change {
  of: keyof Position
  rowid: number
  message: Mail
  status: MessageStatus
  at: Date
  code: string | null
  detail: string | null
}

const mailColumns = {
  rowid: sql<number>`messages.rowid`,
  id: messages.id,
  workspaceId: messages.workspaceId,
  kind: messages.kind,
  email: messages.email,
  contactId: messages.contactId,
  templateId: messages.templateId,
  campaignId: messages.campaignId,
  subject: messages.subject,
  tags: messages.tags,
  idempotencyKey: messages.idempotencyKey,
  jobId: messages.jobId,
  createdAt: messages.createdAt,
}

async function readMails(reader: Reader, after: number) {
  const newer = gt(mailColumns.rowid, after)
  return await reader.db.select(mailColumns).from(messages).where(newer).orderBy(mailColumns.rowid).limit(atOnce)
}

type Mail = Awaited<ReturnType<typeof readMails>>[number]

/** What came after `from`, each mail before its changes, and how far that goes. */
async function readChanges(reader: Reader, from: Position): Promise<{ changes: Change[]; end: Position }> {
  const { position, messageId, number } = activityChanges
  const events = await reader.db
    .select({ position, event: messageEvents })
    .from(activityChanges)
    .leftJoin(messageEvents, and(eq(messageEvents.messageId, messageId), eq(messageEvents.number, number)))
    .where(gt(position, from.event))
    .orderBy(position)
    .limit(atOnce)
  // Read after its changes, so that a mail is never missing; sent before them.
  const mails = await readMails(reader, from.mail)
  const told = mails.length === atOnce ? [] : events
  const ids = [...new Set(told.flatMap(({ event }) => event?.messageId ?? []))]
  const rows = await reader.db
    .select(mailColumns)
    .from(messages)
    .where(inArray(messages.id, oneOf(ids)))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const queued = mails
    .filter(({ jobId }) => jobId !== null)
    .map((message): Change => {
      const { rowid, createdAt: at } = message
      return { of: 'mail', rowid, message, status: 'queued', at, code: null, detail: null }
    })
  const changed = told.flatMap(({ position: rowid, event }): Change[] => {
    const message = event === null ? undefined : byId.get(event.messageId)
    return event && message ? [{ of: 'event', rowid, message, ...event }] : []
  })
  const end = { mail: mails.at(-1)?.rowid ?? from.mail, event: told.at(-1)?.position ?? from.event }
  return { changes: [...queued, ...changed], end }
}

async function findEnd(reader: Reader): Promise<Position> {
  const [row] = await reader.db.all<Position>(
    sql`SELECT coalesce((SELECT max(rowid) FROM messages), 0) AS mail, coalesce((SELECT max(position) FROM activity_changes), 0) AS event`,
  )
  return { mail: row?.mail ?? 0, event: row?.event ?? 0 }
}

function later(one: Position, other: Position): Position {
  return { mail: Math.max(one.mail, other.mail), event: Math.max(one.event, other.event) }
}

const isBehind = (one: Position, other: Position) => one.mail < other.mail || one.event < other.event

export interface TailOptions {
  workspaceId: string
  search: Search | null
  /** Of the last event that the reader saw. */
  lastEventId: string | null
  /** Throws once the credential opens nothing any more. */
  admit(): Promise<void>
}

const createFeed = (app: App) => new Feed(app)

/** The answer to one who listens. Throws 400 for an id that is not ours, 429 for one listener too many. */
export async function openTail(app: App, options: TailOptions): Promise<Response> {
  return await app.own(createFeed).open(options)
}

/** Ends every tail: the server stops. */
export function closeTails(app: App): void {
  app.own(createFeed).close()
}

class Feed {
  readonly #app: App
  readonly #tails = new Set<Tail>()
  #from: Position = { mail: 0, event: 0 }
  #end: Position = { mail: 0, event: 0 }
  #recent: Change[] = []
  #more = Promise.withResolvers<void>()
  #stops: (() => void)[] = []
  #looking = false
  #soon: ReturnType<typeof setTimeout> | undefined

  constructor(app: App) {
    this.#app = app
  }

  async open({ workspaceId, search, lastEventId, admit }: TailOptions): Promise<Response> {
    const mine = [...this.#tails].filter((tail) => tail.workspaceId === workspaceId)
    if (mine.length >= maxTailsPerWorkspace || this.#tails.size >= maxTails)
      throw new AppError('rate_limit_exceeded', `At most ${maxTailsPerWorkspace} tails at once; close one of them.`, {
        retryAfterSeconds: 60,
      })
    const context = `tail ${workspaceId}`
    const seal = (at: Position) => this.#app.sealer.seal(`${at.mail} ${at.event}`, context)
    const tail = new Tail(workspaceId, { admit, seal, onEnd: () => this.#leave(tail) })
    this.#tails.add(tail)
    try {
      const end = await findEnd(this.#app)
      if (this.#stops.length === 0) this.#begin(end)
      tail.at = lastEventId === null ? end : await this.#readId(lastEventId, context, end)
    } catch (error) {
      tail.close()
      throw error
    }
    void this.#follow(tail, search).catch((error) => {
      this.#app.log.warn('a tail ended', { error })
      tail.close()
    })
    return tail.response()
  }

  close(): void {
    for (const tail of [...this.#tails]) tail.close()
  }

  /** No further than there is: a database that was put back begins there again. */
  async #readId(id: string, context: string, end: Position): Promise<Position> {
    const text = await this.#app.sealer.open(id, context).catch(() => null)
    if (text === null) throw new AppError('invalid_cursor', 'Last-Event-ID is not an id of this stream')
    const [mail = 0, event = 0] = text.split(' ').map(Number)
    if (event < end.event - mostBehind)
      throw new AppError('invalid_cursor', `Last-Event-ID is more than ${mostBehind} changes ago; begin without it`)
    return { mail: Math.min(mail, end.mail), event: Math.min(event, end.event) }
  }

  #begin(end: Position): void {
    this.#from = end
    this.#end = end
    this.#recent = []
    const looks = setInterval(() => void this.#look(), lookEveryMs)
    const beats = setInterval(() => this.#each((tail) => tail.beat()), heartbeatMs)
    const admits = setInterval(() => this.#each((tail) => tail.admitAgain()), admitEveryMs)
    const unlisten = this.#app.onWake(() => {
      this.#soon ??= setTimeout(() => void this.#look(), soonMs)
    })
    this.#stops = [unlisten, ...[looks, beats, admits].map((timer) => () => clearInterval(timer))]
  }

  #each(act: (tail: Tail) => Promise<void>): void {
    for (const tail of this.#tails) void act(tail).catch(() => tail.close())
  }

  #leave(tail: Tail): void {
    this.#tails.delete(tail)
    if (this.#tails.size === 0) for (const stop of this.#stops.splice(0)) stop()
    this.#tell()
  }

  #tell(): void {
    this.#more.resolve()
    this.#more = Promise.withResolvers<void>()
  }

  async #look(): Promise<void> {
    clearTimeout(this.#soon)
    this.#soon = undefined
    if (this.#looking) return
    this.#looking = true
    try {
      for (let isMore = this.#tails.size > 0; isMore; ) {
        const { changes, end } = await readChanges(this.#app, this.#end)
        isMore = isBehind(this.#end, end)
        this.#end = end
        this.#recent.push(...changes)
        for (const { of, rowid } of this.#recent.splice(0, Math.max(0, this.#recent.length - keptChanges)))
          this.#from = { ...this.#from, [of]: rowid }
        if (changes.length > 0) this.#tell()
      }
    } catch (error) {
      this.#app.log.warn('the activity could not be read for its tails; trying again', { error })
    }
    this.#looking = false
  }

  /** From memory, or by a query of its own for a reader that is too far behind. */
  async #after(at: Position): Promise<{ changes: Change[]; end: Position; isAll: boolean }> {
    const end = this.#end
    if (!isBehind(at, this.#from))
      return { changes: this.#recent.filter(({ of, rowid }) => rowid > at[of]), end: later(at, end), isAll: true }
    const read = await readChanges(this.#app, at)
    // What memory has and the database has no more was deleted.
    return { ...read, end: isBehind(at, read.end) ? read.end : later(at, end), isAll: false }
  }

  async #follow(tail: Tail, search: Search | null): Promise<void> {
    while (!tail.isClosed) {
      const more = this.#more.promise
      const { changes, end, isAll } = await this.#after(tail.at)
      for (const change of changes) {
        if (tail.isClosed) return
        const { message, status } = change
        const isMine = message.workspaceId === tail.workspaceId
        const at = { ...tail.at, [change.of]: change.rowid }
        if (isMine && (search === null || isFound({ ...message, status }, search))) await tail.tell(change, at)
        tail.at = at
      }
      tail.at = later(tail.at, end)
      if (isAll && changes.length === 0) await more
    }
  }
}

interface TailParts {
  admit(): Promise<void>
  seal(at: Position): Promise<string>
  onEnd(): void
}

const encoder = new TextEncoder()
const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // A buffering proxy (nginx) would delay the events.
  'x-accel-buffering': 'no',
}

/** One who listens. */
class Tail {
  readonly workspaceId: string
  at: Position = { mail: 0, event: 0 }
  isClosed = false
  readonly #parts: TailParts
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  #room = Promise.withResolvers<boolean>()
  #isTelling = false

  constructor(workspaceId: string, parts: TailParts) {
    this.workspaceId = workspaceId
    this.#parts = parts
  }

  response(): Response {
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (controller) => {
        this.#controller = controller
        controller.enqueue(encoder.encode(': listening\n\n'))
      },
      pull: () => {
        this.#room.resolve(true)
        this.#room = Promise.withResolvers<boolean>()
      },
      cancel: () => this.close(),
    }
    const strategy = new ByteLengthQueuingStrategy({ highWaterMark: maxUnreadBytes })
    return new Response(new ReadableStream(source, strategy), { headers })
  }

  /** `position`: how far this goes. */
  async tell({ message, status, at, code, detail }: Change, position: Position): Promise<void> {
    this.#isTelling = true
    const { id, kind, email, contactId, templateId, campaignId, subject, tags } = message
    const about = { messageId: id, status, at, code, detail, kind, email, contactId, templateId, campaignId, subject }
    const data = JSON.stringify({ ...about, tags: tags ?? [] })
    await this.#write(`id: ${await this.#parts.seal(position)}\nevent: activity\ndata: ${data}\n\n`)
    this.#isTelling = false
  }

  /** An event without data is not dispatched, but its id counts: a reader that comes back skips what did not match its filter. */
  async beat(): Promise<void> {
    if (!this.#isTelling) await this.#write(`id: ${await this.#parts.seal(this.at)}\n\n`)
  }

  async admitAgain(): Promise<void> {
    await this.#parts.admit()
  }

  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.#room.resolve(false)
    try {
      this.#controller?.close()
    } catch {
      // The reader closed it first.
    }
    this.#parts.onEnd()
  }

  async #write(text: string): Promise<void> {
    if (this.isClosed) return
    this.#controller?.enqueue(encoder.encode(text))
    const isFull = (this.#controller?.desiredSize ?? 0) <= 0
    if (isFull && !(await withDeadline(this.#room.promise, patienceMs, false))) this.close()
  }
}
