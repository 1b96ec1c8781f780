// Wire shapes of captured mail.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import type { App } from '../../../core/app.ts'
import { pageQuery } from '../../../core/http/pagination.ts'
import { nullableText, time, wholeNumber } from '../../../core/http/wire.ts'
import { AppError } from '../../../kit/error.ts'
import { parseTime } from '../../../kit/time.ts'
import { toText } from '../../../mail/raw-mail.ts'
import { htmlInspection } from '../../content/inspection/html-work.ts'
import { type CapturedMail, messageIdOf } from '../activity/captured.ts'
import { type CapturedFilter, type DatedLine, isWide } from '../activity/captured-search.ts'
import { clientGapView, findingView, linkView } from '../preview-schema.ts'

export const defaultTimeoutMs = 10_000
/** Less than what a proxy or this server waits for an answer. */
export const maxTimeoutMs = 25_000

const line = {
  capturedId: t.String({ description: 'Later mail has a higher one.' }),
  messageId: t.Union([t.String(), t.Null()], {
    description:
      'Its id in Email Activity; null for a mail of the installation itself, such as a notice to the owners.',
  }),
  from: t.String(),
  to: t.String(),
  subject: t.String(),
  createdAt: time,
}

export const capturedLine = t.Object(line)

export const capturedView = t.Object({
  ...line,
  url: t.String({ description: 'The mail alone, in a sandbox; for a signed-in member.' }),
  html: nullableText,
  text: nullableText,
  headers: t.Array(t.Object({ name: t.String(), value: t.String() }), { description: 'In their order, unfolded.' }),
  attachments: t.Array(
    t.Object({ number: Type.Integer(), filename: nullableText, contentType: t.String(), sizeBytes: Type.Integer() }),
  ),
  links: t.Array(linkView, {
    description: 'Every link of the HTML, or of a text-only mail; none of them is requested.',
  }),
  unsubscribe: t.Union(
    [
      t.Object({
        addresses: t.Array(t.String(), { description: 'The URLs in the List-Unsubscribe header (RFC 2369).' }),
        isOneClick: t.Boolean({
          description:
            'Whether one-click unsubscribe works (RFC 8058): an https URL and List-Unsubscribe-Post are present.',
        }),
      }),
      t.Null(),
    ],
    { description: 'Null for a mail without the header.' },
  ),
  findings: t.Array(findingView, { description: 'Errors and warnings about the HTML.' }),
  clientGaps: t.Array(clientGapView, { description: 'Features it uses that some client does not support.' }),
  htmlBytes: Type.Integer(),
  isClipped: t.Boolean({ description: 'Whether Gmail clips it.' }),
  source: t.String({ description: 'The whole message as it would have been sent.' }),
})

const filter = {
  q: t.Optional(
    t.String({ maxLength: 500, description: 'Words; each must be in an address or the subject. Case is ignored.' }),
  ),
  to: t.Optional(t.String({ maxLength: 320, description: 'Only to this address; case is ignored.' })),
  subject: t.Optional(
    t.String({ maxLength: 500, description: 'Only with this in the subject; case is ignored.', examples: ['Confirm'] }),
  ),
  after: t.Optional(
    t.String({
      maxLength: 40,
      description: 'Only mail captured after the one with this `capturedId`, or at or after this time (ISO 8601).',
      examples: ['12'],
    }),
  ),
}

export const capturedQuery = t.Object({ ...filter, ...pageQuery })

export const waitQuery = t.Object({
  ...filter,
  timeoutMs: t.Optional(wholeNumber(`How long to wait. Default ${defaultTimeoutMs}; at most ${maxTimeoutMs}.`)),
})

export const waitView = t.Object({
  mail: t.Union([capturedView, t.Null()], { description: 'Null if none arrived in that time.' }),
})

type CapturedQuery = {
  q?: string | undefined
  to?: string | undefined
  subject?: string | undefined
  after?: string | undefined
}

/** Throws `validation_failed`. */
export function toCapturedFilter({ q = '', to, subject, after }: CapturedQuery): CapturedFilter {
  return { to, subject, words: q.split(/\s+/).filter(Boolean), after: after === undefined ? null : readAfter(after) }
}

/** Of any mail at all, that of yesterday would do. Throws `validation_failed`. */
export function toWaitFilter(query: CapturedQuery): CapturedFilter {
  const filter = toCapturedFilter(query)
  if (!isWide(filter) || filter.after !== null) return filter
  const message = 'Say which mail: give to, subject, q or after.'
  throw new AppError('validation_failed', message, { errors: [{ path: 'to', code: 'required', message }] })
}

function readAfter(text: string): number | Date {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  const at = parseTime(text)
  if (at) return at
  const message = 'after must be a capturedId, or a time such as 2027-01-15T12:00:00Z'
  throw new AppError('validation_failed', message, { errors: [{ path: 'after', code: 'invalid_value', message }] })
}

export function toCapturedLine({ id, messageId, from, to, subject, createdAt }: DatedLine): typeof capturedLine.static {
  return { capturedId: String(id), messageId, from, to, subject, createdAt: createdAt.toISOString() }
}

export async function toCapturedMail(
  { aside, config }: App,
  { row, raw, mail }: CapturedMail,
): Promise<typeof capturedView.static> {
  const { from, subject, html, text } = mail
  const source = await toText(raw)
  const headers = parseHeaders(source)
  const inspected = await aside.run(htmlInspection, { html, text: text ?? '' }, (html ?? text ?? '').length)
  return {
    capturedId: String(row.id),
    messageId: messageIdOf(row),
    from,
    to: row.envelopeTo,
    subject,
    createdAt: row.createdAt.toISOString(),
    url: `${config.baseUrl}/captured/${row.id}/html`,
    html,
    text,
    headers,
    attachments: mail.attachments.map(({ contentId: _, ...one }, index) => ({ number: index + 1, ...one })),
    ...inspected,
    unsubscribe: readUnsubscribe(headers),
    source,
  }
}

type Header = { name: string; value: string }

function parseHeaders(source: string): Header[] {
  const [head = ''] = source.split(/\r?\n\r?\n/, 1)
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  return lines.map((line) => {
    const colon = line.indexOf(':')
    return { name: line.slice(0, colon), value: line.slice(colon + 1).trim() }
  })
}

function readUnsubscribe(headers: Header[]): (typeof capturedView.static)['unsubscribe'] {
  const headerOf = (wanted: string) => headers.find(({ name }) => name.toLowerCase() === wanted)?.value
  const list = headerOf('list-unsubscribe')
  if (list === undefined) return null
  const addresses = [...list.matchAll(/<([^<>]*)>/g)].map(([, address = '']) => address.trim())
  const isOneClick =
    headerOf('list-unsubscribe-post') !== undefined && addresses.some((one) => one.startsWith('https:'))
  return { addresses, isOneClick }
}
