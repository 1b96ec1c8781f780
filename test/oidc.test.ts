// Signing in by a service of others (OpenID Connect): who comes in, who does not and why, and what happens when it is away. The service
// is a real one, on loopback.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { identities, users } from '../db/tables/workspaces.ts'
import { write } from '../src/core/app.ts'
import { readConfig } from '../src/core/config.ts'
import { createSession } from '../src/people/access/sessions.ts'
import { createUser, removeMember, setPassword } from '../src/people/access/users.ts'
import { removeIdentities } from '../src/people/sign-in/oidc/arrivals.ts'
import { check, looks } from './support/accessibility.ts'
import { type Json, type Reply, type RequestOptions, type TestApp, testApp } from './support/app.ts'
import { browserExpected, openBrowser } from './support/browser.ts'
import { remoteDatabase } from './support/database.ts'
import { type IdentityProvider, identityProvider, type Person } from './support/identity-provider.ts'
import { Jar, walk } from './support/walk.ts'

const password = 'correct horse battery'
const ada: Person = { sub: 'subject-of-ada', email: 'ada@example.com', email_verified: true, name: 'Ada' }

let at = ''
let provider: IdentityProvider
beforeAll(async () => {
  provider = await identityProvider(() => `${at}/login/oidc/callback`)
})
afterAll(async () => await provider.close())

async function appWith(environment: Record<string, string> = {}): Promise<TestApp> {
  return await testApp({ environment: { ...provider.environment, ...environment } })
}

async function signIn(t: TestApp, person: Person | null, jar = new Jar()) {
  at = t.app.config.baseUrl
  // Its session at the service would make it somebody that it is not any more.
  provider.person = person
  const page = await walk(`${at}/login/oidc`, jar)
  return { ...page, jar, cookie: jar.of(at) }
}

async function whoIs(t: TestApp, cookie: string): Promise<Json> {
  return await t.get('/v1/auth/session', 200, { as: 'nobody', headers: { cookie } })
}

const invite = (t: TestApp, email: string, role = 'member') =>
  t.post('/v1/invitations', { email, role }, 201, { as: 'session' })

const member = (t: TestApp, email: string, isEmailProven = true) =>
  write(t.app, (tx) => createUser(tx, t.workspace, { email, passwordHash: null, role: 'member', isEmailProven }))

describe('who comes in', () => {
  test('is who was invited: the account is made, its address proved, and from then on the subject counts', async () => {
    await using t = await appWith()
    await invite(t, 'ada@example.com', 'viewer')
    const first = await signIn(t, { ...ada, email: 'Ada@Example.com' })
    expect([first.status, first.url]).toEqual([200, `${at}/dashboard`])
    const me = await whoIs(t, first.cookie)
    expect(me).toMatchObject({ user: { email: 'ada@example.com', name: 'Ada' }, workspaces: [{ role: 'viewer' }] })
    expect((await t.get('/v1/invitations', 200, { as: 'session' })).data).toEqual([])
    const { data } = await t.get('/v1/members', 200, { as: 'session' })
    expect(data.find(({ email }: Json) => email === 'ada@example.com').isEmailProven).toBe(true)

    const moved = await signIn(t, { ...ada, email: 'ada@elsewhere.example', email_verified: false })
    expect((await whoIs(t, moved.cookie)).user.id).toBe(me.user.id)
    const sessions = await t.get('/v1/auth/sessions', 200, { as: 'nobody', headers: { cookie: moved.cookie } })
    expect(sessions.data.map(({ signedInBy }: Json) => signedInBy)).toEqual(['oidc', 'oidc'])
    const headers = { cookie: moved.cookie, origin: at }
    await t.request('POST', '/logout', undefined, { as: 'nobody', headers })
    await t.get('/v1/auth/session', 401, { as: 'nobody', headers })
  })

  test('is who has an account with that address, and is asked for no code', async () => {
    await using t = await appWith()
    const { id } = await member(t, 'ada@example.com')
    const { cookie, status } = await signIn(t, ada)
    expect([status, (await whoIs(t, cookie)).user.id]).toEqual([200, id])
    expect(await t.app.db.select().from(identities).all()).toMatchObject([{ subject: ada.sub, userId: id }])
  })

  test('is in every workspace to which they were invited', async () => {
    await using t = await appWith()
    const { workspace } = await t.stranger()
    await invite(t, 'ada@example.com', 'viewer')
    const eve = await write(t.app, (tx) =>
      createUser(tx, workspace, { email: 'eve@example.net', passwordHash: null, role: 'owner' }),
    )
    const cookie = `session=${await write(t.app, (tx) => createSession(tx, eve.id))}`
    const asEve: RequestOptions = { as: 'nobody', headers: { cookie, origin: t.url } }
    await t.post('/v1/invitations', { email: 'ada@example.com', role: 'owner' }, 201, asEve)
    const { workspaces } = await whoIs(t, (await signIn(t, ada)).cookie)
    expect(workspaces.map(({ role }: Json) => role).sort()).toEqual(['owner', 'viewer'])
  })

  test('is who has an address of a domain that may join, as a viewer; nobody else, and nobody who was removed', async () => {
    await using t = await appWith({ OIDC_JOIN_DOMAINS: 'example.com, Acme.test' })
    const { cookie } = await signIn(t, ada)
    const { user, workspaces } = await whoIs(t, cookie)
    expect(workspaces).toMatchObject([{ slug: 'acme', role: 'viewer' }])
    for (const email of ['eve@evil-example.com', 'eve@sub.example.com'])
      expect((await signIn(t, { sub: email, email, email_verified: true })).status).toBe(403)
    await write(t.app, (tx) => removeMember(tx, t.workspace.id, user.id))
    expect(await t.app.db.select().from(identities).all()).toEqual([])
    const gone = await signIn(t, ada)
    expect([gone.status, gone.text.includes('no longer in any workspace here')]).toEqual([403, true])
    await invite(t, 'ada@example.com')
    expect((await whoIs(t, (await signIn(t, ada)).cookie)).workspaces).toMatchObject([{ role: 'member' }])
  })
})

describe('nobody comes in', () => {
  const refused = async (t: TestApp, person: Person | null, words: string, jar?: Jar) => {
    const page = await t.unchanged(() => signIn(t, person, jar))
    expect([page.status, page.text], words).toEqual([403, expect.stringContaining(words)])
    expect(page.cookie).not.toMatch(/(^|; )session(_\w+)?=/)
  }

  test('who is not known, has no verified address, or did not want to', async () => {
    await using t = await appWith()
    await member(t, 'ada@example.com')
    await refused(t, { ...ada, email: 'eve@example.net' }, 'There is no invitation for eve@example.net')
    await refused(t, { ...ada, email_verified: false }, 'Acme has not verified that ada@example.com is your address')
    await refused(t, { sub: ada.sub, email: 'ada@example.com' }, 'has not verified')
    await refused(t, { sub: ada.sub }, 'does not share your e-mail address')
    await refused(t, null, 'Acme did not sign you in (access_denied)')
  })

  test('with the address of somebody who is linked to another account there, until the operator undoes that', async () => {
    await using t = await appWith()
    const { id } = await member(t, 'ada@example.com')
    expect((await signIn(t, ada)).status).toBe(200)
    await refused(t, { ...ada, sub: 'another subject' }, 'paquebot user reset-oidc --email ada@example.com')
    expect(await write(t.app, (tx) => removeIdentities(tx, id))).toBe(1)
    expect((await signIn(t, { ...ada, sub: 'another subject' })).status).toBe(200)
    await refused(t, ada, 'linked to another account')
  })

  test('into an account whose address nobody has proved: who made it may be somebody else', async () => {
    await using t = await appWith()
    const { id } = await member(t, 'ada@example.com', false)
    await refused(t, ada, 'Nobody has proved yet that ada@example.com belongs to')
    const hash = await t.app.passwords.hash(password)
    await write(t.app, (tx) => setPassword(tx, id, hash))
    const jar = new Jar()
    const fields = new URLSearchParams({ email: 'ada@example.com', password })
    const entered = await fetch(`${t.url}/login`, { method: 'POST', body: fields, redirect: 'manual' })
    jar.take(t.url, entered.headers)
    expect((await signIn(t, ada, jar)).status).toBe(200)
    const user = await t.app.db.select().from(users).where(eq(users.id, id)).get()
    expect(user?.emailProvenAt).toEqual(t.clock.now())
    expect((await signIn(t, ada)).status).toBe(200)
  })

  test('with an answer that was asked for in another browser, is old, used, or made up', async () => {
    await using t = await appWith()
    await member(t, 'ada@example.com')
    at = t.app.config.baseUrl
    provider.person = ada
    const mine = new Jar()
    const begun = async (jar: Jar) => (await walk(`${at}/login/oidc`, jar, /oidc\/callback\?/)).url
    const come = async (url: string, jar: Jar) => {
      const page = await t.unchanged(() => walk(url, jar))
      expect(page.text).toContain('You are not signed in')
      return page.status
    }
    const answer = await begun(mine)
    expect(await come(answer, new Jar())).toBe(409)
    const other = new Jar()
    await begun(other)
    expect(await come(answer, other)).toBe(503)
    expect(await come(answer.replace(/code=[^&]+/, 'code=made-up'), mine)).toBe(503)
    const kept = new Map([[at, mine.of(at)]])
    expect((await walk(answer, mine)).status).toBe(200)
    const replay = await fetch(answer, { redirect: 'manual', headers: { cookie: kept.get(at) ?? '' } })
    expect(replay.status).toBe(503)
    const late = new Jar()
    const old = await begun(late)
    t.clock.advance(600_000)
    expect(await come(old, late)).toBe(409)
    expect(t.logged.join('\n')).not.toContain(new URL(answer).searchParams.get('code') ?? 'code')
  })
})

describe('the service', () => {
  test('that is away, or that may not be reached, is told in words, and the password still works', async () => {
    const cases: [Record<string, string>, string][] = [
      [{ OIDC_ISSUER: 'http://127.0.0.1:9999' }, 'connect_failed'],
      [{ WEBHOOK_ALLOW_CIDRS: '' }, 'blocked_ip'],
      [{ WEBHOOK_ALLOW_HTTP: '' }, 'blocked_url'],
      [{ OIDC_ISSUER: `${provider.environment.OIDC_ISSUER}/elsewhere` }, 'unexpected'],
    ]
    for (const [environment, reason] of cases) {
      await using t = await appWith(environment)
      const page = await t.unchanged(() => signIn(t, ada))
      expect([page.status, page.text.includes('Acme cannot be reached')]).toEqual([503, true])
      const line = t.logged.find((one) => one.includes('signing in by OIDC failed'))
      expect(line).toContain(reason)
      const form: Reply = await t.request('GET', '/login', undefined, { as: 'nobody' })
      expect([form.status, form.text.includes('Sign in with Acme')]).toEqual([200, true])
    }
  })

  test('comes back: a failed look at its settings is not kept; and it may take its secret in the body', async () => {
    const other = await identityProvider(() => `${at}/login/oidc/callback`, { authMethod: 'client_secret_post' })
    await using t = await testApp({ environment: other.environment })
    await member(t, 'ada@example.com')
    at = t.app.config.baseUrl
    other.person = ada
    const allowed = t.app.config.webhookAllowCidrs
    t.app.config.webhookAllowCidrs = []
    expect((await walk(`${at}/login/oidc`, new Jar())).status).toBe(503)
    t.app.config.webhookAllowCidrs = allowed
    expect((await walk(`${at}/login/oidc`, new Jar())).status).toBe(200)
    await other.close()
  })

  test('is not there where it is not set', async () => {
    await using t = await testApp()
    expect((await t.request('GET', '/login', undefined, { as: 'nobody' })).text).not.toContain('/login/oidc')
    expect((await t.request('GET', '/login/oidc', undefined, { as: 'nobody' })).status).toBe(410)
  })
})

test('settings that do not go together stop the start', () => {
  const all = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }
  expect(readConfig(all).oidc).toMatchObject({ name: 'id.example.com', joinDomains: [] })
  for (const [environment, words] of [
    [{ OIDC_ISSUER: 'https://id.example.com' }, 'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set too'],
    [{ OIDC_JOIN_DOMAINS: 'example.com' }, 'OIDC_ISSUER and OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set too'],
    [{ ...all, OIDC_ISSUER: 'id.example.com' }, 'OIDC_ISSUER must be an http or https address'],
    [{ ...all, OIDC_JOIN_DOMAINS: 'example.com, @b' }, 'OIDC_JOIN_DOMAINS must be a domain'],
    [{ ...all, OIDC_CLIENT_SECERT: 'x' }, 'OIDC_CLIENT_SECERT is not a setting of paquebot'],
  ] as [Record<string, string>, string][])
    expect(() => readConfig(environment)).toThrow(words)
})

test.skipIf(!browserExpected || remoteDatabase)(
  'in a browser: from the page, to the service, and back to where one wanted to go',
  async () => {
    const browser = await openBrowser()
    await using t = await appWith()
    await member(t, 'ada@example.com')
    at = t.app.config.baseUrl
    const faults: string[] = []
    for (const look of looks) {
      const context = await browser.newContext({
        colorScheme: look.colorScheme,
        viewport: { width: look.width, height: 900 },
      })
      const page = await context.newPage()
      provider.person = null
      await page.goto(`${at}/login?to=/captured`)
      faults.push(...(await check(page, 'sign-in with OIDC', look)))
      await page.getByRole('link', { name: 'Sign in with Acme' }).click()
      await page.getByText('did not sign you in').waitFor()
      faults.push(...(await check(page, 'OIDC refused', look)))
      provider.person = ada
      await page.goto(`${at}/login?to=/captured`)
      await page.getByRole('link', { name: 'Sign in with Acme' }).focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(`${at}/captured`)
      await context.close()
    }
    await browser.close()
    expect(faults).toEqual([])
  },
)
