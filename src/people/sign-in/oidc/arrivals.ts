// Who may come in by OpenID Connect. A person is known by the subject that the service gives them, bound to their account the first time
// by an address that the service has verified; from then on the address makes no difference. Nobody comes in who was not invited.

import { and, eq } from 'drizzle-orm'
import { identities, invitations, users } from '../../../../db/tables/workspaces.ts'
import { type App, type Tx, write } from '../../../core/app.ts'
import type { OidcConfig } from '../../../core/config/oidc.ts'
import type { Device } from '../../../core/http/client-ip.ts'
import { addressDomain } from '../../../kit/email-address.ts'
import { AppError } from '../../../kit/error.ts'
import type { Role } from '../../access/roles.ts'
import { endSignIns, replaceSession } from '../../access/sessions.ts'
import {
  addMember,
  checkedEmail,
  createUser,
  findUser,
  listMemberships,
  proveEmail,
  type User,
} from '../../access/users.ts'
import { isOpen } from '../../members/invitations.ts'
import { findFirstWorkspace, getWorkspace, type Workspace } from '../../workspaces.ts'
import type { Claims } from './provider.ts'

interface Visit {
  device: Device
  oldToken: string | null
  /** Who the browser is signed in as already. */
  userId: string | null
}

/** Begins a session. Throws `forbidden`, with what the person can do about it. */
export async function admitByOidc(app: App, oidc: OidcConfig, claims: Claims, visit: Visit): Promise<string> {
  return await write(app, async (tx) => {
    const user = (await boundUser(tx, claims)) ?? (await bind(tx, oidc, claims, visit.userId))
    if ((await listMemberships(tx, user.id)).length === 0) await joinAsInvited(tx, user)
    const { device, oldToken } = visit
    return await replaceSession(tx, user.id, { ...device, oldToken, signedInBy: 'oidc' })
  })
}

/** Whoever an account may have let in is out. Returns how many services the person was bound to. */
export async function removeIdentities(tx: Tx, userId: string): Promise<number> {
  await endSignIns(tx, userId)
  return (await tx.db.delete(identities).where(eq(identities.userId, userId)).returning()).length
}

async function boundUser(tx: Tx, { issuer, subject }: Claims): Promise<User | undefined> {
  const mine = and(eq(identities.issuer, issuer), eq(identities.subject, subject))
  const [used] = await tx.db.update(identities).set({ lastUsedAt: tx.now }).where(mine).returning()
  return used && (await tx.db.select().from(users).where(eq(users.id, used.userId)).get())
}

/** The first time: the account of the verified address, or a new one for who is invited. */
async function bind(tx: Tx, oidc: OidcConfig, claims: Claims, signedInAs: string | null): Promise<User> {
  const email = verifiedAddress(oidc, claims)
  const known = await findUser(tx, email)
  if (known && known.emailProvenAt === null && known.id !== signedInAs)
    throw refused(
      `Nobody has proved yet that ${email} belongs to the account of that name here. Sign in with your password, then with ${oidc.name} in the same browser.`,
    )
  const user = known ?? (await createInvited(tx, oidc, email, claims.name))
  const { issuer, subject } = claims
  const row = { issuer, subject, userId: user.id, createdAt: tx.now, lastUsedAt: tx.now }
  const bound = await tx.db.insert(identities).values(row).onConflictDoNothing().returning()
  if (bound.length === 0)
    throw refused(
      `${email} is linked to another account at ${oidc.name}. The operator of this installation can unlink it: paquebot user reset-oidc --email ${email}`,
    )
  await proveEmail(tx, user.id)
  return user
}

function verifiedAddress({ name }: OidcConfig, { email, isEmailVerified }: Claims): string {
  if (email === null) throw refused(`${name} does not share your e-mail address, which identifies you here.`)
  if (!isEmailVerified)
    throw refused(`${name} has not verified that ${email} is your address. Verify it there, then come back.`)
  return checkedEmail(email)
}

async function createInvited(tx: Tx, oidc: OidcConfig, email: string, name: string | null): Promise<User> {
  const [first] = await openInvitations(tx, email)
  const place = first
    ? { workspace: await getWorkspace(tx, first.workspaceId), role: first.role }
    : await placeByDomain(tx, oidc, email)
  if (!place) throw refused(`There is no invitation for ${email}. Ask an owner of a workspace here for one.`)
  const user = await createUser(tx, place.workspace, {
    email,
    ...(name !== null && { name }),
    passwordHash: null,
    role: place.role,
  })
  for (const { id, workspaceId, role } of await openInvitations(tx, email)) {
    if (workspaceId !== place.workspace.id) await addMember(tx, { workspaceId, userId: user.id, role })
    await tx.db.delete(invitations).where(eq(invitations.id, id))
  }
  return user
}

/** A person with an address at one of these domains becomes a viewer of the oldest workspace. */
async function placeByDomain(
  tx: Tx,
  { joinDomains }: OidcConfig,
  email: string,
): Promise<{ workspace: Workspace; role: Role } | null> {
  if (!joinDomains.includes(addressDomain(email))) return null
  const workspace = await findFirstWorkspace(tx)
  return workspace ? { workspace, role: 'viewer' } : null
}

/** Somebody whose last place was taken from them comes back only when they are invited again. */
async function joinAsInvited(tx: Tx, { id: userId, email }: User): Promise<void> {
  const open = await openInvitations(tx, email)
  if (open.length === 0) throw refused(`${email} is no longer in any workspace here. Ask an owner for an invitation.`)
  for (const { id, workspaceId, role } of open) {
    await addMember(tx, { workspaceId, userId, role })
    await tx.db.delete(invitations).where(eq(invitations.id, id))
  }
}

function openInvitations(tx: Tx, email: string) {
  const open = and(eq(invitations.email, email), isOpen(tx.now))
  return tx.db.select().from(invitations).where(open).orderBy(invitations.id).all()
}

function refused(message: string): AppError {
  return new AppError('forbidden', message)
}
