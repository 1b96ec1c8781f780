// Signing in with a password: few tries, one answer for every failure, and about the same time for it.

import { type App, write } from '../app.ts'
import { type Rate, rateLimited, refillStored, takeStored } from '../http/rate-limit.ts'
import { sha256Hex } from '../lib/digest.ts'
import { AppError } from '../lib/error.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { createSession, endSession } from './sessions.ts'
import { findUser, setPassword, type User } from './users.ts'

/** 5 tries in 5 minutes, per account and per address (docs/choices.md, row 67). */
const loginRate: Rate = { burst: 5, perSecond: 5 / 300 }

export interface Login {
  email: string
  password: string
  ip: string
  /** Of the session that the browser has now: it ends, a sign-in always begins a new one. */
  oldToken: string | null
}

/** Begins a session. Throws `unauthorized`, or `rate_limit_exceeded`. */
export async function login(
  app: App,
  { email, password, ip, oldToken }: Login,
): Promise<{ user: User; token: string }> {
  const account = `login:account:${sha256Hex(email.trim().toLowerCase())}`
  const allowances = await write(app, async (tx) => [
    await takeStored(tx, account, loginRate),
    await takeStored(tx, `login:ip:${ip}`, loginRate),
  ])
  const refused = allowances.find(({ allowed }) => !allowed)
  if (refused) throw rateLimited(refused)
  const user = await findUser(app, email)
  const matches = await verifyPassword(password, user?.passwordHash ?? null)
  if (!user || !matches) throw new AppError('unauthorized', 'The address or the password is wrong.')
  const token = await write(app, async (tx) => {
    await refillStored(tx, account)
    if (oldToken !== null) await endSession(tx, sha256Hex(oldToken))
    return await createSession(tx, user.id)
  })
  return { user, token }
}

export interface PasswordChange {
  email: string
  currentPassword: string
  newPassword: string
}

/** Ends every session of the user and begins a new one. Throws `unauthorized`, `validation_failed`. */
export async function changePassword(
  app: App,
  { email, currentPassword, newPassword }: PasswordChange,
): Promise<string> {
  const user = await findUser(app, email)
  const matches = await verifyPassword(currentPassword, user?.passwordHash ?? null)
  if (!user || !matches) throw new AppError('unauthorized', 'The present password is wrong.')
  const passwordHash = await hashPassword(newPassword)
  return await write(app, async (tx) => {
    await setPassword(tx, user.id, passwordHash)
    return await createSession(tx, user.id)
  })
}
