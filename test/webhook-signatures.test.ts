// How webhooks are signed, and how a receiver checks it.

import { describe, expect, test } from 'bun:test'
import { write } from '../src/core/app.ts'
import { publish } from '../src/features/webhooks/publish.ts'
import { signingKey, signWebhook } from '../src/kit/signature.ts'
import { linesOf, until } from '../tools/process.ts'
import { session, type TestApp } from './support/app.ts'
import { ranOnFile } from './support/database.ts'
import { hostileSink } from './support/hostile-sink.ts'
import { create, path, rotate, say, start, verifies } from './support/webhook-endpoints.ts'
import { webhookSink } from './support/webhook-sink.ts'

/** Lets time pass with somebody at work, so that the session lives on. */
async function pass(t: TestApp, hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 6) {
    await t.advance('6h')
    await t.get(path, 200, session)
    // The last use is noted beside the request; a write of our own waits for it.
    await write(t.app, () => null)
  }
}

describe.skipIf(ranOnFile)('signatures', () => {
  test('G01 the vector of the specification', () => {
    const key = signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
    const signed = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' }
    expect(signWebhook([key], signed)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  test('G02 real deliveries verify with standardwebhooks and svix, byte for byte', async () => {
    await using t = await start()
    await using sink = webhookSink()
    const { id } = await create(t, sink.url)
    const { signingSecret } = await rotate(t, id)
    const identity = { id: 'con_1', email: 'zoë@exämple.com', userId: '💌 "9007199254740993" \u2028 </script>' }
    await write(t.app, (tx) => publish(tx, t.workspace.id, 'contact.created', { contactIdentity: identity }))
    await t.settle()
    const [webhook] = sink.received
    if (!webhook) throw new Error('nothing came')
    expect(verifies(t, signingSecret, webhook)).toBe(true)
    expect(verifies(t, signingSecret, { ...webhook, body: webhook.body.replace('con_1', 'con_2') })).toBe(false)
    expect(JSON.parse(webhook.body)).toMatchObject({
      type: 'contact.created',
      eventName: 'contact.created',
      webhookSchemaVersion: '1.0.0',
      contactIdentity: identity,
      data: { contactIdentity: identity },
    })
    expect(webhook.headers['content-type']).toBe('application/json')
    expect(webhook.headers['user-agent']).toStartWith('Paquebot/')
  })

  test('header names are spelled as the specification spells them', async () => {
    await using t = await start()
    const seen = Promise.withResolvers<string>()
    await using sink = hostileSink((socket, head) => {
      seen.resolve(head)
      socket.write('HTTP/1.1 204 No Content\r\n\r\n')
    })
    const { id } = await create(t, sink.url)
    await rotate(t, id)
    await say(t)
    await t.settle()
    for (const name of ['Webhook-Id', 'Webhook-Timestamp', 'Webhook-Signature', 'Content-Type'])
      expect(await seen.promise).toContain(`\r\n${name}: `)
  })

  test('before the first rotation deliveries carry id and timestamp and no signature', async () => {
    await using t = await start()
    await using sink = webhookSink()
    await create(t, sink.url)
    await say(t)
    await t.settle()
    expect(
      Object.keys(sink.received[0]?.headers ?? {})
        .filter((name) => name.startsWith('webhook-'))
        .toSorted(),
    ).toEqual(['webhook-hops', 'webhook-id', 'webhook-timestamp'])
  })

  test('G03 within the overlap both secrets verify, after it only the new one; at most three sign', async () => {
    await using t = await start()
    await using sink = webhookSink()
    const { id } = await create(t, sink.url)
    const latest = async () => {
      await say(t)
      await t.settle()
      const webhook = sink.received.at(-1)
      if (!webhook) throw new Error('nothing came')
      return webhook
    }
    const first = await rotate(t, id)
    expect(first).toMatchObject({ endpointId: id, previousSecretExpiresAt: null })
    const second = await rotate(t, id)
    const expires = new Date(second.previousSecretExpiresAt).getTime() - t.clock.now().getTime()
    expect(expires).toBe(24 * 3_600_000)
    const both = await latest()
    expect([first, second].map((one) => verifies(t, one.signingSecret, both))).toEqual([true, true])
    await pass(t, 24)
    const after = await latest()
    expect([first, second].map((one) => verifies(t, one.signingSecret, after))).toEqual([false, true])

    const more = [second, await rotate(t, id), await rotate(t, id), await rotate(t, id)]
    const many = await latest()
    expect(many.headers['webhook-signature']?.split(' ')).toHaveLength(3)
    expect(more.map((one) => verifies(t, one.signingSecret, many))).toEqual([false, true, true, true])
    expect(await t.delete(`${path}/${id}/signing-secret/previous`, undefined, 200, session)).toMatchObject({
      revoked: 2,
    })
    const revoked = await latest()
    expect(more.map((one) => verifies(t, one.signingSecret, revoked))).toEqual([false, false, false, true])

    const last = await rotate(t, id, { overlapSeconds: 0 })
    const alone = await latest()
    expect([more[3], last].map((one) => verifies(t, one.signingSecret, alone))).toEqual([false, true])
    await t.unchanged(() => t.post(`${path}/${id}/signing-secret`, { overlapSeconds: 604_801 }, 422, session))
  })

  test('G04 no id holds a dot or a control character', async () => {
    await using t = await start()
    await using sink = webhookSink()
    await create(t, sink.url)
    for (let count = 0; count < 20; count++) await say(t)
    await t.settle()
    expect(sink.received).toHaveLength(20)
    for (const { headers } of sink.received) expect(headers['webhook-id']).toMatch(/^wh_[0-9a-f]{32}$/)
  })
})

test.skipIf(ranOnFile)('the receiver of the documentation works as it stands there', async () => {
  const text = await Bun.file(new URL('../docs/webhooks.md', import.meta.url)).text()
  const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(text) ?? []
  // On any free port, which it tells.
  const onFreePort = program.replace('Bun.serve({', 'const server = Bun.serve({').replace('port: 4000', 'port: 0')
  await using t = await start()
  const { id } = await create(t, 'https://hooks.example.com/')
  const { signingSecret } = await rotate(t, id)
  const receiver = Bun.spawn([process.execPath, '-e', `${onFreePort}\nconsole.log('port ' + server.port)`], {
    cwd: new URL('..', import.meta.url).pathname,
    env: { ...process.env, SIGNING_SECRET: signingSecret },
    stdout: 'pipe',
  })
  const port = (await until(linesOf(receiver.stdout), /port (\d+)/))[1]
  await t.patch(`${path}/${id}`, { url: `http://127.0.0.1:${port}/` }, 200, session)
  // It verifies against the real time.
  t.clock.set(new Date())
  await say(t)
  await t.settle()
  const { listDeliveries } = await import('../src/features/webhooks/deliveries.ts')
  const [taken] = await listDeliveries(t.app, id, { before: undefined, limit: 1 })
  expect(taken).toMatchObject({ state: 'delivered', lastStatus: 204 })
  receiver.kill()
})
