// The passkeys of a person: keys on their devices, each with a name, that sign them in without a password and without a code, for the
// device has asked for a finger, a face or a PIN. No two people share one, and the server holds only what is public.

import { and, asc, count, eq } from 'drizzle-orm'
import { passkeys, sessions, users } from '../../../../db/tables/workspaces.ts'
import { type App, type Reader, type Tx, write } from '../../../core/app.ts'
import type { Device } from '../../../core/http/client-ip.ts'
import { AppError, invalidField } from '../../../kit/error.ts'
import { newId } from '../../../kit/id.ts'
import { isOneLine } from '../../../kit/text.ts'
import { endSignIns, replaceSession } from '../../access/sessions.ts'
import type { User } from '../../access/users.ts'
import { challengeLifeMs, useChallenge } from './challenge.ts'
import { relyingParty, whyNoPasskeys } from './relying-party.ts'
import {
  type AuthenticationAnswer,
  algorithms,
  type RegistrationAnswer,
  readAuthentication,
  readRegistration,
} from './webauthn.ts'

export const maxNameChars = 100
const passkeysMax = 20

export type Passkey = typeof passkeys.$inferSelect

/** In the order in which they were added. */
export async function listPasskeys(reader: Reader, userId: string): Promise<Passkey[]> {
  return await reader.db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id)).all()
}

/** What a browser needs to make one. Throws `conflict` where there can be none, or no more. */
export async function creationOptions(app: App, { id, email, name }: Person, challenge: string) {
  const { rpId } = relyingParty(app.config)
  const known = await listPasskeys(app, id)
  if (known.length >= passkeysMax) throw tooMany()
  return {
    rp: { id: rpId, name: 'Paquebot' },
    user: { id: toHandle(id), name: email, displayName: name ?? email },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: challengeLifeMs,
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      type: 'public-key' as const,
      id: credentialId,
      transports,
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    } as const,
    attestation: 'none' as const,
  }
}

/** What a browser needs to find one. Throws `conflict` where there can be none. */
export function requestOptions(app: App, challenge: string) {
  const { rpId } = relyingParty(app.config)
  return { rpId, challenge, timeout: challengeLifeMs, userVerification: 'required' as const }
}

interface Person {
  id: string
  email: string
  name: string | null
}

export interface NewPasskey {
  userId: string
  name: string
  challenge: string
  id: string
  answer: RegistrationAnswer
  transports: string[]
}

/** Throws `validation_failed` for an answer that proves nothing, `conflict` for one that was given before, or for too many. */
export async function addPasskey(
  app: App,
  { userId, name, challenge, id, answer, transports }: NewPasskey,
): Promise<Passkey> {
  const made = readRegistration(answer, { challenge, ...relyingParty(app.config) })
  if (typeof made === 'string') throw invalidField('credential', `This passkey was not accepted: ${made}.`)
  if (made.credentialId !== id)
    throw invalidField('credential.id', 'This is not the id of the passkey that was created.')
  return await write(app, async (tx) => {
    await useChallenge(tx, challenge)
    const mine = eq(passkeys.userId, userId)
    const [owned] = await tx.db.select({ count: count() }).from(passkeys).where(mine).all()
    if ((owned?.count ?? 0) >= passkeysMax) throw tooMany()
    const row = {
      id: newId(tx, 'psk', tx.now),
      userId,
      name: checkedName(name),
      ...made,
      transports,
      createdAt: tx.now,
      lastUsedAt: null,
    }
    const added = await tx.db.insert(passkeys).values(row).onConflictDoNothing().returning({ id: passkeys.id })
    if (added.length === 0) throw new AppError('conflict', 'This passkey was already added.')
    return row
  })
}

/** Throws `not_found`, `validation_failed`. */
export async function renamePasskey(
  tx: Tx,
  { userId, id, name }: { userId: string; id: string; name: string },
): Promise<Passkey> {
  const [renamed] = await tx.db
    .update(passkeys)
    .set({ name: checkedName(name) })
    .where(own(userId, id))
    .returning()
  if (!renamed) throw noSuchPasskey()
  return renamed
}

/**
 * It signs nobody in from now on, and whoever it may have let in is out: all but the session that asks, which says yes to nothing any more
 * (mustConfirm()). Throws `not_found`.
 */
export async function removePasskey(tx: Tx, id: string, asking: { userId: string; tokenHash: string }): Promise<void> {
  const { userId } = asking
  const removed = await tx.db.delete(passkeys).where(own(userId, id)).returning({ id: passkeys.id })
  if (removed.length === 0) throw noSuchPasskey()
  await endSignIns(tx, userId, asking)
  await tx.db
    .update(sessions)
    .set({ passkeyRemovedAt: tx.now })
    .where(and(eq(sessions.tokenHash, asking.tokenHash), eq(sessions.userId, userId)))
}

/** All of somebody; whoever they may have let in is out. Returns how many there were. */
export async function removePasskeys(tx: Tx, userId: string): Promise<number> {
  await endSignIns(tx, userId)
  return (await tx.db.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ id: passkeys.id })).length
}

export interface PasskeyLogin {
  challenge: string
  id: string
  /** The user handle that the device returned. */
  userHandle: string | null
  answer: AuthenticationAnswer
  device: Device
  oldToken: string | null
}

/** Begins a session. Throws `unauthorized`, or `conflict` for a challenge that was answered before. */
export async function loginWithPasskey(
  app: App,
  { challenge, id, userHandle, answer, device, oldToken }: PasskeyLogin,
): Promise<{ user: User; token: string }> {
  const party = relyingParty(app.config)
  const known = await findCredential(app, id)
  if (!known || userHandle !== toHandle(known.user.id))
    throw new AppError(
      'unauthorized',
      'This passkey is not known here. Sign in another way, and delete it on your device.',
    )
  const { user, passkey } = known
  const read = readAuthentication(answer, passkey, { challenge, ...party })
  if (typeof read === 'string') throw refused(app, passkey, read)
  const token = await write(app, async (tx) => {
    if (!(await noteUse(tx, { passkey, challenge, read }))) return null
    return await replaceSession(tx, user.id, { ...device, oldToken, signedInBy: 'passkey' })
  })
  if (token === null) throw refused(app, passkey, usedMeanwhile)
  return { user, token }
}

/**
 * Somebody who is signed in says yes to what the challenge is for, once. Throws `forbidden` for a passkey that is not theirs or an answer that
 * proves nothing, `conflict` for a challenge that was answered before.
 */
export async function confirmByPasskey(
  app: App,
  { userId, challenge, id, answer }: { userId: string; challenge: string; id: string; answer: AuthenticationAnswer },
): Promise<void> {
  const party = relyingParty(app.config)
  const known = await findCredential(app, id)
  if (known?.user.id !== userId) throw new AppError('forbidden', 'This is not one of your passkeys.')
  const { passkey } = known
  const read = readAuthentication(answer, passkey, { challenge, ...party })
  if (typeof read === 'string') throw unconfirmed(app, passkey, read)
  if (!(await write(app, (tx) => noteUse(tx, { passkey, challenge, read }))))
    throw unconfirmed(app, passkey, usedMeanwhile)
}

/** Whether this person confirms with a passkey: they have one here, or had one until they removed it in this very session. */
export async function mustConfirm(
  app: App,
  { userId, tokenHash }: { userId: string; tokenHash: string },
): Promise<boolean> {
  if (whyNoPasskeys(app.config) !== null) return false
  if ((await listPasskeys(app, userId)).length > 0) return true
  const [session] = await app.db
    .select({ removedAt: sessions.passkeyRemovedAt })
    .from(sessions)
    .where(eq(sessions.tokenHash, tokenHash))
  return session !== undefined && session.removedAt !== null
}

const usedMeanwhile = 'it was used or removed meanwhile'

/** Uses the challenge up. False: the passkey was used or removed since it was read. */
async function noteUse(
  tx: Tx,
  { passkey, challenge, read }: { passkey: Passkey; challenge: string; read: { counter: number; isBackedUp: boolean } },
): Promise<boolean> {
  await useChallenge(tx, challenge)
  const unchanged = and(eq(passkeys.id, passkey.id), eq(passkeys.counter, passkey.counter))
  const change = { ...read, lastUsedAt: tx.now }
  return (await tx.db.update(passkeys).set(change).where(unchanged).returning({ id: passkeys.id })).length > 0
}

function unconfirmed(app: App, { id, userId }: Passkey, reason: string): AppError {
  app.log.warn('a passkey was refused', { passkey: id, user: userId, reason })
  return new AppError('forbidden', `This passkey confirmed nothing: ${reason}.`)
}

function refused(app: App, { id, userId }: Passkey, reason: string): AppError {
  app.log.warn('a passkey was refused', { passkey: id, user: userId, reason })
  return new AppError('unauthorized', `This passkey did not sign you in: ${reason}.`)
}

async function findCredential(reader: Reader, credentialId: string) {
  return await reader.db
    .select({ passkey: passkeys, user: users })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.credentialId, credentialId))
    .get()
}

/** The user handle of a passkey, which reveals nothing about the person. */
function toHandle(userId: string): string {
  return Buffer.from(userId).toString('base64url')
}

function checkedName(name: string): string {
  const trimmed = name.trim()
  if (trimmed.length > 0 && trimmed.length <= maxNameChars && isOneLine(trimmed)) return trimmed
  throw invalidField('name', `The name must have 1 to ${maxNameChars} characters on one line.`)
}

function own(userId: string, id: string) {
  return and(eq(passkeys.userId, userId), eq(passkeys.id, id))
}

function noSuchPasskey(): AppError {
  return new AppError('not_found', 'There is no such passkey.')
}

function tooMany(): AppError {
  return new AppError('conflict', `You already have ${passkeysMax} passkeys: remove one first.`)
}
