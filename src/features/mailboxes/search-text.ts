// Words as a search compares them: without case and accents, in every script. The index splits at spaces and punctuation; scripts that
// write no spaces are split into their characters here, so that a word of several is found as a phrase of them. What is searched for goes the
// same way, and is never syntax of the index.

import { invalidField } from '../../kit/error.ts'
import { visible } from '../../kit/visible.ts'

/** Of each mail so much is in the index, at most 96 KB in UTF-8. */
const bodyChars = 32_000
const fieldChars = 500
export const maxQueryChars = 200
const maxWords = 16

/** Accents and vowel points, and the Arabic elongation. Signs of Indian scripts are none: without them it would be another word. */
const marks = /[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u0655\u0670]/g
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu
/** `_` is of the ids of mailboxes, which no word can be. */
const spaces = /[\s_\x00-\x1f\x7f-\x9f]+/g
const lettered = /[\p{L}\p{N}\p{Co}]/u

export interface SearchText {
  subject: string
  sender: string
  body: string
}

/** `body`: the parts of a mail that are searched, the most important first. */
export function toSearchText(mail: { subject: string; sender: string; body: readonly string[] }): SearchText {
  return {
    subject: comparable(mail.subject, fieldChars),
    sender: comparable(mail.sender, fieldChars),
    body: comparable(mail.body.map((part) => part.slice(0, bodyChars)).join('\n'), bodyChars),
  }
}

/** Invisible characters are taken away, because a person who searches does not write them. Upper case first: it is SS for ß. */
function comparable(text: string, maxChars: number): string {
  return visible(text.slice(0, maxChars))
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(marks, '')
    .normalize('NFC')
    .replace(unspaced, '$& ')
    .replace(spaces, ' ')
    .slice(0, maxChars)
    .toWellFormed()
    .trim()
}

export interface SearchWords {
  /** Words, and "several words" that stand together; all of them must occur. */
  q?: string | undefined
  /** A name, an address, or a domain. */
  from?: string | undefined
}

/** An expression of the index: the mails of this mailbox that hold all of it. Null where no words are asked for. Throws 422. */
export function toSearchExpression(mailboxId: string, { q, from }: SearchWords): string | null {
  const words = [...phrasesOf('q', q), ...phrasesOf('from', from).map((phrase) => `sender : ${phrase}`)]
  return words.length === 0 ? null : [`mailbox : "${mailboxId}"`, ...words].join(' AND ')
}

function phrasesOf(path: string, text: string | undefined): string[] {
  if (text === undefined) return []
  if (text.length > maxQueryChars) throw invalidField(path, `must have at most ${maxQueryChars} characters`, 'too_long')
  const parts = [...text.matchAll(/"([^"]*)"?|[^\s"]+/g)].map(([all, quoted = all]) =>
    comparable(quoted, maxQueryChars),
  )
  const phrases = parts.filter((part) => lettered.test(part)).map((part) => `"${part.replaceAll('"', ' ')}"`)
  if (phrases.length === 0) throw invalidField(path, 'has no word: a word has a letter or a digit', 'no_words')
  if (phrases.length <= maxWords) return phrases
  throw invalidField(path, `has ${phrases.length} words, at most ${maxWords} are allowed`, 'too_many_words')
}
