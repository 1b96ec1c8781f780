// The compiled binary in an empty folder, with nothing of the checkout or of Bun within reach.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linesOf, until } from '../tools/process.ts'
import { mailWith, pdfOf } from './support/attached-files.ts'
import { authenticator } from './support/authenticator.ts'
import { remoteDatabase } from './support/database.ts'
import { identityProvider } from './support/identity-provider.ts'
import { rawMail } from './support/mailbox.ts'
import { mcpClient } from './support/mcp.ts'
import { modern } from './support/mcp-calls.ts'
import { Jar, walk } from './support/walk.ts'

const directory = mkdtempSync(join(tmpdir(), 'paquebot-binary-'))
const binary = join(directory, 'paquebot')
const env = { HOME: directory, PATH: '/usr/bin:/bin', PORT: '0', BASE_URL: 'http://localhost:0' }

beforeAll(async () => {
  if (remoteDatabase) return
  const { BINARY } = process.env
  if (BINARY) return copyFileSync(BINARY, binary)
  const build = Bun.spawn([process.execPath, join(import.meta.dir, '../tools/build.ts'), binary], {
    stdout: 'ignore',
    stderr: 'inherit',
  })
  if ((await build.exited) !== 0) throw new Error('the build failed')
}, 120_000)

afterAll(() => rmSync(directory, { recursive: true, force: true }))

async function run(...args: string[]) {
  const child = Bun.spawn([binary, ...args, '--json'], { cwd: directory, env, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, json: JSON.parse(out || 'null'), err }
}

/** Adds a passkey to the session, and signs in with it. Returns the cookie. */
async function signInWithPasskey(url: string, session: string): Promise<string> {
  const call = async (path: string, cookie: string, body?: unknown) => {
    const headers = { origin: url, cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const response = await fetch(url + path, {
      method: 'POST',
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    expect(response.ok, `${path}: ${response.status}`).toBe(true)
    return { json: await response.json(), cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
  }
  const device = authenticator(url)
  const begun = await call('/v1/auth/passkeys/options', session, {})
  const credential = device.create(begun.json)
  await call('/v1/auth/passkeys', `${session}; ${begun.cookie}`, { credential })
  const asked = await call('/v1/auth/login/passkey/options', '')
  return (await call('/v1/auth/login/passkey', asked.cookie, { credential: device.get(asked.json) })).cookie
}

test.skipIf(remoteDatabase)('does what the checkout does', async () => {
  expect(readdirSync(directory)).toEqual(['paquebot'])
  expect((await run('version')).json.version).toBe('0.1.0')
  const { json: installed } = await run('init', '--workspace', 'demo', '--email', 'a@example.com')
  expect(Object.keys(installed)).toEqual(['workspaceId', 'workspaceSlug', 'apiKey', 'userId', 'email', 'loginLink'])
  expect(await run('init', '--workspace', 'demo', '--email', 'a@example.com')).toMatchObject({
    code: 1,
    json: { code: 'already_initialised' },
  })

  let back = ''
  await using provider = await identityProvider(() => back)
  const settings = { ...env, ...provider.environment }
  const server = Bun.spawn([binary, 'serve'], { cwd: directory, env: settings, stdout: 'ignore', stderr: 'pipe' })
  const [, listening = ''] = await until(linesOf(server.stderr), /listening on (\S+)/)
  const url = listening.replace('127.0.0.1', 'localhost')
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${installed.apiKey}`, 'content-type': 'application/json' }
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, text, json: text.startsWith('{') ? JSON.parse(text) : null }
  }

  const content = [
    { type: 'heading', text: 'Hello {{name}}' },
    { type: 'button', text: 'Go', href: 'https://example.com/{{name}}' },
  ]
  expect(
    (await call('POST', '/v1/transactional/create', { id: 'hello', name: 'Hello', subject: 'Hi {{name}}', content }))
      .status,
  ).toBe(201)
  const mail = { email: 'ada@example.net', templateId: 'hello', dataVariables: { name: 'Ada' } }
  const { messageId } = (await call('POST', '/v1/transactional/send', mail)).json
  let activity = (await call('GET', `/v1/activity/${messageId}`)).json
  while (activity.status !== 'sent') activity = (await call('GET', `/v1/activity/${messageId}`)).json
  expect(activity.captured).toMatchObject({ subject: 'Hi Ada', to: 'ada@example.net' })
  expect(activity.captured.html).toContain('Hello Ada')
  // What is longer is read by a Worker, which is a file of its own beside the program.
  const long = `<p>Hello</p><script></script>${'<p>x</p>'.repeat(2_000)}`
  const own = { from: 'paquebot@paquebot.localhost', to: 'ada@example.net', subject: 'Hi', html: long }
  const sent = await call('POST', '/compat/resend/emails', own)
  expect(sent.json, sent.text).toMatchObject({ warnings: [{ code: 'left_out' }] })
  const link = new URL(installed.loginLink).pathname
  const signedIn = await fetch(url + link, { method: 'POST', redirect: 'manual' })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(await signInWithPasskey(url, cookie)).toContain('session=')
  const captured = await fetch(`${url}/captured`, { headers: { cookie } })
  expect(await captured.text()).toContain('Hi Ada')
  expect(await (await fetch(`${url}/passkeys.js`)).text()).toContain('navigator.credentials')
  back = `${url}/login/oidc/callback`
  provider.person = { sub: 'a', email: 'a@example.com', email_verified: true }
  expect((await walk(`${url}/login/oidc`, new Jar())).url).toBe(`${url}/dashboard`)

  const dashboard = await (await fetch(`${url}/dashboard`, { headers: { cookie } })).text()
  const files = [...dashboard.matchAll(/\/dashboard\/files\/[\w.-]+/g)].map(([path]) => path)
  expect(files.length).toBe(2)
  for (const path of files) expect((await call('GET', path)).text.length, path).toBeGreaterThan(1_000)
  // It ends every session.
  expect((await run('user', 'reset-passkeys', '--email', 'a@example.com')).json).toMatchObject({ removed: 1 })

  const mailbox = (await run('mailbox', 'create', '--workspace', 'demo', '--address', 'desk@in.example.net')).json
  const { inboundUrl } = (await run('mailbox', 'inbound', '--mailbox', mailbox.id)).json
  const received = await fetch(url + new URL(inboundUrl).pathname, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822' },
    body: rawMail({ to: 'desk@in.example.net', subject: 'Überraschung' }),
  })
  expect(await received.json()).toEqual({ success: true, messageId: expect.stringMatching(/^rcv_/) })
  // What reads an attachment is a file beside the program, too, and loads its reader from the binary.
  const pdf = { name: 'a.pdf', type: 'application/pdf', content: pdfOf(['BT /F1 12 Tf 72 700 Td (It is due) Tj ET']) }
  const body = mailWith(pdf)
  const headers = { 'content-type': 'message/rfc822' }
  const { messageId: withFile } = await (
    await fetch(url + new URL(inboundUrl).pathname, { method: 'POST', headers, body })
  ).json()
  const { token } = (await run('mailbox', 'token', '--mailbox', mailbox.id)).json
  await using client = await mcpClient(modern, `${url}/mailbox/mcp`, token)
  const asked = { name: 'read_attachment', arguments: { messageId: withFile, index: 1 } }
  expect((await client.callTool(asked)).structuredContent).toMatchObject({
    kind: 'pdf',
    text: expect.stringContaining('\nIt is due\n'),
  })

  expect((await call('GET', '/readyz')).json.status).toBe('ok')
  expect((await call('GET', '/openapi.json')).json.openapi).toBe('3.1.0')
  const docs = (await call('GET', '/docs')).text
  const assets = [...docs.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '')
  expect(assets.length).toBeGreaterThan(0)
  for (const asset of assets) expect((await call('GET', asset)).status, asset).toBe(200)
  expect(docs).not.toMatch(/(?:src|href)="https?:/)

  expect(await run('serve')).toMatchObject({ code: 1, json: { code: 'conflict' } })
  expect((await run('verify')).json).toMatchObject({ ok: true })
  expect((await run('doctor')).json).toMatchObject({ ok: true })
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)

  const [from, to] = ['data/paquebot.db', 'data/copy.db'].map((name) => `file:${join(directory, name)}`)
  expect(await run('copy', from ?? '', to ?? '')).toMatchObject({ code: 0, json: { ok: true } })
})
