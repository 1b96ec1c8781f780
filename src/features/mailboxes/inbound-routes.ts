// POST /v1/inbound/{token}: where a mail provider hands over what it received for one mailbox. The token in the path is the
// credential. 200 comes after the commit; 403 tells a provider to stop trying.

import { Elysia, t } from 'elysia'
import type { App } from '../../core/app.ts'
import { maxRequestBytes, readBody } from '../../core/http/body.ts'
import { extension } from '../../core/http/operation.ts'
import { rawMail } from '../../core/http/surface.ts'
import { actIn } from '../../kit/act.ts'
import { AppError } from '../../kit/error.ts'
import { type RawMail, toRawMail } from '../../mail/raw-mail.ts'
import { findByInboundToken } from './mailboxes.ts'
import { receiveMail } from './receive.ts'

const answer = t.Object({
  success: t.Literal(true),
  messageId: t.Optional(t.String({ description: 'The id of the received message, also if it was stored before.' })),
  ignored: t.Optional(
    t.Literal('loop', { description: 'The mail has already passed through here (a loop); nothing was stored.' }),
  ),
})

const text = { type: 'string' } as const
const requestBody = {
  required: true,
  content: {
    'message/rfc822': { schema: { ...text, description: 'The raw mail.' } },
    'application/json': { schema: { type: 'object' as const, description: "Postmark's inbound webhook." } },
  },
}

export function inboundRoutes(app: App) {
  return new Elysia().post(
    '/v1/inbound/:token',
    async ({ params, request }) => {
      const mailbox = await findByInboundToken(app, params.token)
      if (!mailbox) throw new AppError('not_found', 'There is nothing at this address.')
      actIn(mailbox.workspaceId)
      if (mailbox.status !== 'active') throw new AppError('forbidden', 'This mailbox is disabled.')
      const { raw, isOriginal } = await handedOver(app, request)
      const unknown = { envelopeFrom: null, address: null, helo: '' }
      const reception = await receiveMail(app, [mailbox], { raw, via: 'http', isOriginal, ...unknown })
      if (reception.outcome === 'loop') return { success: true as const, ignored: 'loop' as const }
      if (reception.outcome === 'refused')
        throw new AppError('validation_failed', `This mail is not accepted: ${reception.reason}.`)
      const [messageId = ''] = reception.ids
      return { success: true as const, messageId }
    },
    {
      parse: 'none',
      response: answer,
      detail: {
        ...extension(
          'receiveMail',
          'Deliver a received mail: raw MIME, or the JSON of Postmark',
          'The token in the path is the credential. 200 once the mail is stored; for a mail that was stored before, the response has its existing id. 403 while the mailbox is disabled.',
          [403, 422],
        ),
        ...rawMail,
        requestBody,
      },
    },
  )
}

interface HandedOver {
  raw: RawMail
  /** False when it was put together from fields. */
  isOriginal: boolean
}

async function handedOver(app: App, request: Request): Promise<HandedOver> {
  const body = await readBody(request, maxRequestBytes)
  if (body.length === 0) throw new AppError('validation_failed', 'There is no mail in this request.')
  const raw = await toRawMail([body])
  const isJson = /^application\/json\b/i.test(request.headers.get('content-type') ?? '')
  return isJson ? fromPostmark(app, raw) : { raw, isOriginal: true }
}

async function fromPostmark(app: App, body: RawMail): Promise<HandedOver> {
  const reading = await app.mailReader.postmark(body)
  if (reading.outcome === 'mail') return reading
  if (reading.outcome === 'not_json') throw new AppError('invalid_json', reading.detail)
  const { errors } = reading
  throw new AppError('validation_failed', 'This is not the JSON of Postmark’s inbound webhook.', { errors })
}
