// Passwords: argon2id, at most two at a time, because each takes a core and 64 MB for a tenth of a second.

import { invalidField } from '../lib/error.ts'

const atATime = 2
const minChars = 8
/** A longer one only costs time. */
const maxChars = 1024

const options = { algorithm: 'argon2id', memoryCost: 65_536, timeCost: 2 } as const

let running = 0
const waiting: (() => void)[] = []

/** Throws `validation_failed` for a password that is too short or too long (NIST SP 800-63B, 3.1.1.2). */
export async function hashPassword(password: string): Promise<string> {
  if ([...password].length < minChars || password.length > maxChars) {
    throw invalidField('password', `A password has ${minChars} to ${maxChars} characters.`)
  }
  return await inTurn(() => Bun.password.hash(password, options))
}

let decoy: Promise<string> | null = null

/** Takes as long without a stored hash as with one, so that the time does not tell who has an account. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  decoy ??= inTurn(() => Bun.password.hash('a password that nobody has', options))
  const hash = stored ?? (await decoy)
  if (password.length > maxChars) return false
  const matches = await inTurn(() => Bun.password.verify(password, hash))
  return matches && stored !== null
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atATime) await new Promise<void>((resolve) => waiting.push(resolve))
  running++
  try {
    return await work()
  } finally {
    running--
    waiting.shift()?.()
  }
}
