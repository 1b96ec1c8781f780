// Finding mail in a mailbox: searching it, its threads, and one thread in full. Each answer has a size that fits a context: texts are cut at a
// stated length, a page ends before it is too large, and both say how to get the rest.

import { Type } from '@sinclair/typebox'
import type { App } from '../../core/app.ts'
import { loadLabels, maxLabelChars } from '../../features/mailboxes/labels.ts'
import { readThread, type ThreadMail } from '../../features/mailboxes/read-thread.ts'
import { type MailSearch, searchReceived } from '../../features/mailboxes/search.ts'
import { maxQueryChars } from '../../features/mailboxes/search-text.ts'
import { listThreads, type ThreadSummary } from '../../features/mailboxes/threads.ts'
import { visible } from '../../kit/visible.ts'
import type { MailboxCaller } from './callers.ts'
import { openCursor } from './cursor.ts'
import { summary, summaryOf } from './mailbox-tools.ts'
import { defineTool, type Tool, type ToolResult } from './tool.ts'
import { createDelimiter } from './untrusted.ts'

const defaultLimit = 10
const maxLimit = 50
/** Of the entries of a list, in UTF-8: without a limit, and with one. */
const defaultListBytes = 7_500
const maxListBytes = 31_000
const maxSubjectChars = 150
const maxNameChars = 80
const maxPeople = 5
const defaultThreadBytes = defaultListBytes
const maxThreadBytes = maxListBytes

const text = Type.String()
const flag = Type.Boolean()
const whole = Type.Integer()
const texts = Type.Array(text)
const nullable = Type.Union([text, Type.Null()])

const pageInput = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxLimit,
      description: `Per page; default ${defaultLimit}.`,
    }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 500, description: '`nextCursor` of the page before.' })),
}
const pageOutput = {
  untrusted: Type.Literal(true, { description: 'Names, addresses, subjects and texts were written by senders.' }),
  hasMore: Type.Boolean({ description: 'Whether there is a next page. A page may be short although there is one.' }),
  nextCursor: nullable,
}
const label = Type.Optional(
  Type.String({ minLength: 1, maxLength: maxLabelChars, description: 'Only with this label (list_labels).' }),
)
const unread = Type.Optional(Type.Boolean({ description: 'Only unread, or only read.' }))
const time = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }))
const words = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: maxQueryChars, description }))
const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }
const touches = { reads: 'untrusted', acts: 'no' } as const

const searchMail = defineTool({
  name: 'search_mail',
  scope: 'read',
  title: 'Search mail',
  says: {
    purpose:
      'Finds mail that this mailbox received, newest first, by words and other conditions; all of them must hold.',
    notFor: 'Sent replies (read_thread shows them), other mailboxes, or reading a whole mail.',
    returns:
      'Per mail its id, thread, sender, subject, labels and a snippet of 200 characters; `hasMore` and `nextCursor`.',
    whenToUse: 'To find mail about something or from somebody.',
  },
  input: Type.Object(
    {
      query: words('Words in subject, sender, text or file names, in any case and script; "several words" together.'),
      sender: words('A name, an address or a domain.'),
      label,
      unread,
      hasAttachments: Type.Optional(flag),
      before: time('Received before: ISO 8601 with an offset.'),
      after: time('Received then or later: ISO 8601 with an offset.'),
      ...pageInput,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    ...pageOutput,
    messages: Type.Array(Type.Object({ ...summary, labels: texts, snippet: text })),
  }),
  touches,
  hints,
  async run(app, { open: { mailbox } }: MailboxCaller, { query: q, sender: from, limit, cursor, ...filters }) {
    const context = `cursor ${mailbox.id} search`
    const page = await openPage(app, context, { limit, cursor })
    const search: MailSearch = { q, from, ...filters }
    const found = await searchReceived(app, mailbox.id, search, page)
    const labels = await loadLabels(
      app,
      found.rows.map(({ id }) => id),
    )
    const all = found.rows.map((row) => {
      const { from, subject, ...rest } = summaryOf(row)
      const cut = { from: cutPerson(from), subject: cutText(subject, maxSubjectChars) }
      return { ...rest, ...cut, labels: labels.get(row.id) ?? [], snippet: visible(row.snippet ?? '') }
    })
    const { entries, ...rest } = await fitPage(app, context, { all, maxBytes: bytesFor(limit), ...found })
    return marked(app, { messages: entries, ...rest })
  },
})

const threadSummary = Type.Object({
  id: text,
  subject: text,
  people: Type.Array(Type.Object({ name: text, address: text })),
  received: whole,
  unread: whole,
  sent: whole,
  labels: texts,
  lastReceivedAt: text,
  lastMessageId: text,
  snippet: text,
})

const listThreadsTool = defineTool({
  name: 'list_threads',
  scope: 'read',
  title: 'List threads',
  says: {
    purpose: 'Lists the conversations of this mailbox, those first that received a mail last.',
    notFor: 'Finding words (search_mail), or reading a conversation (read_thread).',
    returns: `Per thread its subject, up to ${maxPeople} people who wrote last, how many mails were received, are unread and were sent, its labels and a snippet of the newest mail; \`hasMore\` and \`nextCursor\`.`,
    whenToUse: 'To see what is going on, or what is unread.',
  },
  input: Type.Object(
    { label, unread: Type.Optional(Type.Boolean({ description: 'True: only with unread mail.' })), ...pageInput },
    { additionalProperties: false },
  ),
  output: Type.Object({ ...pageOutput, threads: Type.Array(threadSummary) }),
  touches,
  hints,
  async run(app, { open: { mailbox } }: MailboxCaller, { label, unread, limit, cursor }) {
    const context = `cursor ${mailbox.id} threads`
    const page = await openPage(app, context, { limit, cursor })
    const found = await listThreads(app, mailbox.id, { label, unread }, page)
    const all = found.threads.map(toThread)
    const { entries, ...rest } = await fitPage(app, context, { all, maxBytes: bytesFor(limit), ...found })
    return marked(app, { threads: entries, ...rest })
  },
})

function toThread({ last, people, received, unread, sent, labels }: ThreadSummary) {
  return {
    id: last.threadId,
    subject: cutText(visible(last.subject), maxSubjectChars),
    people: people
      .slice(0, maxPeople)
      .map(({ name, address }) => cutPerson({ name: visible(name), address: visible(address) })),
    received,
    unread,
    sent,
    labels,
    lastReceivedAt: last.createdAt.toISOString(),
    lastMessageId: last.id,
    snippet: visible(last.snippet ?? ''),
  }
}

const threadMail = Type.Object({
  id: text,
  kind: Type.String({
    description: '`received`; or a reply of this mailbox: `sent`, `waiting` for a person, `refused`.',
  }),
  at: text,
  from: Type.Object({ name: text, address: text }),
  subject: Type.Optional(text),
  unread: Type.Optional(flag),
  hasAttachments: Type.Optional(flag),
  dmarc: Type.Optional(text),
  labels: Type.Optional(texts),
  text: Type.String({ description: 'Its own words, without what it quotes.' }),
  cutChars: Type.Integer({ description: 'How many characters of the text are left out.' }),
})

const readThreadTool = defineTool({
  name: 'read_thread',
  scope: 'read',
  title: 'Read a thread',
  says: {
    purpose: 'Reads a conversation: the mails that were received and the replies that were sent, oldest first.',
    notFor: 'Quoted text, headers and attachments: read_inbox with `messageId` shows those.',
    returns: `Each mail with its own words, in pages of ${defaultThreadBytes} bytes (\`maxBytes\`). Of one mail at most half a page is shown; \`cutChars\` says how much is left out, which read_inbox shows.`,
    whenToUse:
      'Before replying, or to know what was agreed. With `threadId` of search_mail, list_threads or read_inbox.',
  },
  input: Type.Object(
    {
      threadId: Type.String({ minLength: 1, maxLength: 100 }),
      maxBytes: Type.Optional(
        Type.Integer({
          minimum: 1_000,
          maximum: maxThreadBytes,
          description: `Of a page; default ${defaultThreadBytes}.`,
        }),
      ),
      cursor: pageInput.cursor,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ ...pageOutput, threadId: text, mails: Type.Array(threadMail) }),
  touches,
  hints,
  async run(app, { open: { mailbox } }: MailboxCaller, { threadId, maxBytes = defaultThreadBytes, cursor }) {
    const context = `cursor ${mailbox.id} thread ${threadId}`
    const at = await openCursor(app, cursor, context)
    const found = await readThread(app, mailbox, { threadId, at, maxBytes })
    const all = found.mails.map((mail) => toMail(mail, mailbox))
    const { entries, ...rest } = await fitPage(app, context, { all, maxBytes, ...found })
    return marked(app, { threadId, mails: entries, ...rest })
  },
})

function toMail(mail: ThreadMail, { address }: { address: string }) {
  const words = { text: mail.text, cutChars: mail.cutChars }
  if ('answer' in mail) {
    const { id, status, at, author } = mail.answer
    return { id, kind: status, at: at.toISOString(), from: { name: author.name ?? '', address }, ...words }
  }
  const { id, from, subject, receivedAt, unread, hasAttachments, auth } = summaryOf(mail.received)
  return {
    id,
    kind: 'received',
    at: receivedAt,
    from: cutPerson(from),
    subject: cutText(subject, maxSubjectChars),
    unread,
    hasAttachments,
    dmarc: auth.dmarc,
    labels: mail.labels,
    ...words,
  }
}

export const mailSearchTools: Tool<MailboxCaller>[] = [searchMail, listThreadsTool, readThreadTool]

interface PageRequest {
  limit?: number | undefined
  cursor?: string | undefined
}

async function openPage(app: App, context: string, { limit = defaultLimit, cursor }: PageRequest) {
  return { limit, at: await openCursor(app, cursor, context) }
}

interface Entries<E> {
  all: E[]
  maxBytes: number
  /** Of each entry, and of the end. */
  places: string[]
  next: string | null
}

/** A page that ends before its entries are too large. */
async function fitPage<E>(app: App, context: string, { all, maxBytes, places, next }: Entries<E>) {
  const entries = fitting(all, maxBytes)
  const place = entries.length < all.length ? (places[entries.length - 1] ?? null) : next
  return { entries, hasMore: place !== null, nextCursor: place === null ? null : await app.sealer.seal(place, context) }
}

const bytesFor = (limit: number | undefined) => (limit === undefined ? defaultListBytes : maxListBytes)

/** At least one. */
function fitting<E>(entries: E[], maxBytes: number): E[] {
  let left = maxBytes
  const end = entries.findIndex((entry, index) => {
    left -= Buffer.byteLength(JSON.stringify(entry))
    return left < 0 && index > 0
  })
  return end === -1 ? entries : entries.slice(0, end)
}

function marked<T>(app: App, about: T): ToolResult<{ untrusted: true } & T> {
  const delimiter = createDelimiter(app)
  const structured = { untrusted: true, ...about } as const
  return { structured, text: (json) => `${delimiter.note}\n\n${delimiter.around(json)}` }
}

function cutPerson({ name, address }: { name: string; address: string }) {
  return { name: cutText(name, maxNameChars), address }
}

function cutText(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars).toWellFormed()}…` : text
}
