// A client of OAuth and the person who answers it, as bare requests: every step can be done wrongly.

import { oauthGrants } from '../../db/tables/oauth.ts'
import { write } from '../../src/core/app.ts'
import { newId } from '../../src/kit/id.ts'
import { ownValue } from '../../src/kit/own-value.ts'
import type { Json, TestApp } from './app.ts'

export const callback = 'http://127.0.0.1:49152/callback'
export const verifier = 'a-verifier-of-the-tests-that-has-43-characters-or-more'
export const challenge = new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')

type Fields = Record<string, string | undefined>

export const parametersOf = (fields: Fields) =>
  new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

/** Answers are looked at, never followed. */
export async function send(url: string, init: RequestInit = {}) {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const text = await response.text()
  const isJson = (response.headers.get('content-type') ?? '').includes('json')
  const location = response.headers.get('location')
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (isJson ? JSON.parse(text) : {}) as Json,
    location,
  }
}

export const register = (t: TestApp, metadata: unknown, headers: Record<string, string> = {}) =>
  send(`${t.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
  })

export async function registered(t: TestApp, redirectUris = [callback], name = 'Tests'): Promise<string> {
  const { status, text, body } = await register(t, { client_name: name, redirect_uris: redirectUris })
  if (status !== 201) throw new Error(text)
  return body.client_id
}

/** The address that a client opens. `undefined` leaves a parameter out. */
export function authorizeUrl(t: TestApp, clientId: string, fields: Fields = {}): string {
  const usual = {
    client_id: clientId,
    redirect_uri: callback,
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'as it was',
    resource: `${t.app.config.baseUrl}/mcp`,
  }
  return `${t.url}/oauth/authorize?${parametersOf({ ...usual, ...fields })}`
}

/** The page as somebody with that cookie gets it. */
export const openConsent = (url: string, cookie: string) => send(url, { headers: { cookie } })

export function ticketIn(page: string): string {
  const [, ticket] = /name="ticket" value="([^"]+)"/.exec(page) ?? []
  if (ticket === undefined) throw new Error(`no ticket in ${page}`)
  return ticket
}

/** The form, as a browser sends it from the page. */
export function decide(
  t: TestApp,
  { ticket, cookie, target, scopes = [], decision = 'allow' }: Decision,
  headers: Record<string, string> = {},
) {
  const form = parametersOf({ ticket, target, decision })
  for (const scope of scopes) form.append('scope', scope)
  const own = { cookie, origin: t.app.config.baseUrl, 'content-type': 'application/x-www-form-urlencoded' }
  return send(`${t.url}/oauth/authorize`, { method: 'POST', headers: { ...own, ...headers }, body: form.toString() })
}

export interface Decision {
  ticket: string
  cookie: string
  target?: string
  scopes?: readonly string[]
  decision?: string
}

export const post = (t: TestApp, path: string, fields: Fields | URLSearchParams) =>
  send(`${t.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: (fields instanceof URLSearchParams ? fields : parametersOf(fields)).toString(),
  })

export const exchangeFields = (clientId: string, code: string): Fields => ({
  grant_type: 'authorization_code',
  client_id: clientId,
  code,
  code_verifier: verifier,
  redirect_uri: callback,
})

export const refreshFields = (clientId: string, refreshToken: string): Fields => ({
  grant_type: 'refresh_token',
  client_id: clientId,
  refresh_token: refreshToken,
})

interface Wanted {
  cookie?: string
  /** Of the workspace or the mailbox. */
  target?: string
  scopes?: readonly string[]
  endpoint?: 'workspace' | 'mailbox'
  clientId?: string
}

const paths = { workspace: '/mcp', mailbox: '/mailbox/mcp' }

/** A code that somebody allowed. */
export async function codeFor(t: TestApp, wanted: Wanted = {}): Promise<{ clientId: string; code: string }> {
  const { cookie = t.sessionCookie, endpoint = 'workspace', scopes = [], target = t.workspace.id } = wanted
  const clientId = wanted.clientId ?? (await registered(t))
  const resource = `${t.app.config.baseUrl}${ownValue<string>(paths, endpoint)}`
  const page = await openConsent(authorizeUrl(t, clientId, { resource }), cookie)
  const { location, text } = await decide(t, { ticket: ticketIn(page.text), cookie, target, scopes })
  const code = location === null ? null : new URL(location).searchParams.get('code')
  if (code === null) throw new Error(`no code: ${location} ${text}`)
  return { clientId, code }
}

/** A connection that works. */
export async function connect(t: TestApp, wanted: Wanted = {}): Promise<{ clientId: string; tokens: Json }> {
  const { clientId, code } = await codeFor(t, wanted)
  const { status, body, text } = await post(t, '/oauth/token', exchangeFields(clientId, code))
  if (status !== 200) throw new Error(text)
  return { clientId, tokens: body }
}

/** What an endpoint says to a ping with that token. */
export function ping(t: TestApp, path: '/mcp' | '/mailbox/mcp', token?: string) {
  return send(`${t.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
}

/** The id of what somebody allowed a client, without the way there: for whoever needs many. */
export async function storedGrant(t: TestApp): Promise<string> {
  return await write(t.app, async (tx) => {
    const id = newId(tx, 'oag', tx.now)
    const client = { clientId: 'oac_1', clientName: 'Agent', clientHost: 'agent.example', scopes: ['read'] }
    const given = { workspaceId: t.workspace.id, madeBy: t.user.id, role: 'owner' as const }
    await tx.db.insert(oauthGrants).values({ id, ...client, ...given, createdAt: tx.now, beganAt: tx.now })
    return id
  })
}
