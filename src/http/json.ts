// Parses JSON more strictly than JSON.parse, because what that accepts silently (duplicate names, rounded numbers, `__proto__`, lone
// surrogates) would mean something else to us than to the sender (RFC 8259, 4, 6, 8; I-JSON, RFC 7493).

import { AppError } from '../lib/error.ts'
import { createPace } from '../lib/turn.ts'

const maxDepth = 64
/** Integers with fewer digits are always exact. */
const exactDigits = 15

const quote = 34
const backslash = 92
const colon = 58
const openBrace = 123
const closeBrace = 125
const openBracket = 91
const closeBracket = 93

/** Throws AppError `invalid_json`. */
export function parseJson(text: string): unknown {
  const members = scan(text)
  return complete(parsed(text), members, text)
}

/** The same for a text that may be large: between the steps others have their turn. */
export async function parseLargeJson(text: string): Promise<unknown> {
  const pace = createPace()
  const members = scan(text)
  await pace()
  const value = parsed(text)
  await pace()
  return complete(value, members, text)
}

/**
 * JSON that others created and signed: parsed as by JSON.parse, but with our depth limit; between the steps others have their turn. Throws
 * AppError `invalid_json`.
 */
export async function parseForeignJson(text: string): Promise<unknown> {
  const pace = createPace()
  checkDepth(text)
  await pace()
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('The body is not JSON.')
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

function checkDepth(text: string): void {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) at = endOfString(text, at)
    else if (char === openBrace || char === openBracket) {
      if (++depth > maxDepth) throw invalid(`The body is nested deeper than ${maxDepth} levels.`)
    } else if (char === closeBrace || char === closeBracket) depth--
  }
}

/** One pass over the text: refuses deep nesting and inexact numbers, and counts the members of all objects. */
function scan(text: string): number {
  let depth = 0
  let members = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) at = endOfString(text, at)
    else if (char === colon) members++
    else if (char === openBrace || char === openBracket) {
      if (++depth > maxDepth) throw invalid(`The body is nested deeper than ${maxDepth} levels.`)
    } else if (char === closeBrace || char === closeBracket) depth--
    else if (isDigit(char)) at = endOfNumber(text, at)
  }
  return members
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
function endOfNumber(text: string, from: number): number {
  let end = from
  let isInteger = true
  for (let char = text.charCodeAt(end + 1); isDigit(char) || isFraction(char); char = text.charCodeAt(end + 1)) {
    if (!isDigit(char)) isInteger = false
    end++
  }
  if (isInteger && end - from < exactDigits) return end
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

function invalid(message: string): AppError {
  return new AppError('invalid_json', message)
}
