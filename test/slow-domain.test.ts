// A receiving domain for which the mail server does not answer, with its mails held up for as long as the test likes: everybody else's
// mail leaves meanwhile. Through the real dispatcher and a real SMTP server.

import { describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from './support/app.ts'
import { content, draft, join, listOf, trust } from './support/campaign.ts'
import { type Sink, type SinkStage, startSink } from './support/smtp-sink.ts'

interface Product extends AsyncDisposable {
  t: TestApp
  sink: Sink
  other: { apiKey: string; workspace: TestApp['workspace'] }
  /** Takes mail for the others; resolves when `count` of them came. */
  others(count: number): Promise<void>
  held(): number
}

/** At `stage`, mail for tar.example gets no answer until the product is disposed of. */
async function beside(stage: SinkStage, query = ''): Promise<Product> {
  const released = Promise.withResolvers<void>()
  let held = 0
  let taken = 0
  const waiters: { count: number; resolve: () => void }[] = []
  const sink = startSink({
    async answer(asked, _, { to }) {
      if (asked !== stage || !to.endsWith('@tar.example')) return undefined
      held++
      await released.promise
      return undefined
    },
    onMessage({ to }) {
      if (to.some((one) => one.endsWith('@tar.example'))) return
      taken++
      for (const { count, resolve } of waiters) if (taken >= count) resolve()
    },
  })
  const t = await testApp({ environment: { SMTP_URL: `${sink.url}${query}` } })
  const other = await t.stranger()
  for (const as of ['key', other] as const) await t.template({}, { as })
  return {
    t,
    sink,
    other,
    held: () => held,
    others(count) {
      const { promise, resolve } = Promise.withResolvers<void>()
      if (taken >= count) resolve()
      waiters.push({ count, resolve })
      return promise
    },
    async [Symbol.asyncDispose]() {
      released.resolve()
      await t.dispatcher.stop(20_000)
      await t[Symbol.asyncDispose]()
      sink.stop()
    },
  }
}

const send = (t: TestApp, email: string, as: { apiKey: string } | 'key' = 'key') => t.mail({ email }, { as })

describe('a tarpit', () => {
  for (const stage of ['rcpt', 'dot'] as const)
    test(`60 mails of one workspace that get no answer at ${stage} hold up no mail of another`, async () => {
      await using p = await beside(stage)
      await p.t.dispatcher.start()
      for (let n = 0; n < 60; n++) await send(p.t, `a${n}@tar.example`)
      for (let n = 0; n < 200; n++) await send(p.t, `b${n}@example.net`, p.other)
      await p.others(200)
      expect(p.held()).toBeGreaterThan(1)
      expect(p.held()).toBeLessThanOrEqual(16)
    }, 240_000)

  test('nor the other mail of the same workspace', async () => {
    await using p = await beside('rcpt')
    await p.t.dispatcher.start()
    for (let n = 0; n < 60; n++) await send(p.t, `a${n}@tar.example`)
    for (let n = 0; n < 50; n++) await send(p.t, `b${n}@example.net`)
    await p.others(50)
    expect(p.held()).toBeLessThanOrEqual(16)
  }, 240_000)

  test('nor with two connections', async () => {
    await using p = await beside('rcpt', '?maxConnections=2')
    await p.t.dispatcher.start()
    for (let n = 0; n < 60; n++) await send(p.t, `a${n}@tar.example`)
    for (let n = 0; n < 50; n++) await send(p.t, `b${n}@example.net`, p.other)
    await p.others(50)
  }, 240_000)

  test('a campaign at it holds up neither the campaign of another nor its own other recipients', async () => {
    await using p = await beside('rcpt')
    const { t, other } = p
    const slow = await listOf(t, 120, { domain: 'tar.example' })
    await join(t, slow.list, 30, { first: 500 })
    const fast = await listOf(t, 100, { workspaceId: other.workspace.id })
    await trust(t, 'M1', other.workspace)
    const one = await draft(t, slow.list)
    const body = { name: 'June', subject: 'News', mailingListId: fast.list.id, content }
    const { id: two } = await t.post('/v1/campaigns', body, 201, { as: other })
    await t.dispatcher.start()
    await t.post(`/v1/campaigns/${one}/send`, {}, 200)
    await t.post(`/v1/campaigns/${two}/send`, {}, 200, { as: other })
    await p.others(130)
    expect(p.held()).toBeLessThanOrEqual(16)
  }, 240_000)
})
