// SendGrid: `mail/send`, whose personalizations are a mail each.

import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import type { App } from '../../core/app.ts'
import { readIdempotencyKey } from '../../core/http/idempotency.ts'
import { compatPrefix, wholeMail } from '../../core/http/surface.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import { checkSchedule } from '../../features/sending/schedule.ts'
import { acceptOwn, type OwnMail } from '../../features/sending/send-own.ts'
import { parseAddress } from '../../kit/email-address.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { isOneLine, notOneLine } from '../../kit/text.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import { auth, type Caller } from '../../people/access/auth.ts'
import { acceptTemplate, type Dialect, firstMessage, shownAs, typeOfFile } from './dialect.ts'

const root = `${compatPrefix}sendgrid`

export const sendgrid: Dialect = {
  name: 'sendgrid',
  service: 'SendGrid',
  refusal({ status, detail, errors }) {
    // What is not valid is 400 there.
    const shown = status === 422 || status === 409 ? 400 : status
    return { status: shown, body: { errors: [{ message: detail, field: errors[0]?.path ?? null, help: null }] } }
  },
  routes: sendgridRoutes,
  absent: [
    ['a message that waits: POST /v1/messages/{messageId}/cancel', / \/v3\/(mail\/batch|user\/scheduled_sends)/],
    ['contacts: /v1/contacts', / \/v3\/(marketing\/contacts|contactdb)/],
    ['mailing lists: /v1/mailing-lists', / \/v3\/(marketing\/(lists|segments)|asm\/groups)/],
    ['campaigns: /v1/campaigns', / \/v3\/(marketing|campaigns)/],
    ['suppressions: /v1/suppressions', / \/v3\/(suppression|asm)/],
    ['templates: /v1/transactional', / \/v3\/templates/],
    ['figures: GET /v1/stats', / \/v3\/([a-z_]+\/)?stats/],
    ['the log: GET /v1/activity', / \/v3\/messages/],
    ['webhooks: /v1/webhook-endpoints', / \/v3\/user\/webhooks/],
    ['sending domains: /v1/sending-domains', / \/v3\/(whitelabel|senders|verified_senders)/],
    ['API keys: /v1/api-keys', / \/v3\/(api_keys|scopes)/],
  ],
}

const anyName = t.String({ pattern: '^[\\s\\S]*$' })
const texts = t.Optional(t.Record(anyName, t.String({ maxLength: 500 })))
const address = t.Object({ email: t.String({ maxLength: 320 }), name: t.Optional(t.String({ maxLength: 200 })) })
const people = t.Optional(t.Array(address))
/** Switches that are off say nothing. */
const off = t.Optional(t.Object({ enable: t.Optional(t.Literal(false)) }))

const personalization = t.Object({
  to: t.Array(address, { minItems: 1 }),
  cc: people,
  bcc: people,
  subject: t.Optional(t.String()),
  headers: texts,
  custom_args: texts,
  dynamic_template_data: t.Optional(t.Object({}, { additionalProperties: t.Unknown() })),
  send_at: t.Optional(Type.Integer()),
})
const mailBody = refusing(
  t.Object({
    personalizations: t.Array(personalization, { minItems: 1, maxItems: 1_000 }),
    from: address,
    reply_to: t.Optional(address),
    subject: t.Optional(t.String()),
    content: t.Optional(t.Array(t.Object({ type: t.String(), value: t.String() }), { maxItems: 2 })),
    template_id: t.Optional(t.String({ maxLength: 300 })),
    attachments: t.Optional(
      t.Array(
        t.Object({
          content: t.String(),
          filename: t.String(),
          type: t.Optional(t.String()),
          disposition: t.Optional(t.Union([t.Literal('attachment'), t.Literal('inline')])),
          content_id: t.Optional(t.String()),
        }),
      ),
    ),
    headers: texts,
    categories: t.Optional(t.Array(t.String({ minLength: 1, maxLength: 100 }), { maxItems: 10 })),
    custom_args: texts,
    send_at: t.Optional(Type.Integer()),
    mail_settings: t.Optional(t.Object({ sandbox_mode: off, footer: off, bypass_list_management: off })),
    tracking_settings: t.Optional(
      t.Object({
        click_tracking: t.Optional(
          t.Object({ enable: t.Optional(t.Literal(false)), enable_text: t.Optional(t.Literal(false)) }),
        ),
        open_tracking: off,
        subscription_tracking: off,
        ganalytics: off,
      }),
    ),
  }),
)
type MailBody = typeof mailBody.static
type Personalization = MailBody['personalizations'][number]
type Address = MailBody['from']

function sendgridRoutes(app: App) {
  return new Elysia({ prefix: `${root}/v3`, detail: { hide: true } }).use(auth).post(
    '/mail/send',
    async ({ body, request, caller }) => {
      const key = readIdempotencyKey(request)
      const messageId =
        body.template_id === undefined
          ? await sendMails(app, caller, body, key)
          : await sendTemplate(app, caller, { ...body, template_id: body.template_id }, key)
      return new Response(null, { status: 202, headers: { 'x-message-id': messageId } })
    },
    { auth: 'transactional.send', body: mailBody, detail: wholeMail },
  )
}

async function sendMails(app: App, { workspace }: Pick<Caller, 'workspace'>, body: MailBody, key: string | null) {
  const asked = { route: `POST ${root}/v3/mail/send`, key, body }
  const { response } = await acceptOwn(app, workspace, asked, () => toOwnMails(app, body))
  const [first] = response
  return first === undefined ? '' : firstMessage(first).messageId
}

function toOwnMails(app: App, body: MailBody): OwnMail[] {
  const contents = new Map<string, OwnMail['content']>()
  return body.personalizations.map((one, index) => {
    const within = `personalizations[${index}]`
    const { subject = body.subject, send_at = body.send_at, headers, custom_args } = one
    if (subject === undefined) throw invalidField('subject', 'subject is missing', 'required')
    if (one.dynamic_template_data)
      throw invalidField(`${within}.dynamic_template_data`, 'dynamic_template_data needs a template_id')
    const content = contents.get(subject) ?? { subject, ...toContent(body) }
    contents.set(subject, content)
    return {
      from: { name: readName('from', body.from), address: readAddress('from.email', body.from) },
      recipients: toRecipients(one, within),
      replyTo: replyTo(body),
      content,
      headers: { ...body.headers, ...headers },
      attachments: body.attachments?.map(toAttachment),
      tags: body.categories,
      metadata: { ...body.custom_args, ...custom_args },
      runAt: timeAt(app, send_at),
    }
  })
}

function toContent({ content = [] }: MailBody): { html?: string; text?: string } {
  const wrong = content.find(({ type }) => type !== 'text/plain' && type !== 'text/html')
  if (wrong) throw invalidField('content', `content may be text/plain and text/html, not ${wrong.type.slice(0, 100)}`)
  const of = (type: string) => content.find((one) => one.type === type)?.value
  return withoutUndefined({ html: of('text/html'), text: of('text/plain') })
}

function toRecipients({ to, cc = [], bcc = [] }: Personalization, within: string): OwnMail['recipients'] {
  return Object.entries({ to, cc, bcc }).flatMap(([as, list]) =>
    list.map((one, index) => {
      const path = `${within}.${as}[${index}]`
      return { as: as as 'to' | 'cc' | 'bcc', name: readName(path, one), email: readAddress(`${path}.email`, one) }
    }),
  )
}

function readAddress(path: string, { email }: Address): string {
  const parsed = parseAddress(email)
  if (!parsed.ok) throw invalidField(path, parsed.reason, 'invalid_email')
  return parsed.address
}

function readName(path: string, { name }: Address): string | null {
  if (name !== undefined && !isOneLine(name)) throw invalidField(`${path}.name`, notOneLine, 'control_character')
  return name ? name : null
}

function replyTo({ reply_to }: MailBody): string | undefined {
  return reply_to && readAddress('reply_to.email', reply_to)
}

function toAttachment(given: NonNullable<MailBody['attachments']>[number], index: number) {
  const { content, filename, type, disposition, content_id: contentId } = given
  return {
    filename,
    contentType: type ?? typeOfFile(filename),
    data: content,
    ...shownAs({ inline: disposition === 'inline', contentId }, `attachments[${index}].content_id`),
  }
}

/** Unix seconds. */
function timeAt(app: App, seconds: number | undefined): Date | undefined {
  return seconds === undefined ? undefined : checkSchedule(app, 'send_at', new Date(seconds * 1_000))
}

async function sendTemplate(
  app: App,
  caller: Caller,
  body: MailBody & { template_id: string },
  key: string | null,
): Promise<string> {
  const { template_id: templateId, personalizations, content, from, attachments } = body
  const [one, another] = personalizations
  if (one === undefined || another !== undefined)
    throw new AppError(
      'validation_failed',
      'personalizations: with a template_id, send one personalization at a time',
      {
        errors: [{ path: 'personalizations', message: 'one at a time with a template_id', code: 'too_many' }],
      },
    )
  const subject = one.subject ?? body.subject
  if (content !== undefined || subject !== undefined)
    throw invalidField(content === undefined ? 'subject' : 'content', 'a template brings its own subject and content')
  const all = toRecipients(one, 'personalizations[0]')
  const list = (as: string) => all.filter((each) => each.as === as).map(written)
  const mail = {
    route: `POST ${root}/v3/mail/send`,
    templateId,
    dataVariables: one.dynamic_template_data ?? {},
    from: { path: 'from', name: readName('from', from), address: readAddress('from.email', from) },
    to: list('to'),
    cc: list('cc'),
    bcc: list('bcc'),
    headers: { ...body.headers, ...one.headers },
    metadata: { ...body.custom_args, ...one.custom_args },
    replyTo: replyTo(body),
    tags: body.categories,
    scheduledAt: timeAt(app, one.send_at ?? body.send_at)?.toISOString(),
    attachments: attachments?.map(toAttachment),
  }
  return await acceptTemplate(app, caller, mail, key)
}

/** `"Ada, Countess" <ada@example.net>` */
function written({ name, email }: OwnMail['recipients'][number]): string {
  return name === null ? email : `"${name.replaceAll(/["\\]/g, '\\$&')}" <${email}>`
}
