// Passwords: argon2id, at most two at a time, because each takes a core and 64 MB for a tenth of a second. Few may wait for their turn:
// whoever comes then is refused at once, and those who wait are served within a second or so.

import { AppError, invalidField } from '../lib/error.ts'

const atATime = 2
const waitingMax = 16
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

/** Of a random password that nobody kept, made with the options above. */
const decoy =
  '$argon2id$v=19$m=65536,t=2,p=1$uDfZPjn5yDga9/XVpcyFnjK3pBfzYskNVq4Sx13fXJQ$4IyTD7zFZhIR6o4og/LOe0c+k6ukgkUYsDfubM3ldjA'

/** Takes as long without a stored hash as with one, so that the time does not tell who has an account. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  if (password.length > maxChars) return false
  const matches = await inTurn(() => Bun.password.verify(password, stored ?? decoy))
  return matches && stored !== null
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= waitingMax) {
    throw new AppError('rate_limit_exceeded', 'Too many people sign in at this moment; try again in 2 s.', {
      retryAfterSeconds: 2,
    })
  }
  if (running >= atATime) await new Promise<void>((resolve) => waiting.push(resolve))
  running++
  try {
    return await work()
  } finally {
    running--
    waiting.shift()?.()
  }
}
