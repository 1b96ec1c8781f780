// Sessions: a 256-bit token in a cookie, its SHA-256 in a row. A session ends 12 h after its last use, 30 days after sign-in,
// at sign-out and with whatever else lets its person in: endSignIns().

import { and, asc, desc, eq, gt, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { approvalLinks } from '../../../db/tables/agents.ts'
import { loginLinks, sessions, users } from '../../../db/tables/workspaces.ts'
import { type App, type Reader, type Tx, write } from '../../core/app.ts'
import type { Device } from '../../core/http/client-ip.ts'
import { actAs } from '../../kit/act.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { day, hour, minute } from '../../kit/duration.ts'
import { AppError } from '../../kit/error.ts'
import { newSecretToken } from '../../kit/token.ts'
import { sessionToken } from './cookie.ts'

const longestMs = 30 * day
const idleMs = 12 * hour
/** The precision of the last use. */
const touchEveryMs = minute
const linkLifeMs = 24 * hour
const maxUserAgentChars = 200

export type SessionRow = typeof sessions.$inferSelect

/** What a session stores about where it began, so that its owner recognizes it. */
export interface SignIn extends Device {
  signedInBy: NonNullable<SessionRow['signedInBy']>
}

/** Starts a session. Returns the token for the cookie. */
export async function createSession(tx: Tx, userId: string, signIn?: SignIn): Promise<string> {
  const token = newSecretToken(tx)
  actAs({ kind: 'person', id: userId })
  const { signedInBy = null, ip = null, userAgent = null } = signIn ?? {}
  await tx.db.insert(sessions).values({
    tokenHash: sha256Hex(token),
    userId,
    createdAt: tx.now,
    lastSeenAt: tx.now,
    expiresAt: new Date(tx.now.getTime() + longestMs),
    signedInBy,
    ip,
    userAgent: userAgent?.slice(0, maxUserAgentChars) ?? null,
  })
  return token
}

/** Begins a session in place of the one that the browser has now, if any: a sign-in always makes a new one. */
export async function replaceSession(
  tx: Tx,
  userId: string,
  { oldToken, ...signIn }: SignIn & { oldToken: string | null },
): Promise<string> {
  if (oldToken !== null) await endSession(tx, sha256Hex(oldToken))
  return await createSession(tx, userId, signIn)
}

/** The id by which a session is named: 128 bits of the hash of its token, which tell nobody the token. */
export function sessionId(tokenHash: string): string {
  return `ses_${tokenHash.slice(0, 32)}`
}

/** A person's open sessions, the last used first. */
export async function listSessions(reader: Reader, userId: string, now: Date): Promise<SessionRow[]> {
  const open = [gt(sessions.expiresAt, now), gt(sessions.lastSeenAt, new Date(now.getTime() - idleMs))]
  return await reader.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), ...open))
    .orderBy(desc(sessions.lastSeenAt), asc(sessions.tokenHash))
    .all()
}

/** Ends one session of a person. Throws `not_found`. */
export async function endSessionById(tx: Tx, userId: string, id: string): Promise<void> {
  const named = sql`'ses_' || substr(${sessions.tokenHash}, 1, 32) = ${id}`
  const ended = await tx.db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), named))
    .returning({ hash: sessions.tokenHash })
  if (ended.length === 0) throw new AppError('not_found', 'There is no such session.')
}

/**
 * Ends whatever a person is, or could be, signed in by without being asked again: every session but the one that asks for it, every link
 * that nobody followed, also those that decide in their place. Returns how many sessions.
 */
export async function endSignIns(tx: Tx, userId: string, asking: { tokenHash?: string } = {}): Promise<number> {
  await tx.db.delete(loginLinks).where(eq(loginLinks.userId, userId))
  await tx.db.delete(approvalLinks).where(eq(approvalLinks.userId, userId))
  const others = and(eq(sessions.userId, userId), ne(sessions.tokenHash, asking.tokenHash ?? ''))
  return (await tx.db.delete(sessions).where(others).returning({ hash: sessions.tokenHash })).length
}

/** Ends a session; an unknown one is not an error. */
export async function endSession(tx: Tx, tokenHash: string): Promise<void> {
  await tx.db.delete(sessions).where(eq(sessions.tokenHash, tokenHash))
}

const byToken = prepared((db: ReadDb) =>
  db
    .select({
      tokenHash: sessions.tokenHash,
      lastSeenAt: sessions.lastSeenAt,
      expiresAt: sessions.expiresAt,
      userId: users.id,
      email: users.email,
      name: users.name,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.tokenHash, sql.placeholder('hash')))
    .prepare(),
)

export type Session = NonNullable<Awaited<ReturnType<typeof findSession>>>

/** The open session of a token and its user; undefined when there is none. */
async function findSession(reader: Reader, token: string, now: Date) {
  const session = await byToken(reader.db).get({ hash: sha256Hex(token) })
  if (!session || session.expiresAt <= now || session.lastSeenAt.getTime() + idleMs <= now.getTime()) return undefined
  return session
}

/** The open session of a request's cookie. */
export async function findRequestSession(app: App, request: Request): Promise<Session | undefined> {
  const token = sessionToken(app, request.headers.get('cookie'))
  return token === null ? undefined : await findSession(app, token, app.clock.now())
}

/** `touch(session)`: records the use of a session, at most once a minute and outside the request. */
export function createSessionTouch(app: App) {
  return ({ tokenHash, lastSeenAt }: Session): void => {
    const now = app.clock.now()
    if (now.getTime() - lastSeenAt.getTime() < touchEveryMs) return
    write(app, (tx) =>
      tx.db.update(sessions).set({ lastSeenAt: tx.now }).where(eq(sessions.tokenHash, tokenHash)),
    ).catch((error) => app.log.warn('the last use of a session was not noted', { error }))
  }
}

/** Deletes expired sessions and links (for the maintenance job). */
const deletedAtOnce = 200

/** Also deletes links that nobody can use any more. Returns how many; call until 0. */
export async function deleteEndedSessions(tx: Tx): Promise<number> {
  const tooOld = or(lt(sessions.expiresAt, tx.now), lt(sessions.lastSeenAt, new Date(tx.now.getTime() - idleMs)))
  const ended = tx.db.select({ hash: sessions.tokenHash }).from(sessions).where(tooOld).limit(deletedAtOnce)
  const used = tx.db
    .select({ hash: loginLinks.tokenHash })
    .from(loginLinks)
    .where(lt(loginLinks.expiresAt, tx.now))
    .limit(deletedAtOnce)
  const goneSessions = await tx.db
    .delete(sessions)
    .where(inArray(sessions.tokenHash, ended))
    .returning({ at: sessions.expiresAt })
  const goneLinks = await tx.db
    .delete(loginLinks)
    .where(inArray(loginLinks.tokenHash, used))
    .returning({ at: loginLinks.expiresAt })
  return goneSessions.length + goneLinks.length
}

/** A one-time sign-in link, valid for 24 h. Returns its path: `/login/{token}`. */
export async function createLoginLink(tx: Tx, userId: string): Promise<string> {
  const token = newSecretToken(tx)
  await tx.db.insert(loginLinks).values({
    tokenHash: sha256Hex(token),
    userId,
    createdAt: tx.now,
    expiresAt: new Date(tx.now.getTime() + linkLifeMs),
  })
  return `/login/${token}`
}

/** Whether a link would work now. Looking does not use it up: mail scanners and previews only look. */
export async function isLinkOpen(reader: Reader, token: string, now: Date): Promise<boolean> {
  const link = await reader.db
    .select({ usedAt: loginLinks.usedAt, expiresAt: loginLinks.expiresAt })
    .from(loginLinks)
    .where(eq(loginLinks.tokenHash, sha256Hex(token)))
    .get()
  return link !== undefined && link.usedAt === null && link.expiresAt > now
}

/** Uses a link up and starts a session. Throws `not_found` for a link that is unknown, used or too old. */
export async function redeemLink(tx: Tx, token: string, device: Device): Promise<string> {
  const open = and(
    eq(loginLinks.tokenHash, sha256Hex(token)),
    isNull(loginLinks.usedAt),
    gt(loginLinks.expiresAt, tx.now),
  )
  const [link] = await tx.db
    .update(loginLinks)
    .set({ usedAt: tx.now })
    .where(open)
    .returning({ userId: loginLinks.userId })
  if (!link) throw new AppError('not_found', 'This link was already used or has expired.')
  return await createSession(tx, link.userId, { ...device, signedInBy: 'link' })
}
