// A raw mail by HTTP, taken apart: raw HTML leaves by SMTP only, so its subject, texts, headers and attachments are those of any mail here.
// What a mail of ours has by itself (Date, Message-ID, MIME) is written anew.

import type { App } from '../app.ts'
import { contentIdsIn } from '../lib/content-id.ts'
import type { RawMail } from '../mail/raw-mail.ts'
import type { SubmittedHead } from '../mail/submitted-mail.ts'
import type { AttachmentInput } from '../sending/attachments.ts'
import { isAllowed } from '../sending/headers.ts'
import { mimeHead } from '../sending/own-content.ts'
import type { OwnMail } from '../sending/send-own.ts'
import { addresses, mailbox, recipients } from './dialect.ts'

interface RawParts extends Pick<OwnMail, 'from' | 'replyTo' | 'content' | 'headers' | 'attachments'> {
  /** Who else says to have sent it, besides From. */
  senders: SubmittedHead['senders']
  /** Those of its headers. */
  addressees: OwnMail['recipients']
}

/** More are refused in any case, and need not be decoded for it. */
const maxDecoded = 50

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
    headers: Object.fromEntries(fields.filter(([name]) => isAllowed(name.toLowerCase()))),
    attachments: files,
  }
}
