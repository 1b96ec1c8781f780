// Parses JSON more strictly than JSON.parse, because what that accepts silently (duplicate names, rounded numbers, `__proto__`, lone
// surrogates) would mean something else to us than to the sender (RFC 8259, 4, 6, 8; I-JSON, RFC 7493).

import { type Aside, defineSideWork } from './aside.ts'
import { AppError } from './error.ts'
import { type LiftedFile, liftFiles } from './lifted-files.ts'
import { SharedPieces } from './shared-pieces.ts'
import { createPace, nextTurn } from './turn.ts'

const maxDepth = 64
/** Of strings, numbers, objects and lists in one text: each costs far more than its bytes, here and in whatever looks at it. */
export const maxJsonValues = 100_000
/** Integers with fewer digits are always exact. */
const exactDigits = 15

const quote = 34
const backslash = 92
const colon = 58
const openBrace = 123
const closeBrace = 125
const openBracket = 91
const closeBracket = 93

/** Throws AppError `invalid_json`, or `validation_failed` for more values than there may be. */
export function parseJson(text: string): unknown {
  const members = scan(text, 'ours')
  return complete(parsed(text), members, text)
}

/** The same for JSON that others made: as JSON.parse reads it, but for its depth and the number of its values. Throws AppError `invalid_json`. */
export function parseForeignJson(text: string): unknown {
  scan(text, 'foreign')
  return parsed(text)
}

/** `foreign`: JSON that others created and signed is parsed as by JSON.parse, but for its depth and the number of its values. */
type Kind = 'ours' | 'foreign'

/** From here on to parse it takes longer than a turn should. */
const largeBytes = 64 * 1024
/** From here on even its longest step does. */
export const hugeBytes = 256 * 1024

/** The same for a body, which may be large: beside the main thread, or in a turn of its own. */
export async function readJson(aside: Aside, body: Body, kind: Kind = 'ours'): Promise<unknown> {
  if (body.length > hugeBytes) {
    const input = typeof body === 'string' ? body : await toShared(body)
    return (await readAside(aside, input, { kind, secret: null })).value
  }
  if (body.length > largeBytes) await nextTurn()
  return parseBody(body, kind)
}

/** The same for mails, whose large files are lifted out of it (lifted-files.ts). */
export async function readMailJson(aside: Aside, body: SharedPieces, secret: string): Promise<WithFiles> {
  if (body.length <= hugeBytes) return { value: await readJson(aside, Buffer.concat(body.parts)), files: [] }
  return await readAside(aside, body, { kind: 'ours', secret })
}

async function readAside(
  aside: Aside,
  body: string | SharedPieces,
  how: Pick<JsonJob, 'kind' | 'secret'>,
): Promise<WithFiles> {
  const input = typeof body === 'string' ? body : body.parts
  const read = await aside.run(jsonReading, { body: input, ...how }, body.length)
  if ('refusal' in read) throw new AppError(read.refusal.code, read.refusal.message)
  return read
}

/** How many bytes are copied in one turn. */
const copiedAtOnce = 1024 * 1024

/** The other thread reads it where it is: to hand it a copy would take as long as copying all of it in one turn. */
async function toShared(body: Uint8Array): Promise<SharedPieces> {
  const pace = createPace()
  const shared = new SharedPieces()
  for (let at = 0; at < body.length; at += copiedAtOnce) {
    await pace()
    shared.append(body.subarray(at, at + copiedAtOnce))
  }
  return shared
}

type Body = Uint8Array | string
interface WithFiles {
  value: unknown
  files: LiftedFile[]
}
type Read = WithFiles | { refusal: Pick<AppError, 'code' | 'message'> }
interface JsonJob {
  body: string | Uint8Array[]
  kind: Kind
  /** For the tokens of files that are lifted out of it (lifted-files.ts); null: none are. */
  secret: string | null
}

export const jsonReading = defineSideWork({
  name: 'read-json',
  whenStuck: (): Read => ({ refusal: { code: 'invalid_json', message: 'The JSON takes too long to read.' } }),
  async run({ body, kind, secret }: JsonJob): Promise<Read> {
    try {
      const value = parseBody(typeof body === 'string' ? body : Buffer.concat(body), kind)
      return { value, files: secret === null ? [] : await liftFiles(value, secret) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { refusal: { code: error.code, message: error.message } }
    }
  },
})

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function parseBody(body: Body, kind: Kind): unknown {
  const text = typeof body === 'string' ? body : decodeText(body)
  return kind === 'ours' ? parseJson(text) : parseForeignJson(text)
}

function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('The body is not UTF-8.')
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid(`The body is not JSON: ${error instanceof Error ? error.message : 'unreadable'}.`)
  }
}

/** The value, unless it has fewer members than were written. */
function complete(value: unknown, members: number, text: string): unknown {
  if (countMembers(value, text.includes('\\u')) === members) return value
  throw invalid('An object in the body has a repeated name.')
}

/** One pass over the text: refuses deep nesting, too many values and inexact numbers, and counts the members of all objects. */
function scan(text: string, kind: Kind): number {
  let depth = 0
  let members = 0
  let tokens = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === colon) members++
    else if (char === closeBrace || char === closeBracket) depth--
    else if (startsValue(char)) {
      // The name of a member is no value, but is only known by the colon behind it.
      if (++tokens - members > maxJsonValues + 1) throw tooMany(kind)
      if (char === quote) at = endOfString(text, at)
      else if (char === openBrace || char === openBracket) {
        if (++depth > maxDepth) throw invalid(`The body is nested deeper than ${maxDepth} levels.`)
      } else if (isDigit(char)) at = endOfNumber(text, at, kind)
    }
  }
  return members
}

/** One character of each value: of `true`, `false` and `null` their first. */
function startsValue(char: number): boolean {
  return (
    char === quote ||
    char === openBrace ||
    char === openBracket ||
    isDigit(char) ||
    char === 116 ||
    char === 102 ||
    char === 110
  )
}

/** The position of the closing quote. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return end
  }
  return text.length
}

/** The position of the last character of a number. */
function endOfNumber(text: string, from: number, kind: Kind): number {
  let end = from
  let isInteger = true
  for (let char = text.charCodeAt(end + 1); isDigit(char) || isFraction(char); char = text.charCodeAt(end + 1)) {
    if (!isDigit(char)) isInteger = false
    end++
  }
  if (kind === 'foreign' || (isInteger && end - from < exactDigits)) return end
  const number = Number(text.slice(from, end + 1))
  const exact = isInteger ? Number.isSafeInteger(number) : number !== Number.POSITIVE_INFINITY
  if (!exact) throw invalid('A number in the body is too large to be read exactly; send it as a string.')
  return end
}

function isDigit(char: number): boolean {
  return char >= 48 && char <= 57
}

/** `.` `e` `E` `+` `-` */
function isFraction(char: number): boolean {
  return char === 46 || char === 101 || char === 69 || char === 43 || char === 45
}

/** The number of members of all objects; fewer than were written means that a name was repeated. */
function countMembers(value: unknown, hasEscapes: boolean): number {
  if (typeof value === 'string' && hasEscapes && !value.isWellFormed())
    throw invalid('A string contains half of a surrogate pair.')
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + countMembers(one, hasEscapes), 0)
  const members = value as Record<string, unknown>
  let count = 0
  for (const name in members) {
    const member = members[name]
    if (hasEscapes && !name.isWellFormed()) throw invalid('A name contains half of a surrogate pair.')
    if (isDangerous(name, member)) throw invalid(`The name ${name} is not allowed.`)
    count += 1 + countMembers(member, hasEscapes)
  }
  return count
}

function isDangerous(name: string, member: unknown): boolean {
  if (name === '__proto__') return true
  return name === 'constructor' && typeof member === 'object' && member !== null && Object.hasOwn(member, 'prototype')
}

function tooMany(kind: Kind): AppError {
  const message = `The body holds more than ${maxJsonValues} JSON values.`
  return kind === 'foreign' ? invalid(message) : new AppError('validation_failed', message)
}

function invalid(message: string): AppError {
  return new AppError('invalid_json', message)
}
