// Reads everybody who has something ahead, in pages of contacts that each have their turn, into groups of people who are alike. Of a person
// only what the future needs is kept, and of a group one person.

import { and, asc, eq, sql } from 'drizzle-orm'
import { oneOf } from '../../../db/bulk.ts'
import { campaignMails, untilWinner } from '../../../db/tables/campaigns.ts'
import type { SegmentFilter } from '../../../db/tables/segments.ts'
import { type App, type Reader, stepSize } from '../../core/app.ts'
import { day } from '../../kit/duration.ts'
import { nextTurn } from '../../kit/turn.ts'
import { membersAmong } from '../campaigns/audience.ts'
import { loadFactsOfList } from '../campaigns/eligibility.ts'
import { weekMs } from '../campaigns/frequency.ts'
import { queuedAmong } from '../campaigns/ledger.ts'
import type { Contact } from '../contacts/consent/find-contact.ts'
import { segmentSql } from '../contacts/segments/compile.ts'
import { type Beginning, type History, loadHistory } from '../sequences/begin.ts'
import { type DateStart, findPeople, valuesOn } from '../sequences/dates.ts'
import { findClicked } from '../sequences/engagement.ts'
import { findArrived } from '../sequences/look-back.ts'
import type { Traveller } from '../sequences/moves.ts'
import { findOpenRuns, type Run } from '../sequences/runs.ts'
import { type Event, loadContacts, loadEvents } from '../sequences/subjects.ts'
import { versionKey } from '../sequences/versions.ts'
import { type CampaignMail, type Group, type Journey, nothing, type Standing } from './groups.ts'
import { Likeness } from './likeness.ts'
import { type CampaignSource, questionsOf, type SequenceSource, type Sources } from './sources.ts'

const contactsPerPage = { least: 50, most: 500 }
const peoplePerPage = 250

export interface Gathered {
  groups: Group[]
  /** How many have something ahead. */
  people: number
}

export interface Reading {
  now: Date
  until: Date
}

export async function gatherPeople(app: App, sources: Sources, reading: Reading): Promise<Gathered> {
  const dates = await readDates(app, sources, reading)
  const reader = new PeopleReader(app, sources, { ...reading, dates })
  const { workspace } = sources
  const sizes = stepSize(app, workspace.id, contactsPerPage)
  for (const subscribed of [true, false])
    for (let after = ''; ; ) {
      await nextTurn(workspace.id)
      const [began, size] = [performance.now(), sizes.next()]
      const ids = await nextContacts(app, workspace.id, { subscribed, after, size })
      if (ids.length > 0) await reader.read(ids)
      sizes.took(ids.length, performance.now() - began)
      if (ids.length < size) break
      after = ids.at(-1) ?? after
    }
  return reader.gathered()
}

async function nextContacts(
  reader: Reader,
  workspaceId: string,
  { subscribed, after, size }: { subscribed: boolean; after: string; size: number },
): Promise<string[]> {
  const rows = await reader.db.all<{ id: string }>(
    sql`SELECT id FROM contacts WHERE workspace_id = ${workspaceId} AND subscribed = ${subscribed ? 1 : 0} AND id > ${after} ORDER BY id LIMIT ${size}`,
  )
  return rows.map(({ id }) => id)
}

/** Whose date comes, by the contact. */
type Dates = Map<string, { source: SequenceSource; of: string; at: number }[]>

/** Each day from the first that was not looked at, as it will be looked at: a day ahead. */
async function readDates(app: App, { workspace, sequences }: Sources, { now, until }: Reading): Promise<Dates> {
  const dates: Dates = new Map()
  const today = Math.floor(now.getTime() / day)
  for (const source of sequences) {
    const start = startOf(source)
    if (start === null) continue
    const first = Math.max(source.page.sequence.datesUpTo ?? today - 1, today - 1) + 1
    for (let number = first; number * day <= until.getTime() + day; number++) {
      const of = new Date(number * day)
      const at = Math.max(now.getTime(), (number - 1) * day)
      const one = { source, of: of.toISOString().slice(0, 10), at }
      for await (const id of peopleOn(app, { workspaceId: workspace.id, start }, of))
        dates.getOrInsertComputed(id, () => []).push(one)
    }
  }
  return dates
}

function startOf({ page: { sequence, definitions } }: SequenceSource): DateStart | null {
  const start = definitions.get(versionKey(sequence.id, sequence.version ?? 0))?.start ?? null
  return start !== null && 'date' in start ? start : null
}

async function* peopleOn(app: App, of: { workspaceId: string; start: DateStart }, on: Date) {
  const values = valuesOn(of.start, on)
  for (let after = ''; ; ) {
    await nextTurn(of.workspaceId)
    const found = await findPeople(app, of, { values, after, size: peoplePerPage })
    for (const { id } of found) yield id
    if (found.length < peoplePerPage) return
    after = found.at(-1)?.id ?? after
  }
}

type Context = Reading & { dates: Dates }

class PeopleReader {
  readonly #app: App
  readonly #sources: Sources
  readonly #context: Context
  readonly #groups = new Map<string, Group>()
  readonly #byId: Map<string, SequenceSource>
  /** '' for none. */
  readonly #lists: string[]
  readonly #startable: SequenceSource[]
  readonly #likeness: Likeness
  readonly #standing = new Map<string, Group['standing']>()
  #people = 0

  constructor(app: App, sources: Sources, context: Context) {
    this.#app = app
    this.#sources = sources
    this.#context = context
    this.#byId = new Map(sources.sequences.map((source) => [source.id, source]))
    this.#lists = listsOf(sources)
    this.#likeness = new Likeness(sources, context.now)
    this.#startable = sources.sequences.filter(beginsByItself)
  }

  gathered(): Gathered {
    return { groups: [...this.#groups.values()], people: this.#people }
  }

  async read(ids: string[]): Promise<void> {
    const open = this.#byId.size === 0 ? [] : await findOpenRuns(this.#app, ids)
    const moving = open.filter((run) => this.#goesOn(run))
    const runs = Map.groupBy(moving, ({ contactId }) => contactId)
    const mails = await this.#mailsOf(ids)
    const { dates } = this.#context
    const concerned = ids.filter((id) => runs.has(id) || mails.has(id) || dates.has(id))
    if (concerned.length === 0) return
    await nextTurn(this.#sources.workspace.id)
    const found = await loadContacts(this.#app, concerned)
    const known = [...concerned.flatMap((id) => found.get(id) ?? [])]
    const facts = await this.#standings(known)
    const mailed = await this.#mailedOf(concerned)
    const met = await this.#meeting(moving, concerned)
    const answers = await this.#answers(moving, found)
    const history = await this.#historyOf(known, open)
    for (const contact of known) {
      const own = runs.get(contact.id) ?? []
      const group: Group = {
        size: 1,
        contact,
        standing: facts.get(contact.id) ?? nothing.map,
        moved: nothing.map,
        mailed: mailed.get(contact.id) ?? [],
        meets: met.get(contact.id) ?? nothing.set,
        history: history.get(contact.id) ?? [],
        ahead: [],
      }
      for (const run of own) group.ahead.push(this.#journey(group, run, answers))
      for (const mail of mails.get(contact.id) ?? []) group.ahead.push({ ...mail, group })
      for (const one of dates.get(contact.id) ?? []) group.ahead.push({ kind: 'date', group, ...one })
      this.#add(group)
    }
  }

  #add(group: Group): void {
    this.#people++
    const key = this.#likeness.of(group)
    const known = this.#groups.get(key)
    if (known !== undefined) known.size++
    else {
      group.standing = this.#shared(group.standing)
      this.#groups.set(key, group)
    }
  }

  /** Most people stand alike, and one copy does for them. */
  #shared(standing: Group['standing']): Group['standing'] {
    return this.#standing.getOrInsertComputed(this.#likeness.ofStanding(standing), () => standing)
  }

  /** By itself, and in a sequence that is forecast. */
  #goesOn({ sequenceId, version, state }: Run): boolean {
    const isKnown = this.#byId.get(sequenceId)?.questions.has(versionKey(sequenceId, version)) ?? false
    return isKnown && (state === 'waiting' || state === 'sending')
  }

  async #mailsOf(ids: string[]): Promise<Map<string, Omit<CampaignMail, 'group'>[]>> {
    const mails = new Map<string, Omit<CampaignMail, 'group'>[]>()
    const add = (source: CampaignSource, id: string, sendAfter: Date | null) =>
      mails.getOrInsertComputed(id, () => []).push({ kind: 'mail', source, sendAfter, place: placeOf(sendAfter) })
    for (const source of this.#sources.campaigns) {
      const { campaign } = source
      await nextTurn(campaign.workspaceId)
      const ledger = campaign.startedAt === null ? [] : await queuedAmong(this.#app, campaign.id, ids)
      for (const { contactId, sendAfter } of ledger) add(source, contactId, sendAfter)
      if (campaign.snapshotDoneAt !== null) continue
      for (const id of await membersAmong(this.#app, campaign, ids, this.#context.now)) add(source, id, null)
    }
    return mails
  }

  async #standings(list: Contact[]): Promise<Map<string, Map<string, Standing>>> {
    const { workspace } = this.#sources
    const all = new Map(list.map(({ id }) => [id, new Map<string, Standing>()]))
    const candidates = list.map(({ id: contactId, email }) => ({ contactId, email, messageId: null }))
    for (const listId of this.#lists) {
      await nextTurn(workspace.id)
      const source = { listId: listId || null, workspaceId: workspace.id }
      for (const { candidate, email: _, mails: __, ...standing } of await loadFactsOfList(
        this.#app,
        source,
        candidates,
        this.#context.now,
      ))
        all.get(candidate.contactId)?.set(listId, standing)
    }
    return all
  }

  /** When they had mails of this week; nothing where no limit asks. */
  async #mailedOf(ids: string[]): Promise<Map<string, number[]>> {
    const { workspace, settings } = this.#sources
    if (settings.hoursBetween <= 0 && settings.mailsPerWeek <= 0) return new Map()
    const since = this.#context.now.getTime() - weekMs
    const rows = await this.#app.db
      .select({ contactId: campaignMails.contactId, sentAt: campaignMails.sentAt })
      .from(campaignMails)
      .where(and(eq(campaignMails.workspaceId, workspace.id), sql`contact_id IN ${oneOf(ids)} AND sent_at > ${since}`))
      .orderBy(asc(campaignMails.sentAt))
    const mailed = new Map<string, number[]>()
    for (const { contactId, sentAt } of rows) mailed.getOrInsertComputed(contactId, () => []).push(sentAt.getTime())
    return mailed
  }

  /** As of now: what a condition on the contact is answered all the time. */
  async #meeting(runs: Run[], ids: string[]): Promise<Map<string, Set<SegmentFilter>>> {
    const met = new Map<string, Set<SegmentFilter>>()
    const filters = new Set(
      runs.flatMap(({ sequenceId, version }) => {
        const source = this.#byId.get(sequenceId)
        return source ? questionsOf(source, version, sequenceId).filters : []
      }),
    )
    for (const source of this.#sources.sequences.filter((one) => startOf(one) !== null || beginsByItself(one)))
      for (const filter of questionsOf(source, source.page.sequence.version ?? 0, source.id).filters)
        filters.add(filter)
    for (const filter of filters) {
      await nextTurn(this.#sources.workspace.id)
      const rows = await this.#app.db.all<{ id: string }>(
        sql`SELECT c.id AS id FROM contacts AS c WHERE c.id IN ${oneOf(ids)} AND ${segmentSql(filter, this.#context.now)}`,
      )
      for (const { id } of rows) met.getOrInsertComputed(id, () => new Set()).add(filter)
    }
    return met
  }

  async #answers(runs: Run[], found: Map<string, Contact>): Promise<Answers> {
    const answers: Answers = { events: new Map(), clicked: new Map(), arrived: new Map() }
    const { now } = this.#context
    for (const [key, of] of Map.groupBy(runs, ({ sequenceId, version }) => versionKey(sequenceId, version))) {
      const source = this.#byId.get(of[0]?.sequenceId ?? '')
      const asked = source?.questions.get(key)
      const definition = source?.page.definitions.get(key)
      if (!source || !asked || !definition) continue
      if (asked.byEvent) for (const [id, event] of await loadEvents(this.#app, of)) answers.events.set(id, event)
      for (const stepId of asked.clicked)
        for (const runId of await findClicked(
          this.#app,
          stepId,
          of.map(({ id }) => id),
        ))
          answers.clicked.getOrInsertComputed(runId, () => new Set()).add(stepId)
      for (const step of asked.lookBacks) {
        const travellers = of.flatMap((run): Traveller[] => {
          const contact = found.get(run.contactId)
          const situation = contact && { changes: unused, now, definition, contact, zone: 'UTC' }
          return situation ? [{ run, step, event: null, situation }] : []
        })
        for (const [runId, eventId] of await findArrived({ db: this.#app.db, now }, step, travellers))
          answers.arrived.getOrInsertComputed(runId, () => new Map()).set(step.id, eventId)
      }
    }
    return answers
  }

  /** With the runs that are over, of sequences that what others do may begin. */
  async #historyOf(known: Contact[], open: Run[]): Promise<History> {
    const list = known.flatMap((contact) =>
      this.#startable.flatMap(({ page: { sequence, definitions } }): Beginning[] => {
        const definition = definitions.get(versionKey(sequence.id, sequence.version ?? 0))
        return definition ? [{ sequence, definition, contact, event: null }] : []
      }),
    )
    return await loadHistory(this.#app, list, open)
  }

  #journey(group: Group, run: Run, { events, clicked, arrived }: Answers): Journey {
    const source = this.#byId.get(run.sequenceId)
    if (source === undefined) throw new Error('a run is of a sequence that is not forecast')
    return {
      kind: 'journey',
      group,
      source,
      run,
      event: run.eventId === null ? null : (events.get(run.eventId) ?? null),
      clicked: clicked.get(run.id) ?? nothing.set,
      arrived: arrived.get(run.id) ?? nothing.map,
      waitCounted: '',
    }
  }
}

interface Answers {
  events: Map<string, Event>
  clicked: Map<string, Set<string>>
  arrived: Map<string, Map<string, string>>
}

/** Nothing is moved while people are read. */
const unused = { begin() {}, change() {}, move() {}, line() {}, count() {} }

function placeOf(sendAfter: Date | null): CampaignMail['place'] {
  return sendAfter === null ? 'queue' : sendAfter >= untilWinner ? 'awaiting' : 'aside'
}

/** Whether what another sequence does to a contact begins it. */
function beginsByItself({ page: { sequence, definitions } }: SequenceSource): boolean {
  const start = definitions.get(versionKey(sequence.id, sequence.version ?? 0))?.start ?? null
  return start !== null && 'list' in start
}

/** All lists that mail or steps are about. */
function listsOf({ sequences, campaigns, definitions }: Sources): string[] {
  const lists = new Set<string>(campaigns.map(({ campaign }) => campaign.mailingListId))
  if (sequences.length > 0) lists.add('')
  for (const { mailingListId, steps } of definitions.values()) {
    if (mailingListId !== null) lists.add(mailingListId)
    for (const step of steps) if (step.type === 'subscribe' || step.type === 'unsubscribe') lists.add(step.list)
  }
  return [...lists]
}
