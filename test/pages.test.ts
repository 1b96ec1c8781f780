// The pages a person opens: the front door and captured mail, and who may see them.

import { describe, expect, test } from 'bun:test'
import { members } from '../db/tables/workspaces.ts'
import { write } from '../src/core/app.ts'
import { noticeToOwners } from '../src/people/members/owner-notice.ts'
import { type As, type TestApp, testApp } from './support/app.ts'
import { cli } from './support/cli.ts'

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
  const session = { as: 'session' } as const

  async function send(t: TestApp, name: string, as: As = 'key'): Promise<void> {
    await t.template({ id: 'a', subject: 'For {{name}}', text: 'Hello {{name}}' }, { as })
    await t.mail({ templateId: 'a', dataVariables: { name } }, { as })
    await t.settle()
  }

  async function withMail() {
    const t = await testApp()
    await send(t, '<script>alert(1)</script>')
    return t
  }

  test('is listed and shown, with nothing of it alive', async () => {
    await using t = await withMail()
    const list = await t.request('GET', '/captured', undefined, session)
    expect(list.text).toContain('For &lt;script&gt;')
    expect(list.text).toContain('href="/dashboard/acme/captured"')
    const shown = await t.request('GET', '/captured/1', undefined, session)
    expect(shown.text).toContain('sandbox')
    expect(shown.text).toContain('href="/dashboard/acme/captured/1"')
    expect(shown.text).not.toContain('<script>')
    const mail = await t.request('GET', '/captured/1/html', undefined, session)
    expect(mail.headers.get('content-security-policy')).toContain('sandbox')
    expect(mail.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(mail.text).not.toContain('<script>')
    const source = await t.request('GET', '/captured/1/source', undefined, session)
    expect(source.headers.get('content-type')).toContain('text/plain')
    expect(source.text).toContain('To: ada@example.net')
  })

  test('needs a session, whatever the request says of where it comes from', async () => {
    await using t = await withMail()
    const strangers: Record<string, string>[] = [
      {},
      { host: 'localhost:3000' },
      { host: new URL(t.url).host },
      { host: 'mail.example.com' },
      { 'x-forwarded-for': '127.0.0.1' },
      { authorization: `Bearer ${t.apiKey}` },
      { cookie: `session=${'a'.repeat(43)}` },
    ]
    for (const path of ['/captured', '/captured/1', '/captured/1/html', '/captured/1/source']) {
      for (const headers of strangers) {
        const reply = await t.request('GET', path, undefined, { ...nobody, headers })
        expect([reply.status, reply.headers.get('location')]).toEqual([303, `/login?to=${path}`])
        expect(reply.text).not.toContain('ada@example.net')
      }
      const headers = { host: 'mail.example.com', cookie: t.sessionCookie }
      expect((await t.request('GET', path, undefined, { ...nobody, headers })).status).toBe(200)
    }
  })

  test('is shown to the members of its workspace only; who is in several chooses', async () => {
    await using t = await withMail()
    const { workspace, apiKey } = await t.stranger()
    await send(t, 'the stranger', { apiKey })
    expect((await t.request('GET', '/captured', undefined, session)).text).not.toContain('the stranger')
    for (const path of ['/captured/2', '/captured/2/html', '/captured/2/source', '/captured?workspace=stranger'])
      expect((await t.request('GET', path, undefined, session)).status, path).toBe(404)

    const createdAt = new Date(t.clock.now().getTime() + 1)
    const place = { workspaceId: workspace.id, userId: t.user.id, role: 'member', createdAt } as const
    await write(t.app, (tx) => tx.db.insert(members).values(place))
    const own = (await t.request('GET', '/captured', undefined, session)).text
    expect(own).toContain('href="/captured?workspace=stranger"')
    expect(own).not.toContain('For the stranger')
    expect((await t.request('GET', '/captured?workspace=stranger', undefined, session)).text).toContain(
      'For the stranger',
    )
    expect((await t.request('GET', '/captured/2', undefined, session)).status).toBe(200)
  })

  test('a notice to the owners is theirs too', async () => {
    await using t = await testApp()
    await write(t.app, (tx) => noticeToOwners(tx, t.workspace.id, { subject: 'Something stopped', text: 'It did.' }))
    await t.settle()
    expect((await t.request('GET', '/captured', undefined, session)).text).toContain('Something stopped')
  })

  test('serve prints a link that signs in once, into the dashboard, which shows captured mail', async () => {
    using paquebot = await cli()
    expect((await paquebot.run(['init', '--workspace', 'acme', '--email', 'a@example.com'])).code).toBe(0)
    const server = await paquebot.serve()
    const path = /\/login\/[\w-]{43}\?to=\/dashboard$/m.exec(server.said())?.[0]
    const signedIn = await fetch(server.url + path, { method: 'POST', redirect: 'manual' })
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/dashboard'])
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(await (await fetch(`${server.url}/captured`, { headers: { cookie } })).text()).toContain('Nothing yet')
    expect((await fetch(server.url + path, { method: 'POST', redirect: 'manual' })).status).toBe(410)
    server.kill('SIGTERM')
    await server.ended
  })

  test('an id that is none is 404', async () => {
    await using t = await withMail()
    for (const id of ['2', '0', '-1', 'x', '1e3', '99999999999999999999']) {
      expect((await t.request('GET', `/captured/${id}`, undefined, session)).status, id).toBe(404)
    }
  })
})
