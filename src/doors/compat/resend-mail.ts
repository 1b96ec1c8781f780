// Resend: sending and reading mail in the form its SDK expects.

import { Elysia, t } from 'elysia'
import type { MessageStatus } from '../../../db/tables/messages.ts'
import { type App, type Tx, write } from '../../core/app.ts'
import { readIdempotencyKey, reply } from '../../core/http/idempotency.ts'
import { compatPrefix, wholeMail } from '../../core/http/surface.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import { wholeNumber } from '../../core/http/wire.ts'
import { getActivity, listActivity, listActivityById, type Message } from '../../features/sending/activity/activity.ts'
import { loadRecipients } from '../../features/sending/activity/groups.ts'
import { cancelMessage, rescheduleMessage } from '../../features/sending/message-acts.ts'
import { findOwnParts } from '../../features/sending/own-content.ts'
import { parseSchedule } from '../../features/sending/schedule.ts'
import { acceptOwn, type OwnMail, type OwnSent } from '../../features/sending/send-own.ts'
import { AppError, invalidField, shownWarnings } from '../../kit/error.ts'
import { auth, type Caller } from '../../people/access/auth.ts'
import { acceptTemplate, firstMessage, mailbox, recipients, typeOfFile } from './dialect.ts'

export const root = `${compatPrefix}resend`
export const hidden = { detail: { hide: true } } as const

export const anyName = t.String({ pattern: '^[\\s\\S]*$' })
const oneAddress = t.String({ maxLength: 1_000 })
const oneOrMore = t.Union([oneAddress, t.Array(oneAddress)])
export const id = t.String({ maxLength: 300 })
export const page = t.Object({
  limit: t.Optional(wholeNumber('1 to 100.')),
  after: t.Optional(id),
  before: t.Optional(id),
})

/** The requested page, with one more row to know whether there is another page. Throws 422 for an unsupported option. */
export function readPage({ limit, after, before }: typeof page.static): { most: number; after: string | undefined } {
  if (before !== undefined) throw invalidField('before', 'before is not supported: use after to get the next page')
  return { most: Math.min(limit ?? 20, 100), after }
}

export function toPage<T, V>(rows: T[], most: number, view: (row: T) => V) {
  return { object: 'list', has_more: rows.length > most, data: rows.slice(0, most).map(view) }
}

const email = t.Object({
  from: t.Optional(oneAddress),
  to: oneOrMore,
  cc: t.Optional(oneOrMore),
  bcc: t.Optional(oneOrMore),
  reply_to: t.Optional(oneOrMore),
  subject: t.Optional(t.String()),
  html: t.Optional(t.String()),
  text: t.Optional(t.String()),
  headers: t.Optional(t.Record(anyName, t.String())),
  tags: t.Optional(t.Array(t.Object({ name: t.String({ maxLength: 256 }), value: t.String({ maxLength: 256 }) }))),
  attachments: t.Optional(
    t.Array(
      t.Object({
        filename: t.Optional(t.String({ maxLength: 500 })),
        content: t.Optional(t.String()),
        content_type: t.Optional(t.String({ maxLength: 300 })),
        content_id: t.Optional(t.String()),
      }),
    ),
  ),
  scheduled_at: t.Optional(oneAddress),
  template: t.Optional(t.Object({ id, variables: t.Optional(t.Record(anyName, t.Unknown())) })),
})
const emailBody = refusing(email)
const batchBody = refusing(t.Array(email, { minItems: 1, maxItems: 100 }))
type Email = typeof email.static

export function resendMailRoutes(app: App) {
  const send = 'transactional.send'
  return new Elysia({ prefix: `${root}/emails`, ...hidden })
    .use(auth)
    .post(
      '',
      async ({ workspace, credential, body, request, set }) => {
        const key = readIdempotencyKey(request)
        if (body.template) return { id: await sendTemplate(app, { workspace, credential }, body, key) }
        const asked = { route: `POST ${root}/emails`, key, body }
        const [sent] = reply(set, await acceptOwn(app, workspace, asked, () => [toOwnMail(app, body)]))
        return sent === undefined ? { id: '' } : toSent(sent)
      },
      { auth: send, body: emailBody, detail: wholeMail },
    )
    .post(
      '/batch',
      async ({ workspace, body, request, set }) => {
        if (request.headers.get('x-batch-validation') === 'permissive')
          throw invalidField('x-batch-validation', 'a batch is sent as a whole or not at all: strict')
        const asked = { route: `POST ${root}/emails/batch`, key: readIdempotencyKey(request), body }
        const mails = () => body.map((one, index) => withPath(`[${index}]`, () => toOwnMail(app, one)))
        const sent = reply(set, await acceptOwn(app, workspace, asked, mails))
        return { data: sent.map(toSent) }
      },
      { auth: send, body: batchBody, detail: wholeMail },
    )
    .get(
      '',
      async ({ workspace, query }) => {
        const { most, after } = readPage(query)
        const records = await listActivity(app, workspace.id, { after, limit: most + 1 })
        const list = toPage(records, most, ({ message }) => toListed(app, message))
        return { ...list, data: await Promise.all(list.data) }
      },
      { auth: 'activity.read', query: page },
    )
    .get(
      '/:emailId',
      async ({ workspace, params }) => toEmail(app, (await getActivity(app, workspace.id, params.emailId)).message),
      { auth: 'activity.read' },
    )
    .patch(
      '/:emailId',
      async ({ workspace, params: { emailId: id }, body }) => {
        const runAt = parseSchedule(app, 'scheduled_at', body.scheduled_at)
        await eachWaiting(app, workspace.id, id, (tx, messageId) =>
          rescheduleMessage(tx, workspace.id, { messageId, runAt }),
        )
        return { object: 'email', id }
      },
      { auth: send, body: refusing(t.Object({ scheduled_at: oneAddress })) },
    )
    .post(
      '/:emailId/cancel',
      async ({ workspace, params: { emailId: id } }) => {
        await eachWaiting(app, workspace.id, id, (tx, messageId) => cancelMessage(tx, workspace.id, messageId))
        return { object: 'email', id }
      },
      { auth: send },
    )
}

function toSent(sent: OwnSent) {
  return { id: firstMessage(sent).messageId, ...shownWarnings(sent.warnings) }
}

/** A mail to several is one thing there: all of its messages that wait. Throws when none does. */
async function eachWaiting(
  app: App,
  workspaceId: string,
  id: string,
  act: (tx: Tx, messageId: string) => Promise<unknown>,
): Promise<void> {
  await write(app, async (tx) => {
    const { message } = await getActivity(tx, workspaceId, id)
    const named = await loadRecipients(tx, message.groupId)
    const records = await listActivityById(tx, workspaceId, [...new Set([id, ...named.map((one) => one.messageId)])])
    const waiting = records.flatMap(({ message }) => (/^(queued|delayed)$/.test(message.status) ? [message.id] : []))
    for (const messageId of waiting.length > 0 ? waiting : [id]) await act(tx, messageId)
  })
}

/** Adds to an error which of several items it is about. */
function withPath<T>(path: string, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError(error.code, `${path}: ${error.message}`, error.details)
  }
}

function toOwnMail(app: App, body: Email): OwnMail {
  const { from, subject, html, text, headers, tags, attachments } = body
  if (body.template) throw invalidField('template', 'a batch supports html and text; send templates one by one')
  if (from === undefined) throw missing('from')
  if (subject === undefined) throw missing('subject')
  return {
    from: mailbox('from', from),
    recipients: [
      ...recipients('to', 'to', body.to),
      ...recipients('cc', 'cc', body.cc),
      ...recipients('bcc', 'bcc', body.bcc),
    ],
    replyTo: replyTo(body),
    content: { subject, html, text },
    headers,
    attachments: attachments?.map(toAttachment),
    metadata: toMetadata(tags),
    runAt: parseSchedule(app, 'scheduled_at', body.scheduled_at),
  }
}

function missing(path: string): AppError {
  const message = `Missing \`${path}\` field.`
  return new AppError('missing_required_field', message, { errors: [{ path, message, code: 'required' }] })
}

function replyTo({ reply_to }: Email): string | undefined {
  const list = typeof reply_to === 'string' ? [reply_to] : (reply_to ?? [])
  if (list.length > 1) throw invalidField('reply_to', 'reply_to may be one address here')
  return list[0]
}

function toAttachment(given: NonNullable<Email['attachments']>[number], index: number) {
  const { filename, content, content_type, content_id: contentId } = given
  if (filename === undefined || content === undefined) {
    const path = `attachments[${index}].${filename === undefined ? 'filename' : 'content'}`
    throw missing(path)
  }
  return {
    filename,
    contentType: content_type ?? typeOfFile(filename),
    data: content,
    ...(contentId ? { contentId } : {}),
  }
}

async function sendTemplate(app: App, caller: Caller, body: Email, key: string | null) {
  const { template, from, to, cc, bcc, headers, tags } = body
  for (const path of ['subject', 'html', 'text'] as const)
    if (body[path] !== undefined) throw invalidField(path, `a template brings its own ${path}`)
  const list = (given: string | string[] | undefined) => (typeof given === 'string' ? [given] : given)
  const mail = {
    route: `POST ${root}/emails`,
    templateId: template?.id ?? '',
    dataVariables: template?.variables ?? {},
    from: from === undefined ? null : { path: 'from', ...mailbox('from', from) },
    to: list(to) ?? [],
    cc: list(cc),
    bcc: list(bcc),
    headers,
    replyTo: replyTo(body),
    scheduledAt: body.scheduled_at,
    attachments: body.attachments?.map(toAttachment),
    metadata: toMetadata(tags),
  }
  return await acceptTemplate(app, caller, mail, key)
}

function toMetadata(tags: Email['tags']): Record<string, string> | undefined {
  return tags && Object.fromEntries(tags.map(({ name, value }) => [name, value]))
}

const eventOf: Record<MessageStatus, string> = {
  queued: 'queued',
  sending: 'queued',
  sent: 'sent',
  delivered: 'delivered',
  delayed: 'delivery_delayed',
  bounced: 'bounced',
  complained: 'complained',
  suppressed: 'suppressed',
  failed: 'failed',
  uncertain: 'sent',
  cancelled: 'canceled',
}

async function toEmail(app: App, message: Message) {
  const { id, messageIdHeader, metadata } = message
  const parts = await findOwnParts(app, id)
  return {
    object: 'email',
    ...(await toListed(app, message)),
    html: parts?.html ?? null,
    text: parts?.text ?? null,
    message_id: `<${messageIdHeader}>`,
    tags: Object.entries(metadata ?? {}).map(([name, value]) => ({ name, value })),
  }
}

async function toListed(app: App, message: Message) {
  const { id, groupId, email, fromName, fromEmail, replyTo, subject, createdAt, status } = message
  const all = await loadRecipients(app, groupId)
  const named = (as: 'to' | 'cc' | 'bcc') => all.filter((one) => one.as === as).map((one) => one.email)
  return {
    id,
    to: groupId === null ? [email] : named('to'),
    from: fromName === null ? fromEmail : `${fromName} <${fromEmail}>`,
    created_at: createdAt.toISOString(),
    subject,
    cc: named('cc'),
    bcc: named('bcc'),
    reply_to: replyTo === null ? [] : [replyTo],
    last_event: eventOf[status],
  }
}
