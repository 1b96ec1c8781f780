// Parses a whole message into its parts with postal-mime; the result is narrowed to what we show.

import PostalMime from 'postal-mime'

interface ParsedAttachment {
  filename: string | null
  contentType: string
  sizeBytes: number
  /** By which the HTML shows it: `cid:` and this. */
  contentId: string | null
}

export interface ParsedMail {
  subject: string
  from: string
  to: string
  html: string | null
  text: string | null
  attachments: ParsedAttachment[]
}

const maxNestingDepth = 20

/** Never throws on a malformed message: unreadable parts are left out. */
export async function parseMail(raw: Uint8Array): Promise<ParsedMail> {
  // As in received-mail.ts, so that attachments have the same numbers.
  const options = { attachmentEncoding: 'arraybuffer', maxNestingDepth, forceRfc822Attachments: true } as const
  const mail = await new PostalMime(options).parse(raw)
  return {
    subject: mail.subject ?? '',
    from: mailbox(mail.from),
    to: (mail.to ?? []).map(mailbox).join(', '),
    html: mail.html ?? null,
    text: mail.text ?? null,
    attachments: mail.attachments.map(({ filename, mimeType, content, contentId }) => ({
      filename,
      contentType: mimeType,
      sizeBytes: typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength,
      contentId: contentId?.replace(/^<|>$/g, '') ?? null,
    })),
  }
}

function mailbox(address: { name: string; address?: string | undefined } | undefined): string {
  if (!address) return ''
  return address.name ? `${address.name} <${address.address ?? ''}>` : (address.address ?? '')
}
