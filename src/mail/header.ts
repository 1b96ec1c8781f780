// Header fields: encoded words (RFC 2047), folding (RFC 5322, 2.2.3), mailboxes. A value with a line break or control character is refused
// here too, whatever was checked before, because it could inject another header.

import { isOneLine } from '../kit/text.ts'

const foldAt = 76
const maxEncodedWord = 75
/** The most bytes of a code point in UTF-8. */
const maxCharBytes = 4
const printableAscii = /^[\x20-\x7e]*$/
const atomText = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]*$/

export interface Mailbox {
  name: string | null
  address: string
}

export class UnsafeHeaderError extends Error {}

/** Unstructured text, e.g. a subject, folded to follow `name: `. Throws UnsafeHeaderError. */
export function headerText(name: string, text: string): string {
  refuseUnsafe(name, text)
  const plain =
    printableAscii.test(text) && !text.includes('=?') && text.split(' ').every((word) => word.length < foldAt)
  return fold(name, plain ? text.split(' ') : encodedWords(name, text))
}

/** `"Ada, Countess" <ada@example.net>`. The address must come from parseAddress(). */
export function headerMailbox(name: string, mailbox: Mailbox): string {
  return headerMailboxes(name, [mailbox])
}

/** Several, separated by commas. */
export function headerMailboxes(name: string, list: Mailbox[]): string {
  return fold(
    name,
    list.flatMap((mailbox, index) => {
      refuseUnsafe(name, mailbox.address)
      const address = mailbox.name ? `<${mailbox.address}>` : mailbox.address
      return [...phrase(name, mailbox.name ?? ''), index < list.length - 1 ? `${address},` : address]
    }),
  )
}

/** One of our own values, or one from an allow-list: checked, and folded at its spaces. */
export function headerRaw(name: string, value: string): string {
  refuseUnsafe(name, value)
  return printableAscii.test(value) ? fold(name, value.split(' ')) : headerText(name, value)
}

function phrase(name: string, text: string): string[] {
  if (text === '') return []
  refuseUnsafe(name, text)
  if (!printableAscii.test(text) || text.includes('=?')) return encodedWords(name, text)
  return atomText.test(text) ? text.split(' ') : [`"${text.replace(/["\\]/g, '\\$&')}"`]
}

/** RFC 2047, 2: each word at most 75 characters and whole code points; a line with one at most 76, the first with `name: ` before it. */
function encodedWords(name: string, text: string): string[] {
  let bytesPerWord = Math.max(maxCharBytes, bytesIn(foldAt - name.length - 2))
  const words: string[] = []
  let chunk = ''
  let chunkBytes = 0
  for (const char of text) {
    const bytes = Buffer.byteLength(char)
    if (chunkBytes + bytes > bytesPerWord) {
      words.push(encodedWord(chunk))
      bytesPerWord = bytesIn(maxEncodedWord)
      chunk = ''
      chunkBytes = 0
    }
    chunk += char
    chunkBytes += bytes
  }
  return [...words, encodedWord(chunk)]
}

/** The bytes of text that fit into an encoded word of this length. */
function bytesIn(chars: number): number {
  return Math.floor((chars - '=?UTF-8?B??='.length) / 4) * 3
}

function encodedWord(chunk: string): string {
  return `=?UTF-8?B?${Buffer.from(chunk).toString('base64')}?=`
}

/** Joins words with spaces, and breaks the line before a word that would pass column 76. A run of spaces is kept on one line. */
function fold(name: string, words: string[]): string {
  let column = name.length + 2
  let out = ''
  // To look at the end of a text that is being joined costs as much as it is long.
  let endsInSpace = false
  for (const [index, word] of words.entries()) {
    const breaks = index > 0 && word !== '' && column + 1 + word.length > foldAt && !endsInSpace
    if (index > 0) {
      out += breaks ? '\r\n ' : ' '
      column = breaks ? 1 : column + 1
    }
    out += word
    column += word.length
    endsInSpace = word === '' ? index > 0 : word.endsWith(' ')
  }
  return out
}

function refuseUnsafe(name: string, value: string): void {
  if (!isOneLine(value)) throw new UnsafeHeaderError(`the header ${name} holds a line break or control character`)
}

/** The characters of an extended value in one parameter. */
const maxValueChars = 60

/**
 * The parameters of a file name: in ASCII for old clients and, where ASCII loses something, also in full (RFC 2231). Throws
 * UnsafeHeaderError.
 */
export function nameParameters(parameter: string, filename: string): string[] {
  refuseUnsafe(parameter, filename)
  const plain = toAscii(filename)
  const fallback = `${parameter}="${plain}"`
  return plain === filename ? [fallback] : [fallback, ...extended(parameter, filename)]
}

/**
 * Letters without accents. Quotes are replaced because they could end the value, and `=?` because some clients read it as an encoded word.
 */
function toAscii(filename: string): string {
  const bare = filename.normalize('NFKD').replace(/\p{M}/gu, '')
  return bare
    .replace(/[^\x20-\x7e]/gu, '_')
    .replace(/["\\]/g, "'")
    .replaceAll('=?', '__')
}

/** RFC 2231, 3 and 4: percent-encoded, and continued when long. */
function extended(parameter: string, filename: string): string[] {
  const octets = [...Buffer.from(filename, 'utf8')].map((byte) => {
    const char = String.fromCharCode(byte)
    return /[A-Za-z0-9._-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  })
  const values = ["UTF-8''"]
  for (const octet of octets) {
    const last = values.length - 1
    if ((values[last] ?? '').length + octet.length > maxValueChars) values.push(octet)
    else values[last] += octet
  }
  if (values.length === 1) return [`${parameter}*=${values[0]}`]
  return values.map((value, index) => `${parameter}*${index}*=${value}`)
}
