// A whole installation under seeded chaos (R4): the real outbox, dispatcher and database on a virtual clock, a mail server that
// refuses, loses replies and takes mail, and a process that dies at any moment. What the server took is held against the
// journal. A failing seed is printed and fails again when it is run again: bun test/crash/simulate.ts --seed 7

import { parseArgs } from 'node:util'
import { eq } from 'drizzle-orm'
import { messages } from '../../db/tables/messages.ts'
import { outboxJobs, sendJournal } from '../../db/tables/outbox.ts'
import { type App, mailerParts, write } from '../../src/core/app.ts'
import { createMailer } from '../../src/core/mailer.ts'
import { Dispatcher } from '../../src/core/outbox/dispatcher.ts'
import { checkInvariants } from '../../src/core/outbox/invariants.ts'
import { suppress } from '../../src/features/contacts/consent/suppression.ts'
import { createTemplate } from '../../src/features/content/templates/templates.ts'
import { acceptSend } from '../../src/features/sending/send.ts'
import { hour } from '../../src/kit/duration.ts'
import type { HandOver, Mailer, MailOutcome, OutgoingMail } from '../../src/mail/mailer.ts'
import { jobKinds } from '../../src/operator/jobs.ts'
import { createWorkspace } from '../../src/people/workspaces.ts'
import { engine } from '../support/engine.ts'

const mails = 40
/** The virtual time within which every message must have ended: the whole retry schedule, and more. */
const patienceHours = 24 * 14

export interface Verdict {
  problems: string[]
  crashes: number
  taken: number
  repeats: number
  statuses: Record<string, number>
}

/** A small generator of our own (mulberry32), so that a seed means the same for ever. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One life of the process: after it has crashed nothing of it happens any more. */
interface Life {
  crashed: boolean
  crash: PromiseWithResolvers<void>
}

const never = new Promise<never>(() => {})

export async function simulate(seed: number): Promise<Verdict> {
  await using t = await engine()
  const chance = seeded(seed)
  const taken = new Map<string, number>()
  const { workspace } = await prepare(t.app)
  const ids: string[] = []
  for (let n = 0; n < mails; n++) {
    const scheduledAt =
      chance() < 0.2 ? new Date(t.clock.now().getTime() + chance() * 48 * hour).toISOString() : undefined
    const body = {
      email: `r${n}@example.net`,
      templateId: 'sim',
      ...(scheduledAt === undefined ? {} : { scheduledAt }),
    }
    ids.push((await acceptSend(t.app, workspace, body, { key: null, evidence: { method: 'api' } })).response.messageId)
  }
  let crashes = 0
  let life = newLife()
  let dispatcher = dispatcherOf(t.app, life, chance, taken)
  for (let hours = 0; hours < patienceHours && (await openJobs(t.app)) > 0; hours++) {
    const dying = life.crash.promise.then(() => 'crashed' as const)
    const outcome = await Promise.race([dispatcher.runDue(), dying])
    if (outcome === 'crashed') {
      crashes++
      life = newLife()
      dispatcher = dispatcherOf(t.app, life, chance, taken)
      await dispatcher.rescue()
    } else {
      t.clock.advance(hour)
      if (chance() < 0.05) await suppressOne(t.app, workspace.id, Math.floor(chance() * mails))
    }
  }
  return judge(t.app, { ids, taken, crashes })
}

async function prepare(app: App) {
  return write(app, async (tx) => {
    const workspace = await createWorkspace(tx, { slug: 'sim', trustLevel: 'M2' })
    await createTemplate(tx, workspace.id, {
      name: 'Sim',
      slug: 'sim',
      subject: 'Sim',
      previewText: '',
      fromName: null,
      fromEmail: null,
      replyTo: null,
      primaryLocale: 'en',
      status: undefined,
      content: [{ type: 'text', text: 'Sim' }],
    })
    return { workspace }
  })
}

function newLife(): Life {
  return { crashed: false, crash: Promise.withResolvers<void>() }
}

/** A dispatcher whose every write and mail ends with its life. */
function dispatcherOf(app: App, life: Life, chance: () => number, taken: Map<string, number>): Dispatcher {
  const { writer } = app.database
  const mortalWriter: Pick<typeof writer, 'write'> = { write: (unit) => (life.crashed ? never : writer.write(unit)) }
  const database = { ...app.database, writer: Object.assign(Object.create(writer) as typeof writer, mortalWriter) }
  const mailer = createMailer(
    mailerParts(() => app, app),
    chaoticMailer(life, chance, taken),
  )
  return new Dispatcher({ ...app, database, mailer }, { kinds: jobKinds, alone: true, version: `simulated` })
}

function chaoticMailer(life: Life, chance: () => number, taken: Map<string, number>): Mailer {
  /** The process may die at any step. */
  const step = async (probability: number) => {
    if (chance() < probability) {
      life.crashed = true
      life.crash.resolve()
    }
    if (life.crashed) await never
  }
  const refused = (permanent: boolean, stage: 'rcpt' | 'dot'): MailOutcome => {
    const code = permanent ? 550 : 451
    return {
      outcome: 'refused',
      permanent,
      stage,
      code,
      enhanced: permanent ? '5.7.1' : '4.7.1',
      reply: `${code} simulated`,
    }
  }
  return {
    kind: 'smtp',
    async send({ messageId }: OutgoingMail, { beforeFinalDot }: HandOver): Promise<MailOutcome> {
      await step(0.02)
      if (chance() < 0.1) return refused(chance() < 0.2, 'rcpt')
      if (chance() < 0.1) return { outcome: 'not_sent', stage: 'connect', reason: 'timeout', detail: 'simulated' }
      if (!(await beforeFinalDot())) return { outcome: 'withheld' }
      await step(0.03)
      if (chance() < 0.05) return refused(chance() < 0.5, 'dot')
      const lost = chance() < 0.1
      if (!lost || chance() < 0.5) taken.set(messageId, (taken.get(messageId) ?? 0) + 1)
      await step(0.03)
      return lost ? { outcome: 'uncertain', detail: 'simulated' } : { outcome: 'accepted', reply: '250 simulated' }
    },
    async close() {},
  }
}

async function openJobs(app: App): Promise<number> {
  const rows = await app.db.select({ state: outboxJobs.state }).from(outboxJobs)
  return rows.filter(({ state }) => state === 'pending' || state === 'running').length
}

async function suppressOne(app: App, workspaceId: string, n: number): Promise<void> {
  await write(app, (tx) => suppress(tx, workspaceId, { email: `r${n}@example.net`, reason: 'manual' }))
}

async function judge(app: App, seen: { ids: string[]; taken: Map<string, number>; crashes: number }): Promise<Verdict> {
  const rows = await app.db.select().from(messages).leftJoin(sendJournal, eq(sendJournal.messageId, messages.id))
  const problems = await checkInvariants(app)
  const statuses: Record<string, number> = {}
  let repeats = 0
  for (const { messages: message, send_journal: journal } of rows) {
    const count = seen.taken.get(message.messageIdHeader) ?? 0
    const excused = journal?.ambiguousRetries ?? 0
    statuses[message.status] = (statuses[message.status] ?? 0) + 1
    repeats += Math.max(0, count - 1)
    if (['queued', 'sending', 'delayed'].includes(message.status)) problems.push(`${message.id} never ended`)
    if (message.status === 'sent' && count === 0) problems.push(`${message.id} is sent and the server has nothing`)
    if (count > 1 + excused) problems.push(`${message.id} arrived ${count} times, ${excused} repeats are journalled`)
    const harmless = ['sent', 'uncertain'].includes(message.status) || excused > 0
    if (count > 0 && !harmless) problems.push(`${message.id} is ${message.status} and arrived`)
  }
  if (rows.length !== seen.ids.length) problems.push(`${rows.length} messages for ${seen.ids.length} acknowledged`)
  const taken = [...seen.taken.values()].reduce((sum, count) => sum + count, 0)
  return { problems, crashes: seen.crashes, taken, repeats, statuses }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { seeds: { type: 'string' }, seed: { type: 'string' } } })
  const first = Number(values.seed ?? 1)
  const count = values.seed === undefined ? Number(values.seeds ?? 200) : 1
  let [crashes, taken, repeats, failed] = [0, 0, 0, 0]
  for (let seed = first; seed < first + count; seed++) {
    const verdict = await simulate(seed)
    crashes += verdict.crashes
    taken += verdict.taken
    repeats += verdict.repeats
    if (verdict.problems.length === 0) continue
    failed++
    process.stdout.write(`seed ${seed}: ${verdict.problems.join('; ')}\n`)
  }
  process.stdout.write(
    `simulation: ${count} seeds, ${count * mails} mails, ${crashes} crashes, ${taken} taken, ${repeats} repeats (all journalled), ${failed} seeds failed\n`,
  )
  process.exit(failed === 0 ? 0 : 1)
}
