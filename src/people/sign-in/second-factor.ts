// The second factor beside a password: codes of an authenticator app (TOTP, RFC 6238), and ten recovery codes for when it is lost. A code
// works once, and few wrong ones may be tried, because whoever tries already knows the password.

import { and, count, eq, lt } from 'drizzle-orm'
import { recoveryCodes, secondFactors } from '../../../db/tables/workspaces.ts'
import { type App, type Reader, type Tx, write } from '../../core/app.ts'
import { giveBackStored, keyOf, type Rate, rateLimited, takeStored } from '../../core/http/rate-limit.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { endSignIns } from '../access/sessions.ts'

const recoveryCodesMade = 10
const recoveryBytes = 10
/** As long as the output of the hash (RFC 4226, 4). */
const secretBytes = 20
const stepSeconds = 30
/** Accepted time steps before and after the current one, because clocks differ (RFC 6238, 5.2). */
const driftSteps = 1
/** Wrong codes for one account. */
const codeRate: Rate = { burst: 10, perSecond: 10 / 3_600 }

type SecondFactor = typeof secondFactors.$inferSelect

/** Who asks, and with which session; without one it is the operator. */
interface FactorCaller {
  userId: string
  tokenHash?: string
}

/** The context for which a person's secret is sealed. */
export const sealContext = (userId: string) => `second factor of ${userId}`

export interface SecondFactorState {
  /** Null while no code is required. */
  since: Date | null
  recoveryCodesLeft: number
}

export async function secondFactorState(reader: Reader, userId: string): Promise<SecondFactorState> {
  const factor = await find(reader, userId)
  const [left] = await reader.db
    .select({ count: count() })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.userId, userId))
    .all()
  return { since: factor?.confirmedAt ?? null, recoveryCodesLeft: left?.count ?? 0 }
}

/** Creates the secret for an app, which takes effect once confirm() has accepted a code. Throws `conflict` when one is in effect. */
export async function beginSecondFactor(
  app: App,
  { userId, email }: { userId: string; email: string },
): Promise<{ secret: string; uri: string }> {
  const { Secret, TOTP } = await import('otpauth')
  const secret = new Secret({ buffer: Uint8Array.from(app.random.bytes(secretBytes)).buffer })
  const totp = new TOTP({ issuer: 'Paquebot', label: email, period: stepSeconds, secret })
  const secretSealed = await app.sealer.seal(secret.base32, sealContext(userId))
  await write(app, async (tx) => {
    if ((await find(tx, userId))?.confirmedAt) throw new AppError('conflict', 'There is already a second factor.')
    const row = { userId, secretSealed, createdAt: tx.now, confirmedAt: null, lastStep: 0 }
    await tx.db.insert(secondFactors).values(row).onConflictDoUpdate({ target: secondFactors.userId, set: row })
  })
  return { secret: secret.base32, uri: totp.toString() }
}

/**
 * From now on a code is required: what let somebody in without one ends. Returns the recovery codes, which cannot be read again. Throws
 * `validation_failed`, `conflict`.
 */
export async function confirmSecondFactor(app: App, asking: FactorCaller, code: string): Promise<string[]> {
  const { userId } = asking
  const factor = await find(app, userId)
  if (!factor || factor.confirmedAt) throw new AppError('conflict', 'There is no second factor to confirm.')
  const step = await findStep(app, factor, code)
  if (step === null) throw invalidField('code', 'This is not the current code from the app.')
  return await write(app, async (tx) => {
    const pending = and(eq(secondFactors.userId, userId), eq(secondFactors.secretSealed, factor.secretSealed))
    const confirmed = { confirmedAt: tx.now, lastStep: step }
    await tx.db.update(secondFactors).set(confirmed).where(pending)
    await endSignIns(tx, userId, asking)
    const codes = Array.from({ length: recoveryCodesMade }, () => newRecoveryCode(tx))
    await tx.db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
    await tx.db.insert(recoveryCodes).values(codes.map((one) => ({ userId, codeHash: hashCode(one) })))
    return codes
  })
}

/** From now on no code is required; what else signs the person in ends (endSignIns). */
export async function removeSecondFactor(tx: Tx, { userId, ...asking }: FactorCaller): Promise<void> {
  await tx.db.delete(secondFactors).where(eq(secondFactors.userId, userId))
  await tx.db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await endSignIns(tx, userId, asking)
}

/**
 * Uses up a code if the account requires one. Throws `second_factor_required` without one, `unauthorized` for a wrong or used one,
 * `rate_limit_exceeded` after ten wrong ones in an hour.
 */
export async function expectCode(app: App, userId: string, code: string | undefined): Promise<void> {
  const factor = await find(app, userId)
  if (!factor?.confirmedAt) return
  if (code === undefined || code.trim() === '')
    throw new AppError('second_factor_required', 'This account also requires a code from its authenticator app.')
  const bucket = keyOf.id('second-factor', userId)
  const allowance = await write(app, (tx) => takeStored(tx, bucket, codeRate))
  if (!allowance.allowed) throw rateLimited(allowance)
  const step = await findStep(app, factor, code)
  const isRight = await write(app, async (tx) => {
    const used = step === null ? await useRecoveryCode(tx, userId, code) : await useStep(tx, userId, step)
    if (used) await giveBackStored(tx, bucket, codeRate)
    return used
  })
  if (!isRight) throw new AppError('unauthorized', 'The code is wrong, or was used already.')
}

/** The time step of a code; null for one of another time or app. */
async function findStep(app: App, { userId, secretSealed }: SecondFactor, code: string): Promise<number | null> {
  const digits = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) return null
  const { TOTP } = await import('otpauth')
  const secret = await app.sealer.open(secretSealed, sealContext(userId))
  const timestamp = app.clock.now().getTime()
  const delta = new TOTP({ secret, period: stepSeconds }).validate({ token: digits, timestamp, window: driftSteps })
  return delta === null ? null : Math.floor(timestamp / 1_000 / stepSeconds) + delta
}

/** False for a step that was used, or is older than a used one. */
async function useStep(tx: Tx, userId: string, step: number): Promise<boolean> {
  const unused = and(eq(secondFactors.userId, userId), lt(secondFactors.lastStep, step))
  const used = await tx.db.update(secondFactors).set({ lastStep: step }).where(unused).returning()
  return used.length > 0
}

async function useRecoveryCode(tx: Tx, userId: string, code: string): Promise<boolean> {
  const named = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, hashCode(code)))
  return (await tx.db.delete(recoveryCodes).where(named).returning()).length > 0
}

async function find(reader: Reader, userId: string): Promise<SecondFactor | undefined> {
  return await reader.db.select().from(secondFactors).where(eq(secondFactors.userId, userId)).get()
}

/** `3fa9-…`: 80 random bits, for people to write down. */
function newRecoveryCode(tx: Tx): string {
  const hex = Buffer.from(tx.random.bytes(recoveryBytes)).toString('hex')
  return hex.match(/.{5}/g)?.join('-') ?? hex
}

function hashCode(code: string): string {
  return sha256Hex(code.toLowerCase().replaceAll(/[^0-9a-f]/g, ''))
}
