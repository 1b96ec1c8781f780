// The pages a person opens: the front door and captured mail, and who may see them.

import { describe, expect, test } from 'bun:test'
import { testApp } from './support/app.ts'

const nobody = { as: 'nobody' } as const

describe('the front door', () => {
  test('says that it runs, and who is signed in', async () => {
    await using t = await testApp()
    const { text, status } = await t.request('GET', '/', undefined, nobody)
    expect(status).toBe(200)
    expect(text).toContain('Capture mode')
    expect(text).toContain('Not signed in')
    expect((await t.request('GET', '/', undefined, { as: 'session' })).text).toContain('owner@acme.test')
  })
})

describe('captured mail', () => {
  const content = [{ type: 'text', text: 'Hello {{name}}' }]

  async function withMail() {
    const t = await testApp()
    await t.post('/v1/transactional/create', { id: 'a', name: 'A', subject: 'For {{name}}', content }, 201)
    const dataVariables = { name: '<script>alert(1)</script>' }
    await t.post('/v1/transactional/send', { email: 'ada@example.net', templateId: 'a', dataVariables }, 200)
    await t.settle()
    return t
  }

  test('is listed and shown, with nothing of it alive', async () => {
    await using t = await withMail()
    const list = await t.request('GET', '/captured', undefined, nobody)
    expect(list.text).toContain('For &lt;script&gt;')
    const shown = await t.request('GET', '/captured/1', undefined, nobody)
    expect(shown.text).toContain('sandbox')
    expect(shown.text).not.toContain('<script>')
    const mail = await t.request('GET', '/captured/1/html', undefined, nobody)
    expect(mail.headers.get('content-security-policy')).toContain('sandbox')
    expect(mail.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(mail.text).not.toContain('<script>')
    const source = await t.request('GET', '/captured/1/source', undefined, nobody)
    expect(source.headers.get('content-type')).toContain('text/plain')
    expect(source.text).toContain('To: ada@example.net')
  })

  test('is shown on this machine only, unless to a signed-in member', async () => {
    await using t = await withMail()
    const cases: [headers: Record<string, string>, status: number][] = [
      [{}, 200],
      [{ host: 'localhost:3000' }, 200],
      [{ host: 'evil.example' }, 401],
      [{ host: 'mail.example.com', cookie: t.sessionCookie }, 200],
      [{ 'x-forwarded-for': '203.0.113.9' }, 401],
    ]
    for (const path of ['/captured', '/captured/1', '/captured/1/html', '/captured/1/source']) {
      for (const [headers, status] of cases) {
        expect(
          (await t.request('GET', path, undefined, { ...nobody, headers })).status,
          `${path} ${JSON.stringify(headers)}`,
        ).toBe(status)
      }
    }
  })

  test('an id that is none is 404', async () => {
    await using t = await withMail()
    for (const id of ['2', '0', '-1', 'x', '1e3', '99999999999999999999']) {
      expect((await t.request('GET', `/captured/${id}`, undefined, nobody)).status, id).toBe(404)
    }
  })
})
