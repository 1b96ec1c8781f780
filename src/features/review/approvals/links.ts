// The link in a mail that lets one person decide without signing in: once, within a day, about exactly the list that was mailed. Only the hash
// of its token is stored. Looking at it changes nothing; what the person may do is asked again when it is used.

import { and, eq, gt, inArray, isNull, lt } from 'drizzle-orm'
import { approvalLinks, type SeenApproval } from '../../../../db/tables/agents.ts'
import { members, users } from '../../../../db/tables/workspaces.ts'
import { type App, type Reader, type Tx, write } from '../../../core/app.ts'
import { actAs } from '../../../kit/act.ts'
import { sha256Hex } from '../../../kit/digest.ts'
import { day } from '../../../kit/duration.ts'
import { AppError } from '../../../kit/error.ts'
import { realIdOf } from '../../../kit/id.ts'
import { newSecretToken } from '../../../kit/token.ts'
import { leastRole, mayAct } from '../../../people/access/roles.ts'
import { listPreferences, setPreference } from '../../../people/preferences/preferences.ts'
import { listPasskeys } from '../../../people/sign-in/passkeys/passkeys.ts'
import { getWorkspace, type Workspace } from '../../../people/workspaces.ts'
import { compileContent, placeholders } from '../../content/rendering/compile.ts'
import { toContent } from '../../content/rendering/content.ts'
import { getApproval } from './approvals.ts'
import { approve, type Decided, decideAll, refuse } from './decide.ts'

const linkLifeMs = day
const rowsPerDelete = 200

type LinkRow = typeof approvalLinks.$inferSelect

/** Somebody who may decide in this workspace now. */
export interface Decider {
  userId: string
  email: string
}

/** Null for whoever is no member any more, or may only look. */
export async function findDecider({ db }: Reader, workspaceId: string, userId: string): Promise<Decider | null> {
  const [row] = await db
    .select({ userId: users.id, email: users.email, role: members.role })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.workspaceId, realIdOf(workspaceId)), eq(members.userId, userId)))
  return row && mayAct(row.role, leastRole('POST')) ? row : null
}

/** The path of a new link. `id`: of the job that mails it; another attempt makes another link in place of the former. */
export async function makeLink(
  app: App,
  { id, workspaceId, userId, approvals }: Pick<LinkRow, 'id' | 'workspaceId' | 'userId' | 'approvals'>,
): Promise<string> {
  const token = newSecretToken(app)
  await write(app, async (tx) => {
    const fresh = {
      tokenHash: sha256Hex(token),
      approvals,
      createdAt: tx.now,
      expiresAt: new Date(tx.now.getTime() + linkLifeMs),
    }
    await tx.db
      .insert(approvalLinks)
      .values({ id, workspaceId, userId, ...fresh, usedAt: null })
      .onConflictDoUpdate({ target: approvalLinks.id, set: fresh })
  })
  return `/approve/${token}`
}

export interface OpenLink {
  row: LinkRow
  workspace: Workspace
  person: Decider
}

/** Null for one that was used, is too old, or whose person may not decide any more, or has a passkey by now. */
export async function findLink(reader: Reader, token: string, now: Date): Promise<OpenLink | null> {
  const [row] = await reader.db
    .select()
    .from(approvalLinks)
    .where(
      and(
        eq(approvalLinks.tokenHash, sha256Hex(token)),
        gt(approvalLinks.expiresAt, now),
        isNull(approvalLinks.usedAt),
      ),
    )
  const person = row ? await findDecider(reader, row.workspaceId, row.userId) : null
  if (!row || !person || (await listPasskeys(reader, person.userId)).length > 0) return null
  return { row, workspace: await getWorkspace(reader, row.workspaceId), person }
}

/** One of the list that was mailed, as it is now; null when it is gone. */
export interface Listed {
  seen: SeenApproval
  now: (Detail & { written: string[] }) | null
}
type Detail = Awaited<ReturnType<typeof getApproval>>

/** What the mail was about, with all that would leave as plain text. */
export async function listLinked(app: App, { row, workspace }: OpenLink): Promise<Listed[]> {
  const listed: Listed[] = []
  for (const seen of row.approvals) {
    const now = await getApproval(app, workspace, seen.id).catch(orNull)
    listed.push({ seen, now: now && { ...now, written: writtenIn(now) } })
  }
  return listed
}

function writtenIn({ text, contents, kind }: Detail): string[] {
  if (text !== null) return [text]
  return contents.map(({ subject, content, locale, previewText }) => {
    const source = { subject, previewText, locale, kind: 'transactional' as const, content: toContent(content) }
    const said = placeholders(compileContent(source)).textBody
    return kind === 'action' ? `${subject}\n\n${said}` : said
  })
}

function orNull(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null
  throw error
}

/**
 * Approves those of the list that are named, or refuses all of it, and uses the link up. Null when it does not work any more; its person acts,
 * and their role is asked in the transaction that uses it up.
 */
export async function useLink(
  app: App,
  token: string,
  decision: { approve: string[] } | 'refuse',
): Promise<Decided[] | null> {
  const link = await write(app, async (tx) => {
    const open = await findLink(tx, token, tx.now)
    if (!open) return null
    actAs({ kind: 'person', id: open.person.userId }, open.row.workspaceId)
    await tx.db.update(approvalLinks).set({ usedAt: tx.now }).where(eq(approvalLinks.id, open.row.id))
    return open
  })
  if (!link) return null
  const { workspace, person, row } = link
  const isWanted = ({ id }: SeenApproval) => decision === 'refuse' || decision.approve.includes(id)
  const about = { approvals: row.approvals.filter(isWanted), by: person.userId }
  return await decideAll(app, workspace, decision === 'refuse' ? refuse : approve, about)
}

/** A preference of a person in a workspace. */
const mailPreference = { key: 'approvals.mail', off: 'off' }

export async function wantsMail(reader: Reader, person: { workspaceId: string; userId: string }): Promise<boolean> {
  const kept = await listPreferences(reader, person)
  return !kept.some(({ key, value }) => key === mailPreference.key && value === mailPreference.off)
}

/** The person of a link gets no more such mails from this workspace; the link works on. */
export async function stopMails(app: App, { row, person: { userId } }: OpenLink): Promise<void> {
  const { key, off } = mailPreference
  actAs({ kind: 'person', id: userId }, row.workspaceId)
  await write(app, (tx) => setPreference(tx, { workspaceId: row.workspaceId, userId }, { key, value: off }))
}

/** Those that are too old. Returns how many; call until 0. */
export async function deleteOldLinks(tx: Tx): Promise<number> {
  const old = tx.db
    .select({ id: approvalLinks.id })
    .from(approvalLinks)
    .where(lt(approvalLinks.expiresAt, tx.now))
    .limit(rowsPerDelete)
  return (await tx.db.delete(approvalLinks).where(inArray(approvalLinks.id, old)).returning({ id: approvalLinks.id }))
    .length
}
