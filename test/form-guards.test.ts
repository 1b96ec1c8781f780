// Forms that programs leave alone: what a visitor's page proves before an opt-in, and the form that needs no script. The answer depends on
// the form alone, never on the address.

import { expect, test } from 'bun:test'
import { sha256Hex } from '../src/kit/digest.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'

const origin = 'https://shop.example'
const optIn = '/v1/contact-subscriptions/opt-in'

async function form(t: TestApp, guards: object | null): Promise<string> {
  const fields = { name: 'Footer', type: 'form', allowedOrigins: [origin], consentText: 'Yes, <please>.' }
  return (await t.form('single', { ...fields, guards })).sourceId
}

const visit = (t: TestApp, sourceId: string, body: object) =>
  t.request('POST', optIn, { sourceId, ...body }, { as: { apiKey: sourceId }, headers: { origin } })

const submit = (t: TestApp, sourceId: string, fields: Record<string, string>, from: string | null = origin) =>
  t.request('POST', `/f/${sourceId}`, new URLSearchParams(fields).toString(), {
    as: 'nobody',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...(from ? { origin: from } : {}) },
  })

const seenOf = (page: string) => /name="seen" value="([^"]+)"/.exec(page)?.[1] ?? ''

async function isThere(t: TestApp, email: string): Promise<boolean> {
  await t.settle()
  return (await t.get(`/v1/contacts/find?email=${email}`, 200)).length > 0
}

/** As the widget of ALTCHA solves it. */
function solve({ algorithm, challenge, maxnumber, salt, signature }: Json): string {
  for (let number = 0; number <= maxnumber; number++)
    if (sha256Hex(salt + number) === challenge)
      return Buffer.from(JSON.stringify({ algorithm, challenge, number, salt, signature, took: 1 })).toString('base64')
  throw new Error('there is no solution')
}

test('the source alone names where its form leads, for people and programs alike', async () => {
  await using t = await testApp()
  const sourceId = await form(t, { honeypot: 'website' })
  const path = `/v1/subscription-sources/${sourceId}`
  for (const formRedirectUrl of [
    'http://shop.example/thanks',
    'javascript:alert(1)',
    'https://a@shop.example',
    '/thanks',
  ])
    await t.unchanged(() => t.patch(path, { formRedirectUrl }, 422))
  const target = `${origin}/thanks?from=form`
  expect(await t.patch(path, { formRedirectUrl: target }, 200)).toMatchObject({ formRedirectUrl: target })
  const evil = { redirect: 'https://evil.example', formRedirectUrl: 'https://evil.example' }
  for (const more of [{}, evil, { website: 'spam' }]) {
    const { status, headers } = await submit(t, sourceId, { email: 'ada@example.net', ...more })
    expect([status, headers.get('location'), headers.get('referrer-policy')]).toEqual([303, target, 'no-referrer'])
  }
  const shown = await t.request('GET', `/f/${sourceId}`, undefined, { as: 'nobody' })
  expect(shown.headers.get('content-security-policy')).toContain(`form-action 'self' ${origin};`)
  expect((await submit(t, sourceId, { email: 'none' })).status).toBe(422)
  expect(await isThere(t, 'ada@example.net')).toBe(true)
})

test('a form without a script subscribes, and answers alike for every address', async () => {
  await using t = await testApp()
  const sourceId = await form(t, null)
  const shown = await t.unchanged(() => t.request('GET', `/f/${sourceId}`, undefined, { as: 'nobody' }))
  expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('Yes, &lt;please&gt;.')])
  expect(shown.text).not.toContain('<script')
  await t.post('/v1/suppressions', { email: 'never@example.net' }, 201)
  const answers = []
  for (const email of ['ada@example.net', 'ada@example.net', 'never@example.net']) {
    const { status, text } = await submit(t, sourceId, { email, firstName: 'Ada', plan: 'pro' })
    answers.push([status, text])
    await t.settle()
  }
  expect(answers[0]?.[0]).toBe(200)
  expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
  const [ada] = await t.get('/v1/contacts/find?email=ada@example.net', 200)
  expect(ada).toMatchObject({ firstName: 'Ada', subscribed: true })
  expect(ada).not.toHaveProperty('plan')
  const wrong = await t.unchanged(() => submit(t, sourceId, { email: 'no <b>address' }))
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('no &lt;b&gt;address')])
  for (const from of ['https://evil.example', null])
    expect((await t.unchanged(() => submit(t, sourceId, { email: 'x@example.net' }, from))).status).toBe(404)
  await t.patch(`/v1/subscription-sources/${sourceId}`, { allowedOrigins: [] }, 200)
  expect((await t.unchanged(() => submit(t, sourceId, { email: 'x@example.net' }))).status).toBe(404)
})

test('who fills the field that nobody sees is answered like everybody, and not subscribed', async () => {
  await using t = await testApp()
  const sourceId = await form(t, { honeypot: 'website' })
  const source = await t.get(`/v1/subscription-sources/${sourceId}`, 200)
  expect(source.guards).toEqual({ honeypot: 'website', leastSeconds: 0, proofOfWork: false })
  const person = await submit(t, sourceId, { email: 'ada@example.net', website: '' })
  const program = await submit(t, sourceId, { email: 'bot@example.net', website: 'https://spam.example' })
  expect([program.status, program.text]).toEqual([person.status, person.text])
  const byPerson = await visit(t, sourceId, { email: 'bob@example.net' })
  const byProgram = await visit(t, sourceId, { email: 'bot@example.net', website: 'x' })
  expect([byProgram.status, byProgram.text]).toEqual([byPerson.status, byPerson.text])
  expect([await isThere(t, 'ada@example.net'), await isThere(t, 'bob@example.net')]).toEqual([true, true])
  expect(await isThere(t, 'bot@example.net')).toBe(false)
  const taken = await t.request('PATCH', `/v1/subscription-sources/${sourceId}`, { guards: { honeypot: 'email' } })
  expect([taken.status, taken.body.errors[0].path]).toEqual([422, 'guards.honeypot'])
})

test('a form that is sent too soon is shown once more; a time of somebody else, or of yesterday, is none', async () => {
  await using t = await testApp()
  const [sourceId, other] = [await form(t, { leastSeconds: 3 }), await form(t, { leastSeconds: 3 })]
  const email = 'ada@example.net'
  const page = await t.request('GET', `/f/${sourceId}`, undefined, { as: 'nobody' })
  const seen = seenOf(page.text)
  const early = await t.unchanged(() => submit(t, sourceId, { email, seen }))
  expect([early.status, seenOf(early.text)]).toEqual([422, seen])
  await t.unchanged(() => visit(t, sourceId, { email, seen }).then(({ status }) => expect(status).toBe(422)))
  t.clock.advance(3_000)
  const strange = seenOf((await t.request('GET', `/f/${other}`, undefined, { as: 'nobody' })).text)
  t.clock.advance(3_000)
  for (const one of ['', strange, `1.${seen.split('.')[1]}`, seen.slice(0, -40), 'x'])
    expect((await t.unchanged(() => submit(t, sourceId, { email, seen: one }))).status).toBe(422)
  // A form that was copied has no time: the page that answers it has one.
  const copied = await submit(t, sourceId, { email })
  t.clock.advance(3_000)
  expect((await submit(t, sourceId, { email, seen: seenOf(copied.text) })).status).toBe(200)
  expect(await isThere(t, email)).toBe(true)
  t.clock.advance(25 * 3_600_000)
  expect((await t.unchanged(() => submit(t, sourceId, { email: 'late@example.net', seen }))).status).toBe(422)
})

test('work of the browser counts once, for its source, until it expires', async () => {
  await using t = await testApp()
  const [sourceId, other] = [await form(t, { proofOfWork: true }), await form(t, { proofOfWork: true })]
  const challengeOf = (id: string) =>
    t.request('GET', `/f/${id}/challenge`, undefined, { as: 'nobody', headers: { origin } })
  const asked = await challengeOf(sourceId)
  expect(asked.headers.get('access-control-allow-origin')).toBe(origin)
  expect(asked.body).toMatchObject({ algorithm: 'SHA-256', maxnumber: 100_000 })
  const altcha = solve(asked.body)
  const email = 'ada@example.net'
  const own = { ...asked.body, challenge: sha256Hex(`${asked.body.salt}0`) }
  const foreign = solve((await challengeOf(other)).body)
  const salted = { ...asked.body, salt: asked.body.salt.replace(/\d$/, '9') }
  const forged = [own, salted].map((one) => Buffer.from(JSON.stringify({ ...one, number: 0 })).toString('base64'))
  for (const one of ['', 'x', Buffer.from('null').toString('base64'), foreign, ...forged])
    expect((await t.unchanged(() => visit(t, sourceId, { email, altcha: one }))).status).toBe(422)
  expect((await visit(t, sourceId, { email, altcha })).status).toBe(201)
  expect((await visit(t, sourceId, { email: 'bob@example.net', altcha })).status).toBe(422)
  const next = solve((await challengeOf(sourceId)).body)
  expect((await submit(t, sourceId, { email: 'cyd@example.net', altcha: next })).status).toBe(200)
  expect([await isThere(t, email), await isThere(t, 'bob@example.net'), await isThere(t, 'cyd@example.net')]).toEqual([
    true,
    false,
    true,
  ])
  const late = solve((await challengeOf(sourceId)).body)
  t.clock.advance(21 * 60_000)
  expect((await visit(t, sourceId, { email: 'dan@example.net', altcha: late })).status).toBe(422)
})

test('what a form starts is in the language of the visitor, else of the workspace', async () => {
  await using t = await testApp()
  const sourceId = await form(t, null)
  await t.patch('/v1/workspace', { primaryLocale: 'fr' }, 200, { as: 'session' })
  const languages: [accepted: string | null, shown: string, stored: string | null][] = [
    ['de-AT,de;q=0.9,en;q=0.5', 'Anmelden', 'de-AT'],
    ['sv;q=0.1, es', 'Suscribirse', 'es'],
    ['*, xx yy, en;q=0', 'S’inscrire', null],
    [null, 'S’inscrire', null],
  ]
  for (const [n, [accepted, shown, stored]] of languages.entries()) {
    const headers = { ...(accepted !== null && { 'accept-language': accepted }), origin }
    const page = await t.request('GET', `/f/${sourceId}`, undefined, { as: 'nobody', headers })
    expect(page.text, shown).toContain(`<button>${shown}`)
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const posted = `email=form${n}%40example.net`
    await t.request('POST', `/f/${sourceId}`, posted, { as: 'nobody', headers: { ...headers, ...type } })
    const call = { sourceId, email: `call${n}@example.net` }
    await t.request('POST', optIn, call, { as: { apiKey: sourceId }, headers })
    await t.settle()
    for (const by of ['form', 'call']) {
      const [contact] = await t.get(`/v1/contacts/find?email=${by}${n}@example.net`, 200)
      expect(contact.locale, `${by} ${accepted}`).toBe(stored)
    }
  }
  const said = { sourceId, email: 'said@example.net', locale: 'it' }
  await t.request('POST', optIn, said, { as: { apiKey: sourceId }, headers: { origin, 'accept-language': 'de' } })
  await t.settle()
  expect((await t.get('/v1/contacts/find?email=said@example.net', 200))[0].locale).toBe('it')
})
