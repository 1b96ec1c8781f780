// Whether a proxy may get a certificate for a name: who may ask, what is answered, and that Debian's Caddy and nginx, set up as docs/proxy.md
// has it, serve a domain that was proved and no other.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { certificateFor } from './support/certificate.ts'
import { ranOnFile } from './support/database.ts'
import { claim, house, links, proved, publishLink, type Stage, stage, visit } from './support/link-domain.ts'
import { freshDirectory } from './support/place.ts'
import { freePort, fromPage, untilOpen } from './support/proxy-program.ts'

const path = '/tls/ask'

describe('a proxy asks for a certificate', () => {
  const ask = async ({ t }: Stage, domain: string) =>
    (await visit(t, new URL(t.url).host, `${path}?domain=${encodeURIComponent(domain)}`)).status

  test('for names that are proved, or are found to be now', async () => {
    await using s = await stage()
    const { t, dns } = s
    const asked = await claim(t, links)
    expect(await ask(s, links)).toBe(404)
    publishLink(s, asked)
    // The DNS is asked once a minute.
    const before = dns.asked.length
    expect(await ask(s, links)).toBe(404)
    expect(dns.asked.length).toBe(before)
    t.clock.advance(60_000)
    // What was shared by those who asked at the same time.
    t.app.forgetShared()
    expect(await ask(s, links)).toBe(200)
    expect(await ask(s, 'LINKS.Globex.example')).toBe(200)
    expect((await t.get('/v1/workspace', 200)).linkDomain.status).toBe('verified')
    expect(await ask(s, house)).toBe(200)
    const asks = dns.asked.length
    for (const other of [
      '',
      'globex.example',
      `x.${links}`,
      `${links}.`,
      '127.0.0.1',
      '%',
      "' OR 1=1",
      'x'.repeat(4_000),
    ])
      expect(await ask(s, other), other.slice(0, 40)).toBe(404)
    expect((await visit(t, new URL(t.url).host, path)).status).toBe(404)
    expect(dns.asked.length).toBe(asks)
  })

  test('from this machine, and not through a proxy: to others there is nothing', async () => {
    await using s = await stage()
    const { t } = s
    await proved(s)
    const here = new URL(t.url).host
    const asked = `${path}?domain=${links}`
    const nothing = (await visit(t, here, '/tls/nothing')).text
      .replace(/"requestId":"[^"]+"/, '')
      .replaceAll('/tls/nothing', path)
    const refused = [
      await visit(t, house, asked),
      await visit(t, 'paquebot.internal', asked),
      await visit(t, links, asked),
      ...(await Promise.all(
        ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'].map((name) =>
          visit(t, here, asked, { headers: { [name]: '127.0.0.1' } }),
        ),
      )),
    ]
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404))
    expect(refused[0]?.text.replace(/"requestId":"[^"]+"/, '')).toBe(nothing)
    expect((await visit(t, here, asked)).status).toBe(200)
  })

  test('with a token where one is set, from anywhere', async () => {
    const token = 'a token of the proxy'
    await using s = await stage({ environment: { TLS_ASK_TOKEN: token } })
    const { t } = s
    await proved(s)
    const ask = async (host: string, more: string) => (await visit(t, host, `${path}?domain=${links}${more}`)).status
    const right = `&token=${encodeURIComponent(token)}`
    expect([await ask('paquebot.internal', right), await ask(house, right)]).toEqual([200, 200])
    for (const wrong of ['', '&token=', '&token=x', `${right}x`])
      expect(await ask(new URL(t.url).host, wrong)).toBe(404)
  })
})

const hasCurl = Bun.which('curl') !== null

for (const name of ['caddy', 'nginx'] as const) {
  const program = Bun.which(name)
  if (program === null || !hasCurl) process.stderr.write(`link domains are not tested behind ${name} here\n`)

  describe.skipIf(program === null || !hasCurl || ranOnFile)(`behind ${name}, as docs/proxy.md has it`, () => {
    let s: Stage
    let directory: string
    let port: number
    let server: Bun.Subprocess

    const root = () =>
      join(
        directory,
        name === 'caddy' ? 'caddy/pki/authorities/local/root.crt' : 'live',
        name === 'caddy' ? '' : `${links}/fullchain.pem`,
      )
    /** What somebody gets who visits that host: its status and its text; null where there is no TLS for it. */
    const open = async (host: string, at: string): Promise<[number, string] | null> => {
      const args = [
        '-sS',
        '--resolve',
        `${host}:${port}:127.0.0.1`,
        '--cacert',
        root(),
        '-w',
        ' %{http_code}',
        `https://${host}:${port}${at}`,
      ]
      const run = Bun.spawn(['curl', ...args], { stdout: 'pipe', stderr: 'ignore' })
      const text = await new Response(run.stdout).text()
      return (await run.exited) === 0 ? [Number(text.slice(-3)), text.slice(0, -4)] : null
    }

    beforeAll(async () => {
      directory = freshDirectory()
      port = freePort()
      s = await stage({ environment: { TRUSTED_PROXIES: '127.0.0.1' } })
      const appPort = new URL(s.t.url).port
      const command = name === 'caddy' ? caddy(program ?? '', appPort) : nginx(program ?? '', appPort)
      const log = join(directory, 'log')
      const env = { PATH: process.env.PATH ?? '', HOME: directory, XDG_DATA_HOME: directory }
      server = Bun.spawn(command, { env, stdout: 'ignore', stderr: Bun.file(log) })
      await untilOpen(port, server, log)
    })
    afterAll(async () => {
      server.kill()
      await server.exited
      await s[Symbol.asyncDispose]()
    })

    const caddy = (command: string, appPort: string) => {
      const sites = fromPage('Caddy asks by itself', [
        [
          '{\n    on_demand_tls',
          '{\n    admin off\n    skip_install_trust\n    auto_https disable_redirects\n    default_bind 127.0.0.1\n    on_demand_tls',
        ],
        ['mail.example.com {', `https://${house}:${port} {\n    tls internal`],
        ['https:// {', `https://:${port} {`],
        ['        on_demand\n', '        on_demand\n        issuer internal\n'],
        ['127.0.0.1:3000', `127.0.0.1:${appPort}`],
      ])
      writeFileSync(join(directory, 'Caddyfile'), sites)
      return [command, 'run', '--adapter', 'caddyfile', '--config', join(directory, 'Caddyfile')]
    }
    const nginx = (command: string, appPort: string) => {
      const site = fromPage('nginx gets no certificates', [
        ['listen 443 ', `listen 127.0.0.1:${port} `],
        ['/etc/letsencrypt', directory],
        ['127.0.0.1:3000', `127.0.0.1:${appPort}`],
      ])
      const { cert, key } = certificateFor(links)
      mkdirSync(join(directory, 'live', links), { recursive: true })
      writeFileSync(join(directory, 'live', links, 'fullchain.pem'), cert)
      writeFileSync(join(directory, 'live', links, 'privkey.pem'), key)
      const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (one) => `${one}_temp_path ${join(directory, one)};`,
      )
      const user = process.getuid?.() === 0 ? 'user root;' : ''
      const rest = `${user} daemon off; worker_processes 1; pid ${directory}/pid; error_log stderr crit; events {}`
      writeFileSync(join(directory, 'nginx.conf'), `${rest} http { access_log off; ${folders.join(' ')} ${site} }`)
      return [command, '-e', 'stderr', '-p', directory, '-c', join(directory, 'nginx.conf')]
    }

    test('a domain that was proved has its pages by TLS; one that was not has no certificate', async () => {
      const { t } = s
      // Visited before, it had none.
      if (name === 'caddy') expect(await open(links, '/u/invented')).toBeNull()
      await proved(s)
      const [status, text] = (await open(links, '/u/invented')) ?? []
      expect([status, text?.includes('This link does not work')]).toEqual([404, true])
      expect((await open(links, '/healthz'))?.[0]).toBe(404)
      await t.template({ content: [{ type: 'text', text: '[See]({{view_in_browser_url}})' }] })
      await t.mail()
      await t.settle()
      const link = /\/view\/[\w-]+/.exec((await t.sent())[0]?.raw.replaceAll('=\r\n', '') ?? '')?.[0] ?? ''
      expect((await open(links, link))?.[0]).toBe(200)
      expect(await open('other.globex.example', '/u/invented')).toBeNull()
    })
  })
}
