// Amazon SES, API v2: `SendEmail` with simple, raw or templated content. Requests are signed with a secret that belongs to an API key
// (`paquebot key signing`).

import { Elysia, t } from 'elysia'
import type { App } from '../../core/app.ts'
import { compatPrefix, wholeMail } from '../../core/http/surface.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import { acceptOwn, type OwnMail } from '../../features/sending/send-own.ts'
import { AppError, invalidField, shownWarnings } from '../../kit/error.ts'
import { parseForeignJson } from '../../kit/json.ts'
import { ownValue } from '../../kit/own-value.ts'
import { html } from '../../kit/page.ts'
import { toRawMail } from '../../mail/raw-mail.ts'
import { auth, type Caller } from '../../people/access/auth.ts'
import { checkAddress } from '../../people/domain-owners.ts'
import type { Workspace } from '../../people/workspaces.ts'
import {
  acceptTemplate,
  type Dialect,
  firstMessage,
  mailbox,
  type Refusal,
  recipients,
  shownAs,
  typeOfFile,
} from './dialect.ts'
import { partsOfRaw, withLineEnds } from './ses-raw.ts'
import { readSignature, verifySignature } from './signature.ts'

const root = `${compatPrefix}ses`

const types: Record<string, [status: number, type: string]> = {
  unauthorized: [403, 'MissingAuthenticationTokenException'],
  invalid_api_key: [403, 'UnrecognizedClientException'],
  signature_invalid: [403, 'SignatureDoesNotMatch'],
  insufficient_scope: [403, 'AccessDeniedException'],
  domain_not_verified: [400, 'MailFromDomainNotVerifiedException'],
  recipient_suppressed: [400, 'MessageRejected'],
  not_found: [404, 'NotFoundException'],
  not_implemented: [501, 'NotImplementedException'],
  rate_limit_exceeded: [429, 'TooManyRequestsException'],
  limit_reached: [429, 'TooManyRequestsException'],
}

export const ses: Dialect = {
  name: 'ses',
  service: 'SES',
  signedKey: (app, request) => verifySignature(app, request, 'ses'),
  refusal({ status: ours, code, detail, instance, requestId }) {
    const fallback =
      ours >= 500 ? ([ours, 'InternalServiceErrorException'] as const) : ([400, 'BadRequestException'] as const)
    const [status, type] = ownValue(types, code) ?? fallback
    if (ofQuery.test(instance)) return { status, ...asXml({ type, detail, requestId, isOurs: status >= 500 }) }
    return { status, body: { message: detail }, headers: { 'x-amzn-errortype': type } }
  },
  routes: sesRoutes,
  absent: [
    ['API v2 of SES, "sesv2" in its SDKs, or POST /v1/transactional/send', / \/?$/],
    ['a batch: POST /v1/transactional/send-batch', / \/v2\/email\/outbound-bulk-emails/],
    ['templates: /v1/transactional', / \/v2\/email\/(templates|(outbound-)?custom-verification-email)/],
    [
      'sending domains: /v1/sending-domains',
      / \/v2\/email\/(identit|list-identities|dedicated-ip|multi-region-endpoints|account\/dedicated-ips)/,
    ],
    ['suppressions: /v1/suppressions', / \/v2\/email\/((account|tenant)\/)?suppression/],
    ['webhooks: /v1/webhook-endpoints', / \/v2\/email\/((list|update)-)?configuration-sets/],
    ['mailing lists and contacts: /v1/mailing-lists, /v1/contacts', / \/v2\/email\/contact-lists/],
    ['an import: POST /v1/contacts/import', / \/v2\/email\/import-jobs/],
    ['the log: GET /v1/activity', / \/v2\/email\/((list-)?export-jobs|insights)/],
    ['figures: GET /v1/stats', / \/v2\/email\/(metrics|deliverability|email-address-insights|reputation|vdm)/],
    ['the workspace: /v1/workspace', / \/v2\/email\/(account|tenants|resources|tags)/],
  ],
}

/** API v1 has one path for all of its actions, and speaks XML. */
const ofQuery = new RegExp(`^${root}/?$`)

interface XmlError {
  type: string
  detail: string
  requestId: string
  isOurs: boolean
}

/** https://docs.aws.amazon.com/ses/latest/APIReference/CommonErrors.html, as the query protocol writes it. */
function asXml({ type, detail, requestId, isOurs }: XmlError): Omit<Refusal, 'status'> {
  const side = isOurs ? 'Receiver' : 'Sender'
  const { html: body } =
    html`<ErrorResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/"><Error><Type>${side}</Type><Code>${type}</Code><Message>${detail}</Message></Error><RequestId>${requestId}</RequestId></ErrorResponse>`
  return { body, headers: { 'content-type': 'text/xml; charset=utf-8' } }
}

const part = t.Object({
  Data: t.String(),
  Charset: t.Optional(t.String({ pattern: '^(?:[uU][tT][fF]-8|(?:US-)?ASCII)$' })),
})
const list = t.Optional(t.Array(t.String(), { maxItems: 50 }))
const header = t.Object({ Name: t.String(), Value: t.String() })

const sendBody = refusing(
  t.Object({
    FromEmailAddress: t.Optional(t.String()),
    Destination: t.Optional(t.Object({ ToAddresses: list, CcAddresses: list, BccAddresses: list })),
    ReplyToAddresses: list,
    EmailTags: t.Optional(
      t.Array(t.Object({ Name: t.String({ maxLength: 256 }), Value: t.String({ maxLength: 256 }) })),
    ),
    Content: t.Object({
      Simple: t.Optional(
        t.Object({
          Subject: part,
          Body: t.Object({ Text: t.Optional(part), Html: t.Optional(part) }),
          Headers: t.Optional(t.Array(header)),
          Attachments: t.Optional(
            t.Array(
              t.Object({
                RawContent: t.String(),
                FileName: t.String(),
                ContentType: t.Optional(t.String()),
                ContentDisposition: t.Optional(t.Union([t.Literal('ATTACHMENT'), t.Literal('INLINE')])),
                ContentId: t.Optional(t.String()),
              }),
            ),
          ),
        }),
      ),
      Raw: t.Optional(t.Object({ Data: t.String() })),
      Template: t.Optional(
        t.Object({
          TemplateName: t.String({ maxLength: 300 }),
          TemplateData: t.Optional(t.String()),
          Headers: t.Optional(t.Array(header)),
        }),
      ),
    }),
  }),
)
type SendBody = typeof sendBody.static
type Simple = NonNullable<SendBody['Content']['Simple']>

function sesRoutes(app: App) {
  return new Elysia({ prefix: `${root}/v2/email`, detail: { hide: true } }).use(auth).post(
    '/outbound-emails',
    async ({ body, workspace, credential, request }) => {
      const key = readSignature(request)
      if (body.Content.Template) return { MessageId: await sendTemplate(app, { workspace, credential }, { body, key }) }
      const asked = { route: `POST ${root}/v2/email/outbound-emails`, key, body: null }
      const { response } = await acceptOwn(app, workspace, asked, async () => [await readMail(app, workspace, body)])
      const [sent] = response
      return sent === undefined
        ? { MessageId: '' }
        : { MessageId: firstMessage(sent).messageId, ...shownWarnings(sent.warnings) }
    },
    { auth: 'transactional.send', body: sendBody, detail: wholeMail },
  )
}

async function readMail(app: App, workspace: Workspace, body: SendBody): Promise<OwnMail> {
  const { Simple, Raw } = body.Content
  if (Simple && !Raw) return simpleMail(body, Simple)
  if (Raw && !Simple) return await rawMail(app, workspace, body, Raw.Data)
  throw invalidField('Content', 'Content has one of Simple, Raw and Template', 'required')
}

function simpleMail(body: SendBody, { Subject, Body, Headers, Attachments }: Simple): OwnMail {
  if (body.FromEmailAddress === undefined)
    throw invalidField('FromEmailAddress', 'FromEmailAddress is missing', 'required')
  return {
    from: mailbox('FromEmailAddress', body.FromEmailAddress),
    recipients: destination(body),
    replyTo: replyTo(body),
    content: { subject: Subject.Data, html: Body.Html?.Data, text: Body.Text?.Data },
    headers: toHeaders(Headers),
    attachments: Attachments?.map(toAttachment),
    metadata: toMetadata(body),
  }
}

function toAttachment(given: NonNullable<Simple['Attachments']>[number], index: number) {
  const { FileName, ContentType, RawContent, ContentDisposition, ContentId: contentId } = given
  return {
    filename: FileName,
    contentType: ContentType ?? typeOfFile(FileName),
    data: RawContent,
    ...shownAs({ inline: ContentDisposition === 'INLINE', contentId }, `Attachments[${index}].ContentId`),
  }
}

/** Its recipients are those of Destination, or of its headers. */
async function rawMail(app: App, workspace: Workspace, body: SendBody, data: string): Promise<OwnMail> {
  if (body.ReplyToAddresses)
    throw invalidField('ReplyToAddresses', 'a raw mail has its reply addresses in its headers, not in ReplyToAddresses')
  const raw = await toRawMail(await withLineEnds(Buffer.from(data, 'base64')))
  const { senders, addressees, ...mail } = await partsOfRaw(app, raw)
  const named = body.FromEmailAddress === undefined ? mail.from : mailbox('FromEmailAddress', body.FromEmailAddress)
  if (named.address !== mail.from.address)
    throw invalidField('FromEmailAddress', `FromEmailAddress is not the From of the mail, ${mail.from.address}`)
  for (const { field: path, address } of senders) await checkAddress(app, workspace.id, { address, path })
  return { ...mail, recipients: body.Destination ? destination(body) : addressees, metadata: toMetadata(body) }
}

function destination({ Destination = {} }: SendBody): OwnMail['recipients'] {
  return [
    ...recipients('to', 'ToAddresses', Destination.ToAddresses),
    ...recipients('cc', 'CcAddresses', Destination.CcAddresses),
    ...recipients('bcc', 'BccAddresses', Destination.BccAddresses),
  ]
}

function replyTo({ ReplyToAddresses = [] }: SendBody): string | undefined {
  const [first, second] = ReplyToAddresses
  if (second !== undefined) throw invalidField('ReplyToAddresses', 'ReplyToAddresses may be one address here')
  return first === undefined ? undefined : mailbox('ReplyToAddresses', first).address
}

function toHeaders(headers: (typeof header.static)[] | undefined): Record<string, string> | undefined {
  return headers && Object.fromEntries(headers.map(({ Name, Value }) => [Name, Value]))
}

function toMetadata({ EmailTags }: SendBody): Record<string, string> | undefined {
  return EmailTags && Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, Value]))
}

async function sendTemplate(app: App, caller: Caller, { body, key }: { body: SendBody; key: string }): Promise<string> {
  const { TemplateName: templateId = '', TemplateData = '{}', Headers } = body.Content.Template ?? {}
  const { FromEmailAddress: from, Destination: { ToAddresses = [], CcAddresses, BccAddresses } = {} } = body
  if (ToAddresses.length === 0) throw invalidField('ToAddresses', 'ToAddresses names nobody', 'required')
  const mail = {
    route: `POST ${root}/v2/email/outbound-emails`,
    templateId,
    dataVariables: parseData(TemplateData),
    from: from === undefined ? null : { path: 'FromEmailAddress', ...mailbox('FromEmailAddress', from) },
    to: ToAddresses,
    cc: CcAddresses,
    bcc: BccAddresses,
    replyTo: replyTo(body),
    headers: toHeaders(Headers),
    metadata: toMetadata(body),
  }
  return await acceptTemplate(app, caller, mail, key)
}

function parseData(json: string): Record<string, unknown> {
  try {
    const data = parseForeignJson(json)
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) return { ...data }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  throw new AppError('validation_failed', 'TemplateData is not a JSON object', {
    errors: [{ path: 'TemplateData', message: 'is not a JSON object', code: 'invalid' }],
  })
}
