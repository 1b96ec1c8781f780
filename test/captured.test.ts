// Captured mail over the API: searched, opened, downloaded, and waited for by the tests of those who use us.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createApp, write } from '../src/core/app.ts'
import { toRawMail } from '../src/mail/raw-mail.ts'
import { noticeToOwners } from '../src/people/members/owner-notice.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { cli } from './support/cli.ts'

const path = '/v1/activity/captured'
const hostileName = '../..\\a"b;\u202Egpj.exe\u2028é.html'
const content = [
  { type: 'text', format: 'markdown', text: 'Hello {{name}}, see [the plan](http://a.example/?a=1&b=2)' },
  { type: 'button', text: 'Confirm', href: 'https://app.example/confirm?token={{name}}' },
  { type: 'image', src: 'https://a.example/x.svg', alt: 'A boat' },
]

describe('captured mail', () => {
  let t: TestApp
  beforeAll(async () => {
    t = await testApp()
    await t.template({ subject: 'Hello {{name}}', content })
  })
  afterAll(() => t[Symbol.asyncDispose]())

  const send = async (name: string, more: object = {}) => {
    return (await t.mail({ email: `${name.toLowerCase()}@example.net`, dataVariables: { name }, ...more }))
      .messageId as string
  }
  const sendNow = async (name: string, more: object = {}) => {
    const messageId = await send(name, more)
    await t.settle()
    return messageId
  }
  /** A mail that no route of ours would make. */
  const capture = async (to: string, lines: string[], app = t.app) => {
    const raw = await toRawMail([Buffer.from([`To: ${to}`, 'From: a@example.org', ...lines].join('\r\n'))])
    const mail = { workspaceId: t.workspace.id, envelope: { from: 'a@example.org', to }, messageId: `${to}.id`, raw }
    await app.mailer.send(
      mail,
      { beforeFinalDot: async () => true, signal: new AbortController().signal },
      { relayId: null, receiver: 'example.net' },
    )
  }
  const subjects = async (query: string) =>
    (await t.get(`${path}?${query}`, 200)).data.map(({ subject }: Json) => subject)
  const last = async () => (await t.get(`${path}?perPage=1`, 200)).data[0]?.capturedId ?? '0'

  test('is listed newest first, searched by word, address and subject, and paged', async () => {
    for (const name of ['Ada', 'Ben', 'Cleo']) await sendNow(name)
    await write(t.app, (tx) => noticeToOwners(tx, t.workspace.id, { subject: 'Something stopped', text: 'It did.' }))
    await t.settle()
    expect(await subjects('')).toEqual(['Something stopped', 'Hello Cleo', 'Hello Ben', 'Hello Ada'])
    expect(await subjects('q=hello+BEN')).toEqual(['Hello Ben'])
    expect(await subjects('q=stopped')).toEqual(['Something stopped'])
    expect(await subjects('to=ADA@example.net')).toEqual(['Hello Ada'])
    expect(await subjects('to=da@example.net')).toEqual([])
    expect(await subjects('subject=hello&after=2')).toEqual(['Hello Cleo'])
    expect(await subjects('after=2000-01-01T00:00:00Z&q=ada')).toEqual(['Hello Ada'])
    expect(await subjects('after=2999-01-01T00:00:00Z&q=ada')).toEqual([])
    const first = await t.get(`${path}?q=hello&perPage=2`, 200)
    expect(first.data.map(({ to }: Json) => to)).toEqual(['cleo@example.net', 'ben@example.net'])
    expect(first.pagination.totalResults).toBe(2)
    const rest = await t.get(`${path}?q=hello&perPage=2&cursor=${first.pagination.nextCursor}`, 200)
    expect([rest.data.map(({ to }: Json) => to), rest.pagination.nextCursor]).toEqual([['ada@example.net'], null])
    expect(first.data[0].messageId).toMatch(/^msg_/)
    expect((await t.get(`${path}?q=stopped`, 200)).data[0].messageId).toBeNull()
    const refused = await t.get(`${path}?after=yesterday`, 422)
    expect(refused.errors[0]).toMatchObject({ path: 'after', message: expect.stringContaining('capturedId') })
    expect((await t.get(`${path}?cursor=x`, 400)).code).toBe('invalid_cursor')
  })

  test('one is told with its parts, its links as they were sent, and what clients make of its HTML', async () => {
    const messageId = await sendNow('Dora')
    const mail = await t.get(`${path}/${await last()}`, 200)
    expect(mail).toMatchObject({ messageId, to: 'dora@example.net', subject: 'Hello Dora', isClipped: false })
    expect(mail.text).toContain('Hello Dora')
    expect(mail.headers).toContainEqual({ name: 'To', value: 'dora@example.net' })
    expect(mail.links.map(({ text, href, problems }: Json) => [text, href, ...problems])).toEqual([
      ['the plan', 'http://a.example/?a=1&b=2', 'insecure_href'],
      ['Confirm', 'https://app.example/confirm?token=Dora'],
    ])
    expect(mail.findings.map(({ code, path }: Json) => `${code} ${path}`)).toEqual([
      'insecure_href a[0]',
      'unsupported_picture img[0].src',
    ])
    expect(mail.clientGaps.map(({ feature }: Json) => feature)).toContain('css-border-radius')
    expect(mail.unsubscribe).toBeNull()
    const alone = await t.request('GET', new URL(mail.url).pathname, undefined, { as: 'session' })
    expect(alone.headers.get('content-security-policy')).toContain('sandbox')
  })

  test('its source and its attachments are downloads, whatever they are called', async () => {
    await capture('eve@example.net', [
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/html',
      `Content-Disposition: attachment; filename*=UTF-8''${encodeURIComponent(hostileName)}`,
      '',
      '<script>alert(1)</script>',
      '--b--',
    ])
    const id = await last()
    const { attachments } = await t.get(`${path}/${id}`, 200)
    expect(attachments).toMatchObject([{ number: 1, contentType: 'text/html', filename: hostileName }])
    for (const base of [`${path}/${id}`, `/captured/${id}`]) {
      const as = base.startsWith('/v1') ? 'key' : 'session'
      const got = await t.request('GET', `${base}/attachments/1`, undefined, { as })
      expect([got.status, got.text.trim()]).toEqual([200, '<script>alert(1)</script>'])
      expect(got.headers.get('content-type')).toBe('application/octet-stream')
      expect(got.headers.get('x-content-type-options')).toBe('nosniff')
      expect(got.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''..[\w.%~!-]+$/)
      const raw = await t.request('GET', `${base}/raw`, undefined, { as })
      expect(raw.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''${id}.eml`)
      expect([raw.headers.get('content-type'), raw.text]).toEqual([
        'message/rfc822',
        expect.stringContaining('To: eve@'),
      ])
      for (const number of ['0', '2', 'x', '9999'])
        expect((await t.request('GET', `${base}/attachments/${number}`, undefined, { as })).status).toBe(404)
    }
  })

  test('is found by nobody of another workspace', async () => {
    const { apiKey } = await t.stranger()
    const id = await last()
    for (const end of ['', '/raw', '/attachments/1']) await t.get(`${path}/${id}${end}`, 404, { as: { apiKey } })
    expect((await t.get(path, 200, { as: { apiKey } })).data).toEqual([])
    expect(await t.get(`${path}/wait?after=0&timeoutMs=1`, 200, { as: { apiKey } })).toEqual({ mail: null })
  })

  test('who waits is answered by what is there, by what comes, or by nothing in time', async () => {
    await sendNow('Finn')
    const there = await t.get(`${path}/wait?to=FINN@example.net&subject=hello`, 200)
    expect(there.mail).toMatchObject({
      subject: 'Hello Finn',
      links: [{}, { href: 'https://app.example/confirm?token=Finn' }],
    })
    const after = await last()
    const comes = t.get(`${path}/wait?to=finn@example.net&after=${after}&timeoutMs=20000`, 200)
    const other = t.get(`${path}/wait?subject=hello+gus&after=${after}&timeoutMs=20000`, 200)
    await sendNow('Gus')
    expect((await other).mail.to).toBe('gus@example.net')
    await sendNow('Finn')
    expect(Number((await comes).mail.capturedId)).toBe(Number(after) + 2)
    expect(await t.get(`${path}/wait?to=nobody@example.net&timeoutMs=30`, 200)).toEqual({ mail: null })
    for (const [query, wrong] of [
      ['to=a@example.net&timeoutMs=0', 'timeoutMs'],
      ['timeoutMs=1', 'to'],
      ['after=x', 'after'],
    ])
      expect((await t.get(`${path}/wait?${query}`, 422)).errors[0].path).toBe(wrong)
  })

  test('twenty wait at once, and whoever goes away makes room', async () => {
    const gone = new AbortController()
    const headers = { authorization: `Bearer ${t.apiKey}` }
    const address = `${t.url}${path}/wait?to=nobody@example.net&timeoutMs=25000`
    const waits = Array.from({ length: 20 }, () => fetch(address, { headers, signal: gone.signal }).catch(() => null))
    const ask = () => t.request('GET', `${path}/wait?to=nobody@example.net&timeoutMs=1`)
    const until = async (status: number) => {
      for (let reply = await ask(); reply.status !== status; reply = await ask());
    }
    await until(429)
    gone.abort()
    await Promise.all(waits)
    await until(200)
  })

  test('what another process captured is told, too', async () => {
    const waiting = t.get(`${path}/wait?to=hal@example.net&timeoutMs=20000`, 200)
    const other = await createApp(t.app.config, { clock: t.clock, log: t.app.log })
    await capture('hal@example.net', ['Subject: From another', '', 'Hi'], other)
    expect((await waiting).mail).toMatchObject({ to: 'hal@example.net', subject: 'From another', messageId: null })
    await other.close()
  })

  test('is listed and waited for on the command line, too', async () => {
    using paquebot = await cli()
    await paquebot.run(['init', '--workspace', 'acme', '--email', 'ada@acme.test'])
    const run = (...args: string[]) => paquebot.run(['captured', '--workspace', 'acme', ...args])
    expect(await run('--json')).toMatchObject({ code: 0, json: { data: [] } })
    const none = await run('--wait', '--to', 'a@example.net', '--timeout', '1')
    expect(none).toMatchObject({ code: 1, out: expect.stringContaining('No matching mail arrived.') })
    expect((await run('--timeout', '1')).code).toBe(2)
  })
})
