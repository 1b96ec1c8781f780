// Takes apart a raw mail that came over HTTP. Raw HTML leaves by SMTP only, so only the subject, texts, headers and attachments of the mail
// are used; Date, Message-ID and MIME are written anew, as for any mail of ours.

import type { App } from '../../core/app.ts'
import type { AttachmentInput } from '../../features/sending/attachments.ts'
import { isAllowed } from '../../features/sending/headers.ts'
import { mimeHead } from '../../features/sending/own-content.ts'
import type { OwnMail } from '../../features/sending/send-own.ts'
import { contentIdsIn } from '../../kit/content-id.ts'
import { createPace } from '../../kit/turn.ts'
import type { RawMail } from '../../mail/raw-mail.ts'
import type { SubmittedHead } from '../../mail/submitted-mail.ts'
import { addresses, mailbox, recipients } from './dialect.ts'

interface RawParts extends Pick<OwnMail, 'from' | 'replyTo' | 'content' | 'headers' | 'attachments'> {
  /** Who else says to have sent it, besides From. */
  senders: SubmittedHead['senders']
  /** Those of its headers. */
  addressees: OwnMail['recipients']
}

/** More are refused in any case, and need not be decoded for it. */
const maxDecoded = 50

const sliceBytes = 128 * 1024

/** With CRLF at the end of each line: what is given as bytes of a file often has LF. A CR alone stays, and is refused. */
export async function withLineEnds(bytes: Buffer): Promise<Buffer[]> {
  const pace = createPace()
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    await pace()
    const slice = bytes.toString('latin1', at, at + sliceBytes)
    // The other half of a line end that was cut.
    const half = at > 0 && bytes[at - 1] === 0x0d && slice.startsWith('\n') ? 1 : 0
    const ended = slice.slice(half).replaceAll(/\r?\n/g, '\r\n')
    parts.push(Buffer.from(slice.slice(0, half) + ended, 'latin1'))
  }
  return parts
}

/** Throws 422 naming what is malformed; 413 for what is too large. */
export async function partsOfRaw(app: App, raw: RawMail): Promise<RawParts> {
  const { from, senders, subject, fields } = await mimeHead(raw)
  const { html, text, attachments } = await app.mailReader.parse(raw)
  const { decodeWords } = await import('postal-mime')
  const listed = (name: string) =>
    addresses(fields.find(([one]) => one.toLowerCase() === name)?.[1]).map((one) => decodeWords(one))
  const [replyTo] = listed('reply-to')
  const shown = new Set(contentIdsIn(html ?? ''))
  const files: AttachmentInput[] = []
  for (const [index, { contentType, contentId }] of attachments.slice(0, maxDecoded).entries()) {
    const found = await app.mailReader.attachment(raw, index)
    const data = Buffer.concat(found?.content.pieces ?? []).toString('base64')
    // Some clients name each file by an id, also where nothing shows it.
    const id = contentId !== null && shown.has(contentId) ? { contentId } : {}
    files.push({ filename: found?.filename ?? '', contentType, data, ...id })
  }
  return {
    from,
    senders,
    addressees: (['to', 'cc', 'bcc'] as const).flatMap((as) => recipients(as, as, listed(as))),
    replyTo: replyTo === undefined ? undefined : mailbox('Reply-To', replyTo).address,
    content: { subject, html: html ?? undefined, text: text ?? (html === null ? '' : undefined) },
    headers: Object.fromEntries(fields.filter(([name]) => isAllowed(name.toLowerCase(), 'own'))),
    attachments: files,
  }
}
