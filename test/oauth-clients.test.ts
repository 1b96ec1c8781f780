// Published clients that know an address and nothing else, and the person who lets them in, in a real browser: from the 401 of an endpoint over
// the sign-in and the page on which one allows, to tools that are called.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  auth,
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { write } from '../src/core/app.ts'
import { addMember } from '../src/people/access/users.ts'
import { createWorkspace } from '../src/people/workspaces.ts'
import { type Json, session, type TestApp, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { complaintsOf, judge, openDashboard } from './support/dashboard.ts'
import { eventually } from './support/eventually.ts'
import { rawMail, testMailbox } from './support/mailbox.ts'
import { authorizeUrl, connect, ping, registered } from './support/oauth.ts'
import { password } from './support/people.ts'

const identity = { name: 'paquebot-tests', version: '1' }

/** A client's memory, and the server on its machine to which people are sent back. */
function clientOf() {
  const arrived = Promise.withResolvers<URL>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const url = new URL(request.url)
      if (url.pathname !== '/callback') return new Response('', { status: 404 })
      arrived.resolve(url)
      return new Response('<title>Back in the program</title>', { headers: { 'content-type': 'text/html' } })
    },
  })
  const kept: { client?: Json; tokens?: Json; verifier?: string; opened?: URL } = {}
  const redirectUrl = `http://127.0.0.1:${server.port}/callback`
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: 'Test Agent', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
    state: () => 'state of the client',
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens
    },
    redirectToAuthorization: (url) => {
      kept.opened = url
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? '',
  }
  return { provider, kept, arrived: arrived.promise, [Symbol.asyncDispose]: () => server.stop(true) }
}

describe.skipIf(!browserExpected)('a client by its address alone', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  /** A browser in which nobody has signed in. */
  async function visit(address: URL | string | undefined, options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    await page.goto(String(address))
    return { page, [Symbol.asyncDispose]: () => context.close() }
  }

  /** Somebody who has a password. */
  const grown = async (t: TestApp) => await t.person('owner', { passwordHash: await t.app.passwords.hash(password) })

  async function signIn(page: Page, { email }: { email: string }): Promise<void> {
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  async function hasArrived(page: Page): Promise<void> {
    await page.waitForFunction(() => document.title === 'Back in the program')
  }

  test('works with the workspace: signed in, allowed, refreshed, revoked, and told so', async () => {
    await using t = await testApp()
    const grace = await grown(t)
    await using one = clientOf()
    const { provider, kept } = one
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(`${t.url}/mcp`), { authProvider: provider as never })
    const first = transport()
    await expect(new Client(identity).connect(first as never)).rejects.toThrow('Unauthorized')
    await using visitor = await visit(kept.opened)
    const { page } = visitor
    await signIn(page, grace)
    const heading = page.getByRole('heading', { name: 'Connect “Test Agent”?' })
    await heading.waitFor()
    await page.getByText('The program chose this name itself, and nobody has checked it.').waitFor()
    await page.getByText('a program on your own device').waitFor()
    await judge(page, 'oauth-workspace')
    const boxes = page.getByRole('checkbox')
    await eventually(() => boxes.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).checked))).toEqual([
      true,
      true,
      false,
    ])
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await hasArrived(page)
    const back = await one.arrived
    expect(back.searchParams.get('state')).toBe('state of the client')
    expect(back.searchParams.get('iss')).toBe(t.url)
    await first.finishAuth(back.searchParams.get('code') ?? '')
    expect(kept.tokens).toMatchObject({ scope: 'read write', token_type: 'Bearer' })
    const client = new Client(identity)
    await client.connect(transport() as never)
    const made = await client.callTool({
      name: 'create_template',
      arguments: { name: 'Welcome', subject: 'Hi', content: [{ type: 'text', text: 'Hello' }] },
    })
    expect(made.structuredContent).toMatchObject({ id: 'welcome' })
    // An hour later it refreshes by itself.
    const before = kept.tokens
    t.clock.advance(3_600_000)
    expect((await client.callTool({ name: 'list_mailboxes', arguments: {} })).structuredContent).toEqual({
      mailboxes: [],
    })
    expect(kept.tokens.access_token).not.toBe(before.access_token)
    expect(kept.tokens.refresh_token).not.toBe(before.refresh_token)
    const [{ id }] = (await t.get('/v1/oauth-grants', 200, session)).data
    await t.delete(`/v1/oauth-grants/${id}`, undefined, 200, session)
    const told = await ping(t, '/mcp', kept.tokens.access_token)
    expect([told.status, told.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer error="invalid_token", resource_metadata="${t.url}/.well-known/oauth-protected-resource/mcp"`,
    ])
    await client.close()
  })

  test('works with one mailbox of two, in the package of 2026', async () => {
    await using t = await testApp()
    const grace = await grown(t)
    const [desk, sales] = [await testMailbox(t), await testMailbox(t, { address: 'sales@paquebot.localhost' })]
    const messageId = await sales.receive(rawMail({ to: sales.address }))
    await using one = clientOf()
    const { provider, kept } = one
    const serverUrl = `${t.url}/mailbox/mcp`
    expect(await auth(provider, { serverUrl })).toBe('REDIRECT')
    await using visitor = await visit(kept.opened)
    const { page } = visitor
    await signIn(page, grace)
    await page.getByRole('combobox').selectOption({ label: `${sales.address} of Acme` })
    const reply = page.getByRole('checkbox', { name: /^Reply to the sender/ })
    await eventually(() => reply.isChecked()).toBe(false)
    await reply.check()
    await judge(page, 'oauth-mailbox')
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await hasArrived(page)
    const authorizationCode = (await one.arrived).searchParams.get('code') ?? ''
    const iss = (await one.arrived).searchParams.get('iss') ?? ''
    expect(await auth(provider, { serverUrl, authorizationCode, iss } as never)).toBe('AUTHORIZED')
    const client = new ModernClient(identity, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new ModernTransport(new URL(serverUrl), { authProvider: provider }))
    const info = await client.callTool({ name: 'mailbox_info', arguments: {} })
    expect(info.structuredContent).toMatchObject({ mailboxId: sales.id, scopes: ['read', 'reply'] })
    const inbox = await client.callTool({ name: 'read_inbox', arguments: {} })
    expect((inbox.structuredContent as Json).messages.map(({ id }: Json) => id)).toEqual([messageId])
    await client.close()
    expect(desk.id).not.toBe(sales.id)
  })

  test('is told no, and a viewer cannot say more than they may; in German, without a fault in the console', async () => {
    await using t = await testApp()
    const grace = await t.person('viewer')
    await write(t.app, async (tx) => {
      const { id: workspaceId } = await createWorkspace(tx, { slug: 'own', name: 'Eigenes', trustLevel: 'M2' })
      await addMember(tx, { workspaceId, userId: grace.userId, role: 'owner' })
    })
    const redirect = clientOf()
    await using _end = redirect
    const redirectUri = String(redirect.provider.redirectUrl)
    const url = authorizeUrl(t, await registered(t, [redirectUri], 'Prüfer'), { redirect_uri: redirectUri })
    const context = await browser.newContext({ locale: 'de-DE' })
    const [name = '', value = ''] = grace.sessionCookie.split('=')
    await context.addCookies([{ name, value, url: t.url }])
    const page = await context.newPage()
    const complaints = complaintsOf(page, new URL(t.url).origin)
    await page.goto(url)
    await page.getByRole('heading', { name: '„Prüfer“ verbinden?' }).waitFor()
    await judge(page, 'oauth-german')
    await page.getByRole('button', { name: 'Erlauben', exact: true }).click()
    await page.getByRole('alert').getByText('Wo du nur lesen darfst, kannst du').waitFor()
    await judge(page, 'oauth-viewer')
    complaints.splice(0)
    await page.getByRole('button', { name: 'Nicht erlauben' }).click()
    await hasArrived(page)
    const { searchParams } = await redirect.arrived
    expect(searchParams.get('error')).toBe('access_denied')
    expect(searchParams.get('iss')).toBe(t.url)
    expect((await t.get('/v1/oauth-grants', 200, session)).data).toEqual([])
    await context.close()
  })

  test('is found at Agents with who allowed it, and revoked there with one click', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const { tokens } = await connect(t, { endpoint: 'mailbox', target: mailbox.id, scopes: ['reply'] })
    const { tokens: other } = await connect(t, { scopes: ['write'] })
    await using dashboard = await openDashboard(browser, t)
    const { page } = dashboard
    await page.goto(`${t.url}/dashboard/acme/agents`)
    const row = page.getByRole('row').filter({ hasText: mailbox.address }).filter({ hasText: 'Tests' })
    await row.getByText(`the yes of ${t.user.email}`).waitFor()
    await row.getByText('reads mail from strangers').waitFor()
    await page.getByRole('heading', { name: 'By its address alone' }).waitFor()
    await page.getByText(`${t.url}/mailbox/mcp`).waitFor()
    await judge(page, 'agents-connected')
    await row.getByRole('link', { name: 'Tests' }).click()
    await page.getByText('Sends people back to').waitFor()
    await page.getByText('127.0.0.1', { exact: true }).waitFor()
    await judge(page, 'agent-connected')
    await page.getByRole('link', { name: 'All agents' }).click()
    await row.getByRole('button', { name: 'Revoke Tests' }).click()
    await row.waitFor({ state: 'detached' })
    expect((await ping(t, '/mailbox/mcp', tokens.access_token)).status).toBe(401)
    expect((await ping(t, '/mcp', other.access_token)).status).toBe(200)
  })
})
