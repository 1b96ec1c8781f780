// Signing in with a password: few wrong tries, one answer for every failure, and about the same time for each.

import { type App, write } from '../../core/app.ts'
import type { Device } from '../../core/http/client-ip.ts'
import {
  giveBackStored,
  hasStored,
  keyOf,
  type LimitKey,
  openStored,
  type Rate,
  rateLimited,
  takeStored,
} from '../../core/http/rate-limit.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { minute } from '../../kit/duration.ts'
import { AppError, missingField } from '../../kit/error.ts'
import { networkOf } from '../../kit/network.ts'
import { createSession, replaceSession } from '../access/sessions.ts'
import { findUser, getUser, setPassword, type User } from '../access/users.ts'
import { whyNoPasskeys } from './passkeys/relying-party.ts'
import { expectCode } from './second-factor.ts'

/** Wrong passwords, or keys, in 5 minutes from one network; for one account, where it is known there. */
export const addressRate: Rate = { burst: 5, perSecond: 5 / 300 }
/** Wrong passwords for one account from all addresses: more than a single address may try, so that no single one can lock others out. */
const accountRate: Rate = { burst: 25, perSecond: 25 / 300 }

/** How long after the password the code may be entered. */
const ticketLifeMs = 5 * minute
const ticketContext = 'sign-in ticket'

export interface Login {
  email: string
  password: string
  /** A code of the authenticator app, or a recovery code, if the account requires one. */
  code?: string | undefined
  device: Device
  /** The browser's current session: it ends, because a sign-in always starts a new one. */
  oldToken: string | null
}

/** Begins a session. Throws `unauthorized`, `second_factor_required`, or `rate_limit_exceeded`. */
export async function login(
  app: App,
  { email, password, code, device, oldToken }: Login,
): Promise<{ user: User; token: string }> {
  const user = await checkedUser(app, { email, password, device }, 'The address or the password is wrong.')
  await expectCode(app, user.id, code)
  return { user, token: await begin(app, user.id, { device, oldToken }) }
}

/** The first step of a sign-in by form: a session, or a ticket for the step with the code. */
export async function loginByForm(app: App, given: Login): Promise<{ token: string } | { ticket: string }> {
  try {
    return await login(app, given)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'second_factor_required') throw error
    const { email, passwordHash } = await getUser(app, given.email)
    const until = app.clock.now().getTime() + ticketLifeMs
    const ticket: Ticket = { email, until, password: sha256Hex(passwordHash ?? '') }
    return { ticket: await app.sealer.seal(JSON.stringify(ticket), ticketContext) }
  }
}

interface Ticket {
  email: string
  until: number
  /** A digest of what the password was checked against: a new one ends the ticket. */
  password: string
}

/** The second step. Throws `unauthorized` for a wrong code, `not_found` for a ticket that is too old. */
export async function loginByTicket(
  app: App,
  { ticket, code, ...visit }: { ticket: string; code: string; device: Device; oldToken: string | null },
): Promise<string> {
  const { email, until, password } = await readTicket(app, ticket)
  const user = await findUser(app, email)
  if (!user || sha256Hex(user.passwordHash ?? '') !== password || until <= app.clock.now().getTime())
    throw new AppError('not_found', 'This took too long. Sign in again.')
  await expectCode(app, user.id, code)
  return await begin(app, user.id, visit)
}

async function readTicket(app: App, ticket: string): Promise<Ticket> {
  try {
    return JSON.parse(await app.sealer.open(ticket, ticketContext))
  } catch {
    throw new AppError('not_found', 'Sign in again.')
  }
}

function begin(
  app: App,
  userId: string,
  { device, oldToken }: { device: Device; oldToken: string | null },
): Promise<string> {
  return write(app, (tx) => replaceSession(tx, userId, { ...device, oldToken, signedInBy: 'password' }))
}

export interface PasswordChange {
  email: string
  currentPassword: string
  newPassword: string
  device: Device
}

/** Ends every session of the user and starts a new one. Throws `unauthorized`, `validation_failed`, `rate_limit_exceeded`. */
export async function changePassword(
  app: App,
  { email, currentPassword, newPassword, device }: PasswordChange,
): Promise<string> {
  const user = await checkedUser(app, { email, password: currentPassword, device }, 'The present password is wrong.')
  const passwordHash = await app.passwords.hash(newPassword)
  return await write(app, async (tx) => {
    await setPassword(tx, user.id, passwordHash)
    return await createSession(tx, user.id, { ...device, signedInBy: 'password' })
  })
}

/** Asks a signed-in person for their password, if they have one. Throws `missing_required_field`, `unauthorized`. */
export async function expectPassword(
  app: App,
  { email, password, device }: { email: string; password: string | undefined; device: Device },
): Promise<void> {
  if ((await getUser(app, email)).passwordHash === null) return
  if (password === undefined) throw missingField('currentPassword', 'This requires your password.')
  await checkedUser(app, { email, password, device }, 'The present password is wrong.')
}

/**
 * The user with this password. A try is counted before the password is checked, so that parallel tries count too; it is given back unless
 * the password was wrong.
 */
async function checkedUser(
  app: App,
  { email, password, device }: Omit<Login, 'oldToken'>,
  refusal: string,
): Promise<User> {
  const user = await findUser(app, email)
  const known: Bucket = { key: knownKey(user?.id ?? '', device), rate: addressRate }
  const account: Bucket = { key: keyOf.id('account', sha256Hex(email.trim().toLowerCase())), rate: accountRate }
  // A network from which the owner signed in before has a limit of its own, so that guesses from elsewhere do not lock the owner out.
  const buckets: Bucket[] = [
    { key: keyOf.network('login', networkOf(device.ip)), rate: addressRate },
    (await hasStored(app, known.key)) ? known : account,
  ]
  await takeTry(app, buckets)
  let isWrong = false
  try {
    const matches = await app.passwords.verify(password, user?.passwordHash ?? null)
    if (user && matches) {
      await write(app, (tx) => openStored(tx, known.key, known.rate))
      return user
    }
    isWrong = true
    throw new AppError('unauthorized', refusal)
  } finally {
    if (!isWrong) await giveBack(app, buckets)
  }
}

/** Somebody in a network. The name of their browser changes with each update, and is whatever a guesser says. */
function knownKey(userId: string, { ip }: Device): LimitKey {
  return keyOf.remembered(sha256Hex(JSON.stringify([userId, networkOf(ip)])))
}

interface Bucket {
  key: LimitKey
  rate: Rate
}

/** In order, stopping at the first empty bucket, so that an address over its limit does not use up the account's. */
async function takeTry(app: App, buckets: Bucket[]): Promise<void> {
  const refused = await write(app, async (tx) => {
    for (const { key, rate } of buckets) {
      const allowance = await takeStored(tx, key, rate)
      if (!allowance.allowed) return allowance
    }
    return null
  })
  // The same for everybody, whether there is such an account or not.
  if (refused) throw rateLimited(refused, whyNoPasskeys(app.config) === null ? ' A passkey signs in all the same.' : '')
}

async function giveBack(app: App, buckets: Bucket[]): Promise<void> {
  await write(app, async (tx) => {
    for (const { key, rate } of buckets) await giveBackStored(tx, key, rate)
  })
}
