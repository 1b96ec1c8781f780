// A new SECRET_KEY: what is stored is sealed anew, what went out with the former one still works, and nothing is forgotten.

import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import { workspaceMoves } from '../db/tables/moves.ts'
import { write } from '../src/core/app.ts'
import { openUnsubscribe, sealUnsubscribe } from '../src/features/contacts/consent/unsubscribe-link.ts'
import { messageAddress, readMessageAddress } from '../src/features/sending/activity/message-address.ts'
import { messageOfToken, trackingToken } from '../src/features/sending/tracking/links.ts'
import { systemRandom } from '../src/kit/random.ts'
import { createSealer } from '../src/kit/seal.ts'
import { resealAll } from '../src/operator/secrets.ts'
import { linkContext } from '../src/people/moves.ts'
import { type TestApp, testApp } from './support/app.ts'
import { cli } from './support/cli.ts'
import { remoteDatabase } from './support/database.ts'
import { connect, deliver, providerEvent } from './support/payment-provider.ts'
import { snapshot } from './support/snapshot.ts'
import { sinkEnvironment, webhookSink } from './support/webhook-sink.ts'

const fresh = 'another secret, from now on'
const sealedValue = /v1\.[\w-]{16}\.[\w-]{20,}/g

const sealerOf = (...secrets: string[]) => createSealer(secrets, systemRandom)

/** Everything in the database that looks sealed. */
async function sealedValues(t: TestApp): Promise<string[]> {
  const { tables } = await snapshot(t.app)
  return [...tables.values()].flatMap((rows) => [...rows].flatMap((row) => row.match(sealedValue) ?? []))
}

/** One value of each kind that is stored sealed. */
async function sealEverything(t: TestApp, sinkUrl: string) {
  const session = { as: 'session' } as const
  await t.post('/v1/sending-domains', { domain: 'acme.example' }, 201)
  const { id } = await t.endpoint({ url: sinkUrl, status: 'active', eventFilters: ['testing.*'] })
  await t.post(`/v1/webhook-endpoints/${id}/signing-secret`, undefined, 200, session)
  await t.put('/v1/provider-hooks', { provider: 'mailgun', verifyWith: 'a key of the provider' }, 200, session)
  const list = await t.mailingList({ optIn: 'double' })
  const source = await t.post('/v1/subscription-sources/create', { name: 'Form', mailingListIds: [list.id] }, 201)
  await t.post('/v1/contact-subscriptions/opt-in', { email: 'ada@example.net', sourceId: source.id }, 202)
  const { secret } = await t.post('/v1/auth/second-factor', {}, 201, session)
  await t.post(
    '/v1/relays',
    { name: 'Second', url: 'smtp://me:word@127.0.0.1:9', workspaceId: (await t.stranger('other')).workspace.id },
    201,
  )
  await movedWorkspace(t)
  return { callback: await connect(t), endpointId: id, secondFactor: new TOTP({ secret }) }
}

/** One that moved, whose links are led there under a secret of its own. */
async function movedWorkspace(t: TestApp): Promise<void> {
  const { workspace } = await t.stranger('moved')
  const linkSecretSealed = await t.app.sealer.seal('of its links', linkContext(workspace.id))
  await write(t.app, async (tx) => {
    const times = { createdAt: tx.now, updatedAt: tx.now }
    const movedTo = 'https://there.example'
    await tx.db.insert(workspaceMoves).values({ workspaceId: workspace.id, movedTo, linkSecretSealed, ...times })
  })
}

test('every stored secret is sealed anew, and works with the new SECRET_KEY alone', async () => {
  await using sink = webhookSink()
  await using t = await testApp({ environment: sinkEnvironment })
  const { callback, endpointId, secondFactor } = await sealEverything(t, sink.url)
  const before = await sealedValues(t)
  expect(before).toHaveLength(10)

  const former = t.app.config.secretKey ?? ''
  const both = { ...t.app, sealer: await sealerOf(fresh, former) }
  expect((await resealAll(both)).map(({ resealed }) => resealed)).toEqual(Array(10).fill(1))
  expect((await resealAll(both)).map(({ resealed }) => resealed)).toEqual(Array(10).fill(0))
  const after = await sealedValues(t)
  expect(after).toHaveLength(10)
  expect(after.filter((value) => before.includes(value))).toEqual([])

  t.app.sealer = await sealerOf(fresh)
  const code = secondFactor.generate({ timestamp: t.clock.now().getTime() })
  await t.post('/v1/auth/second-factor/confirm', { code }, 200, { as: 'session' })
  const sent = await t.post(`/v1/webhook-endpoints/${endpointId}/send-test`, {}, 200, { as: 'session' })
  expect(sent.delivered).toBe(true)
  expect(sink.received[0]?.headers['webhook-signature']).toStartWith('v1,')
  const event = providerEvent('customer.created', { id: 'cus_1', email: 'ada@example.net' })
  expect((await deliver(t, callback, event)).body).toMatchObject({ received: true })
  await t.settle()
  const [confirmation] = await t.sent()
  const link = /\/confirm\/[\w-]{43}/.exec(confirmation?.raw.replaceAll('=\r\n', '') ?? '')?.[0] ?? ''
  expect((await t.request('GET', link, undefined, { as: 'nobody' })).text).toContain('Confirm')
  await t.template({ id: 'a', fromEmail: 'a@acme.example' })
  await t.mail({ email: 'bob@example.net', templateId: 'a' })
  await t.settle()
  expect((await t.sent()).at(-1)?.raw).toContain('d=acme.example')
})

test('a value that no secret opens stops the command, and says so', async () => {
  await using t = await testApp()
  await t.post('/v1/sending-domains', { domain: 'acme.example' }, 201)
  const wrong = { ...t.app, sealer: await sealerOf(fresh, 'not the secret of before') }
  await t.unchanged(async () => {
    await expect(resealAll(wrong)).rejects.toThrow('SECRET_KEY_PREVIOUS')
  })
})

test('links and addresses in mail that went out still work; without the former secret they do not', async () => {
  await using t = await testApp({ environment: { INBOUND_DOMAIN: 'in.acme.example' } })
  const { app } = t
  const claim = { workspaceId: t.workspace.id, contactId: 'con_1', mailingListId: null, messageId: null }
  const messageId = `msg_${'a'.repeat(32)}`
  const token = await sealUnsubscribe(app, claim)
  const [bounces, leaves] = [messageAddress(app, 'bounce', messageId), messageAddress(app, 'unsubscribe', messageId)]
  const tracking = trackingToken(app, messageId)
  const read = async (sealer: typeof app.sealer) => {
    const later = { ...app, sealer }
    return [
      await openUnsubscribe(later, token),
      readMessageAddress(later, bounces ?? ''),
      readMessageAddress(later, leaves ?? ''),
      messageOfToken(later, tracking),
    ]
  }
  const purposes = [
    { purpose: 'bounce', messageId },
    { purpose: 'unsubscribe', messageId },
  ] as const
  const right = [claim, ...purposes, messageId]
  const former = app.config.secretKey ?? ''
  expect(await read(app.sealer)).toEqual(right)
  expect(await read(await sealerOf(fresh, former))).toEqual(right)
  expect(await read(await sealerOf(fresh, 'one between them', former))).toEqual(right)
  expect(await read(await sealerOf(fresh, 'another former secret'))).toEqual([null, null, null, null])
  const sealer = await sealerOf(fresh, former)
  expect(sealer.isMac('', messageId, 'tracking')).toBe(false)
  expect(sealer.isMac(tracking.slice(32, 47), messageId.slice(4), 'tracking')).toBe(false)
  expect(sealer.isMac(tracking.slice(32), messageId.slice(4), 'bounce address')).toBe(false)
})

test('whoever seals a value that is stored names it to the rotation', () => {
  const root = join(import.meta.dir, '..')
  const sealing = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && /sealer\.seal\(/.test(readFileSync(join(root, 'src', path), 'utf8')))
    .sort()
  const secrets = readFileSync(join(root, 'src/operator/secrets.ts'), 'utf8')
  /** Sealed for the way to a client and back; not stored. */
  const passing = [
    'core/http/pagination.ts',
    'doors/mcp/campaign-calls.ts',
    'doors/mcp/campaign-tools.ts',
    'doors/mcp/cursor.ts',
    'doors/mcp/mail-search-tools.ts',
    'doors/mcp/mailbox-tools.ts',
    'features/contacts/consent/unsubscribe-link.ts',
    'features/mailboxes/attachments.ts',
    'features/oauth/allow.ts',
    'features/sending/activity/live.ts',
    'people/sign-in/login.ts',
    'people/sign-in/oidc/pages.ts',
    'people/sign-in/passkeys/challenge.ts',
  ]
  const stored = sealing.filter((path) => !passing.includes(path))
  expect(stored.length).toBeGreaterThan(3)
  // A workspace that arrives is sealed for what others seal, and for people/moves.ts.
  const own = stored.filter((one) => !one.startsWith('operator/tenants/'))
  for (const path of own.filter((one) => one !== 'features/lists/confirmation-mail.ts'))
    expect(secrets, path).toContain(`'../${path}'`)
})

describe('paquebot secret rotate', () => {
  test.skipIf(remoteDatabase)('renews a secret that paquebot made itself, while the server is stopped', async () => {
    using paquebot = await cli()
    const path = join(paquebot.directory, 'secret.key')
    await paquebot.run(['init', '--workspace', 'acme', '--email', 'a@example.com'])
    const [former] = readFileSync(path, 'utf8').split('\n')
    const server = await paquebot.serve()
    expect(await paquebot.run(['secret', 'rotate', '--json'])).toMatchObject({ code: 1, json: { code: 'conflict' } })
    expect(readFileSync(path, 'utf8')).toBe(`${former}\n`)
    server.kill('SIGTERM')
    await server.ended
    const rotated = await paquebot.run(['secret', 'rotate', '--json'])
    expect([rotated.code, rotated.json.resealed.length]).toEqual([0, 10])
    const lines = readFileSync(path, 'utf8').trim().split('\n')
    expect(lines).toEqual([expect.stringMatching(/^[\w-]{43}$/), former ?? ''])
    expect(lines[0]).not.toBe(former)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect((await paquebot.run(['doctor', '--json'])).json.ok).toBe(true)
  })

  test("with the operator's own secrets it asks for both, and refuses what is none", async () => {
    using paquebot = await cli()
    const former = 'the former secret, with a comma'
    const run = (args: string[], environment: Record<string, string>) => paquebot.run(args, environment)
    await run(['init', '--workspace', 'acme', '--email', 'a@example.com'], { SECRET_KEY: former })
    const alone = await run(['secret', 'rotate'], { SECRET_KEY: fresh })
    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('SECRET_KEY_PREVIOUS')])
    const both = { SECRET_KEY: fresh, SECRET_KEY_PREVIOUS: former }
    expect((await run(['secret', 'rotate', '--json'], both)).code).toBe(0)
    const short = await run(['secret', 'rotate'], { SECRET_KEY: fresh, SECRET_KEY_PREVIOUS: 'short' })
    expect([short.code, short.err]).toEqual([2, expect.stringContaining('at least 16 characters')])
    const typo = await run(['doctor'], { SECRET_KEY: fresh, SECRET_KEY_PREVIUOS: former })
    expect([typo.code, typo.err]).toEqual([2, expect.stringContaining('SECRET_KEY_PREVIUOS')])
  })

  test('a process with another SECRET_KEY does not start, and doctor names what a former one sealed', async () => {
    using paquebot = await cli()
    const former = 'the former secret, with a comma'
    const run = (args: string[], environment: Record<string, string>) => paquebot.run(args, environment)
    await run(['init', '--workspace', 'acme', '--email', 'a@example.com'], { SECRET_KEY: former })
    const added = await run(['domain', 'add', '--workspace', 'acme', '--domain', 'acme.example'], {
      SECRET_KEY: former,
    })
    expect(added).toMatchObject({ code: 0, err: '' })
    for (const args of [['serve'], ['doctor', '--local'], ['domain', 'list', '--workspace', 'acme']]) {
      const { code, err } = await run(args, { SECRET_KEY: fresh, PORT: '0' })
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(/SECRET_KEY is not the one.*SECRET_KEY_PREVIOUS.*--new-secret/),
      ])
    }
    const secretsOf = async (environment: Record<string, string>) => {
      const { json } = await run(['doctor', '--local', '--json'], environment)
      return json.checks.find(({ name }: { name: string }) => name === 'secrets')
    }
    expect(await secretsOf({ SECRET_KEY: former })).toMatchObject({ ok: true, detail: expect.stringContaining('all') })
    const both = { SECRET_KEY: fresh, SECRET_KEY_PREVIOUS: former }
    expect(await secretsOf(both)).toMatchObject({
      ok: true,
      warning: true,
      detail: expect.stringContaining('3 stored'),
    })
    expect((await run(['secret', 'rotate'], both)).code).toBe(0)
    expect(await secretsOf(both)).toMatchObject({ ok: true, detail: expect.stringContaining('all') })
    expect((await run(['doctor', '--local'], { SECRET_KEY: former })).code).toBe(1)
    expect((await secretsOf({ SECRET_KEY: fresh })).warning).toBeUndefined()

    // Who gives up what is sealed can go on; doctor tells what that was.
    const third = { SECRET_KEY: 'a third secret, for good' }
    const server = await paquebot.serve(third, ['--new-secret'])
    server.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
    expect(await secretsOf(third)).toMatchObject({ ok: false, detail: expect.stringContaining('2 stored values') })
  })
})
