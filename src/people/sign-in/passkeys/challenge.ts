// What a passkey is asked to sign: 256 random bits, sealed into a cookie, so that only the browser that asked can answer, within five
// minutes. Nothing is stored until an answer was right; from then on the challenge is used up.

import { inArray, lt } from 'drizzle-orm'
import { usedChallenges } from '../../../../db/tables/workspaces.ts'
import type { App, Tx } from '../../../core/app.ts'
import { sha256Hex } from '../../../kit/digest.ts'
import { minute } from '../../../kit/duration.ts'
import { AppError } from '../../../kit/error.ts'
import { newSecretToken } from '../../../kit/token.ts'
import { stepCookie, stepValue } from '../../access/cookie.ts'

export const challengeLifeMs = 5 * minute
const cookieName = 'passkey'
const sealContext = 'passkey challenge'
const deletedAtOnce = 200

/** What it is for: signing in, a passkey of whoever has the session with this hash, or their yes to exactly the text with that digest. */
type Purpose = 'sign-in' | { tokenHash: string } | { tokenHash: string; yesTo: string }

interface Challenge {
  challenge: string
  purpose: Purpose
  until: number
}

/** A new challenge, and the Set-Cookie header that binds it to the browser. */
export async function newChallenge(app: App, purpose: Purpose): Promise<{ challenge: string; cookie: string }> {
  const challenge = newSecretToken(app)
  const made: Challenge = { challenge, purpose, until: app.clock.now().getTime() + challengeLifeMs }
  const value = await app.sealer.seal(JSON.stringify(made), sealContext)
  const cookie = { name: cookieName, value, maxAgeMs: challengeLifeMs, sameSite: 'Strict' } as const
  return { challenge, cookie: stepCookie(app, cookie) }
}

/** The challenge that this browser was given for this. Throws `conflict` when there is none, or it is too old. */
export async function getChallenge(app: App, request: Request, purpose: Purpose): Promise<string> {
  const found = await read(app, request)
  const isOurs = found !== null && JSON.stringify(found.purpose) === JSON.stringify(purpose)
  if (!isOurs || found.until <= app.clock.now().getTime()) throw tooLate()
  return found.challenge
}

/** In the transaction of what the answer is good for. Throws `conflict` the second time. */
export async function useChallenge(tx: Tx, challenge: string): Promise<void> {
  const row = { challengeHash: sha256Hex(challenge), expiresAt: new Date(tx.now.getTime() + challengeLifeMs) }
  const used = await tx.db.insert(usedChallenges).values(row).onConflictDoNothing().returning()
  if (used.length === 0) throw tooLate()
}

/** Returns how many; call until 0. */
export async function deleteUsedChallenges(tx: Tx): Promise<number> {
  const old = tx.db
    .select({ hash: usedChallenges.challengeHash })
    .from(usedChallenges)
    .where(lt(usedChallenges.expiresAt, tx.now))
    .limit(deletedAtOnce)
  return (await tx.db.delete(usedChallenges).where(inArray(usedChallenges.challengeHash, old)).returning()).length
}

async function read(app: App, request: Request): Promise<Challenge | null> {
  const sealed = stepValue(app, request.headers.get('cookie'), cookieName)
  if (sealed === null) return null
  try {
    return JSON.parse(await app.sealer.open(sealed, sealContext))
  } catch {
    return null
  }
}

function tooLate(): AppError {
  return new AppError('conflict', 'This challenge was already used, or is older than five minutes: start again.')
}
