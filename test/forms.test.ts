// Forms of every public page: both encodings of HTML are read, and what is none is refused, so that nobody believes that something
// was done which was not.

import { describe, expect, test } from 'bun:test'
import { write } from '../src/core/app.ts'
import { sealUnsubscribe } from '../src/features/contacts/consent/unsubscribe-link.ts'
import { setPassword } from '../src/people/access/users.ts'
import { type Reply, type TestApp, testApp } from './support/app.ts'
import { statesOf } from './support/people.ts'

type Fields = [name: string, value: string][]

const boundary = 'paquebot-test-boundary'
const multipart = (fields: Fields) =>
  fields
    .map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('') + `--${boundary}--\r\n`

const encodings: Record<string, { type: string; body: (fields: Fields) => string }> = {
  urlencoded: { type: 'application/x-www-form-urlencoded', body: (fields) => new URLSearchParams(fields).toString() },
  'in other letters': {
    type: 'Application/X-WWW-Form-Urlencoded; charset=UTF-8',
    body: (fields) => new URLSearchParams(fields).toString(),
  },
  multipart: { type: `multipart/form-data; boundary=${boundary}`, body: multipart },
  'multipart, quoted': { type: `Multipart/Form-Data; boundary="${boundary}"`, body: multipart },
}

const send = (t: TestApp, path: string, body: string | undefined, type: string | null): Promise<Reply> =>
  t.request('POST', path, body, {
    as: 'nobody',
    headers: { origin: t.url, ...(type === null ? {} : { 'content-type': type }) },
  })

async function reader(t: TestApp, optIn: 'single' | 'double' = 'single') {
  const { listId, sourceId } = await t.form(optIn)
  const wish = { email: 'ada@example.net', sourceId }
  const { contactId } = await t.post('/v1/contact-subscriptions/opt-in', wish, optIn === 'single' ? 201 : 202)
  const claim = { workspaceId: t.workspace.id, contactId, mailingListId: listId, messageId: null }
  return { listId, token: await sealUnsubscribe(t.app, claim) }
}

describe('a form', () => {
  for (const [name, { type, body }] of Object.entries(encodings)) {
    test(`is read: ${name}`, async () => {
      await using t = await testApp()
      const { listId, token } = await reader(t)
      // RFC 8058, as Gmail and others send it.
      expect((await send(t, `/u/${token}`, body([['List-Unsubscribe', 'One-Click']]), type)).status).toBe(200)
      expect(await statesOf(t)).toEqual(['unsubscribed'])
      const choice = body([
        ['do', 'save'],
        ['list', 'lst_other'],
        ['list', listId],
      ])
      expect((await send(t, `/preferences/${token}`, choice, type)).status).toBe(200)
      expect(await statesOf(t)).toEqual(['active'])
      const passwordHash = await t.app.passwords.hash('correct horse battery')
      await write(t.app, (tx) => setPassword(tx, t.user.id, passwordHash))
      const signIn = body([
        ['email', 'owner@acme.test'],
        ['password', 'correct horse battery'],
      ])
      const signedIn = await send(t, '/login', signIn, type)
      expect([signedIn.status, signedIn.headers.get('set-cookie')?.startsWith('session=')]).toEqual([303, true])
    })
  }

  test('confirms, in both encodings', async () => {
    for (const { type, body } of Object.values(encodings)) {
      await using t = await testApp()
      await reader(t, 'double')
      await t.settle()
      const link = /\/confirm\/[\w-]{43}/.exec((await t.sent())[0]?.raw.replaceAll('=\r\n', '') ?? '')?.[0] ?? ''
      expect((await send(t, link, body([['answer', 'confirm']]), type)).status).toBe(200)
      expect(await statesOf(t)).toEqual(['active'])
    }
  })

  test('of another kind is 415 on every page, and one that says nothing is 422: nothing is silently not done', async () => {
    await using t = await testApp()
    const { token } = await reader(t)
    const oneClick = 'List-Unsubscribe=One-Click'
    const pages = [`/u/${token}`, `/preferences/${token}`, `/confirm/${'A'.repeat(43)}`, '/login', '/setup/x']
    for (const path of pages) {
      for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencodedx', 'multipart/mixed']) {
        const reply = await t.unchanged(() => send(t, path, oneClick, type))
        expect([path, type, reply.status, reply.body.code]).toEqual([path, type, 415, 'unsupported_media_type'])
      }
      const bare = await t.unchanged(() => send(t, path, undefined, null))
      expect([path, bare.status]).toEqual([path, 415])
    }
    for (const path of [`/u/${token}`, `/preferences/${token}`, '/login', '/setup/x']) {
      const reply = await t.unchanged(() => send(t, path, 'x=y', 'application/x-www-form-urlencoded'))
      expect([path, reply.status]).toEqual([path, 422])
    }
    const broken = await t.unchanged(() =>
      send(t, `/u/${token}`, oneClick, `multipart/form-data; boundary=${boundary}`),
    )
    expect(broken.status).toBe(400)
    const file = `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"; filename="a"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`
    const upload = await t.unchanged(() => send(t, `/u/${token}`, file, `multipart/form-data; boundary=${boundary}`))
    expect([upload.status, upload.body.errors[0].path]).toEqual([422, 'List-Unsubscribe'])
    expect(await statesOf(t)).toEqual(['active'])
  })
})
