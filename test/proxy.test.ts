// Debian's nginx and Caddy in front of the product, with the words of docs/proxy.md: what a visitor, a browser and an agent get through them.
// Callers are curl, from addresses of their own, by HTTP/2 and TLS.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { write } from '../src/core/app.ts'
import { setPassword } from '../src/people/access/users.ts'
import { type TestApp, testApp } from './support/app.ts'
import { certificateFor } from './support/certificate.ts'
import { ranOnFile } from './support/database.ts'
import { freshDirectory } from './support/place.ts'
import { freePort, fromPage, untilOpen } from './support/proxy-program.ts'

const host = 'mail.example.com'
const password = 'correct horse battery'
/** A visitor whose address is not the proxy's. */
const visitor = ['--interface', '127.0.0.2']
const megabyte = 1_000_000

interface Place {
  directory: string
  port: number
  appPort: string
}

/** Its command, once its configuration is written. */
type Kind = (program: string, place: Place) => string[]

const nginx: Kind = (program, { directory, port, appPort }) => {
  const server = fromPage('## nginx', [
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['/etc/letsencrypt/live/mail.example.com/fullchain.pem', join(directory, 'cert.pem')],
    ['/etc/letsencrypt/live/mail.example.com/privkey.pem', join(directory, 'key.pem')],
    ['127.0.0.1:3000', `127.0.0.1:${appPort}`],
  ])
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(directory, name)};`,
  )
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const rest = `${user} daemon off; worker_processes 1; pid ${directory}/pid; error_log stderr crit; events {}`
  writeFileSync(join(directory, 'nginx.conf'), `${rest} http { access_log off; ${folders.join(' ')} ${server} }`)
  return [program, '-e', 'stderr', '-p', directory, '-c', join(directory, 'nginx.conf')]
}

const caddy: Kind = (program, { directory, port, appPort }) => {
  const site = fromPage('## Caddy', [
    [`${host} {`, `https://${host}:${port} {\n    tls ${directory}/cert.pem ${directory}/key.pem`],
    ['127.0.0.1:3000', `127.0.0.1:${appPort}`],
  ])
  const options = '{\n admin off\n auto_https disable_redirects\n default_bind 127.0.0.1\n log {\n level ERROR\n }\n}\n'
  writeFileSync(join(directory, 'Caddyfile'), options + site)
  return [program, 'run', '--adapter', 'caddyfile', '--config', join(directory, 'Caddyfile')]
}

const hasCurl = Bun.which('curl') !== null

for (const [name, kind] of Object.entries({ nginx, caddy })) {
  const program = Bun.which(name)
  if (program === null || !hasCurl)
    process.stderr.write(
      `${program === null ? name : 'curl'} is not installed: docs/proxy.md is not tried with it here\n`,
    )

  describe.skipIf(program === null || !hasCurl || ranOnFile)(`behind ${name}, as docs/proxy.md has it`, () => {
    let t: TestApp
    let url: string
    let directory: string
    let server: Bun.Subprocess

    const environment = () => ({ PATH: process.env.PATH ?? '', CURL_HOME: directory, HOME: directory })
    const curl = (...args: string[]) =>
      Bun.spawn(['curl', '-sS', ...args], { env: environment(), stdout: 'pipe', stderr: 'inherit' })
    const said = async (...args: string[]) => await new Response(curl(...args).stdout).text()
    const key = () => ['-H', `Authorization: Bearer ${t.apiKey}`]
    const json = (body: object) => ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)]
    const signIn = (origin: string, given = password, email = t.user.email) => [
      ...[`${url}/v1/auth/login`, '-H', `Origin: ${origin}`],
      ...json({ email, password: given }),
    ]

    beforeAll(async () => {
      directory = freshDirectory()
      const port = freePort()
      url = `https://${host}:${port}`
      const settings = fromPage('# Behind', [[`https://${host}`, url]]).matchAll(/^(\w+)=(\S+)/gm)
      t = await testApp({ environment: Object.fromEntries([...settings].map(([, name, value]) => [name, value])) })
      const hash = await t.app.passwords.hash(password)
      await write(t.app, (tx) => setPassword(tx, t.user.id, hash))
      const { cert, key } = certificateFor(host)
      writeFileSync(join(directory, 'cert.pem'), cert)
      writeFileSync(join(directory, 'key.pem'), key)
      writeFileSync(join(directory, '.curlrc'), `resolve = ${host}:${port}:127.0.0.1\ncacert = ${directory}/cert.pem\n`)
      const command = kind(program ?? '', { directory, port, appPort: new URL(t.url).port })
      const log = join(directory, 'log')
      server = Bun.spawn(command, { env: environment(), stdout: 'ignore', stderr: Bun.file(log) })
      await untilOpen(port, server, log)
    })
    afterAll(async () => {
      server.kill()
      await server.exited
      await t[Symbol.asyncDispose]()
    })

    test('the commands of the page print what it says', async () => {
      const commands = fromPage('## See that it works', [
        [`https://${host}`, url],
        ['you@example.com', t.user.email],
        ['"…"', `"${password}"`],
      ])
      const env = { ...environment(), KEY: t.apiKey }
      const lines = (await new Response(Bun.spawn(['bash', '-c', commands], { env }).stdout).text()).trim().split('\n')
      const codes = lines.slice(-6)
      expect(lines.join('\n')).toContain('"teamName":"Acme"')
      expect(lines.join('\n')).toMatch(/set-cookie: session=.*; Secure/i)
      expect(codes.every((code) => code === '401' || code === '429')).toBe(true)
      expect(codes.at(-1)).toBe('429')
      const other = signIn(url, 'wrong', 'other@acme.test')
      expect(await said(...other, ...visitor, '-o', '/dev/null', '-w', '%{http_code}')).toBe('401')
    })

    test('people sign in at BASE_URL only, and are known by their own address, not by one that they claim', async () => {
      const claim = ['-H', 'X-Forwarded-For: 192.0.2.9', ...visitor]
      const from = (origin: string) => said(...signIn(origin), ...claim, '-D', '-', '-o', '/dev/null')
      expect(await from(`https://${host}`)).toMatch(/^HTTP\/2 403/)
      const answer = await from(url)
      expect(answer).toMatch(/^HTTP\/2 200/)
      expect(answer).toMatch(/^strict-transport-security: max-age=\d+/im)
      const [, cookie] = /^set-cookie: ([^;]+);.*Secure/im.exec(answer) ?? []
      const { data } = JSON.parse(await said(`${url}/v1/auth/sessions`, '-H', `Cookie: ${cookie}`))
      expect(data.map(({ ip }: { ip: string | null }) => ip)).toContain('127.0.0.2')
    })

    test('what streams arrives while the stream is open: the live tail, and the events of /mcp', async () => {
      await t.template({ id: 'hi' })
      const stream = ['-N', '-H', 'Accept: text/event-stream', ...key()]
      const tail = curl(`${url}/v1/activity`, ...stream)
      const agent = curl(`${url}/mcp`, ...stream)
      // A mail of before it listened is not told.
      expect(await firstOf(tail, /^: listening$/m)).toBe(true)
      expect(await firstOf(agent, /^event: endpoint$/m)).toBe(true)
      await t.mail({ templateId: 'hi' })
      await t.settle()
      expect(await firstOf(tail, /^data: .*ada@example\.net/m)).toBe(true)
      expect([tail.exitCode, agent.exitCode]).toEqual([null, null])
      for (const one of [tail, agent]) one.kill()
      await Promise.all([tail.exited, agent.exited])
    })

    test('a send of 20 MB passes, and one of more than 25 MB is refused in our words', async () => {
      const send = async (bytes: number) => {
        const body = { email: 'ada@example.net', templateId: 'none', dataVariables: { text: 'x'.repeat(bytes) } }
        const file = join(directory, 'body.json')
        writeFileSync(file, JSON.stringify(body))
        const sent = ['-H', 'Content-Type: application/json', '--data-binary', `@${file}`, ...key()]
        return await said(`${url}/v1/transactional/send`, ...sent, '-w', ' %{http_code}')
      }
      expect(await send(20 * megabyte)).toMatch(/"code":"not_found".* 404$/s)
      expect(await send(26.5 * megabyte)).toMatch(/"code":"payload_too_large".* 413$/s)
    })
  })
}

/** Whether what a stream says comes to match, before it ends. */
async function firstOf({ stdout }: { stdout: ReadableStream<Uint8Array> }, pattern: RegExp): Promise<boolean> {
  const decoder = new TextDecoder()
  let text = ''
  const reader = stdout.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (!done) text += decoder.decode(value, { stream: true })
    const isFound = !done && pattern.test(text)
    if (!done && !isFound) continue
    reader.releaseLock()
    return isFound
  }
}
