// Passkeys: made, named, used and removed, with a device of software for what only a broken or hostile one does, and in a real browser.

import { describe, expect, test } from 'bun:test'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { write } from '../src/core/app.ts'
import { createSession } from '../src/people/access/sessions.ts'
import { createUser, removeMember, setPassword } from '../src/people/access/users.ts'
import { deleteUsedChallenges } from '../src/people/sign-in/passkeys/challenge.ts'
import { whyNoPasskeys } from '../src/people/sign-in/passkeys/relying-party.ts'
import { readAuthentication, readRegistration } from '../src/people/sign-in/passkeys/webauthn.ts'
import { type Json, type RequestOptions, type TestApp, testApp } from './support/app.ts'
import { authenticator, cose, type Twist } from './support/authenticator.ts'

const environment = { BASE_URL: 'http://localhost:0' }
const password = 'correct horse battery'

/** A browser of somebody: a session, and the cookie of the step that it is in. */
interface Browser {
  options: RequestOptions
  origin: string
}

async function browserOf(t: TestApp, userId: string | null = t.user.id): Promise<Browser> {
  const origin = t.app.config.baseUrl
  const session = userId === null ? [] : [`session=${await write(t.app, (tx) => createSession(tx, userId))}`]
  return { origin, options: { as: 'nobody', headers: { origin, cookie: session.join('; ') } } }
}

/** Asks for options, and returns them with the browser that has their cookie. */
async function begin(
  t: TestApp,
  browser: Browser,
  path: string,
  body?: object,
): Promise<{ asked: Json; as: RequestOptions }> {
  const reply = await t.request('POST', path, body, browser.options)
  expect(reply.status, reply.text).toBe(200)
  const set = reply.headers.get('set-cookie') ?? ''
  expect(set).toContain('HttpOnly; SameSite=Strict')
  const { headers = {} } = browser.options
  const cookie = [headers.cookie, set.split(';')[0]].filter(Boolean).join('; ')
  return { asked: reply.body, as: { as: 'nobody', headers: { ...headers, cookie } } }
}

type Authenticator = ReturnType<typeof authenticator>

async function register(t: TestApp, device: Authenticator, browser: Browser, name = 'Phone'): Promise<Json> {
  const { asked, as } = await begin(t, browser, '/v1/auth/passkeys/options', {})
  return await t.post('/v1/auth/passkeys', { name, credential: device.create(asked) }, 201, as)
}

async function signIn(t: TestApp, device: Authenticator, twist?: Twist) {
  const { asked, as } = await begin(t, await browserOf(t, null), '/v1/auth/login/passkey/options')
  return await t.request('POST', '/v1/auth/login/passkey', { credential: device.get(asked, twist) }, as)
}

describe('a passkey', () => {
  test('is added, signs in without password and code, is renamed, and signs nobody in once removed', async () => {
    await using t = await testApp({ environment })
    const browser = await browserOf(t)
    const device = authenticator(browser.origin)
    const added = await register(t, device, browser, ' Phone ')
    expect(added).toMatchObject({ name: 'Phone', isBackedUp: false, lastUsedAt: null })
    t.clock.advance(60_000)
    const reply = await signIn(t, device)
    expect([reply.status, reply.body.user.email]).toEqual([200, t.user.email])
    const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? ''
    const mine: RequestOptions = { as: 'nobody', headers: { cookie, origin: browser.origin } }
    const { data: sessions } = await t.get('/v1/auth/sessions', 200, mine)
    expect(sessions.find(({ current }: Json) => current).signedInBy).toBe('passkey')
    const renamed = await t.patch(`/v1/auth/passkeys/${added.id}`, { name: 'Old phone' }, 200, mine)
    expect(renamed).toMatchObject({ name: 'Old phone', lastUsedAt: t.clock.now().toISOString() })
    expect(await t.get('/v1/auth/passkeys', 200, mine)).toMatchObject({ data: [{ id: added.id }], unavailable: null })
    await t.delete(`/v1/auth/passkeys/${added.id}`, undefined, 200, mine)
    const refused = await t.unchanged(() => signIn(t, device))
    expect([refused.status, refused.body.detail]).toEqual([401, expect.stringContaining('not known here')])
  })

  test('belongs to one person: another can neither see, rename nor remove it, and it signs in no one else', async () => {
    await using t = await testApp({ environment })
    const device = authenticator(t.app.config.baseUrl)
    const { id } = await register(t, device, await browserOf(t))
    const eve = await write(t.app, (tx) =>
      createUser(tx, t.workspace, { email: 'eve@acme.test', passwordHash: null, role: 'owner' }),
    )
    const { options } = await browserOf(t, eve.id)
    await t.unchanged(async () => {
      expect((await t.get('/v1/auth/passkeys', 200, options)).data).toEqual([])
      await t.patch(`/v1/auth/passkeys/${id}`, { name: 'Mine' }, 404, options)
      await t.delete(`/v1/auth/passkeys/${id}`, undefined, 404, options)
      const handle = Buffer.from(eve.id).toString('base64url')
      for (const userHandle of [handle, null]) expect((await signIn(t, device, { userHandle })).status).toBe(401)
    })
    const again = await begin(t, await browserOf(t, eve.id), '/v1/auth/passkeys/options', {})
    await t.unchanged(() => t.post('/v1/auth/passkeys', { credential: device.create(again.asked) }, 409, again.as))
  })

  test('takes the password of who has one, and is not offered where it is held already', async () => {
    await using t = await testApp({ environment })
    const hash = await t.app.passwords.hash(password)
    await write(t.app, (tx) => setPassword(tx, t.user.id, hash))
    const browser = await browserOf(t)
    const path = '/v1/auth/passkeys/options'
    const missing = await t.request('POST', path, {}, browser.options)
    expect([missing.status, missing.body.errors[0].path]).toEqual([422, 'currentPassword'])
    expect((await t.request('POST', path, { currentPassword: 'wrong' }, browser.options)).status).toBe(401)
    const device = authenticator(browser.origin)
    const first = await begin(t, browser, path, { currentPassword: password })
    await t.post('/v1/auth/passkeys', { credential: device.create(first.asked) }, 201, first.as)
    const { asked } = await begin(t, browser, path, { currentPassword: password })
    expect(asked.excludeCredentials).toEqual([{ type: 'public-key', id: device.id, transports: ['internal'] }])
    expect(asked).toMatchObject({ rp: { id: 'localhost' }, authenticatorSelection: { userVerification: 'required' } })
  })

  test('goes with the last workspace of its owner', async () => {
    await using t = await testApp({ environment })
    const grace = await write(t.app, (tx) =>
      createUser(tx, t.workspace, { email: 'grace@acme.test', passwordHash: null, role: 'member' }),
    )
    const device = authenticator(t.app.config.baseUrl)
    await register(t, device, await browserOf(t, grace.id))
    expect((await signIn(t, device)).status).toBe(200)
    await write(t.app, (tx) => removeMember(tx, t.workspace.id, grace.id))
    expect((await t.unchanged(() => signIn(t, device))).status).toBe(401)
  })

  test('at most twenty can be had, and of names only those that can be read', async () => {
    await using t = await testApp({ environment })
    const browser = await browserOf(t)
    for (let n = 1; n < 20; n++) await register(t, authenticator(browser.origin), browser)
    const { asked, as } = await begin(t, browser, '/v1/auth/passkeys/options', {})
    const credential = authenticator(browser.origin).create(asked)
    for (const name of [' ', 'a\nb', 'x'.repeat(101)])
      await t.unchanged(() => t.post('/v1/auth/passkeys', { name, credential }, 422, as))
    await t.post('/v1/auth/passkeys', { credential }, 201, as)
    await t.unchanged(() => t.post('/v1/auth/passkeys/options', {}, 409, browser.options))
  })
})

describe('a challenge', () => {
  test('is good once, for five minutes, in the browser and the session that asked for it', async () => {
    await using t = await testApp({ environment })
    const browser = await browserOf(t)
    const device = authenticator(browser.origin)
    const { asked, as } = await begin(t, browser, '/v1/auth/passkeys/options', {})
    const body = { credential: device.create(asked) }
    const other = await browserOf(t)
    const cookie = `${other.options.headers?.cookie}; ${as.headers?.cookie?.split('; ')[1]}`
    const stolen: RequestOptions = { as: 'nobody', headers: { origin: browser.origin, cookie } }
    await t.unchanged(async () => {
      await t.post('/v1/auth/passkeys', body, 409, browser.options)
      await t.post('/v1/auth/passkeys', body, 409, stolen)
      await t.post('/v1/auth/login/passkey', { credential: device.get(asked) }, 409, as)
    })
    await t.post('/v1/auth/passkeys', body, 201, as)
    await t.unchanged(() => t.post('/v1/auth/passkeys', body, 409, as))

    const login = await begin(t, await browserOf(t, null), '/v1/auth/login/passkey/options')
    const credential = device.get(login.asked)
    await t.unchanged(() => t.post('/v1/auth/login/passkey', { credential }, 409, { as: 'nobody' }))
    const both = await Promise.all(
      [1, 2].map(() => t.request('POST', '/v1/auth/login/passkey', { credential }, login.as)),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const late = await begin(t, await browserOf(t, null), '/v1/auth/login/passkey/options')
    await t.advance('5m')
    await t.unchanged(() => t.post('/v1/auth/login/passkey', { credential: device.get(late.asked) }, 409, late.as))
    t.clock.advance(1)
    expect(await write(t.app, deleteUsedChallenges)).toBe(2)
    expect(await write(t.app, deleteUsedChallenges)).toBe(0)
  })

  test('is given and taken only where no other site asks', async () => {
    await using t = await testApp({ environment })
    const foreign: RequestOptions = { as: 'nobody', headers: { origin: 'https://evil.example' } }
    await t.unchanged(async () => {
      await t.post('/v1/auth/login/passkey/options', undefined, 403, foreign)
      await t.post(
        '/v1/auth/login/passkey',
        { credential: authenticator('http://localhost').get({ challenge: 'x' }) },
        403,
        foreign,
      )
    })
  })
})

const twists: [string, Twist][] = [
  ['another origin', { origin: 'https://localhost.evil.example' }],
  ['is not for', { rpId: 'evil.example' }],
  ['another question', { type: 'payment.get' }],
  ['another challenge', { challenge: 'AAAA' }],
  ['inside a page of another site', { crossOrigin: true }],
  ['inside a page of another site', { topOrigin: 'https://evil.example' }],
  ['the user was not present', { flags: 0x04 }],
  ['did not ask for a finger', { flags: 0x01 }],
  ['is copied and cannot be', { flags: 0x15 }],
]

describe('an answer', () => {
  test('that is not right adds nothing and signs nobody in, and says why', async () => {
    await using t = await testApp({ environment })
    const browser = await browserOf(t)
    const device = authenticator(browser.origin)
    await register(t, device, browser)
    const signing: [string, Twist][] = [
      ...twists,
      ['can be copied now', { flags: 0x0d }],
      ['signature is wrong', { signature: 'broken' }],
    ]
    for (const [words, twist] of signing) {
      const reply = await t.unchanged(() => signIn(t, device, twist))
      expect([reply.status, reply.body.detail]).toEqual([401, expect.stringContaining(words)])
    }
    const making: [string, Twist][] = [
      ...twists,
      ['key type is not supported', { key: cose([1, 2], [3, -35], [-1, 2]) }],
      [
        'key type is not supported',
        { key: cose([1, 2], [3, -7], [-1, 1], [-2, new Uint8Array(32)], [-3, new Uint8Array(32)]) },
      ],
      [
        'key type is not supported',
        { key: cose([1, 3], [3, -257], [-1, new Uint8Array(128).fill(255)], [-2, new Uint8Array([3])]) },
      ],
      ['cannot be read', { attestationObject: 'gYGBgQ' }],
      ['cannot be read', { attestationObject: '' }],
      ['cannot be read', { attestationObject: Buffer.alloc(24_000, 0x81).toString('base64url') }],
    ]
    for (const [words, twist] of making) {
      const { asked, as } = await begin(t, browser, '/v1/auth/passkeys/options', {})
      const credential = authenticator(browser.origin).create(asked, twist)
      const problem = await t.unchanged(() => t.post('/v1/auth/passkeys', { credential }, 422, as))
      expect(problem.detail).toContain(words)
    }
  })

  test('whose counter does not grow is of a copy, and refused; where nobody counts it is taken', async () => {
    await using t = await testApp({ environment })
    const browser = await browserOf(t)
    const device = authenticator(browser.origin)
    await register(t, device, browser)
    for (const [counter, status] of [
      [0, 200],
      [0, 200],
      [7, 200],
      [7, 401],
      [3, 401],
      [0, 401],
      [8, 200],
    ] as const)
      expect((await signIn(t, device, { counter })).status, `${counter}`).toBe(status)
    expect(t.logged.some((line) => line.includes('a passkey was refused') && line.includes('another copy'))).toBe(true)
  })

  test('of a passkey that is copied to other devices shows it', async () => {
    await using t = await testApp({ environment })
    const browser = await browserOf(t)
    const device = authenticator(browser.origin)
    const { asked, as } = await begin(t, browser, '/v1/auth/passkeys/options', {})
    await t.post('/v1/auth/passkeys', { credential: device.create(asked, { flags: 0x0d }) }, 201, as)
    expect((await signIn(t, device, { flags: 0x1d })).status).toBe(200)
    expect((await t.get('/v1/auth/passkeys', 200, browser.options)).data[0].isBackedUp).toBe(true)
  })

  test('is judged as an implementation of others judges it, for every kind of key', async () => {
    const origin = 'https://mail.acme.test'
    const expected = { challenge: 'aGVsbG8', origin, rpId: 'mail.acme.test' }
    const theirs = { expectedChallenge: expected.challenge, expectedOrigin: origin, expectedRPID: expected.rpId }
    const options = { challenge: expected.challenge, user: { id: 'aWQ' } }
    const others: Twist[] = [{}, { flags: 0x1d }, { counter: 5 }, { signature: 'broken' }]
    let taken = 0
    for (const kind of ['ES256', 'EdDSA', 'RS256'] as const) {
      const device = authenticator(origin, kind)
      const made = readRegistration(device.create(options).response, expected)
      if (typeof made === 'string') throw new Error(`${kind} was not taken: ${made}`)
      const { registrationInfo } = await verifyRegistrationResponse({
        ...theirs,
        response: theirsOf(device.create(options)),
      })
      if (!registrationInfo) throw new Error(`${kind} was not taken by others`)
      expect(made.credentialId).toBe(registrationInfo.credential.id)
      for (const twist of [...others, ...twists.map(([, one]) => one)]) {
        const creation = device.create(options, twist)
        const answer = device.get(options, twist)
        const known = { ...made, isBackupEligible: twist.flags === 0x1d }
        const ours = [
          typeof readRegistration(creation.response, expected) !== 'string',
          typeof readAuthentication(answer.response, known, expected) !== 'string',
        ]
        if (ours[1]) taken++
        const { credential } = registrationInfo
        const judged = [
          await isVerified(verifyRegistrationResponse({ ...theirs, response: theirsOf(creation) })),
          await isVerified(verifyAuthenticationResponse({ ...theirs, response: theirsOf(answer), credential })),
        ]
        // The library leaves a page of another site to its caller, and reads no signature of ES256 beside the packages of mailauth.
        if (twist.crossOrigin || twist.topOrigin) expect(ours).toEqual([false, false])
        else if (kind === 'ES256') expect(ours[0], JSON.stringify(twist)).toBe(judged[0] ?? false)
        else expect(ours, JSON.stringify(twist)).toEqual(judged)
      }
    }
    expect(taken).toBe(9)
  })
})

/** An answer as the library's types have it: nothing is null. */
function theirsOf<T extends { response: object }>({ response, ...rest }: T) {
  const {
    userHandle,
    transports: _,
    ...said
  } = { userHandle: null, transports: null, ...response } as T['response'] & {
    userHandle: string | null
    transports: unknown
  }
  return { ...rest, response: { ...said, ...(userHandle === null ? {} : { userHandle }) } }
}

const isVerified = (judging: Promise<{ verified: boolean }>) =>
  judging.then(
    ({ verified }) => verified,
    () => false,
  )

test('where BASE_URL is an address, or can be listened to, there are none, and the words say what to set', async () => {
  for (const [baseUrl, words] of [
    ['http://127.0.0.1:3000', 'BASE_URL=http://localhost:3000'],
    ['https://192.0.2.7', 'is an address (192.0.2.7)'],
    ['https://[2001:db8::1]', 'is an address (2001:db8::1)'],
    ['http://mail.acme.test', 'https:// only'],
  ] as const)
    expect(whyNoPasskeys({ baseUrl })).toContain(words)
  for (const baseUrl of ['http://localhost:3000', 'https://mail.acme.test', 'http://mail.localhost'])
    expect(whyNoPasskeys({ baseUrl })).toBeNull()
  await using t = await testApp()
  const session: RequestOptions = { as: 'session' }
  expect((await t.get('/v1/auth/passkeys', 200, session)).unavailable).toContain('localhost')
  const refused = await t.unchanged(() => t.post('/v1/auth/passkeys/options', {}, 409, session))
  expect(refused.detail).toContain('localhost')
  await t.unchanged(() => t.post('/v1/auth/login/passkey/options', undefined, 409, { as: 'nobody' }))
  const page = await t.request('GET', '/passkeys', undefined, session)
  expect([page.status, page.text.includes('There can be no passkeys here.'), page.text.includes('script')]).toEqual([
    200,
    true,
    false,
  ])
  expect((await t.request('GET', '/login', undefined, { as: 'nobody' })).text).not.toContain('passkey')
})
