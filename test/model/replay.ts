// Holds what the real engine did against the model: each commit, for each person, must be one of the steps that the model allows, and break
// none of what must hold. The model itself decides (sequence.qnt, `faults`); here what was seen is only written in its words.

import { minute } from '../../src/kit/duration.ts'
import type { Json } from '../support/app.ts'
import { moduleOf, type Plan } from './plans.ts'
import { faultsOf, literal } from './quint.ts'
import { begin } from './scenes.ts'
import type { Observed, Trace } from './traces.ts'

/** A step of one person, in the words of the model. */
interface Step {
  /** What it was before, what it became, and who will look at it. */
  values: unknown[]
  /** For whoever looks for the fault. */
  told: string
}

export interface Verdict {
  /** Different steps that were seen. */
  steps: number
  commits: number
  faults: string[]
}

/** What is wrong with these traces. */
export function replay(traces: Trace[]): Verdict {
  const faults = traces.flatMap(({ twice }) => twice)
  let steps = 0
  for (const [plan, same] of Map.groupBy(traces, ({ plan }) => plan)) {
    const distinct = new Map(same.flatMap(stepsOf).map((step) => [literal(step.values), step]))
    steps += distinct.size
    faults.push(...judge(plan, distinct))
  }
  return { steps, commits: traces.reduce((sum, { observed }) => sum + observed.length, 0), faults }
}

/** Steps that the model was asked about, by plan: it says the same of them each time. */
const judgements = new Map<Plan, Map<string, string[]>>()

function judge(plan: Plan, steps: Map<string, Step>): string[] {
  const judged = judgements.getOrInsertComputed(plan, () => new Map())
  const unknown = [...steps].filter(([text]) => !judged.has(text))
  const said = faultsOf(
    moduleOf(plan),
    unknown.map(([, { values }]) => values),
  )
  for (const [n, [text]] of unknown.entries()) judged.set(text, said[n] ?? [])
  return [...steps].flatMap(([text, { told }]) => (judged.get(text) ?? []).map((rule) => `${rule}: ${told}`))
}

function stepsOf({ observed: rows }: Trace): Step[] {
  const observed = inOrderSeen(rows)
  return (observed.at(-1)?.seen.people ?? []).flatMap(({ id, email }: Json) => {
    const states = observed.map((one) => ({ state: stateOf(one, id), wakes: wakesOf(one) }))
    return states.slice(1).flatMap(({ state, wakes }, n): Step[] => {
      const before = { ...states[n]?.state, now: state.now }
      if (literal([before, wakes]) === literal([state, states[n]?.wakes])) return []
      return [{ values: [before, state, wakes], told: `${email}: ${differences(before, state)} ${literal(wakes)}` }]
    })
  })
}

/** Ids sort by the clock, which stands still while processes come and go: what was seen first is the first. */
function inOrderSeen(rows: Observed[]): Observed[] {
  const places = new Map<string, number>()
  const sorted = (list: Json[]): Json[] => {
    for (const { id } of list) if (!places.has(id)) places.set(id, places.size)
    return list.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
  }
  return rows.map(({ at, seen }) => {
    return { at, seen: { ...seen, told: sorted(seen.told), runs: sorted(seen.runs), mails: sorted(seen.mails) } }
  })
}

/** Members that differ, before and after. */
function differences(before: Json, after: Json): string {
  const names = Object.keys(after).filter((name) => literal(before[name]) !== literal(after[name]))
  return `at ${after.now}, ${after.state}: ${names.map((name) => `${name} ${literal(before[name])} -> ${literal(after[name])}`).join('; ')}`
}

const minutes = (ms: number | null): number => (ms === null ? -1 : Math.floor((ms - begin.getTime()) / minute))

/** A job that is late is due. */
function wakesOf({ at, seen: { page, takes } }: Observed) {
  const wake = (due: number | null) => (due === null ? -1 : due <= at ? 0 : minutes(due))
  return { page: wake(page), signals: wake(takes) }
}

/** What the model knows of one person. */
function stateOf({ at, seen }: Observed, personId: string) {
  const mine = (list: Json[]): Json[] => list.filter((one) => one.of === personId)
  const { state, version, moves } = seen.sequence
  const [told, runs, mails] = [mine(seen.told), mine(seen.runs), mine(seen.mails)]
  const eventAt = (id: string | null) => told.findIndex((one) => one.id === id)
  return {
    now: minutes(at),
    state,
    version,
    moves: movesOf(moves, runs),
    told: told.map(({ name, key, at: of }) => ({ name, key, at: minutes(of) })),
    signals: mine(seen.signals).map(({ event }) => eventAt(event)),
    runs: runs.map((run) => ({
      version: run.version,
      key: run.key,
      state: run.state,
      step: run.step,
      entered: run.entered,
      enteredAt: minutes(run.enteredAt),
      due: minutes(run.due),
      came: eventAt(run.came),
      mail: mails.find(({ id }) => id === run.message)?.step ?? '',
      reason: reasonOf(run),
      endedAt: minutes(run.endedAt),
      path: run.path.map(([step, outcome]: [string, string]) => ({ step, outcome })),
    })),
    mails: new Map(mails.map((mail, n) => [mailKey(mail, n, mails, runs), mailOf(mail)])),
  }
}

function movesOf(moves: Json, runs: Json[]) {
  if (moves === null) return { on: false, steps: new Map(), passed: new Set() }
  const steps = Object.entries<string | null>(moves.steps).map(([from, to]) => [from, to ?? ''] as const)
  return {
    on: true,
    steps: new Map(steps),
    passed: new Set(runs.flatMap(({ id }, n) => (id <= moves.cursor ? [n] : []))),
  }
}

function mailKey({ run, step }: Json, n: number, mails: Json[], runs: Json[]) {
  const earlier = mails.slice(0, n).filter((one) => one.run === run && one.step === step)
  return { owner: runs.findIndex(({ id }) => id === run), step, nth: earlier.length + 1 }
}

const mailOf = ({ job, phase, fence }: Json) => ({
  job,
  phase: phase === 'handing_over' ? 'handing' : (phase ?? 'none'),
  fence,
})

const reasons = ['goal', 'stopped', 'moved_out', 'by_hand']

/** Of those who are over; whatever the mail server said is one reason. */
function reasonOf({ reason, endedAt }: Json): string {
  if (endedAt === null || reason === null) return ''
  return reason.startsWith('event:') ? reason.slice('event:'.length) : reasons.includes(reason) ? reason : 'refused'
}
