// Callers that a person has connected (OAuth). Their token is of one endpoint: at the other it is as unknown as any (RFC 8707).

import type { App } from '../../core/app.ts'
import { createGrantTouch } from '../../features/oauth/grants.ts'
import { mailboxScopes, rightsOf } from '../../features/oauth/resources.ts'
import { findAccess, type OpenToken } from '../../features/oauth/tokens.ts'
import { AppError } from '../../kit/error.ts'
import { isOAuthToken } from '../../kit/token.ts'
import { bearerToken } from '../../people/access/auth.ts'
import { mustBeOpen } from '../../people/suspension.ts'
import type { MailboxCaller, WorkspaceCaller } from './callers.ts'
import type { Caller } from './surface.ts'

/** `admit(request)`: null where the credential is of another kind. Throws 401. */
export function createConnectionAdmit(app: App): (request: Request) => Promise<OpenToken | null> {
  const touch = createGrantTouch(app)
  return async (request) => {
    const text = bearerToken(request.headers.get('authorization') ?? '')
    if (!isOAuthToken(text, 'access')) return null
    const found = await findAccess(app, text, app.clock.now())
    if (!found) throw notValid()
    mustBeOpen(found.workspace)
    touch(found.grant)
    return found
  }
}

/** Throws 401 for a connection to a mailbox. */
export function toWorkspaceCaller(connection: OpenToken): WorkspaceCaller {
  const { grant, workspace, role } = connection
  if (grant.mailboxId !== null) throw notValid()
  const scopes = rightsOf(grant.scopes)
  const credential = { kind: 'oauth_grant', id: grant.id, scopes, madeBy: grant.madeBy, role } as const
  return { ...basicsOf(connection), scopes, workspace, credential }
}

/** Throws 401 for a connection to a workspace. */
export function toMailboxCaller(connection: OpenToken): MailboxCaller {
  const { grant, workspace, mailbox } = connection
  if (mailbox === null) throw notValid()
  const scopes = mailboxScopes.filter((scope) => grant.scopes.includes(scope))
  return { ...basicsOf(connection), scopes, open: { token: { id: grant.id, scopes }, mailbox, workspace } }
}

function basicsOf({ grant, role }: OpenToken): Omit<Caller, 'scopes'> {
  const { id, clientId, clientName, createdAt: givenAt, madeBy, workspaceId, mailboxId } = grant
  const presented = { kind: 'oauth_grant', id, clientId, clientName, givenAt, madeBy } as const
  return { presented, workspaceId, mailboxId, role, airlock: true }
}

function notValid(): AppError {
  return new AppError(
    'unauthorized',
    'This access token is not valid here: it is too old, ended, or of another endpoint.',
  )
}
