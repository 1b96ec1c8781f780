// Converts Postmark's inbound JSON back into a mail (postmarkapp.com/developer, "Inbound webhook"). With `RawEmail` that is the original;
// else the mail is rebuilt from the fields, and its signatures cannot be checked.

import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Issue } from '../kit/error.ts'
import { parseForeignJson } from '../kit/json.ts'
import { toOneLine } from '../kit/text.ts'
import { headerText } from './header.ts'
import { type RawMail, toRawMail } from './raw-mail.ts'

const text = Type.Optional(Type.String())

const postmarkMail = Type.Object({
  From: Type.String({ maxLength: 1_000 }),
  To: text,
  ReplyTo: text,
  Subject: text,
  Date: text,
  MessageID: text,
  TextBody: text,
  HtmlBody: text,
  RawEmail: text,
  Headers: Type.Optional(Type.Array(Type.Object({ Name: Type.String(), Value: Type.String() }), { maxItems: 1_000 })),
  Attachments: Type.Optional(
    Type.Array(Type.Object({ Name: Type.String(), Content: Type.String(), ContentType: Type.String() }), {
      maxItems: 200,
    }),
  ),
})
type PostmarkMail = Static<typeof postmarkMail>

const maxIssues = 10
const boundary = '=_paquebot_inbound'
/** These headers describe the format of the original, and the rebuilt mail has another. */
const formHeaders = /^(content-|mime-version$)/i
const headerName = /^[\x21-\x39\x3b-\x7e]{1,100}$/

export type PostmarkReading =
  /** `isOriginal`: false when it was rebuilt from fields. */
  | { outcome: 'mail'; raw: RawMail; isOriginal: boolean }
  | { outcome: 'not_json'; detail: string }
  | { outcome: 'not_postmark'; errors: Issue[] }

/** Never throws. */
export async function readPostmark(body: Buffer): Promise<PostmarkReading> {
  let mail: unknown
  try {
    mail = parseForeignJson(body.toString('utf8'))
  } catch (error) {
    return { outcome: 'not_json', detail: error instanceof Error ? error.message : 'The body is not JSON.' }
  }
  if (!Value.Check(postmarkMail, mail)) return { outcome: 'not_postmark', errors: findFaults(mail) }
  const isOriginal = Boolean(mail.RawEmail)
  return { outcome: 'mail', raw: await toRawMail([Buffer.from(mail.RawEmail || compose(mail))]), isOriginal }
}

function findFaults(mail: unknown): Issue[] {
  const found = [...Value.Errors(postmarkMail, mail)].slice(0, maxIssues)
  return found.map(({ path, message }) => ({ path: path.slice(1).replaceAll('/', '.'), message, code: 'invalid' }))
}

function compose(mail: PostmarkMail): string {
  const { TextBody, HtmlBody, Attachments = [] } = mail
  const parts = [
    ...(TextBody === undefined ? [] : [part('text/plain; charset=utf-8', Buffer.from(TextBody))]),
    ...(HtmlBody === undefined ? [] : [part('text/html; charset=utf-8', Buffer.from(HtmlBody))]),
  ]
  const alternative = `Content-Type: multipart/alternative; boundary="${boundary}a"\r\n\r\n${joined(parts, 'a')}`
  const files = Attachments.map(({ Name, Content, ContentType }) => {
    const name = clean(Name).replace(/["\\]/g, '_')
    const disposition = `\r\nContent-Disposition: attachment; filename="${headerText('', name).trim()}"`
    return part(clean(ContentType) + disposition, Buffer.from(Content, 'base64'))
  })
  const head = toHeaders(mail).map(([name, value]) => `${name}: ${headerText(name, value)}\r\n`)
  const type = `MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="${boundary}m"\r\n`
  return `${head.join('')}${type}\r\n${joined([alternative, ...files], 'm')}`
}

/** The mail's own headers, and those that the fields add. */
function toHeaders({ Headers = [], From, To, ReplyTo, Subject, MessageID, ...mail }: PostmarkMail): [string, string][] {
  const given = Headers.filter(({ Name }) => headerName.test(Name) && !formHeaders.test(Name))
  const has = (name: string) => given.some((header) => header.Name.toLowerCase() === name.toLowerCase())
  const id = MessageID && `<${MessageID}@postmark>`
  const fields = { From, To, 'Reply-To': ReplyTo, Subject, Date: mail.Date, 'Message-ID': id }
  const added = Object.entries(fields).filter(([name, value]) => value && !has(name))
  return [
    ...added.map(([name, value = '']): [string, string] => [name, clean(value)]),
    ...given.map(({ Name, Value }): [string, string] => [Name, clean(Value)]),
  ]
}

function part(contentType: string, content: Buffer): string {
  const lines = content.toString('base64').replace(/.{76}(?=.)/g, '$&\r\n')
  return `Content-Type: ${contentType}\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines}`
}

function joined(parts: string[], kind: 'a' | 'm'): string {
  return `${parts.map((one) => `--${boundary}${kind}\r\n${one}\r\n`).join('')}--${boundary}${kind}--\r\n`
}

function clean(value: string): string {
  return toOneLine(value).trim()
}
