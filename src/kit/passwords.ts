// Passwords: argon2id, at most two at a time, because each takes a core and 64 MB for a tenth of a second. The queue is short: when it is
// full, sign-ins are refused at once, and those in it are served within a second or so.

import { AppError, invalidField } from './error.ts'

const atATime = 2
const waitingMax = 16
const minChars = 8
/** A longer one only costs time. */
const maxChars = 1024

/** The cost of hashing one password. A stored hash contains the cost that it was made with. */
export interface PasswordCost {
  /** In KiB. */
  memoryCost: number
  /** Passes over the memory. */
  timeCost: number
}

const usualCost: PasswordCost = { memoryCost: 65_536, timeCost: 2 }

export interface Passwords {
  /** Throws `validation_failed` for a password that is too short or too long (NIST SP 800-63B, 3.1.1.2). */
  hash(password: string): Promise<string>
  /** Takes as long without a stored hash as with one, so that timing does not reveal who has an account. */
  verify(password: string, stored: string | null): Promise<boolean>
}

/** Another cost is for tests, which do not test strength. */
export function createPasswords({ memoryCost, timeCost } = usualCost): Passwords {
  const inTurn = createTurns()
  /** The hash of a random password that was thrown away. */
  const decoy = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$uDfZPjn5yDga9/XVpcyFnjK3pBfzYskNVq4Sx13fXJQ$4IyTD7zFZhIR6o4og/LOe0c+k6ukgkUYsDfubM3ldjA`
  return {
    async hash(password) {
      if ([...password].length < minChars || password.length > maxChars) {
        throw invalidField('password', `A password has ${minChars} to ${maxChars} characters.`)
      }
      return await inTurn(() => Bun.password.hash(password, { algorithm: 'argon2id', memoryCost, timeCost }))
    },
    async verify(password, stored) {
      if (password.length > maxChars) return false
      const matches = await inTurn(() => Bun.password.verify(password, stored ?? decoy))
      return matches && stored !== null
    },
  }
}

function createTurns() {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= waitingMax) {
      throw new AppError('rate_limit_exceeded', 'Too many people are signing in right now; try again in 2 s.', {
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
}
