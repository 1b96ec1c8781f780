// Postmark: single mails, batches, templates and suppressions, as its SDK asks for them. Its message streams are not known here: there is
// one, `outbound`.

import { Elysia, t } from 'elysia'
import type { SuppressionReason } from '../../../db/tables/contacts.ts'
import type { App } from '../../core/app.ts'
import { readIdempotencyKey } from '../../core/http/idempotency.ts'
import { compatPrefix, wholeMail } from '../../core/http/surface.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import { removeSuppression, suppressOne } from '../../features/contacts/consent/manual-suppression.ts'
import { listSuppressions } from '../../features/contacts/consent/suppression.ts'
import { acceptOwn, type OwnMail, type OwnSent } from '../../features/sending/send-own.ts'
import { idOfUrl } from '../../kit/content-id.ts'
import { AppError, invalidField, shownWarnings } from '../../kit/error.ts'
import { ownValue } from '../../kit/own-value.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import { auth, type Caller, toActor } from '../../people/access/auth.ts'
import { acceptTemplate, addresses, firstMessage, mailbox, recipients, typeOfFile } from './dialect.ts'

export const root = `${compatPrefix}postmark`
export const hidden = { detail: { hide: true } } as const

/** Of its errors. */
export const codes: Record<string, number> = {
  unauthorized: 10,
  invalid_api_key: 10,
  insufficient_scope: 10,
  invalid_json: 402,
  domain_not_verified: 400,
  recipient_suppressed: 406,
  attachment_type_not_allowed: 411,
  not_found: 1101,
  missing_variable: 1109,
}

const text = t.Optional(t.String())
const shared = {
  From: t.String(),
  To: text,
  Cc: text,
  Bcc: text,
  ReplyTo: text,
  Tag: t.Optional(t.String({ maxLength: 100 })),
  Metadata: t.Optional(t.Record(t.String({ pattern: '^[\\s\\S]*$' }), t.String({ maxLength: 500 }))),
  Headers: t.Optional(t.Array(t.Object({ Name: t.String(), Value: t.String() }))),
  Attachments: t.Optional(
    t.Array(
      t.Object({
        Name: t.String(),
        Content: t.String(),
        ContentType: text,
        ContentID: t.Optional(t.Union([t.String(), t.Null()])),
      }),
    ),
  ),
  MessageStream: text,
  TrackOpens: t.Optional(t.Boolean()),
  TrackLinks: text,
}
const message = t.Object({ ...shared, Subject: text, HtmlBody: text, TextBody: text })
const templated = t.Object({
  ...shared,
  TemplateAlias: text,
  TemplateId: t.Optional(t.Number()),
  TemplateModel: t.Optional(t.Object({}, { additionalProperties: t.Unknown() })),
  InlineCss: t.Optional(t.Boolean()),
})
type Shared = typeof templated.static
type Message = typeof message.static

const maxBatch = 500
const entries = refusing(t.Object({ Suppressions: t.Array(t.Object({ EmailAddress: t.String() }), { maxItems: 50 }) }))

export function postmarkRoutes(app: App) {
  const send = 'transactional.send'
  return new Elysia({ prefix: root, ...hidden })
    .use(auth)
    .post('/email', ({ body, request, caller }) => sendOne(app, caller, body, readIdempotencyKey(request)), {
      auth: send,
      body: refusing(message),
      detail: wholeMail,
    })
    .post(
      '/email/batch',
      ({ body, request, caller }) => each(app, body, request, (one, key) => sendOne(app, caller, one, key)),
      { auth: send, body: refusing(t.Array(message, { minItems: 1, maxItems: maxBatch })), detail: wholeMail },
    )
    .post(
      '/email/withTemplate',
      ({ body, request, caller }) => sendTemplate(app, caller, body, readIdempotencyKey(request)),
      {
        auth: send,
        body: refusing(templated),
        detail: wholeMail,
      },
    )
    .post(
      '/email/batchWithTemplates',
      ({ body, request, caller }) =>
        each(app, body.Messages, request, (one, key) => sendTemplate(app, caller, one, key)),
      {
        auth: send,
        body: refusing(t.Object({ Messages: t.Array(templated, { minItems: 1, maxItems: maxBatch }) })),
        detail: wholeMail,
      },
    )
    .use(suppressionRoutes(app))
}

/** Each has a result of its own, and a key by its place; one that is refused does not affect the others. */
async function each<T>(
  app: App,
  list: T[],
  request: Request,
  send: (one: T, key: string | null) => Promise<object>,
): Promise<object[]> {
  const key = readIdempotencyKey(request)
  const results: object[] = []
  for (const [index, one] of list.entries())
    results.push(
      await send(one, key === null ? null : `${key} ${index}`).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error
        app.log.debug('a message of a batch was refused', { code: error.code })
        return { ErrorCode: ownValue(codes, error.code) ?? 300, Message: error.message }
      }),
    )
  return results
}

async function sendOne(app: App, { workspace }: Pick<Caller, 'workspace'>, body: Message, key: string | null) {
  const asked = { route: `POST ${root}/email`, key, body }
  const { response } = await acceptOwn(app, workspace, asked, () => [toOwnMail(body)])
  const [sent] = response
  if (!sent) throw new Error('a mail without a result was accepted')
  return toResult(app, body, sent)
}

function toOwnMail(body: Message): OwnMail {
  const { Subject: subject = '', HtmlBody: html, TextBody: text, Tag, Metadata: metadata } = body
  refuseTracking(body)
  return {
    from: mailbox('From', body.From),
    recipients: [
      ...recipients('to', 'To', addresses(body.To)),
      ...recipients('cc', 'Cc', addresses(body.Cc)),
      ...recipients('bcc', 'Bcc', addresses(body.Bcc)),
    ],
    replyTo: replyTo(body),
    content: { subject, html, text },
    headers: toHeaders(body),
    attachments: body.Attachments?.map(toAttachment),
    tags: Tag ? [Tag] : undefined,
    metadata,
  }
}

function refuseTracking({ TrackOpens, TrackLinks, MessageStream }: Shared | Message): void {
  if (TrackOpens)
    throw invalidField('TrackOpens', 'TrackOpens may only be false: content supplied by the caller is not tracked')
  if (TrackLinks !== undefined && TrackLinks !== 'None')
    throw invalidField('TrackLinks', 'TrackLinks may only be None: content supplied by the caller is not tracked')
  checkStream(MessageStream ?? outbound)
}

export const outbound = 'outbound'

/** Throws 422 for any other. */
export function checkStream(stream: string): void {
  if (stream !== outbound) throw invalidField('MessageStream', `MessageStream may only be ${outbound}`)
}

function replyTo({ ReplyTo }: Shared | Message): string | undefined {
  const [first, second] = addresses(ReplyTo)
  if (second !== undefined) throw invalidField('ReplyTo', 'ReplyTo may be one address here')
  return first === undefined ? undefined : mailbox('ReplyTo', first).address
}

function toHeaders({ Headers }: Shared | Message): Record<string, string> | undefined {
  return Headers && Object.fromEntries(Headers.map(({ Name, Value }) => [Name, Value]))
}

function toAttachment({ Name, Content, ContentType, ContentID }: NonNullable<Shared['Attachments']>[number]) {
  // Written as in the HTML.
  const contentId = ContentID ? { contentId: idOfUrl(ContentID) ?? ContentID } : {}
  return { filename: Name, contentType: ContentType ?? typeOfFile(Name), data: Content, ...contentId }
}

/** Throws when nobody gets it. */
function toResult(app: App, { To, Cc, Bcc }: Message, sent: OwnSent) {
  const { messageId, suppressed } = firstMessage(sent)
  const inactive = sent.messages.flatMap((one) => (one.suppressed === null ? [] : [one.email]))
  if (suppressed !== null)
    throw new AppError(
      'recipient_suppressed',
      `Inactive recipients, who are on the suppression list: ${inactive.join(', ')}.`,
    )
  const Message =
    inactive.length === 0
      ? 'OK'
      : `Message OK, but will not deliver to these inactive addresses: ${inactive.join(', ')}`
  return { ...withoutUndefined({ To, Cc, Bcc }), ...accepted(app, messageId), Message, ...shownWarnings(sent.warnings) }
}

function accepted(app: App, MessageID: string) {
  return { SubmittedAt: app.clock.now().toISOString(), MessageID, ErrorCode: 0, Message: 'OK' }
}

async function sendTemplate(app: App, caller: Caller, body: Shared, key: string | null) {
  const { TemplateAlias: templateId, TemplateId, TemplateModel: dataVariables = {}, To, Cc, Bcc, Tag, Metadata } = body
  if (TemplateId !== undefined || templateId === undefined)
    throw invalidField('TemplateId', 'name the template by its TemplateAlias: templates here have no numbers')
  refuseTracking(body)
  const [to, cc, bcc] = [To, Cc, Bcc].map(someAddresses)
  if (!to) throw invalidField('To', 'To names nobody', 'required')
  const mail = {
    route: `POST ${root}/email/withTemplate`,
    templateId,
    dataVariables,
    from: { path: 'From', ...mailbox('From', body.From) },
    to,
    cc,
    bcc,
    replyTo: replyTo(body),
    headers: toHeaders(body),
    metadata: Metadata,
    tags: Tag ? [Tag] : undefined,
    attachments: body.Attachments?.map(toAttachment),
  }
  return { ...withoutUndefined({ To, Cc, Bcc }), ...accepted(app, await acceptTemplate(app, caller, mail, key)) }
}

function someAddresses(list: string | undefined): string[] | undefined {
  const all = addresses(list)
  return all.length === 0 ? undefined : all
}

const reasonOf: Record<SuppressionReason, string> = {
  hardBounce: 'HardBounce',
  complaint: 'SpamComplaint',
  manual: 'ManualSuppression',
  unsubscribe: 'ManualSuppression',
}
const maxDumped = 1_000

function suppressionRoutes(app: App) {
  const change = async (list: { EmailAddress: string }[], status: string, one: (email: string) => Promise<unknown>) => {
    const Suppressions: object[] = []
    for (const { EmailAddress } of list) {
      const fault = await one(EmailAddress).then(
        () => null,
        (error: unknown) => {
          if (error instanceof AppError) return error
          throw error
        },
      )
      // Taking off who is not on it is no failure.
      const isDone = fault === null || fault.code === 'not_found'
      Suppressions.push({ EmailAddress, Status: isDone ? status : 'Failed', Message: isDone ? null : fault.message })
    }
    return { Suppressions }
  }
  return new Elysia({ prefix: '/message-streams/:stream/suppressions' })
    .use(auth)
    .get(
      '/dump',
      async ({ workspace, params, query }) => {
        checkStream(params.stream)
        const wanted = { email: query.emailaddress, after: undefined, limit: maxDumped }
        const rows = await listSuppressions(app, workspace.id, wanted)
        return {
          Suppressions: rows.map(({ email, reason, createdAt }) => ({
            EmailAddress: email,
            SuppressionReason: reasonOf[reason],
            Origin: reason === 'manual' ? 'Customer' : 'Recipient',
            CreatedAt: createdAt.toISOString(),
          })),
        }
      },
      { auth: 'suppressions.read', query: t.Object({ emailaddress: t.Optional(t.String({ maxLength: 320 })) }) },
    )
    .post(
      '',
      ({ workspace, params, body }) => {
        checkStream(params.stream)
        return change(body.Suppressions, 'Suppressed', (email) =>
          suppressOne(app, workspace.id, { email, reason: 'manual' }),
        )
      },
      { auth: 'suppressions.write', body: entries },
    )
    .post(
      '/delete',
      ({ workspace, credential, params, body }) => {
        checkStream(params.stream)
        const removedBy = toActor(credential)
        return change(body.Suppressions, 'Deleted', (email) =>
          removeSuppression(app, workspace.id, { email, removedBy }),
        )
      },
      { auth: 'contacts.write', body: entries },
    )
}
