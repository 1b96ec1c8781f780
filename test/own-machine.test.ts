// On one's own machine: the server is at every name of it, under the one for which browsers keep passkeys, and knows itself by each.

import { expect, test } from 'bun:test'
import { networkInterfaces } from 'node:os'
import { readConfig } from '../src/config.ts'
import { noVitals } from '../src/http/vitals.ts'
import { startServer } from '../src/listen.ts'
import { whyNoPasskeys } from '../src/workspaces/passkeys/relying-party.ts'
import { testApp } from './support/app.ts'
import { cli } from './support/cli.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))
const names = ['localhost', '127.0.0.1', ...(hasIpv6 ? ['[::1]'] : [])]

test('the line that serve prints is a name with passkeys, and both addresses behind it answer', async () => {
  using paquebot = await cli()
  const init = ['init', '--workspace', 'acme', '--email', 'ada@example.net', '--json']
  const { apiKey, loginLink } = (await paquebot.run(init)).json
  expect(loginLink).toStartWith('http://localhost:')
  const server = await paquebot.serve()
  expect(server.url).toMatch(/^http:\/\/localhost:\d+$/)
  const { port } = new URL(server.url)
  for (const name of names) {
    const headers = { authorization: `Bearer ${apiKey}` }
    expect((await fetch(`http://${name}:${port}/v1/workspace`, { headers })).status, name).toBe(200)
  }
  // A page at another name leads to the one that has the cookie.
  const page = await fetch(`http://127.0.0.1:${port}/login`, { redirect: 'manual' })
  expect(page.headers.get('location')).toBe(`${server.url}/login`)
  server.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
})

test('the default address has a name wherever this machine is meant', () => {
  for (const HOST of [undefined, '127.0.0.1', '::1', '0.0.0.0', '::', 'localhost']) {
    const { baseUrl } = readConfig(HOST === undefined ? {} : { HOST })
    expect([HOST, baseUrl, whyNoPasskeys({ baseUrl })]).toEqual([HOST, 'http://localhost:3000', null])
  }
  expect(readConfig({ HOST: '192.0.2.7' }).baseUrl).toBe('http://192.0.2.7:3000')
})

test('a session changes something from each name at its port, and from no other', async () => {
  await using t = await testApp({ environment: { BASE_URL: 'http://localhost:0' } })
  const { port } = new URL(t.url)
  const change = (origin: string) =>
    t.request(
      'PATCH',
      '/v1/workspace',
      { name: 'Acme' },
      { headers: { cookie: t.sessionCookie, origin }, as: 'nobody' },
    )
  for (const name of names) expect((await change(`http://${name}:${port}`)).status, name).toBe(200)
  for (const origin of [
    `http://localhost:${Number(port) + 1}`,
    `https://localhost:${port}`,
    `http://localhost.example:${port}`,
    `http://127.0.0.1.example:${port}`,
    `http://example.net:${port}`,
    'null',
  ])
    expect((await change(origin)).status, origin).toBe(403)
  t.app.config.baseUrl = 'https://mail.acme.test'
  expect((await change(`http://localhost:${port}`)).status).toBe(403)
})

test.skipIf(!hasIpv6)('where another program has one of the two addresses, the server does not start', async () => {
  await using t = await testApp()
  const other = Bun.serve({ port: 0, hostname: '::1', fetch: () => new Response('other') })
  const start = () => startServer(t.app, { port: other.port ?? 0, host: '127.0.0.1', vitals: noVitals })
  expect(start).toThrow(`port ${other.port} of ::1 is taken by another program`)
  await other.stop(true)
})
