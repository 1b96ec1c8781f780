// A code of an authenticator app beside the password: over the API, on the page, and when the app is lost.

import { expect, test } from 'bun:test'
import { TOTP } from 'otpauth'
import { write } from '../src/core/app.ts'
import { setPassword } from '../src/people/access/users.ts'
import { type Reply, type TestApp, testApp } from './support/app.ts'

const password = 'correct horse battery'
const nobody = { as: 'nobody' } as const

/** The owner has a password and a confirmed app. */
async function withApp(
  t: TestApp,
): Promise<{ code: () => string; recoveryCodes: string[]; as: { as: 'nobody'; headers: Record<string, string> } }> {
  const hash = await t.app.passwords.hash(password)
  await write(t.app, (tx) => setPassword(tx, t.user.id, hash))
  const signedIn = await signIn(t)
  const as = { as: 'nobody', headers: { cookie: cookieOf(signedIn), origin: t.url } } as const
  const asked = await t.unchanged(() => t.post('/v1/auth/second-factor', {}, 422, as))
  expect(asked.errors[0].path).toBe('currentPassword')
  const { secret, uri } = await t.post('/v1/auth/second-factor', { currentPassword: password }, 201, as)
  expect(uri).toContain(`secret=${secret}`)
  const code = () => new TOTP({ secret }).generate({ timestamp: t.clock.now().getTime() })
  await t.unchanged(() => t.post('/v1/auth/second-factor/confirm', { code: wrong(code()) }, 422, as))
  expect((await signIn(t)).status).toBe(200)
  const { recoveryCodes } = await t.post('/v1/auth/second-factor/confirm', { code: code() }, 200, as)
  return { code, recoveryCodes, as }
}

const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const cookieOf = ({ headers }: Reply) => headers.get('set-cookie')?.split(';')[0] ?? ''

function signIn(t: TestApp, code?: string): Promise<Reply> {
  return t.request('POST', '/v1/auth/login', { email: t.user.email, password, code }, nobody)
}

function form(t: TestApp, fields: Record<string, string>): Promise<Reply> {
  const headers = { origin: t.url, 'content-type': 'application/x-www-form-urlencoded' }
  return t.request('POST', '/login', new URLSearchParams(fields).toString(), { as: 'nobody', headers })
}

test('signing in asks for the code, takes each once, and takes those of a clock that is half a minute off', async () => {
  await using t = await testApp()
  const { code } = await withApp(t)
  const asked = await t.unchanged(() => signIn(t))
  expect([asked.status, asked.body.code]).toEqual([401, 'second_factor_required'])
  const used = await t.unchanged(() => signIn(t, code()))
  expect([used.status, used.body.code]).toEqual([401, 'unauthorized'])
  t.clock.advance(30_000)
  expect((await signIn(t, wrong(code()))).status).toBe(401)
  const earlier = code()
  t.clock.advance(30_000)
  expect((await signIn(t, `${earlier.slice(0, 3)} ${earlier.slice(3)}`)).status).toBe(200)
  expect((await signIn(t, earlier)).status).toBe(401)
  expect((await signIn(t, code())).status).toBe(200)
  t.clock.advance(90_000)
  expect((await signIn(t, earlier)).status).toBe(401)
})

test('of two requests with one code at the same time, one is signed in', async () => {
  await using t = await testApp()
  const { code } = await withApp(t)
  t.clock.advance(30_000)
  const both = await Promise.all([signIn(t, code()), signIn(t, code())])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
})

test('a wrong password is told apart from nothing: who does not know it learns of no second factor', async () => {
  await using t = await testApp()
  await withApp(t)
  const reply = await t.request('POST', '/v1/auth/login', { email: t.user.email, password: 'x' }, nobody)
  expect([reply.status, reply.body.code]).toEqual([401, 'unauthorized'])
})

test('ten wrong codes in an hour are enough, whoever tries', async () => {
  await using t = await testApp()
  const { code } = await withApp(t)
  t.clock.advance(30_000)
  for (let n = 0; n < 10; n++) expect((await signIn(t, wrong(code()))).status).toBe(401)
  const refused = await signIn(t, code())
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  t.clock.advance(3_600_000)
  expect((await signIn(t, code())).status).toBe(200)
})

test('a recovery code works once, and with the app lost the operator helps', async () => {
  await using t = await testApp()
  const { recoveryCodes, as } = await withApp(t)
  expect(recoveryCodes).toHaveLength(10)
  const [first = '', second = ''] = recoveryCodes
  expect((await signIn(t, first.toUpperCase())).status).toBe(200)
  expect((await signIn(t, first)).status).toBe(401)
  expect(await t.get('/v1/auth/second-factor', 200, as)).toMatchObject({ enabled: true, recoveryCodesLeft: 9 })
  await t.unchanged(() => t.delete('/v1/auth/second-factor', { code: first }, 401, as))
  await t.delete('/v1/auth/second-factor', { code: second }, 200, as)
  expect((await signIn(t)).status).toBe(200)
  expect(await t.get('/v1/auth/second-factor', 200, as)).toMatchObject({ enabled: false, recoveryCodesLeft: 0 })
})

test('the page asks for the code after the password, for five minutes', async () => {
  await using t = await testApp()
  const { code } = await withApp(t)
  t.clock.advance(30_000)
  const page = await form(t, { email: t.user.email, password })
  expect([page.status, cookieOf(page)]).toEqual([200, ''])
  const ticket = /name="ticket" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  expect(page.text).not.toContain(password)
  expect((await form(t, { ticket, code: wrong(code()) })).status).toBe(401)
  const made = await form(t, { ticket: `${ticket.slice(0, -2)}xx`, code: code() })
  expect([made.status, cookieOf(made)]).toEqual([404, ''])
  const signedIn = await form(t, { ticket, code: code() })
  expect([signedIn.status, cookieOf(signedIn).startsWith('session=')]).toEqual([303, true])
  t.clock.advance(5 * 60_000)
  expect((await form(t, { ticket, code: code() })).status).toBe(404)
})

test('a new password ends the page that waits for the code after the old one', async () => {
  await using t = await testApp()
  const { code, as } = await withApp(t)
  t.clock.advance(30_000)
  const page = await form(t, { email: t.user.email, password })
  const ticket = /name="ticket" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  await t.post('/v1/auth/password', { currentPassword: password, newPassword: 'another long one' }, 200, as)
  const late = await form(t, { ticket, code: code() })
  expect([late.status, cookieOf(late)]).toEqual([404, ''])
})
