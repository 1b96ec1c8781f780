// Somebody whose browser has a passkey, and the answers that it gives.

import { expect } from 'bun:test'
import { write } from '../../src/core/app.ts'
import { createSession } from '../../src/people/access/sessions.ts'
import { type Json, type RequestOptions, type TestApp, testApp } from './app.ts'
import { authenticator, type Twist } from './authenticator.ts'

/** For testApp(): passkeys belong to a name, and the tests run at an address. */
export const passkeyEnvironment = { BASE_URL: 'http://localhost:0' }

type Seen = { id: string; contentHash: string }

export interface Browser {
  /** With its session, and with the cookie of the step that it is in. */
  options: RequestOptions
  /** The answer to the options for approving this list. */
  sign(approvals: Seen[], twist?: Twist): Promise<Json>
  passkeyId: string
}

/** A new session of this person, in a browser that has made a passkey. */
export async function browserWithPasskey(t: TestApp, userId = t.user.id): Promise<Browser> {
  const origin = t.app.config.baseUrl
  const session = `session=${await write(t.app, (tx) => createSession(tx, userId))}`
  const options: RequestOptions & { headers: Record<string, string> } = {
    as: 'nobody',
    headers: { origin, cookie: session },
  }
  const ask = async (path: string, body: object) => {
    const reply = await t.request('POST', path, body, options)
    expect(reply.status, reply.text).toBe(200)
    const set = reply.headers.get('set-cookie')
    if (set) options.headers['cookie'] = `${session}; ${set.split(';')[0]}`
    return reply.body
  }
  const device = authenticator(origin)
  const asked = await ask('/v1/auth/passkeys/options', {})
  const { id: passkeyId } = await t.post('/v1/auth/passkeys', { credential: device.create(asked) }, 201, options)
  return {
    options,
    passkeyId,
    async sign(approvals, twist) {
      const { passkey } = await ask('/v1/approvals/options', { approvals })
      expect(passkey.allowCredentials).toMatchObject([{ id: device.id }])
      return device.get(passkey, twist)
    },
  }
}

/** What is told to whoever approves one list with the answer for another. */
export async function answerForAnotherList() {
  await using t = await testApp({ environment: passkeyEnvironment })
  const { options, sign } = await browserWithPasskey(t)
  const list = (digit: string) => [{ id: 'act_none', contentHash: digit.repeat(64) }]
  const body = { approvals: list('0'), credential: await sign(list('1')) }
  return await t.request('POST', '/v1/approvals/approve', body, options)
}
