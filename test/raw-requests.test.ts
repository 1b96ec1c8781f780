// What the server makes of a request before any route sees it: its size, its path, its line ends; and what every answer carries.

import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { write } from '../src/core/app.ts'
import { buildServer } from '../src/doors/server.ts'
import { noVitals } from '../src/operator/health/vitals.ts'
import { testApp } from './support/app.ts'
import { remoteDatabase } from './support/database.ts'
import { content } from './support/every-route.ts'
import { type Operation, operationsOf } from './support/listed-operations.ts'
import { onTheWire } from './support/wire.ts'

const pathOf = ({ path }: Operation) => path.replaceAll(/\{(\w+)\}/g, 'x')

describe.skipIf(remoteDatabase)('the server', () => {
  test('a body over 25 MB, or over what a file may have, is 413 on every route, after the credential and before it is read', async () => {
    await using t = await testApp()
    const { table } = buildServer(t.app, noVitals)
    const routes = (await operationsOf(t)).filter(({ hasBody, open }) => hasBody && !open)
    for (const operation of routes) {
      const head = (authorization: string) =>
        `${operation.method} ${pathOf(operation)} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${authorization}Content-Length: ${table.surfaceOf(pathOf(operation)).body.maxBytes + 1}\r\n\r\n`
      const credential =
        operation.scope === null
          ? `Cookie: ${t.sessionCookie}\r\nOrigin: ${t.url}\r\n`
          : `Authorization: Bearer ${t.apiKey}\r\n`
      expect(await onTheWire(t, [head(credential)]), operation.route).toStartWith('HTTP/1.1 413')
      expect(await onTheWire(t, [head('')]), operation.route).toStartWith('HTTP/1.1 401')
    }
  })

  test('a request that two servers would read differently sends nothing', async () => {
    await using t = await testApp()
    await t.template({ content })
    const body = JSON.stringify({ email: 'eve@example.net', templateId: 'hello' })
    const inner = `POST /v1/transactional/send HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${t.apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const head = `POST /v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`
    const attempts = [
      `${head}Content-Length: 2\r\nContent-Length: ${2 + inner.length}\r\n\r\n{}${inner}`,
      `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
      `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${inner}`,
      `${head}Content-Length: +2\r\n\r\n{}${inner}`,
      `${head}Content-Length : 2\r\n\r\n{}${inner}`,
      `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\n Transfer-Encoding: chunked\r\n\r\n${inner}`,
    ]
    for (const attempt of attempts) {
      await t.unchanged(async () => {
        const reply = await onTheWire(t, [attempt])
        expect(reply.slice(0, 12), attempt.slice(0, 160)).toMatch(/^(HTTP\/1\.1 (4|5)|$)/)
      })
    }
  })

  test('no way of writing a path opens a route without a credential', async () => {
    await using t = await testApp()
    const ways = (path: string) => [
      `/${path}`,
      path.replace('/v1/', '/V1/'),
      path.replace('/v1/', '/v1//'),
      path.replace('/v1/', '/v1/./'),
      path.replace('/v1/', '/v1/%2e%2e/v1/'),
      path.replace('/v1/', '/%76%31/'),
      path.replace('/v1/', '/v1%2f'),
      path.replace('/v1/', '/v1\\'),
      path.replace('/v1/', '/healthz/../v1/'),
      path.replace('/v1/', '/v1/auth/login/../../'),
      path.replace('/v1/', '/api/api/v1/'),
      path.replace('/v1/', '/api//v1/'),
      `${path}/`,
      `${path}.`,
      `${path}%00`,
      `${path};x`,
      `${path}%3f`,
      `${path}#x`,
    ]
    for (const operation of (await operationsOf(t)).filter(({ open }) => !open)) {
      // What finds no route is limited by network, and nobody asks so much in a second.
      t.clock.advance(1_000)
      await t.unchanged(async () => {
        for (const way of ways(pathOf(operation))) {
          const request = `${operation.method} ${way} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`
          const reply = await onTheWire(t, [request])
          expect(reply.slice(0, 12), `${operation.method} ${way}`).toMatch(/^(HTTP\/1\.1 (400|401|404|405)|$)/)
        }
      })
    }
  })

  test('no route is for other sites, says what it is made of, or may be cached or sniffed', async () => {
    await using t = await testApp()
    for (const operation of await operationsOf(t)) {
      const origin = { origin: 'https://evil.example' }
      const preflight = { ...origin, 'access-control-request-method': operation.method }
      const replies = await t.unchanged(() =>
        Promise.all([
          t.request('OPTIONS', pathOf(operation), undefined, { as: 'nobody', headers: preflight }),
          t.request('GET', pathOf(operation), undefined, { headers: origin }),
          t.request('GET', pathOf(operation), undefined, { as: 'nobody', headers: origin }),
        ]),
      )
      for (const { headers } of replies) {
        // One call is for other sites; test/opt-in.test.ts says what it lets them do.
        const open = operation.route === 'POST /v1/contact-subscriptions/opt-in'
        const names = [...headers.keys()].filter((name) => /^access-control|^server$|powered/.test(name))
        if (!open) expect(names, operation.route).toEqual([])
        expect(names, operation.route).not.toContain('access-control-allow-credentials')
        expect(headers.get('x-content-type-options'), operation.route).toBe('nosniff')
        expect(headers.get('cache-control'), operation.route).toBe('no-store')
      }
    }
    for (const page of ['/login/x', '/captured', '/docs', '/']) {
      const { headers } = await t.request('GET', page, undefined, { as: 'session' })
      const isPage = /html/.test(headers.get('content-type') ?? '')
      if (isPage) expect(headers.get('content-security-policy'), page).toContain('frame-ancestors')
    }
  })

  test('a request that fails leaves the next one alone', async () => {
    await using t = await testApp()
    await write(t.app, (tx) => tx.db.run(sql`ALTER TABLE segments RENAME TO elsewhere`))
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, i) => t.request('GET', i % 2 ? '/v1/segments' : '/v1/api-key')),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, (_, i) => (i % 2 ? 500 : 200)))
    await write(t.app, (tx) => tx.db.run(sql`ALTER TABLE elsewhere RENAME TO segments`))
    await t.get('/v1/segments', 200)
  })
})
