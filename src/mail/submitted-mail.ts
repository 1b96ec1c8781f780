// A whole mail that its sender has built (RFC 6409). What is malformed is refused by name; the rest passes as it is, but for Date and
// Message-ID where they are missing, and for the fields that must not leave.

import { isUtf8 } from 'node:buffer'
import { decodeWords } from 'postal-mime'
import { parseAddress } from '../kit/email-address.ts'
import { toOneLine } from '../kit/text.ts'
import { createPace } from '../kit/turn.ts'
import { headerFault } from './bounds.ts'
import { headerMailboxes, headerText, type Mailbox } from './header.ts'
import type { MimeMessage } from './mime.ts'
import type { RawMail } from './raw-mail.ts'

/** The message names what is wrong, for the sender. */
export class MalformedMail extends Error {}

export interface SubmittedHead {
  from: Mailbox
  /** Who else says to have sent it, besides From. */
  senders: { field: string; address: string }[]
  subject: string
  /** Without angle brackets. */
  messageId: string | null
  /** Names as given; values unfolded. */
  fields: Field[]
}

type Field = [name: string, value: string]

const lf = 0x0a
const cr = 0x0d

/** RFC 5322, 2.1.1, without the line end. */
const maxLineChars = 998
const sliceBytes = 32 * 1024
const partBytes = 128 * 1024
/** What is decoded of a field for people to read. */
const maxShownChars = 1_000

/** RFC 5322, 3.6: at most one of each; two readers would believe different ones. And those of RFC 2045 on which the body depends. */
const single = [
  'from',
  'sender',
  'reply-to',
  'to',
  'cc',
  'message-id',
  'in-reply-to',
  'references',
  'subject',
  'date',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
]
/** RFC 5322, 3.6.2 and 3.6.6: each names somebody whose mail it is. Resent ones may be there several times. */
const senderFields = ['Sender', 'Resent-From', 'Resent-Sender']
const dropped = /^(bcc|resent-bcc|return-path|x-paquebot-.*)$/
/** Free text: encoded here when the sender did not. Of mailboxes, the names. */
const unstructured = /^(subject|comments|x-.*)$/
const ofMailboxes = /^(from|sender|reply-to|to|cc)$/

/** Throws MalformedMail. The whole mail is looked at, in turns. */
export async function readSubmitted(raw: RawMail): Promise<SubmittedHead> {
  await checkLines(raw)
  const fault = headerFault(raw.pieces[0] ?? Buffer.alloc(0))
  if (fault !== null) throw new MalformedMail(fault)
  const fields = parseFields(readHead(raw).text)
  for (const [name, value] of fields) checkValue(name, value)
  for (const name of single) {
    const count = fieldValues(fields, name).length
    if (count > 1) throw new MalformedMail(`the mail has ${count} ${titled(name)} headers; at most one is allowed`)
  }
  const [from] = fieldValues(fields, 'from')
  if (from === undefined) throw new MalformedMail('the mail has no From header')
  const [subject = ''] = fieldValues(fields, 'subject')
  return {
    from: readMailbox('From', from),
    senders: senderFields.flatMap((field) =>
      fieldValues(fields, field.toLowerCase()).map((value) => ({ field, address: readMailbox(field, value).address })),
    ),
    subject: toReadable(subject),
    messageId: readId(fieldValues(fields, 'message-id')[0]),
    fields: fields.map(([name, value]) => [name, Buffer.from(unfolded(value), 'latin1').toString('utf8')]),
  }
}

/** The mail as it leaves, of one that readSubmitted() accepted. */
export async function completed(raw: RawMail, given: { messageId: string; date: Date }): Promise<MimeMessage> {
  const { text, bodyAt } = readHead(raw)
  const kept = parseFields(text).filter(([name]) => !dropped.test(name.toLowerCase()))
  const added: Field[] = [
    ['Date', given.date.toUTCString().replace('GMT', '+0000')],
    ['Message-ID', `<${given.messageId}>`],
  ]
  const missing = added.filter(([name]) => fieldValues(kept, name.toLowerCase()).length === 0)
  const headers = kept.map(([name, value]): Field => [name, isPlain(value) ? trimmed(value) : encoded(name, value)])
  return { headers: [...missing, ...headers], body: await wholeLines(raw, bodyAt) }
}

async function checkLines({ pieces }: RawMail): Promise<void> {
  const pace = createPace()
  const state: LineState = { number: 1, length: 0, last: 0 }
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += sliceBytes) {
      await pace()
      checkSlice(piece.subarray(at, at + sliceBytes), state)
    }
  }
  if (state.last === cr) throw new MalformedMail(bareEnd(state.number))
}

interface LineState {
  number: number
  /** Of the line so far. */
  length: number
  /** The last byte of the slice before. */
  last: number
}

function checkSlice(slice: Buffer, state: LineState): void {
  if (slice.includes(0)) throw new MalformedMail('the mail contains a zero byte')
  if (state.last === cr && slice[0] !== lf) throw new MalformedMail(bareEnd(state.number))
  let line = 0
  for (let end = slice.indexOf(lf); end !== -1; end = slice.indexOf(lf, line)) {
    const before = end === 0 ? state.last : slice[end - 1]
    const strayCr = slice.indexOf(cr, line)
    if (before !== cr || (strayCr !== -1 && strayCr < end - 1)) throw new MalformedMail(bareEnd(state.number))
    checkLength(state, end - line - 1)
    state.number++
    state.length = 0
    line = end + 1
  }
  const strayCr = slice.indexOf(cr, line)
  if (strayCr !== -1 && strayCr !== slice.length - 1) throw new MalformedMail(bareEnd(state.number))
  state.length += slice.length - line
  checkLength(state, strayCr === -1 ? 0 : -1)
  state.last = slice.at(-1) ?? state.last
}

function checkLength({ number, length }: LineState, more: number): void {
  if (length + more <= maxLineChars) return
  throw new MalformedMail(
    `line ${number} has more than ${maxLineChars} characters (RFC 5322, 2.1.1); encode the body, as quoted-printable`,
  )
}

function bareEnd(line: number): string {
  return `line ${line} does not end with CRLF`
}

/** The header without the empty line that ends it, as bytes (latin1), and where the body begins. */
function readHead({ pieces }: RawMail): { text: string; bodyAt: number } {
  const [start = Buffer.alloc(0)] = pieces
  if (start[0] === cr) return { text: '', bodyAt: 2 }
  const end = start.indexOf('\r\n\r\n')
  if (end !== -1) return { text: start.toString('latin1', 0, end), bodyAt: end + 4 }
  return { text: start.toString('latin1').replace(/\r\n$/, ''), bodyAt: start.length }
}

/** Values as given, folded, with the space before them. */
function parseFields(head: string): Field[] {
  const fields: Field[] = []
  for (const [index, line] of (head === '' ? [] : head.split('\r\n')).entries()) {
    const last = fields.at(-1)
    const [, name, value = ''] = /^([\x21-\x39\x3b-\x7e]{1,200}):(.*)$/s.exec(line) ?? []
    if (name !== undefined) fields.push([name, value])
    else if (last && /^[ \t]+[^ \t]/.test(line)) last[1] += `\r\n${line}`
    else throw new MalformedMail(`line ${index + 1} of the header is not a header: a name, a colon and a value`)
  }
  return fields
}

function checkValue(name: string, value: string): void {
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(value))
    throw new MalformedMail(`the header ${name} has a control character`)
  if (isPlain(value)) return
  if (!isUtf8(Buffer.from(value, 'latin1')))
    throw new MalformedMail(`the header ${name} has bytes that are neither ASCII nor UTF-8`)
  if (unstructured.test(name.toLowerCase())) return
  if (!ofMailboxes.test(name.toLowerCase()) || namedBoxes(value) === null)
    throw new MalformedMail(`the header ${name} has characters beyond ASCII; encode them (RFC 2047)`)
}

function isPlain(value: string): boolean {
  return /^[\x00-\x7f]*$/.test(value)
}

function fieldValues(fields: Field[], name: string): string[] {
  return fields.flatMap(([other, value]) => (other.toLowerCase() === name ? [value] : []))
}

function titled(name: string): string {
  const proper = { 'message-id': 'Message-ID', 'mime-version': 'MIME-Version' }[name]
  return proper ?? name.replace(/(^|-)./g, (letter) => letter.toUpperCase())
}

function unfolded(value: string): string {
  return value.replace(/\r\n(?=[ \t])/g, '').trim()
}

function trimmed(value: string): string {
  return value.startsWith(' ') ? value.slice(1) : value
}

/** What stands between commas that are in no quotes, each with its name in UTF-8; null where more than names is beyond ASCII. */
function namedBoxes(value: string): { name: string; address: string }[] | null {
  const parts =
    Buffer.from(unfolded(value), 'latin1')
      .toString('utf8')
      .match(/(?:"(?:\\.|[^"\\])*"|[^",])+/g) ?? []
  const boxes = parts.map((part) => {
    const [, name = '', address] = nameAndAddress.exec(part.trim()) ?? []
    return { name: decodeWords(unquoted(name)), address: address ?? part.trim() }
  })
  return boxes.every(({ address }) => isPlain(address)) ? boxes : null
}

function encoded(name: string, value: string): string {
  const boxes = ofMailboxes.test(name.toLowerCase()) ? namedBoxes(value) : null
  if (boxes) return headerMailboxes(name, boxes)
  return headerText(name, toOneLine(Buffer.from(unfolded(value), 'latin1').toString('utf8')))
}

const nameAndAddress = /^((?:"(?:[^"\\]|\\.)*"|[^"<>,;:()\\])*)<([^<>()",;:\\\s]+)>$/
/** As cron writes it: `root@example.com (Cron Daemon)`. */
const addressAndComment = /^([^<>()",;:\\\s]+)(?:\s+\([^()\\]*\))?$/

/** Exactly one, because one workspace answers for it. */
function readMailbox(field: string, value: string): Mailbox {
  const text = unfolded(value)
  const [, name = '', address] = nameAndAddress.exec(text) ?? []
  const parsed = parseAddress(address ?? addressAndComment.exec(text)?.[1] ?? '')
  if (!parsed.ok)
    throw new MalformedMail(`the header ${field} must have exactly one mailbox, like Ada <ada@example.com>`)
  const plain = unquoted(name)
  return { name: plain === '' ? null : toReadable(plain), address: parsed.address }
}

function unquoted(name: string): string {
  return name
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/\\(.)/g, '$1')
}

function readId(value: string | undefined): string | null {
  return /<([\x21-\x3b\x3d\x3f-\x7e]{1,250})>/.exec(unfolded(value ?? '').slice(0, maxShownChars))?.[1] ?? null
}

/** For people to read. */
function toReadable(value: string): string {
  const text = Buffer.from(unfolded(value).slice(0, maxShownChars), 'latin1').toString('utf8')
  return toOneLine(decodeWords(text)).trim()
}

/** The body in parts that end with a line end, each small enough to be signed at once. */
async function wholeLines({ pieces }: RawMail, bodyAt: number): Promise<Buffer[]> {
  const pace = createPace()
  const parts: Buffer[] = []
  let open: Buffer = Buffer.alloc(0)
  for (const [index, piece] of pieces.entries()) {
    for (let at = index === 0 ? bodyAt : 0; at < piece.length; at += partBytes) {
      await pace()
      const bytes = Buffer.concat([open, piece.subarray(at, at + partBytes)])
      const end = bytes.lastIndexOf('\r\n')
      if (end !== -1) parts.push(bytes.subarray(0, end + 2))
      open = end === -1 ? bytes : bytes.subarray(end + 2)
    }
  }
  return open.length === 0 ? parts : [...parts, Buffer.concat([open, Buffer.from('\r\n')])]
}
