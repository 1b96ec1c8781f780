// Random sequences, with random events and jumps of the clock, beside a small model of what a sequence is: who should be where, and which
// mail should leave when. A seed that fails is printed and fails again: SEEDS=7 for one, SEEDS=1-2000 for many.

import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { write } from '../src/core/app.ts'
import { changeSettings } from '../src/people/campaign-settings.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { remoteDatabase } from './support/database.ts'
import { type Dice, dice } from './support/dice.ts'
import { path, publish, tell, templates } from './support/sequences.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const people = ['ada@example.net', 'bob@example.net', 'eve@example.net']
const mails = ['hello', 'tips']
const operations = 20

// The model.

interface Happening {
  email: string
  name: string
  properties: Json
  at: number
}

interface Walk {
  email: string
  key: string
  began: Json
  state: string
  reason: string | null
  step: string
  entered: number
  due: number | null
  came: boolean
  /** Names of events that no digest has told. */
  gathered: string[]
  endedAt: number | null
  path: string[]
}

const spanMs = ({ amount, unit }: Json): number => amount * (unit === 'm' ? minute : unit === 'h' ? hour : day)

/** One sequence and everybody who is in it, told plainly and one by one. */
class Model {
  readonly walks: Walk[] = []
  readonly happened: Happening[] = []
  readonly contacts = new Map<string, Json>()
  /** Mails that left since this was emptied. */
  sent: string[] = []
  paused = false
  now = 0
  #waiting: (() => void)[] = []

  constructor(readonly definition: Json) {}

  /** What is told is looked at when the work is done next, before anybody moves. */
  tell(one: Happening): void {
    this.happened.push(one)
    this.#waiting.push(() => {
      const isMeant = (trigger: Json) => trigger.event === one.name && matches(trigger.filter, one.properties)
      this.#signal(one.email, `event:${one.name}`, isMeant, one)
    })
  }

  changeProperty(email: string, name: string, value: Json): void {
    const contact = this.contacts.get(email)
    if (contact[name] === value) return
    contact[name] = value
    this.#waiting.push(() => {
      // It is what it is when it is looked at.
      const isMeant = (trigger: Json) =>
        trigger.property === name && (trigger.equals === undefined || trigger.equals === contact[name])
      this.#signal(email, `property:${name}`, isMeant, null)
    })
  }

  #signal(email: string, name: string, isMeant: (trigger: Json) => boolean, event: Happening | null): void {
    const { goals, exits, start } = this.definition
    for (const walk of this.walks.filter((one) => one.email === email && one.endedAt === null)) {
      const step = this.#step(walk)
      if (goals.some(isMeant)) this.#end(walk, 'completed', 'goal')
      else if (exits.some(isMeant)) this.#end(walk, 'exited', name)
      else if (step.type === 'event' && !walk.came && isMeant(step)) {
        walk.came = true
        walk.due = this.now
      }
      if (event && walk.endedAt === null && walk.key === this.#keyOf(event)) this.#gather(walk, event)
    }
    if (isMeant(start)) this.#begin(email, event)
  }

  #keyOf(event: Happening | null): string {
    return this.definition.reEntry.key === null ? '' : String(event?.properties.n ?? '')
  }

  #gather(walk: Walk, { name, properties }: Happening): void {
    const isMeant = ({ type, event, filter }: Json) =>
      type === 'digest' && event === name && matches(filter, properties)
    if (this.definition.steps.some(isMeant)) walk.gathered.push(name)
  }

  #begin(email: string, event: Happening | null): void {
    const { mode, minDays, key: template } = this.definition.reEntry
    const key = this.#keyOf(event)
    const isDistinct = mode === 'always' && template === null
    const alike = this.walks.filter((one) => !isDistinct && one.email === email && one.key === key)
    if (alike.some((one) => one.endedAt === null)) return
    if (mode === 'never' && alike.length > 0) return
    if (alike.some((one) => (one.endedAt ?? 0) > this.now - minDays * day)) return
    const walk: Walk = {
      email,
      key,
      began: event?.properties ?? {},
      state: 'waiting',
      reason: null,
      step: this.definition.steps[0].id,
      entered: this.now,
      due: null,
      came: false,
      gathered: [],
      endedAt: null,
      path: [],
    }
    walk.due = this.#dueIn(walk)
    if (event) this.#gather(walk, event)
    this.walks.push(walk)
  }

  #step(walk: Walk): Json {
    return this.definition.steps.find(({ id }: Json) => id === walk.step)
  }

  #end(walk: Walk, state: string, reason: string | null): void {
    Object.assign(walk, { state, reason, due: null, endedAt: this.now })
  }

  #leave(walk: Walk, outcome: string, to: string | null | undefined): void {
    const { steps } = this.definition
    walk.path.push(`${walk.step}: ${outcome}`)
    const below = steps[steps.indexOf(this.#step(walk)) + 1]?.id ?? null
    const next = to === undefined ? below : to
    if (next === null) this.#end(walk, 'completed', null)
    else {
      Object.assign(walk, { step: next, entered: this.now, came: false })
      walk.due = this.#dueIn(walk)
    }
  }

  /** When the step that is entered now is due. */
  #dueIn(walk: Walk): number {
    const step = this.#step(walk)
    if (step.type === 'event') return step.lookBack ? this.now : this.now + spanMs(step.atMost)
    if (step.type !== 'wait' && step.type !== 'digest') return this.now
    let from = this.now
    // With a time of day, tomorrow begins at midnight.
    if (step.for) from = (step.at && step.for.unit === 'd' ? Math.floor(from / day) * day : from) + spanMs(step.for)
    if (step.date) {
      const value = this.contacts.get(walk.email)[step.date]
      if (value === undefined) return this.now
      from = Date.parse(value) + (step.days ?? 0) * day
    }
    if (step.at) {
      const [hours, minutes] = step.at.split(':').map(Number)
      const timeOf = (at: number) => Math.floor(at / day) * day + hours * hour + minutes * minute
      while (timeOf(from) < from || !isOn(step.weekdays, from)) from = Math.floor(from / day) * day + day
      from = timeOf(from)
    }
    return Math.max(from, this.now)
  }

  /** All the work that is due at this moment. */
  settle(now: number): void {
    this.now = now
    const told = this.#waiting
    this.#waiting = []
    for (const one of told) one()
    if (this.paused) return
    for (let isOver = false; !isOver; ) {
      isOver = true
      for (const walk of this.walks) {
        if (walk.endedAt !== null || walk.due === null || walk.due > now) continue
        isOver = false
        this.#take(walk)
      }
    }
  }

  #take(walk: Walk): void {
    const step = this.#step(walk)
    const contact = this.contacts.get(walk.email)
    if (step.type === 'wait') this.#leave(walk, 'waited', step.next)
    else if (step.type === 'event') this.#await(walk, step)
    else if (step.type === 'branch') {
      const taken = step.branches.findIndex(({ if: one }: Json) =>
        one.event ? matches(one.event, walk.began) : contact[one.contact.field] === one.contact.value,
      )
      if (taken < 0) this.#leave(walk, 'no_branch', step.next)
      else this.#leave(walk, `branch ${taken + 1}`, step.branches[taken].next)
    } else if (step.type === 'update') {
      Object.assign(contact, step.properties)
      this.#leave(walk, 'done', step.next)
    } else if (step.type === 'digest') this.#digest(walk, step)
    else if (contact.subscribed) {
      this.sent.push(`${walk.email} ${step.templateId}`)
      this.#leave(walk, 'sent', step.next)
    } else this.#end(walk, 'exited', 'all_mail')
  }

  #digest(walk: Walk, step: Json): void {
    const told = walk.gathered.filter((name) => name === step.event)
    if (told.length === 0) this.#leave(walk, 'nothing_gathered', step.next)
    else if (this.contacts.get(walk.email).subscribed) {
      this.sent.push(`${walk.email} ${told.length} events`)
      walk.gathered = walk.gathered.filter((name) => name !== step.event)
      this.#leave(walk, 'sent', step.next)
    } else this.#end(walk, 'exited', 'all_mail')
  }

  #await(walk: Walk, step: Json): void {
    const since = step.lookBack ? walk.entered - spanMs(step.lookBack) : Number.POSITIVE_INFINITY
    const earlier = this.happened.filter(({ email, at }) => email === walk.email && at >= since)
    const until = walk.entered + spanMs(step.atMost)
    if (walk.came || earlier.some((one) => one.name === step.event && matches(step.filter, one.properties)))
      this.#leave(walk, 'came', step.next)
    else if (until <= this.now) this.#leave(walk, 'did_not_come', step.otherwise)
    else walk.due = until
  }

  /** Who is where, and how they came there. */
  where(): string[] {
    return this.walks.map(({ email, key, state, reason, step, due, path }) =>
      [email, key, state, reason ?? '-', step, due === null ? '-' : new Date(due).toISOString(), ...path].join(' '),
    )
  }
}

function isOn(weekdays: number[] | undefined, at: number): boolean {
  return weekdays?.includes(new Date(at).getUTCDay() || 7) ?? true
}

function matches(filter: Json[] = [], properties: Json): boolean {
  return filter.every(({ property, operator, value }) => {
    const found = properties[property]
    if (operator === 'exists') return found !== undefined
    return operator === 'equals' ? found === value : found > value
  })
}

// What is played.

const unit = (roll: Dice, units: string) => ({ amount: 1 + roll.below(4), unit: roll.of([...units]) })
const filterOf = (roll: Dice): Json =>
  roll.chance(50)
    ? {}
    : { filter: [{ property: 'n', operator: roll.of(['equals', 'greaterThan']), value: 1 + roll.below(2) }] }
const events = ['signup', 'ordered', 'visited']
const plans = ['free', 'pro']
const digests = ['digest', 'digest']

function triggerOf(roll: Dice): Json {
  if (roll.chance(30)) return { property: 'plan', ...(roll.chance(50) ? { equals: roll.of(plans) } : {}) }
  return { event: roll.of(events), ...filterOf(roll) }
}

interface Place {
  index: number
  many: number
  /** The digests of the sequence, which have the same conditions; null: it may have none. */
  digest: Json | null
}

/** Circles only by way of a wait of an hour, else it would be refused. */
function stepOf(roll: Dice, { index, many, digest }: Place): Json {
  const id = `s${index}`
  const later = [null, ...Array.from({ length: many - index - 1 }, (_, n) => `s${index + 1 + n}`)]
  const way = (name: string) => (roll.chance(30) ? { [name]: roll.of(later) } : {})
  const next = way('next')
  const back = roll.chance(15) ? { next: `s${roll.below(index + 1)}` } : next
  switch (roll.of(['send', 'send', 'wait', 'wait', 'event', 'event', 'branch', 'update', ...(digest ? digests : [])])) {
    case 'digest': {
      const at = roll.chance(30) ? { at: '09:00' } : {}
      return { id, type: 'digest', ...digest, for: unit(roll, 'hd'), ...at, templateId: 'digest', ...back }
    }
    case 'send':
      return { id, type: 'send', templateId: roll.of(mails), ...next }
    case 'wait': {
      const at = roll.chance(40) ? { at: roll.of(['09:00', '17:30']) } : {}
      const weekdays = at.at && roll.chance(50) ? { weekdays: roll.of([[1, 2, 3, 4, 5], [6, 7], [3]]) } : {}
      if (roll.chance(30))
        return { id, type: 'wait', date: 'trial', days: roll.below(4) - 1, ...at, ...weekdays, ...next }
      return { id, type: 'wait', for: unit(roll, 'hd'), ...at, ...weekdays, ...back }
    }
    case 'event': {
      const lookBack = roll.chance(50) ? { lookBack: unit(roll, 'hd') } : {}
      const waits = { event: roll.of(events), ...filterOf(roll), atMost: unit(roll, 'mhd') }
      return { id, type: 'event', ...waits, ...lookBack, ...next, ...way('otherwise') }
    }
    case 'branch': {
      const conditions = [
        { contact: { field: 'plan', op: 'eq', value: 'pro' } },
        { event: [{ property: 'n', operator: 'equals', value: 2 }] },
        { event: [{ property: 'n', operator: 'exists' }] },
      ]
      const branches = Array.from({ length: 1 + roll.below(2) }, () => ({
        if: roll.of(conditions),
        next: roll.of(later),
      }))
      return { id, type: 'branch', branches, ...next }
    }
    default:
      return { id, type: 'update', properties: { stage: roll.of(['trial', 'paying']) }, ...next }
  }
}

function definitionOf(roll: Dice): Json {
  const many = 1 + roll.below(8)
  const start = roll.chance(85) ? { event: 'signup', ...filterOf(roll) } : { property: 'plan' }
  const begins = (trigger: Json) => 'event' in trigger === 'event' in start && trigger.event === start.event
  const triggers = (percent: number) =>
    roll.chance(percent) ? [triggerOf(roll)].filter((trigger) => trigger.filter || !begins(trigger)) : []
  const key = roll.chance(30) ? '{{event.n}}' : null
  const mode = roll.of(['never', 'afterExit', ...('event' in start ? ['always'] : [])])
  const digest = mode === 'always' && key === null ? null : { event: roll.of(events), ...filterOf(roll) }
  return {
    start,
    reEntry: {
      mode,
      minDays: 'event' in start && roll.chance(70) ? 0 : 1 + roll.below(3),
      key,
    },
    exits: triggers(40),
    goals: triggers(30),
    steps: Array.from({ length: many }, (_, index) => stepOf(roll, { index, many, digest })),
  }
}

/** As the product has it, in the words of the model. */
async function found(t: TestApp): Promise<string[]> {
  const rows =
    await t.app.db.all<Json>(sql`SELECT c.email, r.key, r.state, r.reason, r.step_id AS step, r.due_at AS due,
    (SELECT group_concat(step_id || ': ' || outcome, ' ' ORDER BY number) FROM sequence_path p WHERE p.run_id = r.id) AS path
    FROM sequence_runs r JOIN contacts c ON c.id = r.contact_id`)
  return rows.map(({ email, key, state, reason, step, due, path: way }) =>
    [email, key.startsWith('evt_') ? '' : key, state, reason ?? '-', step]
      .concat(due === null ? '-' : new Date(due).toISOString(), way ?? [])
      .join(' '),
  )
}

async function play(seed: number): Promise<void> {
  await using t = await testApp()
  const roll = dice(seed)
  await templates(t, ...mails)
  await t.template({ id: 'digest', subject: '{{digest.count}} events' })
  await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { hoursBetween: 0, mailsPerWeek: 0 }))
  const model = new Model(definitionOf(roll))
  for (const email of people) {
    const contact = {
      plan: roll.of(plans),
      ...(email === people[0] || roll.chance(60) ? { trial: `2026-01-${16 + roll.below(6)}` } : {}),
    }
    await t.contact({ email, ...contact })
    model.contacts.set(email, { subscribed: true, ...contact })
  }
  const { id } = await publish(t, model.definition)
  const log: string[] = []
  let alreadySent = 0
  const now = () => t.clock.now().getTime()

  async function happen(): Promise<void> {
    const email = roll.of(people)
    const what = roll.below(100)
    if (what < 60) {
      const [name, n] = [roll.of(events), 1 + roll.below(3)]
      log.push(`${email} ${name} ${n}`)
      await tell(t, name, { email, eventProperties: { n } })
      model.tell({ email, name, properties: { n }, at: now() })
    } else if (what < 75) {
      const plan = roll.of(plans)
      log.push(`${email} plan ${plan}`)
      await t.put('/v1/contacts/update', { email, plan }, 200)
      model.changeProperty(email, 'plan', plan)
    } else if (what < 80) {
      const subscribed = roll.chance(60)
      log.push(`${email} ${subscribed ? 'subscribes' : 'unsubscribes'}`)
      await t.put('/v1/contacts/update', { email, subscribed }, 200)
      model.contacts.get(email).subscribed = subscribed
    } else if (what < 86) {
      model.paused = !model.paused
      log.push(model.paused ? 'pause' : 'resume')
      await t.post(`${path}/${id}/${model.paused ? 'pause' : 'resume'}`, {}, 200)
    } else {
      const ms = roll.of([minute, 5 * minute, hour, 3 * hour, 9 * hour, day, 2 * day, 5 * day])
      log.push(`${ms / minute} minutes`)
      t.clock.advance(ms)
    }
  }

  for (let operation = 0; operation < operations; operation++) {
    for (let together = 1 + roll.below(3); together > 0; together--) await happen()
    await t.settle()
    model.settle(now())
    const sent = (await t.sent()).map(({ raw }) => `${header(raw, 'To')} ${header(raw, 'Subject')}`)
    const told = () => `seed ${seed}: ${JSON.stringify(model.definition)}\n${log.join('\n')}`
    expect(sent.slice(alreadySent).sort(), told()).toEqual(model.sent.sort())
    expect((await found(t)).sort(), told()).toEqual(model.where().sort())
    alreadySent = sent.length
    model.sent = []
  }
}

const header = (raw: string, name: string) =>
  new RegExp(`^${name}: (?:.*<)?([^>\\r\\n]*)`, 'm').exec(raw)?.[1]?.trim() ?? ''

const [first = 1, last = first] = (process.env['SEEDS'] ?? '1-30').split('-').map(Number)
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index)

test.skipIf(remoteDatabase).each(seeds)('the sequence of seed %d moves everybody as the model does', play)
