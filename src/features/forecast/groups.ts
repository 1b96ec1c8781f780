// People who are alike: whatever a forecast asks of one of them, it would be told the same of the others. One stands for all, with what they
// have ahead of them; the clock moves them together, and parts them where there is room for some only.

import type { SubscriptionState } from '../../../db/tables/lists.ts'
import type { SegmentFilter } from '../../../db/tables/segments.ts'
import type { Facts } from '../campaigns/eligibility.ts'
import { type Recent, weekMs } from '../campaigns/frequency.ts'
import type { Contact } from '../contacts/consent/find-contact.ts'
import type { History } from '../sequences/begin.ts'
import type { Run } from '../sequences/runs.ts'
import type { Event } from '../sequences/subjects.ts'
import type { CampaignSource, SequenceSource } from './sources.ts'

export type Standing = Omit<Facts, 'candidate' | 'email' | 'mails'>
type EarlierRun = NonNullable<ReturnType<History['get']>>[number]

export interface Group {
  /** How many they are. */
  size: number
  contact: Contact
  /** By the id of the list; '' for none. */
  standing: ReadonlyMap<string, Standing>
  /** What became of subscriptions meanwhile. */
  moved: ReadonlyMap<string, SubscriptionState>
  /** When they had a mail that counts towards the limits of frequency, ms, oldest first. */
  mailed: number[]
  /** The filters of branches that they meet. */
  meets: ReadonlySet<SegmentFilter>
  /** Their open runs, and those that are over and decide whether one begins again. */
  history: EarlierRun[]
  ahead: Ahead[]
}

/** One thing that a group has ahead. */
export type Ahead = Journey | CampaignMail | Birthday

/** A way through a sequence. */
export interface Journey {
  kind: 'journey'
  group: Group
  source: SequenceSource
  run: Run
  /** The one that began it. */
  event: Event | null
  /** The steps whose mail they clicked. */
  clicked: ReadonlySet<string>
  /** By the id of a step that looks back: what came. */
  arrived: ReadonlyMap<string, string>
  /** The day, and the reasons for which its wait was counted then. */
  waitCounted: string
}

/** The mail of a campaign. */
export interface CampaignMail {
  kind: 'mail'
  group: Group
  source: CampaignSource
  /** Until then it is put aside; null: it never was. */
  sendAfter: Date | null
  /** Where its source keeps it; `aside`: it is on the agenda. */
  place: 'queue' | 'awaiting' | 'aside'
}

/** A date of theirs that begins a sequence. */
export interface Birthday {
  kind: 'date'
  group: Group
  source: SequenceSource
  /** `2027-01-15` */
  of: string
  at: number
}

/** Of what most have none: one for all. */
export const nothing = { map: new Map<string, never>(), set: new Set<never>() } as const

/** So many of them become a group of their own. `one`: where they are; the same of the new group is returned. */
export function part<A extends Ahead>(group: Group, one: A, size: number): A {
  const { history, ahead, ...rest } = group
  const runs = new Map(history.map((run) => [run, { ...run }]))
  const other: Group = {
    ...rest,
    size,
    mailed: [...group.mailed],
    history: [...runs.values()],
    ahead: [],
  }
  group.size -= size
  const copies = new Map(ahead.map((thing) => [thing, copyOf(thing, other, runs)]))
  other.ahead = [...copies.values()]
  const same = copies.get(one)
  if (same === undefined) throw new Error('a group was parted at what it does not have ahead')
  return same as A
}

function copyOf(thing: Ahead, group: Group, runs: Map<EarlierRun, EarlierRun>): Ahead {
  return thing.kind === 'journey' ? { ...thing, group, run: runs.get(thing.run) as Run } : { ...thing, group }
}

export function isOver(group: Group, thing: Ahead): void {
  group.ahead = group.ahead.filter((one) => one !== thing)
}

export function recentOf({ mailed }: Group, now: Date): Recent {
  const since = now.getTime() - weekMs
  const counted = mailed.filter((at) => at > since)
  return { last: counted.at(-1) ?? null, inWeek: counted.length }
}
