// The yes of a person: what was shown is sealed into the page, for one session and ten minutes, and the form brings it back, so that nothing
// but the choice can be changed on the way, and the same page says yes once.

import { oauthGrants } from '../../../db/tables/oauth.ts'
import { type App, type Tx, write } from '../../core/app.ts'
import { actAs } from '../../kit/act.ts'
import { minute } from '../../kit/duration.ts'
import { AppError } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { mayAct, type Role } from '../../people/access/roles.ts'
import type { Session } from '../../people/access/sessions.ts'
import { getMembership, listMemberships } from '../../people/access/users.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { findMailbox, listMailboxes } from '../mailboxes/mailboxes.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { noteAllowed } from './clients.ts'
import { hostOfRedirect } from './redirect-uris.ts'
import { basicScope, type Endpoint, type GrantScope, leastRoleFor } from './resources.ts'
import { issueCode } from './tokens.ts'

const sealContext = 'consent to a client'
const ticketMs = 10 * minute

/** What the page has shown, and to whom. */
export interface Ticket extends AuthorizationRequest {
  /** Of the grant that it may become. */
  grantId: string
  sessionHash: string
  until: number
}

export async function sealTicket(app: App, request: AuthorizationRequest, session: Session): Promise<string> {
  const now = app.clock.now()
  const ticket: Ticket = {
    ...request,
    grantId: newId(app, 'oag', now),
    sessionHash: session.tokenHash,
    until: now.getTime() + ticketMs,
  }
  return await app.sealer.seal(JSON.stringify(ticket), sealContext)
}

/** Throws `conflict` for a page that is too old or somebody else's. */
export async function openTicket(app: App, sealed: string, session: Session): Promise<Ticket> {
  const opened = await app.sealer.open(sealed, sealContext).catch(() => null)
  const ticket: Ticket | null = opened === null ? null : JSON.parse(opened)
  if (ticket && ticket.sessionHash === session.tokenHash && ticket.until > app.clock.now().getTime()) return ticket
  throw new AppError(
    'conflict',
    'This page is more than ten minutes old, or of another sign-in. Begin again in the program that sent you.',
  )
}

/** What a person may connect a client to: a workspace, or one mailbox of it. */
export interface Target {
  /** Of the workspace or the mailbox. */
  id: string
  workspace: Workspace
  role: Role
  /** Its address. */
  mailbox: string | null
}

export async function listTargets(app: App, userId: string, endpoint: Endpoint): Promise<Target[]> {
  const places = await listMemberships(app, userId)
  if (endpoint === 'workspace')
    return places.map(({ workspace, role }) => ({ id: workspace.id, workspace, role, mailbox: null }))
  const lists = places.map(async ({ workspace, role }) =>
    (await listMailboxes(app, workspace.id))
      .filter(({ status }) => status === 'active')
      .map(({ id, address }) => ({ id, workspace, role, mailbox: address })),
  )
  return (await Promise.all(lists)).flat()
}

export interface Choice {
  targetId: string
  scopes: string[]
}

/** The code. Throws `not_found`, `insufficient_role`, `conflict` for a second yes. */
export async function allow(app: App, ticket: Ticket, session: Session, choice: Choice): Promise<string> {
  return await write(app, async (tx) => {
    const { workspace, role, mailboxId } = await loadTarget(tx, ticket.endpoint, session.userId, choice.targetId)
    actAs({ kind: 'person', id: session.userId }, workspace.id)
    const scopes = ticket.scopes.filter((scope) => scope === basicScope || choice.scopes.includes(scope))
    mustBeAllowed(role, scopes)
    const { client, redirectUri, codeChallenge, grantId } = ticket
    const made = await tx.db
      .insert(oauthGrants)
      .values({
        id: grantId,
        workspaceId: workspace.id,
        mailboxId,
        clientId: client.id,
        clientName: client.name,
        clientHost: hostOfRedirect(redirectUri),
        scopes: scopes.includes(basicScope) ? scopes : [basicScope, ...scopes],
        madeBy: session.userId,
        role,
        createdAt: tx.now,
        beganAt: null,
        lastUsedAt: null,
        revokedAt: null,
        endReason: null,
      })
      .onConflictDoNothing()
      .returning({ id: oauthGrants.id })
    if (made.length === 0)
      throw new AppError('conflict', 'This was answered already. Begin again in the program that sent you.')
    await noteAllowed(tx, client.id)
    return await issueCode(tx, grantId, { codeChallenge, redirectUri })
  })
}

async function loadTarget(tx: Tx, endpoint: Endpoint, userId: string, id: string) {
  if (endpoint === 'workspace') return { ...(await getMembership(tx, userId, id)), mailboxId: null }
  const mailbox = await findMailbox(tx, id)
  if (mailbox?.status !== 'active') throw new AppError('not_found', 'There is no such mailbox.')
  return { ...(await getMembership(tx, userId, mailbox.workspaceId)), mailboxId: mailbox.id }
}

/** Nobody allows a client more than they may do. */
function mustBeAllowed(role: Role, scopes: GrantScope[]): void {
  const tooMuch = scopes.find((scope) => !mayAct(role, leastRoleFor(scope)))
  if (tooMuch === undefined) return
  throw new AppError('insufficient_role', `Your role here is ${role}: you can allow a program to read, and no more.`)
}
