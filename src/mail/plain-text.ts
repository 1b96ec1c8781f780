// A short mail by the installation itself: plain text, marked as automatic so that nothing replies to it (RFC 3834).

import { headerMailbox, headerRaw, headerText, type Mailbox } from './header.ts'
import { wireBytes } from './mime.ts'
import { encodeQuotedPrintable } from './quoted-printable.ts'
import type { RawMail } from './raw-mail.ts'

export interface PlainTextMail {
  from: Mailbox
  to: string
  subject: string
  text: string
  /** Without angle brackets. */
  messageId: string
  date: Date
}

/** The message as sent. Throws UnsafeHeaderError for a header value that would break out of its line. */
export function plainTextMail({ from, to, subject, text, messageId, date }: PlainTextMail): RawMail {
  return wireBytes({
    headers: [
      ['From', headerMailbox('From', from)],
      ['To', headerMailbox('To', { name: null, address: to })],
      ['Subject', headerText('Subject', subject)],
      ['Date', date.toUTCString().replace('GMT', '+0000')],
      ['Message-ID', headerRaw('Message-ID', `<${messageId}>`)],
      ['Auto-Submitted', 'auto-generated'],
      ['MIME-Version', '1.0'],
      ['Content-Type', 'text/plain; charset=utf-8'],
      ['Content-Transfer-Encoding', 'quoted-printable'],
    ],
    body: [...encodeQuotedPrintable(text), '\r\n'],
  })
}
