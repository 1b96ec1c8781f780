// A process that dies at any of its commits, just before it or just after: what comes next finds everything, loses nothing, and repeats
// only what the journal says.

import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { contacts } from '../db/tables/contacts.ts'
import { events } from '../db/tables/events.ts'
import { messages } from '../db/tables/messages.ts'
import { outboxJobs, sendJournal } from '../db/tables/outbox.ts'
import { sequenceTests } from '../db/tables/sequence-tests.ts'
import { type App, mailerParts, write } from '../src/core/app.ts'
import { createMailer } from '../src/core/mailer.ts'
import { Dispatcher } from '../src/core/outbox/dispatcher.ts'
import { checkInvariants } from '../src/core/outbox/invariants.ts'
import { hour } from '../src/kit/duration.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { jobKinds } from '../src/operator/jobs.ts'
import { type TestApp, testApp } from './support/app.ts'
import { content, draft, listOf } from './support/campaign.ts'
import { remoteDatabase } from './support/database.ts'
import { publish, tell, templates } from './support/sequences.ts'
import { type Sink, startSink } from './support/smtp-sink.ts'
import { sinkEnvironment, type WebhookSink, webhookSink } from './support/webhook-sink.ts'

const sides = ['before', 'after'] as const

/** One life of a process: it ends at its nth commit. Returns false when it had no more so many. */
async function live(app: App, sink: Sink, nth: number, side: (typeof sides)[number]): Promise<boolean> {
  const { writer } = app.database
  const died = Promise.withResolvers<'died'>()
  let commits = 0
  // Nothing that a dead process does is seen any more; here it hears so, lest it hold what it shares with the next one.
  const write: typeof writer.write = async (unit, durability) => {
    const mine = ++commits
    if (mine < nth) return await writer.write(unit, durability)
    if (mine === nth && side === 'after') await writer.write(unit, durability)
    died.resolve('died')
    throw new Error('dead')
  }
  const database = { ...app.database, writer: Object.assign(Object.create(writer) as typeof writer, { write }) }
  const mailer = createMailer(
    mailerParts(() => app, app),
    smtpTransport({ url: sink.url }),
  )
  const dispatcher = new Dispatcher({ ...app, database, mailer }, { kinds: jobKinds, alone: true, version: 'test' })
  const ended = await Promise.race([dispatcher.runDue().then(() => 'done' as const), died.promise])
  void mailer.close()
  void dispatcher.stop(0)
  return ended === 'died'
}

interface Parts {
  t: TestApp
  sink: Sink
  hooks: WebhookSink
}

interface Work {
  before?: (p: Parts) => Promise<void>
  begin: (p: Parts, n: number) => Promise<void>
  /** What is wrong beside what is asked of all. */
  judge?: (p: Parts) => Promise<string[]>
}

/** What each lane has to do; `n` tells one round from another. */
const works: Record<string, Work> = {
  'mail.tx': {
    begin: async ({ t }, n) => {
      for (let i = 0; i < 3; i++) await t.mail({ email: `m${n}-${i}@example.net`, templateId: 'hi' })
    },
  },
  'mail.campaign': {
    begin: async ({ t }, n) => {
      const { list } = await listOf(t, 5, { domain: `d${n}.example` })
      await t.post(`/v1/campaigns/${await draft(t, list)}/send`, {}, 200)
    },
  },
  'mail.campaign, at a local time': {
    begin: async ({ t }, n) => {
      const { list, contacts: people } = await listOf(t, 5, { domain: `l${n}.example` })
      await write(t.app, async (tx) => {
        for (const { id } of people.slice(2))
          await tx.db.update(contacts).set({ timezone: 'America/New_York' }).where(eq(contacts.id, id))
      })
      // It has passed for two of them.
      const scheduledAt = new Date(t.clock.now().getTime() - hour).toISOString().slice(0, 16)
      await t.post(`/v1/campaigns/${await draft(t, list)}/schedule`, { scheduledAt, inRecipientZone: true }, 200)
    },
  },
  'mail.campaign, with a test': {
    before: async ({ t }) => {
      await t.patch('/v1/campaign-settings', { trackClicks: true }, 200, { as: 'session' })
    },
    begin: async ({ t }, n) => {
      const { list } = await listOf(t, 6, { domain: `t${n}.example` })
      const variants = [{ name: 'A' }, { name: 'B', subject: 'Other news' }]
      const test = { variants, share: 50, holdOut: 10, winner: { by: 'clicks', afterHours: 1 } }
      await t.post(`/v1/campaigns/${await draft(t, list, { test })}/send`, {}, 200)
    },
  },
  'mail.campaign, of a tested step': {
    before: async ({ t }) => {
      await templates(t)
      await t.patch('/v1/campaign-settings', { trackClicks: true }, 200, { as: 'session' })
    },
    begin: async ({ t }, n) => {
      const variants = [{ name: 'A' }, { name: 'B', subject: 'Other' }]
      const test = { variants, holdOut: 20, winner: { by: 'clicks', afterHours: 1 } }
      const { id } = await publish(
        t,
        { steps: [{ id: 'hello', type: 'send', templateId: 'hello', test }] },
        `Test ${n}`,
      )
      const emails = (await listOf(t, 6, { domain: `v${n}.example` })).contacts.map(({ email }) => email)
      await t.post(`/v1/sequences/${id}/enrol`, { emails }, 200)
    },
    judge: async ({ t }) => {
      const rows = await t.app.db.select().from(sequenceTests)
      return rows.flatMap(({ winner, winnerDueAt, sequenceId }) =>
        (winner === null) === (winnerDueAt === null) ? [] : [`the test of ${sequenceId} has no winner`],
      )
    },
  },
  'mail.campaign, of a digest': {
    before: async ({ t }) => {
      await templates(t)
      const list = { type: 'list', itemsVariable: 'digest.items', items: ['{{item.n}}'] }
      await t.template({ id: 'digest', subject: '{{digest.count}} of them', content: [list] })
      const step = { id: 'digest', type: 'digest', event: 'said', for: { amount: 1, unit: 'h' }, templateId: 'digest' }
      await publish(t, { start: { event: 'said' }, reEntry: { mode: 'afterExit' }, steps: [step] })
    },
    begin: async ({ t }, round) => {
      const say = (n: number) =>
        tell(t, 'said', { email: `s${round}@example.net`, eventProperties: { n: `${round}-${n}` } })
      for (let n = 0; n < 3; n++) await say(n)
      await t.settle()
      // The last comes when the mail is due.
      t.clock.advance(hour)
      await say(3)
    },
    judge: async ({ t }) => {
      const said = (await t.app.db.select().from(events)).map(({ properties }) => properties['n'])
      const mails = await t.app.db.select({ values: messages.variables }).from(messages)
      const told = mails.flatMap(({ values }) => values['digest.items'] as { n: string }[]).map(({ n }) => n)
      return said.length === told.length && new Set(told).size === told.length ? [] : [`${said} was told as ${told}`]
    },
  },
  webhook: {
    before: async ({ t, hooks }) => {
      await t.post(
        '/v1/webhook-endpoints',
        { url: hooks.url, status: 'active', eventFilters: ['contact.created'] },
        201,
        {
          as: 'session',
        },
      )
    },
    begin: async ({ t }, n) => {
      for (let i = 0; i < 3; i++) await t.contact({ email: `w${n}-${i}@example.net` })
    },
  },
}

const isOpen = async ({ app }: TestApp) =>
  (await app.db.select().from(outboxJobs)).some(({ state }) => state === 'pending' || state === 'running')

async function judge({ t, sink, hooks }: Parts): Promise<string[]> {
  const problems = await checkInvariants(t.app)
  const arrived = new Map<string, number>()
  for (const { raw } of sink.received) {
    const id = /^Message-ID: <(.+)>\r?$/im.exec(raw.toString())?.[1] ?? ''
    arrived.set(id, (arrived.get(id) ?? 0) + 1)
  }
  const rows = await t.app.db.select().from(messages).leftJoin(sendJournal, eq(sendJournal.messageId, messages.id))
  for (const { messages: mail, send_journal: journal } of rows) {
    const count = arrived.get(mail.messageIdHeader) ?? 0
    const most = mail.kind === 'campaign' ? 1 : 1 + (journal?.ambiguousRetries ?? 0)
    if (count > most) problems.push(`${mail.id} arrived ${count} times`)
    if (count === 0 && mail.status !== 'uncertain') problems.push(`${mail.id} is ${mail.status} and did not arrive`)
    if (!['sent', 'uncertain'].includes(mail.status)) problems.push(`${mail.id} is ${mail.status}`)
  }
  const told = new Set(hooks.received.map(({ headers }) => headers['webhook-id']))
  const contacts =
    hooks.received.length === 0 ? told.size : (await t.get('/v1/contacts?perPage=1', 200)).pagination?.totalResults
  if (contacts !== undefined && told.size !== contacts) problems.push(`${told.size} of ${contacts} webhooks arrived`)
  return problems
}

test.skipIf(remoteDatabase).each(Object.keys(works))(
  'R3: %s: a process that dies before or after any of its commits loses nothing, and repeats nothing without a word',
  async (lane) => {
    const work = works[lane]
    await using sink = startSink()
    await using hooks = webhookSink()
    await using t = await testApp({
      environment: sinkEnvironment,
      mailer: smtpTransport({ url: sink.url }),
    })
    const parts = { t, sink, hooks }
    await t.template({ id: 'hi', content })
    await work?.before?.(parts)
    let deaths = 0
    let rounds = 0
    for (const side of sides) {
      for (let nth = 1, died = true; died; nth++) {
        await work?.begin(parts, rounds++)
        died = await live(t.app, sink, nth, side)
        if (died) deaths++
        await t.dispatcher.rescue()
        for (let hours = 0; hours < 48 && (await isOpen(t)); hours++) await t.advance('1h')
        const faults = [...(await judge(parts)), ...((await work?.judge?.(parts)) ?? [])]
        expect(faults, `${side} commit ${nth}`).toEqual([])
      }
    }
    process.stdout.write(`${lane}: ${deaths} points\n`)
    expect(deaths).toBeGreaterThanOrEqual(4)
  },
  120_000,
)
