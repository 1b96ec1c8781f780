// The token endpoint (RFC 6749, 4.1.3 and 6) and the revocation endpoint (RFC 7009). A refusal must not undo what it found out: that
// something came a second time is written, and then refused.

import { timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { oauthGrants } from '../../../db/tables/oauth.ts'
import { type App, type Tx, write } from '../../core/app.ts'
import { actAs } from '../../kit/act.ts'
import { endGrant, type OAuthGrant } from './grants.ts'
import { OAuthError, oauthJson, required, single } from './oauth-error.ts'
import { endpointOf } from './resources.ts'
import { deleteToken, findToken, type IssuedTokens, issueTokens, type OpenToken, useUp } from './tokens.ts'

const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/

/** Throws OAuthError. */
export async function exchange(app: App, form: URLSearchParams): Promise<Response> {
  const grantType = required(form, 'grant_type')
  const issued = await (grantType === 'authorization_code'
    ? exchangeCode(app, form)
    : grantType === 'refresh_token'
      ? refresh(app, form)
      : refuse('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.'))
  return oauthJson(issued)
}

/** What a transaction found: its refusal is thrown when it is written. */
type Outcome = IssuedTokens | OAuthError

async function exchangeCode(app: App, form: URLSearchParams): Promise<IssuedTokens> {
  const [text, verifier, clientId] = [
    required(form, 'code'),
    required(form, 'code_verifier'),
    required(form, 'client_id'),
  ]
  const [redirectUri, resource] = [single(form, 'redirect_uri'), single(form, 'resource')]
  return await written(app, async (tx) => {
    const found = await findToken(tx, text, 'code')
    if (!found) return invalidGrant('The code is not valid, or it was used.')
    const { token, grant } = found
    actAsGrant(grant)
    // One try: a code that comes with the wrong verifier has been seen by somebody else.
    if (!(await useUp(tx, token))) {
      await endGrant(tx, grant.id, 'code_used_twice')
      return invalidGrant('The code was used before; the connection has ended.')
    }
    if (token.expiresAt <= tx.now) return invalidGrant('The code is too old.')
    if (grant.clientId !== clientId) return invalidGrant('The code was given to another client.')
    if (redirectUri !== undefined && redirectUri !== token.redirectUri)
      return invalidGrant('redirect_uri is not the one that the code was sent to.')
    if (!fits(verifier, token.codeChallenge ?? ''))
      return invalidGrant('code_verifier does not fit the code_challenge.')
    if (!isFor(app, grant, resource)) return otherTarget()
    await tx.db.update(oauthGrants).set({ beganAt: tx.now }).where(eq(oauthGrants.id, grant.id))
    return await issueTokens(tx, grant)
  })
}

async function refresh(app: App, form: URLSearchParams): Promise<IssuedTokens> {
  const [text, clientId] = [required(form, 'refresh_token'), required(form, 'client_id')]
  const [scope, resource] = [single(form, 'scope'), single(form, 'resource')]
  return await written(app, async (tx) => {
    const found = await findToken(tx, text, 'refresh')
    if (found?.grant.clientId !== clientId) return invalidGrant('The refresh token is not valid.')
    const { token, grant } = found
    actAsGrant(grant)
    if (token.usedAt !== null) return await endReused(tx, grant)
    if (token.expiresAt <= tx.now) return invalidGrant('The refresh token is too old.')
    if (!isFor(app, grant, resource)) return otherTarget()
    if (scope !== undefined && !scope.split(' ').every((one) => grant.scopes.includes(one)))
      return new OAuthError('invalid_scope', `Only this was allowed: ${grant.scopes.join(' ')}.`)
    return (await useUp(tx, token)) ? await issueTokens(tx, grant) : await endReused(tx, grant)
  })
}

async function endReused(tx: Tx, { id }: OAuthGrant): Promise<OAuthError> {
  await endGrant(tx, id, 'refresh_token_used_twice')
  return invalidGrant('The refresh token was used before; the connection has ended.')
}

/** Ends what a token is of; an unknown one is not an error (RFC 7009, 2.2). */
export async function revoke(app: App, form: URLSearchParams): Promise<Response> {
  const [text, clientId] = [required(form, 'token'), single(form, 'client_id')]
  await write(app, async (tx) => {
    const found = (await findToken(tx, text, 'refresh')) ?? (await findToken(tx, text, 'access'))
    // The token of another client is as unknown to this one as any.
    if (!found || (clientId !== undefined && clientId !== found.grant.clientId)) return
    actAsGrant(found.grant)
    await (found.token.kind === 'refresh'
      ? endGrant(tx, found.grant.id, 'ended_by_client')
      : deleteToken(tx, found.token))
  })
  return oauthJson({})
}

async function written(app: App, unit: (tx: Tx) => Promise<Outcome>): Promise<IssuedTokens> {
  const outcome = await write(app, unit)
  if (outcome instanceof OAuthError) throw outcome
  return outcome
}

function actAsGrant({ id, workspaceId }: OpenToken['grant']): void {
  actAs({ kind: 'oauth_grant', id }, workspaceId)
}

/** PKCE with S256 (RFC 7636, 4.6). */
function fits(verifier: string, challenge: string): boolean {
  if (!verifierPattern.test(verifier)) return false
  const [given, wanted] = [Bun.SHA256.hash(verifier, 'base64url'), challenge].map((text) => Buffer.from(text as string))
  return given !== undefined && wanted !== undefined && given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** Whether it names the endpoint that was allowed, or none. */
function isFor(app: App, { mailboxId }: OAuthGrant, resource: string | undefined): boolean {
  return resource === undefined || endpointOf(app, resource) === (mailboxId === null ? 'workspace' : 'mailbox')
}

function otherTarget(): OAuthError {
  return new OAuthError('invalid_target', 'resource is not the endpoint that was allowed.')
}

function invalidGrant(message: string): OAuthError {
  return new OAuthError('invalid_grant', message)
}

function refuse(code: 'unsupported_grant_type', message: string): never {
  throw new OAuthError(code, message)
}
