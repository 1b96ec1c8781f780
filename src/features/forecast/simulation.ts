// A virtual clock that goes from one time at which something is due to the next, until the end of a forecast. What people have ahead is on
// its agenda; nothing but memory changes.

import type { App } from '../../core/app.ts'
import { createPace, type Pace } from '../../kit/turn.ts'
import type { DepartureRules } from '../campaigns/departure.ts'
import type { Caps } from '../campaigns/reputation/caps-ahead.ts'
import { Agenda } from './agenda.ts'
import type { Ahead, CampaignMail, Group } from './groups.ts'
import { Queue } from './queue.ts'
import type { CampaignSource, Sources } from './sources.ts'

/** The mails of a campaign that have not left. */
export interface Waiting {
  source: CampaignSource
  /** With the winner of its test, once it is chosen. */
  rules: DepartureRules
  /** In the order in which they are prepared. */
  queue: Queue<CampaignMail>
  /** Those that wait for the winner. */
  awaiting: CampaignMail[]
  /** How many mails wait for their time. */
  aside: number
  /** When it goes on, ms; null: when somebody's time has come. */
  fillAt: number | null
  /** The day for which the wait of the queue was counted. */
  waitCounted: string
  /** How many the relays do not carry before the end. */
  unsent: number
}

/** The campaign prepares mails; or the time of its test is over. */
interface CampaignTurn {
  kind: 'fill' | 'winner'
  waiting: Waiting
}

export type Due = Ahead | CampaignTurn

export interface Simulation {
  sources: Sources
  caps: Caps
  /** The end of the forecast, ms. */
  until: number
  waiting: Map<CampaignSource, Waiting>
  agenda: Agenda<Due>
  pace: Pace
  random: App['random']
  /** Lists that a step may subscribe to. */
  openLists: Set<string>
}

export function startSimulation(
  app: App,
  sources: Sources,
  { caps, until, openLists }: Pick<Simulation, 'caps' | 'until' | 'openLists'>,
): Simulation {
  const pace = createPace(sources.workspace.id)
  const waiting = new Map(sources.campaigns.map((source) => [source, nobodyOf(source)]))
  return { sources, caps, until, waiting, openLists, agenda: new Agenda(), pace, random: app.random }
}

function nobodyOf(source: CampaignSource): Waiting {
  const { rules } = source
  return { source, rules, queue: new Queue(), awaiting: [], aside: 0, fillAt: null, waitCounted: '', unsent: 0 }
}

export function waitingFor({ waiting }: Simulation, source: CampaignSource): Waiting {
  const found = waiting.get(source)
  if (found === undefined) throw new Error('a mail is of a campaign that is not forecast')
  return found
}

/** Puts what a group has ahead where it is found at its time; none of it before `now`, and nothing of what has a problem. */
export function schedule(sim: Simulation, thing: Ahead, now: number): void {
  if (thing.source.problem !== null) return
  if (thing.kind === 'date') sim.agenda.put(Math.max(thing.at, now), thing)
  else if (thing.kind === 'journey') {
    const { state, dueAt } = thing.run
    if (state === 'sending') sim.agenda.put(now, thing)
    else if (dueAt !== null) sim.agenda.put(Math.max(dueAt.getTime(), now), thing)
  } else if (thing.place === 'aside') sim.agenda.put(Math.max(thing.sendAfter?.getTime() ?? 0, now), thing)
  else waitingFor(sim, thing.source)[thing.place].push(thing)
}

/** The others of a group that was parted go their own way; `at` is where they are. */
export function scheduleParted(sim: Simulation, { ahead }: Group, { at, now }: { at: Ahead; now: number }): void {
  for (const thing of ahead) if (thing !== at) schedule(sim, thing, now)
}
