// Who may do what. authenticate() runs before the body of any /v1 request is read; a route then declares with a macro which credentials it
// accepts: `{ auth: 'contacts.read' }`, `{ auth: { scope: 'activity.read', session: true } }`, `{ session: 'owner' }`.

import { type Context, Elysia } from 'elysia'
import type { App } from '../../core/app.ts'
import { pathOf } from '../../core/http/request-target.ts'
import type { RouteTable, Takes } from '../../core/http/route-table.ts'
import { actAs } from '../../kit/act.ts'
import { AppError } from '../../kit/error.ts'
import { isTestWorkspace } from '../../kit/id.ts'
import { noteUrgent } from '../../kit/turn.ts'
import { mustBeOpen } from '../suspension.ts'
import type { Workspace } from '../workspaces.ts'
import { createKeyFinder, createKeyTouch, type WorkingKey } from './api-keys.ts'
import { type Grantor, operator } from './grants.ts'
import { leastRole, mayAct, type Role } from './roles.ts'
import { refuseCrossSite } from './same-site.ts'
import { covers, type Scope } from './scopes.ts'
import { createSessionTouch, findRequestSession } from './sessions.ts'
import { admitSource, isSourceKey } from './source-keys.ts'
import { getMembership, listMemberships } from './users.ts'

export type Credential =
  /** Of a program: a key, or a connection that a person allowed (OAuth), which opens the tools of agents and no route. */
  | { kind: 'api_key' | 'oauth_grant'; id: string; scopes: string[]; madeBy: string | null; role: Role }
  | { kind: 'source'; id: string; origin: string }
  /** The operator on the command line, who has the files of the installation. */
  | { kind: 'operator'; id: 'operator' }
  | { kind: 'session'; userId: string; email: string; name: string | null; role: Role; tokenHash: string }

/** Who made the request, for records: a user, an API key, a source. */
export function toActor(credential: Credential): string {
  return credential.kind === 'session' ? credential.userId : credential.id
}

/** The person whose rights a credential created by this request depends on: for a key that creates another, the creator of the first. */
export function toGrantor(credential: Credential): Grantor {
  if (credential.kind === 'session') return { userId: credential.userId, role: credential.role }
  if (credential.kind === 'api_key' || credential.kind === 'oauth_grant')
    return { userId: credential.madeBy, role: credential.role }
  return { userId: operator, role: 'owner' }
}

/** Not an API key, whoever made it: for what only an owner decides, in person. */
export function isOwnerInPerson(credential: Credential): boolean {
  return credential.kind === 'operator' || (credential.kind === 'session' && credential.role === 'owner')
}

/** What a macro passes to the handler of its route. */
export type Caller = {
  workspace: Workspace
  credential: Credential
}

/** A signed-in person, with at least this role, or the one that leastRole() returns. */
export type SessionRule = true | Role

/** A scope, or `any` for any valid key. `source`: the route also accepts the id of a subscription source, from a browser. */
export type AuthRule = Scope | 'any' | { scope: Scope | 'any'; session?: SessionRule; source?: true }

/** What the edge needs to know of a caller: whose rate limit applies, and which page may read the response. */
export interface Admitted {
  keyId: string | null
  origin: string | null
}

/** How clients of other services show their key (src/doors/compat). */
export interface ForeignKeys {
  authorizationOf(path: string, headers: Headers): string | null
  /** The key that the request is signed with; null where requests are not signed. Throws 403. */
  signedKey(path: string, request: Request): Promise<WorkingKey> | null
}

type KeyFinder = (apiKey: string) => Promise<WorkingKey | undefined>

const callers = new WeakMap<Request, Caller>()

/** The token of an Authorization header (RFC 6750, 2.1); empty where it holds none, or something else. */
export function bearerToken(header: string): string {
  return /^Bearer +([^\s,]+)$/i.exec(header)?.[1] ?? ''
}

/**
 * Finds the caller and stores it for the route. Throws 401 without a valid credential, 403 for a session used by another site, 404 for a
 * workspace that its user may not enter.
 */
export function createAuthenticate(
  app: App,
  takes: RouteTable['takes'],
  { authorizationOf, signedKey }: ForeignKeys,
): (request: Request) => Promise<Admitted> {
  const findKey = createKeyFinder(app)
  const touchKey = createKeyTouch(app)
  const touchSession = createSessionTouch(app)
  return async (request) => {
    // Only a request created by this process is authenticated already.
    if (callers.has(request)) return { keyId: null, origin: null }
    const path = pathOf(request)
    const admitted = (key: WorkingKey): Admitted => {
      mustBeOpen(key.workspace)
      const { id, scopes, madeBy, role } = key
      remember(request, { workspace: key.workspace, credential: { kind: 'api_key', id, scopes, madeBy, role } })
      touchKey(key)
      return { keyId: key.id, origin: null }
    }
    const signed = signedKey(path, request)
    if (signed) return admitted(await signed)
    const header = authorizationOf(path, request.headers)
    if (header !== null) {
      const presented = bearerToken(header)
      if (isSourceKey(presented)) return await admitVisitor(app, request, presented)
      return admitted(await admitKey(findKey, header))
    }
    const session = await findRequestSession(app, request)
    const taken = takes(request.method, path)
    if (!session) throw withoutCredential(taken)
    if (taken?.session === false) throw keyWanted()
    refuseCrossSite(request, app.config)
    const { userId, email, name, tokenHash } = session
    const { workspace, role } = await entered(app, userId, request.headers.get('x-workspace-id'))
    remember(request, { workspace, credential: { kind: 'session', userId, email, name, role, tokenHash } })
    touchSession(session)
    return { keyId: null, origin: null }
  }
}

/** The caller of a request, for the log; null for an anonymous one. */
export function whoseOf(request: Request): { workspaceId: string; keyId: string | null } | null {
  const caller = callers.get(request)
  if (caller === undefined) return null
  const { workspace, credential } = caller
  return { workspaceId: workspace.id, keyId: credential.kind === 'api_key' ? credential.id : null }
}

function remember(request: Request, caller: Caller): void {
  callers.set(request, caller)
  const { credential, workspace } = caller
  const kind = credential.kind === 'session' ? 'person' : credential.kind
  actAs({ kind, id: toActor(credential) }, workspace.id)
  noteUrgent(caller.workspace.id)
}

/** Marks a request created by this process as that of a caller who was admitted already; it may what their credential may. */
export function actAsCaller(request: Request, caller: Caller): void {
  remember(request, caller)
}

/** Marks a request created by this process as the operator's, in one workspace; it needs no credential. */
export function actAsOperator(request: Request, workspace: Workspace): void {
  remember(request, { workspace, credential: { kind: 'operator', id: 'operator' } })
}

async function admitVisitor(app: App, request: Request, id: string): Promise<Admitted> {
  const origin = request.headers.get('origin')
  const workspace = await admitSource(app, id, origin)
  mustBeOpen(workspace)
  remember(request, { workspace, credential: { kind: 'source', id, origin: origin ?? '' } })
  return { keyId: null, origin }
}

/**
 * The API key of an Authorization header; `findKey` from createKeyFinder(). Throws 401, or 403 for a mailbox token, which opens only the mailbox
 * endpoint. `agents`: at the endpoint that the key of an agent opens.
 */
export async function admitKey(
  findKey: KeyFinder,
  authorization: string,
  { agents = false }: { agents?: boolean } = {},
): Promise<WorkingKey> {
  const presented = bearerToken(authorization)
  if (presented.startsWith('mbtok_')) {
    throw new AppError('forbidden', 'A mailbox token opens only the mailbox endpoint.')
  }
  const key = await findKey(presented)
  if (!key) throw new AppError('invalid_api_key', 'This API key is not valid. Send Authorization: Bearer pqk_…')
  mustBeOpen(key.workspace)
  if (key.airlock && !agents) throw new AppError('forbidden', 'This API key is of an agent, and opens only /mcp.')
  return key
}

/** What credential is missing, according to the route. */
function withoutCredential(takes: Takes | null): AppError {
  const { apiKey, session } = takes ?? { apiKey: true, session: false }
  const wanted = [
    ...(apiKey ? ['send an API key (Authorization: Bearer pqk_…)'] : []),
    ...(session ? ['sign in (POST /v1/auth/login, then send its cookie)'] : []),
  ].join(', or ')
  return new AppError('unauthorized', `This needs a credential: ${wanted}.`)
}

function keyWanted(): AppError {
  return new AppError('unauthorized', 'This needs an API key, not a session.')
}

/** The workspace of a session's request: the named one, else the oldest. */
async function entered(app: App, userId: string, workspaceId: string | null) {
  if (workspaceId !== null) return await getMembership(app, userId, workspaceId)
  const [first] = await listMemberships(app, userId)
  if (!first) throw new AppError('forbidden', 'This user is not a member of any workspace.')
  return first
}

type WithRequest = Pick<Context, 'request'>

/** The macros. Without one, a handler has no workspace, and a test of all routes fails. */
export const auth = new Elysia({ name: 'auth' }).macro({
  auth: (rule: AuthRule) => {
    const { scope, session, source = false } = typeof rule === 'string' ? { scope: rule } : rule
    return {
      // Before validation, so that a caller without permission learns nothing about the body.
      transform: ({ request }: WithRequest) => admit(request, { scope, session, source }),
      resolve: ({ request }: WithRequest) => toContext(getCaller(request)),
      detail: { security: toSecurity(scope, session), ...roleDetail(session) },
    }
  },
  session: (rule: SessionRule) => ({
    transform: ({ request }: WithRequest) => admitSession(request, rule),
    resolve: ({ request }: WithRequest) => toContext(getCaller(request)),
    detail: { security: sessionOnly(), ...roleDetail(rule) },
  }),
})

/** For the OpenAPI document, which adds the default role of routes that name none. */
function roleDetail(rule: SessionRule | undefined): { 'x-role'?: Role } {
  return rule === undefined || rule === true ? {} : { 'x-role': rule }
}

/** For the OpenAPI document, which may name the scope beside the scheme (OpenAPI 3.1, Security Requirement Object). */
function toSecurity(scope: Scope | 'any', session: SessionRule | undefined): Record<string, string[]>[] {
  const key = { apiKey: scope === 'any' ? [] : [scope] }
  return session ? [key, ...sessionOnly()] : [key]
}

function sessionOnly(): Record<string, string[]>[] {
  return [{ session: [] }]
}

/**
 * What a route gets: the parts by name, and `caller` to pass on. A rest of the context (`...caller`) in its place makes Elysia read cookies,
 * headers and query for each request, for it cannot tell what is in it.
 */
const toContext = (caller: Caller) => ({ ...caller, caller })

function getCaller(request: Request): Caller {
  const caller = callers.get(request)
  if (!caller) throw new AppError('unauthorized', 'This request needs a credential.')
  return caller
}

/** Checks again whether the credential of a request still opens its workspace, for an answer that goes on for hours. Throws AppError. */
export function createAdmitAgain(app: App, request: Request): () => Promise<void> {
  const { credential, workspace } = getCaller(request)
  const findKey = createKeyFinder(app)
  const headers = new Headers(request.headers)
  const again = new Request(request.url, { headers })
  return async () => {
    if (credential.kind === 'api_key') await admitKey(findKey, headers.get('authorization') ?? '')
    if (credential.kind !== 'session') return
    if (!(await findRequestSession(app, again))) throw withoutCredential(null)
    await getMembership(app, credential.userId, workspace.id)
  }
}

interface Rule {
  scope: Scope | 'any'
  session: SessionRule | undefined
  source: boolean
}

function admit(request: Request, { scope, session, source }: Rule): void {
  const { credential, workspace } = getCaller(request)
  if (isTestWorkspace(workspace.id) && notForTests.includes(scope)) throw notOfTests()
  if (credential.kind === 'operator') return
  if (credential.kind === 'source') {
    if (!source) throw new AppError('invalid_api_key', 'The id of a subscription source can only be used to opt in.')
  } else if (credential.kind === 'session') {
    if (session === undefined) throw keyWanted()
    mustBeOpenToChange(request, workspace)
    admitRole(request, credential, session)
  } else {
    if (isTestWorkspace(workspace.id) && scope === 'members.read') throw notOfTestKeys()
    if (scope !== 'any' && !covers(credential.scopes, scope))
      throw new AppError('insufficient_scope', `This needs an API key with the scope ${scope}.`, {
        headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
      })
    admitRole(request, credential, session ?? true)
  }
}

/** What would claim something that there is only one of, or change what the workspace itself decides. */
const notForTests: (Scope | 'any')[] = ['mailboxes.write', 'domains.write', 'workspace.write']

function notOfTests(): AppError {
  return new AppError(
    'forbidden',
    'A test workspace has no mailboxes, domains or settings of its own: use its workspace.',
  )
}

/** Who may enter a test workspace are the people of the real one; they see each other there, and what a test runs as does not. */
function notOfTestKeys(): AppError {
  return new AppError(
    'forbidden',
    'Members belong to the workspace, not to its test workspace: a test key cannot read them.',
  )
}

function admitSession(request: Request, rule: SessionRule): void {
  const { credential, workspace } = getCaller(request)
  if (credential.kind === 'operator') return
  if (credential.kind !== 'session')
    throw new AppError('unauthorized', 'This needs the session of a person (POST /v1/auth/login), not an API key.')
  mustBeOpenToChange(request, workspace)
  admitRole(request, credential, rule)
}

/** People of a suspended workspace read, and change what is theirs in person: how they sign in. */
function mustBeOpenToChange(request: Request, workspace: Workspace): void {
  if (leastRole(request.method) !== 'viewer' && !pathOf(request).startsWith('/v1/auth/')) mustBeOpen(workspace)
}

/** A key may do what the person who made it may. */
function admitRole(
  { method }: Request,
  { kind, role }: { kind: 'session' | 'api_key' | 'oauth_grant'; role: Role },
  rule: SessionRule,
): void {
  const least = rule === true ? leastRole(method) : rule
  if (mayAct(role, least)) return
  const whose = kind === 'session' ? 'yours' : 'that of this API key’s creator'
  throw new AppError('insufficient_role', `This needs the role ${least} in the workspace; ${whose} is ${role}.`)
}
