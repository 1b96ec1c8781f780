// The log of deliveries, and sending one again.

import { describe, expect, test } from 'bun:test'
import { write } from '../src/core/app.ts'
import { type Json, session } from './support/app.ts'
import { create, deliveries, path, say, start } from './support/webhook-endpoints.ts'
import { webhookSink } from './support/webhook-sink.ts'

describe('the log and replay', () => {
  test('a delivery shows each attempt, with status, reason, duration and the beginning of the answer', async () => {
    await using t = await start()
    const answers = [
      () => new Response('<script>boom</script>\u0007', { status: 500 }),
      () => new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/' } }),
      () => new Response('x'.repeat(20_000)),
    ]
    await using sink = webhookSink((_, count) => answers[count - 1]?.() ?? new Response())
    const { id } = await create(t, sink.url)
    await say(t)
    await t.settle()
    await t.advance('10s')
    await t.advance('10m')
    const [delivery] = await deliveries(t, id)
    expect(delivery).toMatchObject({
      state: 'delivered',
      attempts: 3,
      statusCode: 200,
      code: null,
      nextAttemptAt: null,
    })
    const { attemptLog } = await t.get(`${path}/${id}/deliveries/${delivery.id}`, 200, session)
    expect(attemptLog.map(({ number, statusCode, code }: Json) => [number, statusCode, code])).toEqual([
      [1, 500, 'http_error'],
      [2, 302, 'redirect_not_followed'],
      [3, 200, null],
    ])
    const shown = ({ data }: Json) => data.map(({ number, statusCode }: Json) => [number, statusCode])
    const newest = await t.get(`${path}/${id}/attempts?perPage=2`, 200, session)
    expect(newest).toMatchObject({ data: [{ deliveryId: delivery.id, type: delivery.type }, {}] })
    const next = `${path}/${id}/attempts?perPage=2&cursor=${newest.pagination.nextCursor}`
    const older = await t.get(next, 200, session)
    expect([shown(newest), shown(older), newest.pagination.totalResults, older.pagination.nextCursor]).toEqual([
      [
        [3, 200],
        [2, 302],
      ],
      [[1, 500]],
      3,
      null,
    ])
    expect(attemptLog[0].response).toBe('<script>boom</script>\ufffd')
    expect(attemptLog[1].response).toBe('Location: http://169.254.169.254/')
    expect(attemptLog[2].response).toHaveLength(1_024)
    expect(new Set(sink.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(sink.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3)
  })

  test('S18 a refusal names no address', async () => {
    await using t = await start({ dialing: { resolve: async () => ['10.1.2.3'] } })
    const { id } = await create(t, 'http://hooks.example.com/')
    await say(t)
    await t.settle()
    const [delivery] = await deliveries(t, id)
    const detail = await t.get(`${path}/${id}/deliveries/${delivery.id}`, 200, session)
    expect(detail.attemptLog[0]).toMatchObject({ code: 'blocked_ip', statusCode: null, response: null })
    expect(JSON.stringify(detail)).not.toContain('10.1.2.3')
  })

  test('the list filters by state, type and time, and pages', async () => {
    await using t = await start()
    await using sink = webhookSink(
      ({ body }) => new Response('', { status: body.includes('contact.deleted') ? 410 : 200 }),
    )
    const { id } = await create(t, sink.url)
    await say(t)
    t.clock.advance(60_000)
    const middle = t.clock.now().toISOString()
    await say(t, 'contact.updated')
    await t.settle()
    await say(t, 'contact.deleted')
    await t.settle()
    await say(t)
    const states = (await deliveries(t, id)).map(({ state }) => state)
    expect(states).toEqual(['skipped', 'failed', 'delivered', 'delivered'])
    expect(await deliveries(t, id, '?state=failed')).toHaveLength(1)
    expect(await deliveries(t, id, '?type=contact.created')).toHaveLength(2)
    expect(await deliveries(t, id, `?from=${middle}`)).toHaveLength(3)
    expect(await deliveries(t, id, `?until=${middle}`)).toHaveLength(1)
    await t.get(`${path}/${id}/deliveries?state=lost`, 422, session)
    await t.get(`${path}/${id}/deliveries?from=yesterday`, 422, session)
    const page = await t.get(`${path}/${id}/deliveries?perPage=3`, 200, session)
    expect(page.pagination).toMatchObject({ totalResults: 4, returnedResults: 3 })
    const next = await deliveries(t, id, `?perPage=3&cursor=${page.pagination.nextCursor}`)
    expect(next.map(({ type }) => type)).toEqual(['contact.created'])
  })

  test('what happens while an endpoint is disabled is skipped; replaying delivers exactly that, once', async () => {
    await using t = await start()
    await using sink = webhookSink()
    const { id } = await create(t, sink.url)
    await say(t)
    await t.settle()
    await t.patch(`${path}/${id}`, { status: 'disabled' }, 200, session)
    for (const type of ['contact.updated', 'contact.deleted'] as const) await say(t, type)
    await t.settle()
    expect(sink.types()).toEqual(['contact.created'])
    const skipped = await deliveries(t, id, '?state=skipped')
    expect(skipped).toHaveLength(2)
    await t.patch(`${path}/${id}`, { status: 'active' }, 200, session)
    expect(await t.post(`${path}/${id}/replay`, { states: ['skipped'] }, 200, session)).toMatchObject({ replayed: 2 })
    await t.settle()
    expect(sink.types().toSorted()).toEqual(['contact.created', 'contact.deleted', 'contact.updated'])
    expect(await t.post(`${path}/${id}/replay`, {}, 200, session)).toMatchObject({ replayed: 0 })
    const sent = sink.received.slice(1).map(({ headers }) => headers['webhook-id'])
    expect(sent.toSorted()).toEqual(skipped.map(({ webhookId }) => webhookId).toSorted())
  })

  test('one delivery is sent again under the same Webhook-Id; one that is still tried is not', async () => {
    await using t = await start()
    await using sink = webhookSink((_, count) => new Response('', { status: count < 3 ? 200 : 500 }))
    const { id } = await create(t, sink.url)
    await say(t)
    await t.settle()
    const [{ id: deliveryId, webhookId }] = (await deliveries(t, id)) as [Json]
    const replay = `${path}/${id}/deliveries/${deliveryId}/replay`
    await t.post(replay, undefined, 200, session)
    await t.settle()
    expect(sink.received.map(({ headers }) => headers['webhook-id'])).toEqual([webhookId, webhookId])
    await t.post(replay, undefined, 200, session)
    await t.unchanged(() => t.post(replay, undefined, 409, session))
    await t.settle()
    const detail = await t.get(`${path}/${id}/deliveries/${deliveryId}`, 200, session)
    expect(detail).toMatchObject({ state: 'pending', attempts: 3, statusCode: 500, code: 'http_error' })
    expect(detail.attemptLog.map(({ number }: Json) => number)).toEqual([1, 2, 3])
    expect(detail.payload).toEqual(JSON.parse(sink.received[0]?.body ?? ''))
  })

  test('a deleted endpoint gets nothing more', async () => {
    await using t = await start()
    await using sink = webhookSink()
    const { id } = await create(t, sink.url)
    await say(t)
    await t.delete(`${path}/${id}`, undefined, 200, session)
    await t.settle()
    expect(sink.received).toEqual([])
  })

  test('after 30 days the log is gone', async () => {
    await using t = await start()
    await using sink = webhookSink()
    const { id } = await create(t, sink.url)
    await say(t)
    await t.settle()
    t.clock.advance(31 * 86_400_000)
    const { deleteOldDeliveries, deleteOldEvents } = await import('../src/features/webhooks/retention.ts')
    const horizon = new Date(t.clock.now().getTime() - 30 * 86_400_000)
    expect(await write(t.app, (tx) => deleteOldDeliveries(tx, horizon))).toBe(1)
    expect(await write(t.app, (tx) => deleteOldEvents(tx, horizon))).toBe(1)
    expect(await write(t.app, (tx) => deleteOldEvents(tx, horizon))).toBe(0)
    const { listDeliveries } = await import('../src/features/webhooks/deliveries.ts')
    expect(await listDeliveries(t.app, id, { before: undefined, limit: 10 })).toEqual([])
  })
})
