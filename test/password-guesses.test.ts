// Passwords: what guessing one costs, and whom it holds up.

import { expect, test } from 'bun:test'
import { write } from '../src/core/app.ts'
import { buildServer } from '../src/doors/server.ts'
import { createPasswords } from '../src/kit/passwords.ts'
import { noVitals } from '../src/operator/health/vitals.ts'
import { createSession } from '../src/people/access/sessions.ts'
import { createUser } from '../src/people/access/users.ts'
import { type TestApp, testApp } from './support/app.ts'
import { password, withPassword } from './support/people.ts'

test('an unknown address and a wrong password get the same answer', async () => {
  await using t = await testApp()
  await withPassword(t)
  const unknown = await t.post('/v1/auth/login', { email: 'no@body.test', password }, 401, { as: 'nobody' })
  const wrong = await t.post('/v1/auth/login', { email: t.user.email, password: 'wrong' }, 401, { as: 'nobody' })
  const without = ({ requestId, ...rest }: { requestId: string }) => rest
  expect(without(unknown)).toEqual(without(wrong))
})

/** `attempt(password, ip)`: the status of a sign-in of the owner from an address. */
function attempts(t: TestApp) {
  return async (tried: string, ip: string, email = t.user.email) => {
    const headers = { 'x-forwarded-for': ip }
    return (await t.request('POST', '/v1/auth/login', { email, password: tried }, { as: 'nobody', headers })).status
  }
}

test('five wrong passwords in five minutes from one address; right ones do not count', async () => {
  await using t = await testApp({ environment: { TRUSTED_PROXIES: '127.0.0.1' } })
  await withPassword(t)
  const attempt = attempts(t)
  for (let count = 0; count < 7; count++) expect(await attempt(password, '192.0.2.1')).toBe(200)
  for (let count = 0; count < 5; count++) expect(await attempt('wrong', '192.0.2.1', `${count}@acme.test`)).toBe(401)
  const body = { email: t.user.email, password }
  const headers = { 'x-forwarded-for': '192.0.2.1' }
  const refused = await t.request('POST', '/v1/auth/login', body, { as: 'nobody', headers })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  t.clock.advance(60_000)
  expect(await attempt(password, '192.0.2.1')).toBe(200)
})

test('a restart forgives nobody', async () => {
  await using t = await testApp()
  await withPassword(t)
  const signIn = async (tried: string) => {
    const { server } = buildServer(t.app, noVitals)
    const body = JSON.stringify({ email: t.user.email, password: tried })
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
    return (await server.handle(new Request(`${t.url}/v1/auth/login`, { method: 'POST', headers, body }))).status
  }
  for (let count = 0; count < 5; count++) expect(await signIn('wrong')).toBe(401)
  expect(await signIn(password)).toBe(429)
})

test('one address cannot lock an account out, however long it tries; many together are slowed down', async () => {
  await using t = await testApp({ environment: { TRUSTED_PROXIES: '127.0.0.1' } })
  await withPassword(t)
  const attempt = attempts(t)
  for (let minute = 0; minute < 8; minute++) {
    const statuses = await Promise.all(Array.from({ length: 20 }, () => attempt('wrong', '192.0.2.1')))
    expect(statuses.filter((status) => status === 401)).toHaveLength(minute === 0 ? 5 : 1)
    expect(await attempt(password, '192.0.2.9')).toBe(200)
    t.clock.advance(60_000)
  }
  t.clock.advance(300_000)
  for (let count = 0; count < 25; count++) expect(await attempt('wrong', `198.51.100.${count}`)).toBe(401)
  expect(await attempt('wrong', '198.51.100.99')).toBe(429)
  t.clock.advance(12_000)
  expect(await attempt(password, '192.0.2.9')).toBe(200)
})

test('who signed in before keeps tries of their own, however many guess at the account; the 429 names the passkey', async () => {
  await using t = await testApp({ environment: { TRUSTED_PROXIES: '127.0.0.1', BASE_URL: 'http://localhost:3000' } })
  await withPassword(t)
  let updates = 0
  // Each with another name of the browser, for it changes with every update.
  const signIn = async (tried: string, ip: string, email = t.user.email) => {
    const headers = { 'x-forwarded-for': ip, 'user-agent': `Firefox/${updates++}` }
    return await t.request('POST', '/v1/auth/login', { email, password: tried }, { as: 'nobody', headers })
  }
  expect((await signIn(password, '192.0.2.9')).status).toBe(200)
  const guess = async (email: string, from: string) => {
    for (let network = 0; network < 5; network++)
      for (let count = 0; count < 5; count++) await signIn('wrong', `${from}.${network}.7`, email)
    return await signIn('wrong', `${from}.100.99`, email)
  }
  const [refused, unknown] = [await guess(t.user.email, '198.51'), await guess('no@body.test', '203.0')]
  expect([refused.status, refused.body.detail]).toEqual([
    429,
    'Too many requests; try again in 12 s. A passkey signs in all the same.',
  ])
  expect([unknown.status, unknown.body.detail]).toEqual([refused.status, refused.body.detail])
  // The owner, where they were before, and nobody else; the network has five tries in all.
  expect((await signIn(password, '192.0.2.9')).status).toBe(200)
  expect((await signIn(password, '203.0.113.7')).status).toBe(429)
  for (let count = 0; count < 5; count++) expect((await signIn('wrong', '192.0.2.9')).status).toBe(401)
  expect((await signIn(password, '192.0.2.9')).status).toBe(429)
})

test('the present password cannot be guessed without limit, and guesses at once hold nobody up', async () => {
  await using t = await testApp({ environment: { TRUSTED_PROXIES: '127.0.0.1' } })
  await withPassword(t)
  const signedIn = await write(t.app, (tx) => createSession(tx, t.user.id))
  const headers = { cookie: `session=${signedIn}`, origin: t.url }
  const options = { as: 'nobody', headers } as const
  const body = { currentPassword: 'wrong', newPassword: 'long enough' }
  const replies = await Promise.all(
    Array.from({ length: 60 }, () => t.request('POST', '/v1/auth/password', body, options)),
  )
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(5)
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(55)
  expect(await attempts(t)(password, '192.0.2.9')).toBe(200)
})

test('few passwords are computed or wait at a time; who comes then is told when to come again', async () => {
  const { verify } = createPasswords({ memoryCost: 64, timeCost: 1 })
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => verify('wrong', null)))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused).toHaveLength(40 - 18)
  for (const reason of refused) {
    expect(reason).toMatchObject({ code: 'rate_limit_exceeded', details: { retryAfterSeconds: 2 } })
  }
  expect(await verify('wrong', null)).toBe(false)
})

test('a stored password is argon2id with 64 MB and two passes, and opens by itself alone', async () => {
  const { hash, verify } = createPasswords()
  const stored = await hash(password)
  expect(stored).toStartWith('$argon2id$v=19$m=65536,t=2,p=1$')
  expect([await verify(password, stored), await verify(`${password}.`, stored)]).toEqual([true, false])
})

test('a sign-in computes one password, whoever it is for and whether it is right, and none beyond the limit', async () => {
  // Dear enough to stand out from all else that the process does.
  const passwordCost = { memoryCost: 32_768, timeCost: 4 }
  await using t = await testApp({ passwordCost, environment: { TRUSTED_PROXIES: '127.0.0.1' } })
  await withPassword(t)
  const byLink = 'link@acme.test'
  await write(t.app, (tx) => createUser(tx, t.workspace, { email: byLink, passwordHash: null, role: 'member' }))
  /** Of the processor, in all threads. What a program does at its first runs only adds to it. */
  const costOf = async (work: () => Promise<unknown>) => {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  let network = 0
  const signIn = async (path: string, email: string, tried: string, ip = `192.0.2.${++network}`) => {
    const headers = { 'x-forwarded-for': ip, origin: t.url }
    const form = new URLSearchParams({ email, password: tried })
    const body = path === '/login' ? form.toString() : { email, password: tried }
    const type = { 'content-type': path === '/login' ? 'application/x-www-form-urlencoded' : 'application/json' }
    return (await t.request('POST', path, body, { as: 'nobody', headers: { ...headers, ...type } })).status
  }
  const attempts: [string, string, string][] = [
    ['right', t.user.email, password],
    ['wrong', t.user.email, 'wrong'],
    ['nobody’s address', 'no@body.test', password],
    ['somebody without a password', byLink, password],
    ['no address at all', 'x', 'y'],
  ]
  const hash = await t.app.passwords.hash(password)
  let one = Number.POSITIVE_INFINITY
  /** How many passwords `work` computes: the least of a few runs, for whatever else the process does meanwhile only adds to it. */
  const passwordsIn = async (expected: number, work: () => Promise<unknown>) => {
    let cost = Number.POSITIVE_INFINITY
    for (let n = 0; n < 3 || (n < 12 && Math.round(cost / one) > expected); n++) {
      one = Math.min(one, await costOf(() => t.app.passwords.verify('wrong', hash)))
      cost = Math.min(cost, await costOf(work))
    }
    return Math.round(cost / one)
  }
  for (const path of ['/v1/auth/login', '/login'])
    for (const [name, email, tried] of attempts)
      expect([path, name, await passwordsIn(1, () => signIn(path, email, tried))]).toEqual([path, name, 1])
  const flooder = '198.51.100.1'
  for (let n = 0; n < 5; n++) await signIn('/v1/auth/login', `${n}@body.test`, 'wrong', flooder)
  const refused = async () => expect(await signIn('/v1/auth/login', t.user.email, password, flooder)).toBe(429)
  expect(await passwordsIn(0, refused)).toBe(0)
})
