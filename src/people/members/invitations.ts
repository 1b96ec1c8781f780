// Invites people to a workspace with a link that works once, within seven days, for one address. The link is shown to the inviter, and
// mailed if the installation sends mail. Following the mailed one proves the address; it makes no other difference.

import { and, asc, eq, exists, gt, lt, or, type SQL } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/sqlite-core'
import { invitations, members } from '../../../db/tables/workspaces.ts'
import { type App, type Reader, type Tx, write } from '../../core/app.ts'
import { keyOf, type Rate, rateLimited, takeStored } from '../../core/http/rate-limit.ts'
import { enqueueMany } from '../../core/outbox/enqueue.ts'
import { defineJob } from '../../core/outbox/job.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { day } from '../../kit/duration.ts'
import { mailboxOf } from '../../kit/email-address.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { newSecretToken } from '../../kit/token.ts'
import { operator } from '../access/grants.ts'
import type { Role } from '../access/roles.ts'
import { createSession, type SignIn } from '../access/sessions.ts'
import { addMember, checkedEmail, createUser, findUser, isMember, proveEmail } from '../access/users.ts'
import { isCapturing } from '../domain-owners.ts'
import { getWorkspace, type Workspace } from '../workspaces.ts'
import { mailNotice, noticeJob } from './owner-notice.ts'

/** The role of those who may. */
const mayInvite: Role = 'owner'
const linkLifeMs = 7 * day
const openMax = 100
/** By mailbox, whoever invites, so that nobody's mailbox is flooded with invitations. */
const mailRate: Rate = { burst: 5, perSecond: 5 / 86_400 }

export type Invitation = typeof invitations.$inferSelect

export interface NewInvitation {
  email: string
  role: Role
  /** The id of the inviter: a user, or `operator`. */
  invitedBy: string
  /** False: the link is only shown. Default: it is mailed if the installation sends mail. */
  sendEmail?: boolean | undefined
}

export interface Invited {
  invitation: Invitation
  /** The path of the link. It cannot be read again. */
  path: string
  isMailed: boolean
}

/**
 * Invites an address, replacing an open invitation for it. Throws `validation_failed`, `conflict` for a member and for more than 100 open
 * invitations, `rate_limit_exceeded` for more than five mails a day to one mailbox.
 */
export async function invite(app: App, workspaceId: string, input: NewInvitation): Promise<Invited> {
  const email = checkedEmail(input.email)
  const isMailed = input.sendEmail ?? !isCapturing(app)
  if (isMailed && isCapturing(app))
    throw invalidField(
      'sendEmail',
      'This installation sends no mail (neither SMTP_URL nor a relay is set): send the link to them yourself.',
    )
  if (isMailed) {
    const allowance = await write(app, (tx) => takeStored(tx, keyOf.mailbox('invitation', mailboxOf(email)), mailRate))
    if (!allowance.allowed) throw rateLimited(allowance)
  }
  return await write(app, async (tx) => {
    await refuseMember(tx, workspaceId, email)
    await tx.db.delete(invitations).where(inWorkspace(workspaceId, eq(invitations.email, email)))
    await refuseTooMany(tx, workspaceId)
    const shown = newSecretToken(tx)
    const invitation = {
      id: newId(tx, 'inv', tx.now),
      workspaceId,
      email,
      role: input.role,
      shownHash: sha256Hex(shown),
      mailedHash: null,
      invitedBy: input.invitedBy,
      createdAt: tx.now,
      expiresAt: new Date(tx.now.getTime() + linkLifeMs),
    }
    await tx.db.insert(invitations).values(invitation)
    if (isMailed) await enqueueMany(tx, sendInvitation, [{ workspaceId, payload: { invitationId: invitation.id } }])
    return { invitation, path: pathOf(shown), isMailed }
  })
}

async function refuseMember(tx: Tx, workspaceId: string, email: string): Promise<void> {
  const user = await findUser(tx, email)
  if (user && (await isMember(tx, workspaceId, user.id)))
    throw new AppError('conflict', `${email} is already a member of the workspace.`)
}

async function refuseTooMany(tx: Tx, workspaceId: string): Promise<void> {
  const open = await listInvitations(tx, workspaceId, tx.now)
  if (open.length >= openMax)
    throw new AppError(
      'conflict',
      `There are ${openMax} open invitations; revoke some, or wait until they are accepted.`,
    )
}

/** The link is created when the mail is sent, so that no stored data contains it; each attempt creates another one. */
export const sendInvitation = defineJob<{ invitationId: string }>({
  kind: 'send-invitation',
  ...noticeJob,
  async run(app, job, control) {
    const token = newSecretToken(app)
    const [invitation] = await write(app, (tx) =>
      tx.db
        .update(invitations)
        .set({ mailedHash: sha256Hex(token) })
        .where(and(eq(invitations.id, job.payload.invitationId), isOpen(tx.now)))
        .returning(),
    )
    if (!invitation) return { outcome: 'cancelled', code: 'gone', detail: 'the invitation was used or revoked' }
    const workspace = await getWorkspace(app, invitation.workspaceId)
    return await mailNotice(app, job, control, toMail(workspace, invitation, app.config.baseUrl + pathOf(token)))
  },
})

function toMail(workspace: Workspace, { email, role }: Invitation, url: string) {
  return {
    email,
    subject: `You are invited to ${workspace.name}`,
    text: `You are invited to join ${workspace.name} on Paquebot as ${role === 'owner' ? 'an' : 'a'} ${role}.

Open this link to accept. It works once, within 7 days, and is for ${email} only:

${url}

If you do not know what this is about, delete this mail and nothing happens.`,
  }
}

/** Those that can still be accepted, oldest first. */
export async function listInvitations(reader: Reader, workspaceId: string, now: Date): Promise<Invitation[]> {
  return await reader.db
    .select()
    .from(invitations)
    .where(inWorkspace(workspaceId, isOpen(now)))
    .orderBy(asc(invitations.id))
    .all()
}

/** Its links stop working. Throws `not_found`. */
export async function revokeInvitation(tx: Tx, workspaceId: string, id: string): Promise<void> {
  const gone = await tx.db
    .delete(invitations)
    .where(inWorkspace(workspaceId, eq(invitations.id, id)))
    .returning({ id: invitations.id })
  if (gone.length === 0) throw new AppError('not_found', 'There is no such invitation.')
}

export interface OpenInvitation {
  invitation: Invitation
  workspace: Workspace
  /** Whether it was followed from the mail, which only the owner of the address can read. */
  isFromMail: boolean
  /** Whether the address has an account: then its owner signs in to accept. */
  hasAccount: boolean
}

/** The invitation of a link; null when it was used, revoked or is too old. Looking does not use it up. */
export async function findInvitation(reader: Reader, token: string, now: Date): Promise<OpenInvitation | null> {
  const hash = sha256Hex(token)
  const invitation = await reader.db
    .select()
    .from(invitations)
    .where(and(or(eq(invitations.shownHash, hash), eq(invitations.mailedHash, hash)), isOpen(now)))
    .get()
  if (!invitation) return null
  return {
    invitation,
    workspace: await getWorkspace(reader, invitation.workspaceId),
    isFromMail: invitation.mailedHash === hash,
    hasAccount: (await findUser(reader, invitation.email)) !== undefined,
  }
}

export interface NewAccount {
  name?: string | undefined
  password: string
  device: Omit<SignIn, 'signedInBy'>
}

/** Creates the account of a new user and starts a session. Throws `not_found`, or `conflict` when the address has an account. */
export async function acceptWithAccount(app: App, token: string, account: NewAccount): Promise<string> {
  const passwordHash = await app.passwords.hash(account.password)
  return await write(app, async (tx) => {
    const { invitation, workspace, isFromMail } = await accepted(tx, token)
    const { email, role } = invitation
    const { name } = account
    const user = await createUser(tx, workspace, { email, name, passwordHash, role, isEmailProven: isFromMail })
    return await createSession(tx, user.id, { ...account.device, signedInBy: 'invitation' })
  })
}

/** Adds somebody who has an account. Throws `not_found`, also when the invitation is for another address. */
export async function acceptSignedIn(app: App, token: string, user: { userId: string; email: string }): Promise<void> {
  await write(app, async (tx) => {
    const { invitation, isFromMail } = await accepted(tx, token)
    if (invitation.email !== user.email) throw invitationGone()
    const { workspaceId, role } = invitation
    await addMember(tx, { workspaceId, userId: user.userId, role })
    if (isFromMail) await proveEmail(tx, user.userId)
  })
}

/** Uses the invitation up. */
async function accepted(tx: Tx, token: string): Promise<OpenInvitation> {
  const open = await findInvitation(tx, token, tx.now)
  if (!open) throw invitationGone()
  await tx.db.delete(invitations).where(eq(invitations.id, open.invitation.id))
  return open
}

/** Deletes those that can no longer be accepted. Returns how many; call until 0. */
export async function deleteOldInvitations(tx: Tx): Promise<number> {
  const gone = await tx.db
    .delete(invitations)
    .where(lt(invitations.expiresAt, tx.now))
    .returning({ id: invitations.id })
  return gone.length
}

/** It can be accepted: it is not too old, and whoever invited may still invite. */
export function isOpen(now: Date): SQL | undefined {
  const inviter = and(
    eq(members.workspaceId, invitations.workspaceId),
    eq(members.userId, invitations.invitedBy),
    eq(members.role, mayInvite),
  )
  const stillMay = exists(new QueryBuilder().select({ role: members.role }).from(members).where(inviter))
  return and(gt(invitations.expiresAt, now), or(eq(invitations.invitedBy, operator), stillMay))
}

function inWorkspace(workspaceId: string, what: SQL | undefined) {
  return and(eq(invitations.workspaceId, workspaceId), what)
}

function pathOf(token: string): string {
  return `/invite/${token}`
}

function invitationGone(): AppError {
  return new AppError('not_found', 'This invitation was used, revoked, or is older than seven days.')
}
