// A relay that fails, as it is told: which one it is, what it answered, what to do there, and who carries its mail meanwhile.

import { describe, expect, test } from 'bun:test'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { type Sink, startSink } from './support/smtp-sink.ts'

interface Pair extends AsyncDisposable {
  t: TestApp
  there: Sink
  /** The relay of SMTP_URL works again. */
  mend(): void
}

const refused = '535 5.7.8 authentication failed'

/** The relay of SMTP_URL refuses our sign-in; the other one is `there`. */
async function pair(): Promise<Pair> {
  let isIll = true
  const here = startSink({ answer: (stage) => (stage === 'banner' && isIll ? `554 ${refused}` : undefined) })
  const there = startSink()
  const t = await testApp({ environment: { SMTP_URL: here.url, MAIL_FROM: 'a@acme.test' }, isNew: true })
  await t.template()
  return {
    t,
    there,
    mend: () => {
      isIll = false
    },
    async [Symbol.asyncDispose]() {
      for (const one of [t, here, there]) await one[Symbol.asyncDispose]()
    },
  }
}

const add = (t: TestApp, url: string, more: object = {}): Promise<Json> =>
  t.post('/v1/relays', { name: 'Second', url, ...more }, 201)

async function send(t: TestApp) {
  for (let n = 0; n < 8; n++) await t.mail({ email: `a${n}@domain${n}.example` })
  await t.settle()
}

async function told(t: TestApp, ...as: Parameters<TestApp['get']>[2][]): Promise<Json[]> {
  const { data } = await t.get('/v1/attention', 200, ...as)
  return data.filter(({ area }: Json) => area === 'sending')
}

const readiness = async (t: TestApp) => (await (await fetch(`${t.url}/readyz`)).json()).checks.sending

describe('a relay that fails', () => {
  test('is named, with who carries its mail, and is over when it is well', async () => {
    await using p = await pair()
    const { t } = p
    await add(t, p.there.url)
    await send(t)
    expect(await told(t)).toMatchObject([
      {
        code: 'relay_fails',
        severity: 'warning',
        text: 'A relay carries nothing, and others carry its mail',
        detail: expect.stringMatching(/^SMTP_URL: .*535 5\.7\.8 .*; Second carries its mail$/),
        todo: expect.stringContaining('in SMTP_URL'),
      },
    ])
    expect(await readiness(t)).toBe('faulty')
    // It is a matter of those whose the installation is.
    expect(await told(t, { as: await t.stranger() })).toEqual([])
    p.mend()
    t.clock.advance(60_000)
    await send(t)
    expect(await told(t)).toEqual([])
    expect(await readiness(t)).toBe('ok')
  })

  test('is urgent where no other may carry its mail, or a part of it', async () => {
    await using p = await pair()
    const { t } = p
    const { id } = await add(t, p.there.url, { streams: ['marketing'] })
    await send(t)
    const [item] = await told(t)
    expect(item).toMatchObject({ code: 'mail_held', severity: 'urgent' })
    expect(item?.detail).toEndWith('; Second carries its mail, but not transactional mail and replies')
    expect(await readiness(t)).toBe('held')
    await t.patch(`/v1/relays/${id}`, { streams: null }, 200)
    const relays = [{ relayId: 'smtp_url', weight: 1 }]
    await t.put('/v1/relay-routes', { routes: [{ domains: ['acme.test'], relays }] }, 200)
    expect((await told(t))[0]?.detail).toEndWith('; Second carries its mail, but not mail from acme.test')
    await t.put('/v1/relay-routes', { routes: [] }, 200)
    expect(await told(t)).toMatchObject([{ code: 'relay_fails' }])
    await t.patch(`/v1/relays/${id}`, { state: 'off' }, 200)
    expect(await told(t)).toMatchObject([{ code: 'mail_held', detail: expect.stringMatching(/^SMTP_URL: .*failed$/) }])
  })

  test('says where its URL is changed; changed, off or removed, it is told no more', async () => {
    await using p = await pair()
    const { t } = p
    p.mend()
    await using third = startSink({ answer: (stage) => (stage === 'banner' ? `554 ${refused}` : undefined) })
    const { id } = await add(t, third.url)
    const isTold = async () => (await told(t)).map(({ code }) => code)
    await send(t)
    const [item] = await told(t)
    expect(item).toMatchObject({ code: 'relay_fails', detail: expect.stringMatching(/^Second: .*; SMTP_URL carries/) })
    expect(item?.todo).toContain(`paquebot relay update ${id} --url`)
    expect((await t.get('/v1/sending-faults', 200)).data).toMatchObject([
      { relayId: id, hint: expect.stringContaining(`paquebot relay update ${id} --url`) },
    ])
    await t.patch(`/v1/relays/${id}`, { state: 'off' }, 200)
    expect(await isTold()).toEqual([])
    await t.patch(`/v1/relays/${id}`, { state: 'active' }, 200)
    expect(await isTold()).toEqual(['relay_fails'])
    await t.patch(`/v1/relays/${id}`, { url: p.there.url }, 200)
    expect(await isTold()).toEqual([])
    await t.patch(`/v1/relays/${id}`, { url: third.url }, 200)
    await send(t)
    expect(await isTold()).toEqual(['relay_fails'])
    await t.delete(`/v1/relays/${id}`, undefined, 200)
    expect(await isTold()).toEqual([])
  })

  test('wants a sign-in only once a mail is offered: it is a fault of the relay, whoever sends', async () => {
    await using here = startSink({
      answer: (stage) => (stage === 'mail' ? '530 5.7.0 Authentication required' : undefined),
    })
    await using there = startSink()
    await using t = await testApp({ environment: { SMTP_URL: here.url, MAIL_FROM: 'a@acme.test' }, isNew: true })
    await t.template()
    await add(t, there.url)
    await send(t)
    expect(there.count()).toBe(8)
    const faults = await t.get('/v1/sending-faults', 200)
    expect(faults.data).toMatchObject([{ scope: 'relay', relayId: null, cause: 'sign_in' }])
    expect(await told(t)).toMatchObject([
      {
        code: 'relay_fails',
        scope: 'installation',
        detail: expect.stringMatching(/^SMTP_URL: 530 .*; Second carries/),
      },
    ])
  })

  test('and carries the mail of one workspace alone is told to that one', async () => {
    await using p = await pair()
    const { t } = p
    p.mend()
    await using third = startSink({ answer: (stage) => (stage === 'banner' ? `554 ${refused}` : undefined) })
    const stranger = await t.stranger()
    await add(t, third.url, { workspaceId: t.workspace.id })
    await send(t)
    expect(await told(t)).toMatchObject([
      { code: 'mail_held', scope: 'workspace', detail: expect.stringMatching(/^Second: /) },
    ])
    expect(await told(t, { as: stranger })).toEqual([])
    expect((await t.get('/v1/sending-faults', 200, { as: stranger })).data).toEqual([])
  })
})
