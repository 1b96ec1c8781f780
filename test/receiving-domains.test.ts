// One receiving domain that refuses what is sent to it: its mail waits or ends, as it says, and all other mail of the workspace leaves.
// A server that refuses everybody is in test/mail-server-faults.test.ts, one that does not answer in test/slow-domain.test.ts.

import { describe, expect, test } from 'bun:test'
import { suppressions } from '../db/tables/contacts.ts'
import { createApp } from '../src/core/app.ts'
import { restoreHolds } from '../src/core/outbox/sending-faults.ts'
import { toRawMail } from '../src/mail/raw-mail.ts'
import { allKinds, measureTrouble, type Trouble } from './bench/receivers.ts'
import { behind, type Product } from './support/ailing-server.ts'
import type { TestApp } from './support/app.ts'
import type { SinkStage } from './support/smtp-sink.ts'

const isBad = (to: string) => /@bad\d*\.example$/.test(to)

async function send(t: TestApp, ...emails: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const email of emails) {
    const { messageId } = await t.mail({ email })
    ids.push(messageId)
  }
  return ids
}

const many = (count: number, domain: string) => Array.from({ length: count }, (_, n) => `a${n}@${domain}`)
const mailTo = async (t: TestApp, id: string) => await t.get(`/v1/activity/${id}`, 200)
const faultsOf = async (t: TestApp) => (await t.get('/v1/sending-faults', 200)).data
const suppressed = async (t: TestApp) => (await t.app.db.select().from(suppressions)).map(({ email }) => email)
const received = ({ sink }: Product) => sink.received.map(({ to }) => to.join())

const refusals: [stage: SinkStage, reply: string, about: string, ended: string][] = [
  ['rcpt', '552 5.2.2 mailbox full', 'mailbox', 'failed'],
  ['dot', '554 5.7.1 message refused', 'message', 'failed'],
  ['rcpt', '550 5.1.1 no such user', 'address', 'bounced'],
  ['dot', '550 5.7.26 this mail is unauthenticated', 'sender', 'delayed'],
]

describe('one receiving domain that refuses all its mail', () => {
  for (const [stage, reply, about, ended] of refusals) {
    test(`with "${reply}" at ${stage} holds no other mail, and is named`, async () => {
      await using p = await behind((asked, to) => (asked === stage && isBad(to) ? reply : undefined))
      const bad = await send(p.t, ...many(100, 'bad.example'))
      await p.t.settle()
      await send(p.t, ...many(20, 'example.net'))
      await p.t.settle()
      expect(received(p)).toEqual(many(20, 'example.net'))
      const faults = await faultsOf(p.t)
      if (about === 'address') expect(faults).toEqual([])
      else expect(faults).toMatchObject([{ scope: 'workspace', domain: 'bad.example', about, reply }])
      const nobody = { as: 'nobody' } as const
      expect((await p.t.request('GET', '/readyz', undefined, nobody)).body.checks.sending).toBe('ok')

      for (let minutes = 0; minutes < 60; minutes += 15) await p.t.advance('15m')
      await send(p.t, 'later@example.net')
      for (let minutes = 0; minutes < 20; minutes++) await p.t.advance('1m')
      const statuses = new Set<string>()
      for (const id of bad) statuses.add((await mailTo(p.t, id)).status)
      expect([...statuses]).toEqual([ended])
      expect(await suppressed(p.t)).toEqual(about === 'address' ? expect.arrayContaining(many(100, 'bad.example')) : [])
      expect(received(p)).toHaveLength(21)
    }, 120_000)
  }

  test('is in the attention list, in why a mail to it waits, and in the mail itself, but not in why another waits', async () => {
    await using p = await behind((asked, to) => (asked === 'rcpt' && isBad(to) ? '552 5.2.2 mailbox full' : undefined))
    const [first = ''] = (await send(p.t, ...many(60, 'bad.example'))).toReversed()
    await p.t.settle()
    const { data } = await p.t.get('/v1/attention', 200)
    const item = data.find(({ code }: { code: string }) => code === 'receiver_refuses')
    expect(item).toMatchObject({ thing: { name: 'bad.example' }, detail: '552 5.2.2 mailbox full' })
    const waiting = await mailTo(p.t, first)
    expect(waiting.status).toBe('delayed')
    expect(waiting.events.at(-1).detail).toContain('bad.example')
    const whyOf = async (id: string): Promise<string[]> =>
      (await p.t.get(`/v1/activity/why?messageId=${id}`, 200)).data.map(({ code }: { code: string }) => code)
    expect(await whyOf(first)).toContain('receiver_refuses')
    const [other = ''] = await send(p.t, 'b@example.net')
    expect(await whyOf(other)).not.toContain('receiver_refuses')
  }, 120_000)

  test('takes mail again: what waited leaves, and nothing is recorded of it any more', async () => {
    await using p = await behind((asked, to) => (asked === 'rcpt' && isBad(to) ? '552 5.2.2 mailbox full' : undefined))
    await send(p.t, ...many(60, 'bad.example'))
    await p.t.settle()
    p.mend()
    for (let minutes = 0; minutes < 30; minutes += 5) await p.t.advance('5m')
    expect(received(p).toSorted()).toEqual(many(60, 'bad.example').toSorted())
    expect(await faultsOf(p.t)).toEqual([])
    expect(await suppressed(p.t)).toEqual([])
  }, 120_000)

  test('keeps its hold over a restart of the process, as does no other domain', async () => {
    await using p = await behind((asked, to) => (asked === 'rcpt' && isBad(to) ? '552 5.2.2 mailbox full' : undefined))
    await send(p.t, ...many(60, 'bad.example'))
    await p.t.settle()
    const later = await createApp(p.t.app.config, { clock: p.t.clock })
    await restoreHolds(later)
    const raw = await toRawMail([Buffer.from('Subject: Hi\r\n\r\nHi\r\n')])
    const mail = { workspaceId: p.t.workspace.id, messageId: 'm@acme.test', raw }
    const handOver = { beforeFinalDot: async () => true, signal: new AbortController().signal }
    const outcomeTo = async (to: string) =>
      (
        await later.mailer.send({ ...mail, envelope: { from: 'a@acme.test', to } }, handOver, {
          relayId: null,
          receiver: 'example.net',
        })
      ).outcome
    expect(await outcomeTo('b@bad.example')).toBe('held')
    expect(await outcomeTo('b@example.net')).toBe('accepted')
    await later.close()
  }, 120_000)
})

test('twenty domains of unknown users and full mailboxes beside one that answers: it is never held, and they are', async () => {
  await using p = await behind((asked, to) =>
    asked === 'rcpt' && isBad(to) ? (/^a[0-4]@/.test(to) ? '552 5.2.2 full' : '550 5.1.1 unknown') : undefined,
  )
  await send(p.t, 'first@example.net')
  await p.t.settle()
  for (let n = 0; n < 10; n++) {
    for (let domain = 0; domain < 20; domain++) await send(p.t, `a${n}@bad${domain}.example`)
    await send(p.t, `b${n}@example.net`)
    await p.t.settle()
    expect(received(p)).toHaveLength(n + 2)
  }
}, 120_000)

test.each([
  ['550 5.1.1 no such user', 'bounced'],
  ['552 5.2.2 mailbox full', 'failed'],
])(
  '"%s" at many domains, while nothing was taken yet, holds no mail to another',
  async (reply, ended) => {
    await using p = await behind((asked, to) => (asked === 'rcpt' && isBad(to) ? reply : undefined))
    const bad: string[] = []
    for (let round = 0; round < 3; round++) {
      // More domains each time than would be tried in search of one that answers.
      for (let domain = 0; domain < 7; domain++)
        bad.push(...(await send(p.t, ...many(4, `bad${round * 7 + domain}.example`))))
      await p.t.advance('3s')
    }
    const generalFaults = async () =>
      (await faultsOf(p.t)).filter(({ domain }: { domain: string | null }) => domain === null)
    expect(await generalFaults()).toEqual([])
    expect((await p.t.request('GET', '/readyz', undefined, { as: 'nobody' })).body.checks.sending).toBe('ok')
    expect(await suppressed(p.t)).toEqual([])
    await send(p.t, 'b@example.net')
    await p.t.settle()
    expect(received(p)).toEqual(['b@example.net'])
    // While others take mail, it is believed.
    for (let minutes = 0; minutes < 60; minutes += 15) {
      await p.t.advance('15m')
      await send(p.t, `b${minutes}@example.net`)
      await p.t.advance('30s')
    }
    const statuses = new Set<string>()
    for (const id of bad) statuses.add((await mailTo(p.t, id)).status)
    expect([...statuses]).toEqual([ended])
    expect(await generalFaults()).toEqual([])
  },
  120_000,
)

const most = 2_000
test.each<[string, Omit<Trouble, 'seconds' | 'perSecond'>]>([
  [
    'twenty domains, each with another trouble, a domain that answers',
    { others: 'known', domains: 20, kinds: allKinds, burst: 10 },
  ],
  [
    'five that take a mail and do not answer its end, domains that are new',
    { others: 'fresh', domains: 5, kinds: ['silent at the dot'], burst: 20 },
  ],
  [
    'twenty that answer by a byte in ten seconds, domains that are new',
    { others: 'fresh', domains: 20, kinds: ['dripping at RCPT', 'dripping at the dot'], burst: 20 },
  ],
])('beside %s get all their mail within 2 s, and nobody is suppressed for it', async (_, trouble) => {
  const { p99Ms, noiseMs, wrong, suppressed, unknown } = await measureTrouble({
    ...trouble,
    seconds: 4,
    perSecond: 5,
  })
  expect(p99Ms).toBeLessThanOrEqual(most + 3 * noiseMs)
  expect(wrong).toBe(0)
  expect(suppressed).toBeLessThanOrEqual(unknown)
})

test('a trial of held mail goes to another receiving domain than the last', async () => {
  const tried: string[] = []
  await using p = await behind((asked, to) => {
    if (asked !== 'dot') return undefined
    tried.push(to.slice(to.indexOf('@') + 1))
    return to.endsWith('@good.example') ? undefined : '554 5.7.1 message refused'
  })
  for (let n = 0; n < 20; n++) await send(p.t, ...[0, 1, 2, 3].map((domain) => `a${n}@bad${domain}.example`))
  await p.t.settle()
  const before = tried.length
  for (let step = 0; step < 6; step++) await p.t.advance('15m')
  const trials = tried.slice(before)
  expect(trials.length).toBeGreaterThanOrEqual(4)
  for (const [at, domain] of trials.entries()) expect(domain).not.toBe(trials[at + 1] ?? '')
  // Held as it is, the workspace finds out by itself that another domain answers.
  await send(p.t, 'b@good.example')
  await p.t.settle()
  expect(received(p)).toEqual(['b@good.example'])
}, 120_000)
