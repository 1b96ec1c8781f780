// People and their workspaces. An address names one person, ignoring case.

import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { isUniqueViolation } from '../../../db/faults.ts'
import { preferences } from '../../../db/tables/preferences.ts'
import { identities, members, passkeys, users, workspaces } from '../../../db/tables/workspaces.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { newId, realIdOf, testIdOf } from '../../kit/id.ts'
import { findFirstWorkspace, type Workspace } from '../workspaces.ts'
import { type Grantor, type Settled, settleGrants } from './grants.ts'
import { mayAct, type Role } from './roles.ts'
import { endSignIns } from './sessions.ts'

export type User = typeof users.$inferSelect
const maxEmailChars = 254

export interface NewUser {
  email: string
  name?: string | undefined
  /** From Passwords.hash(); null = signs in by link only. */
  passwordHash: string | null
  role: Role
  /** Whether mail to the address is known to reach them. Default: true, because an operator vouches for it. */
  isEmailProven?: boolean
}

/** A person who may enter `workspace`. Throws `validation_failed`, or `conflict` for an address that is taken. */
export async function createUser(tx: Tx, workspace: Workspace, input: NewUser): Promise<User> {
  const row = {
    id: newId(tx, 'usr', tx.now),
    email: checkedEmail(input.email),
    name: input.name?.trim() || null,
    passwordHash: input.passwordHash,
    emailProvenAt: (input.isEmailProven ?? true) ? tx.now : null,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  try {
    // Reads the result, because a statement without one may be refused only at the end of the transaction.
    await tx.db.insert(users).values(row).returning({ id: users.id })
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('conflict', `There is already a user ${row.email}.`)
    throw error
  }
  await addMember(tx, { workspaceId: workspace.id, userId: row.id, role: input.role })
  return row
}

export async function isMember(reader: Reader, workspaceId: string, userId: string): Promise<boolean> {
  const mine = and(eq(members.workspaceId, realIdOf(workspaceId)), eq(members.userId, userId))
  return (await reader.db.select({ userId: members.userId }).from(members).where(mine).get()) !== undefined
}

/** Records that mail to this person's address reaches them. */
export async function proveEmail(tx: Tx, userId: string): Promise<void> {
  const unproven = and(eq(users.id, userId), isNull(users.emailProvenAt))
  await tx.db.update(users).set({ emailProvenAt: tx.now }).where(unproven)
}

export interface Member {
  workspaceId: string
  userId: string
  role: Role
}

/** Throws `conflict` for somebody who is already a member. */
export async function addMember(tx: Tx, member: Member): Promise<void> {
  const added = await tx.db
    .insert(members)
    .values({ ...member, createdAt: tx.now })
    .onConflictDoNothing()
    .returning({ userId: members.userId })
  if (added.length === 0) throw new AppError('conflict', 'This person is already a member of the workspace.')
}

/** A lesser role ends the credentials that the person created, unless somebody takes them over. Throws `not_found`, or `conflict` when the workspace would have no owner. */
export async function setRole(
  tx: Tx,
  { workspaceId, userId, role }: Member,
  keeper: Grantor | null = null,
): Promise<Settled> {
  if (role !== 'owner') await refuseLastOwner(tx, workspaceId, userId)
  const before = await getRole(tx, workspaceId, userId)
  const mine = and(eq(members.workspaceId, workspaceId), eq(members.userId, userId))
  await tx.db.update(members).set({ role }).where(mine)
  if (mayAct(role, before)) return { revoked: [], kept: [] }
  return await settleGrants(tx, { workspaceId, userId }, keeper)
}

/**
 * Takes somebody out of a workspace, with what they have passed on in it; they may still enter others. With the last one go their
 * passkeys, what binds them to OIDC, and whatever they are signed in by. Throws `not_found`, or `conflict` for the only owner.
 */
export async function removeMember(
  tx: Tx,
  workspaceId: string,
  userId: string,
  keeper: Grantor | null = null,
): Promise<Settled> {
  await refuseLastOwner(tx, workspaceId, userId)
  const mine = and(eq(members.workspaceId, workspaceId), eq(members.userId, userId))
  const removed = await tx.db.delete(members).where(mine).returning({ userId: members.userId })
  if (removed.length === 0) throw noSuchMember()
  for (const one of [workspaceId, testIdOf(workspaceId)])
    await tx.db.delete(preferences).where(and(eq(preferences.workspaceId, one), eq(preferences.userId, userId)))
  const settled = await settleGrants(tx, { workspaceId, userId }, keeper)
  if ((await listMemberships(tx, userId)).length === 0) {
    await tx.db.delete(passkeys).where(eq(passkeys.userId, userId))
    await tx.db.delete(identities).where(eq(identities.userId, userId))
    await endSignIns(tx, userId)
  }
  return settled
}

async function refuseLastOwner(tx: Tx, workspaceId: string, userId: string): Promise<void> {
  const owners = await tx.db
    .select({ userId: members.userId })
    .from(members)
    .where(and(eq(members.workspaceId, workspaceId), eq(members.role, 'owner')))
    .limit(2)
    .all()
  if (owners.length === 1 && owners[0]?.userId === userId)
    throw new AppError('conflict', 'This is the only owner of the workspace: make somebody else owner first.')
}

function noSuchMember(): AppError {
  return new AppError('not_found', 'There is no such member of this workspace.')
}

/** Undefined when nobody has the address. */
export async function findUser(reader: Reader, email: string): Promise<User | undefined> {
  return await reader.db.select().from(users).where(eq(users.email, email.trim().toLowerCase())).get()
}

/** Throws `not_found`. */
export async function getUser(reader: Reader, email: string): Promise<User> {
  const user = await findUser(reader, email)
  if (!user) throw new AppError('not_found', `There is no user ${email}.`)
  return user
}

/** False on an installation that nobody has set up yet. */
export async function hasUsers(reader: Reader): Promise<boolean> {
  return (await reader.db.select({ id: users.id }).from(users).limit(1).get()) !== undefined
}

/** Everybody, with their workspaces. */
export async function listUsers(reader: Reader) {
  const rows = await reader.db
    .select({ id: users.id, email: users.email, name: users.name, workspace: workspaces.slug, role: members.role })
    .from(users)
    .leftJoin(members, eq(members.userId, users.id))
    .leftJoin(workspaces, eq(workspaces.id, members.workspaceId))
    .orderBy(asc(users.id))
    .all()
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((group) => {
    const [{ id, email, name }] = group as [(typeof rows)[number]]
    return { id, email, name, workspaces: group.flatMap(({ workspace }) => workspace ?? []) }
  })
}

/** The people of one workspace. */
export async function listMembers(reader: Reader, workspaceId: string) {
  return await reader.db
    .select({
      userId: users.id,
      email: users.email,
      name: users.name,
      role: members.role,
      isEmailProven: sql<boolean>`${users.emailProvenAt} IS NOT NULL`.mapWith(Boolean),
      createdAt: members.createdAt,
    })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.workspaceId, realIdOf(workspaceId)))
    .orderBy(asc(members.createdAt), asc(members.userId))
    .all()
}

/** A person's workspaces, oldest first, each with its test workspace; the first is used when none is named. */
export async function listMemberships(reader: Reader, userId: string) {
  return await reader.db
    .select({ workspace: workspaces, role: members.role })
    .from(members)
    .innerJoin(
      workspaces,
      sql`${workspaces.id} IN (${members.workspaceId}, replace(${members.workspaceId}, 'ws_', 'wst_'))`,
    )
    .where(eq(members.userId, userId))
    .orderBy(asc(members.createdAt), asc(members.workspaceId), asc(workspaces.id))
    .all()
}

export interface Membership {
  workspace: Workspace
  role: Role
  /** The installation is theirs, too: they are an owner of its first workspace. */
  operator: boolean
}

/** Where somebody belongs, and as what. */
export async function listPlaces(reader: Reader, userId: string): Promise<Membership[]> {
  const first = await findFirstWorkspace(reader)
  const places = await listMemberships(reader, userId)
  return places.map((place) => {
    return { ...place, operator: place.role === 'owner' && place.workspace.id === first?.id }
  })
}

/** Throws `not_found` when the person may not enter the workspace, as if there were none. */
export async function getMembership(reader: Reader, userId: string, workspaceId: string) {
  const row = await reader.db
    .select({ workspace: workspaces, role: members.role })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.id, workspaceId))
    .where(and(eq(members.userId, userId), eq(members.workspaceId, realIdOf(workspaceId))))
    .get()
  if (!row) throw new AppError('not_found', 'There is no such workspace.')
  return row
}

/** Their role in a workspace. Throws `not_found`. */
export async function getRole(reader: Reader, workspaceId: string, userId: string): Promise<Role> {
  const mine = and(eq(members.workspaceId, workspaceId), eq(members.userId, userId))
  const row = await reader.db.select({ role: members.role }).from(members).where(mine).get()
  if (!row) throw noSuchMember()
  return row.role
}

/** The owner who has been there longest. */
export async function findFirstOwner(reader: Reader): Promise<string | undefined> {
  const row = await reader.db
    .select({ userId: members.userId })
    .from(members)
    .where(eq(members.role, 'owner'))
    .orderBy(asc(members.createdAt))
    .limit(1)
    .get()
  return row?.userId
}

/** Sets the password and ends every other way in (endSignIns). */
export async function setPassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.db.update(users).set({ passwordHash, updatedAt: tx.now }).where(eq(users.id, userId))
  await endSignIns(tx, userId)
}

/** As it is stored. Throws `validation_failed`. */
export function checkedEmail(email: string): string {
  const address = email.trim().toLowerCase()
  if (address.length <= maxEmailChars && /^[^\s@<>",;:()[\]\\]+@[^\s@.]+(\.[^\s@.]+)*$/.test(address)) return address
  throw invalidField('email', `${JSON.stringify(email)} is not an e-mail address.`)
}
