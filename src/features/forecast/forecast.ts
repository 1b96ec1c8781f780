// What would be sent in the coming days, and what not, if nobody did anything: all published sequences and all campaigns that are scheduled
// or being sent, together, because they share caps and limits of frequency. Reads the store in pages, and writes nothing.

import { and, count, eq, ne } from 'drizzle-orm'
import type { Limit } from '../../../db/tables/campaigns.ts'
import { mailingLists } from '../../../db/tables/lists.ts'
import { recurringCampaigns } from '../../../db/tables/recurring.ts'
import type { App, Reader } from '../../core/app.ts'
import { day } from '../../kit/duration.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { Caps } from '../campaigns/reputation/caps-ahead.ts'
import { fill, fillAt, sizeOf, takeAside, takeWinner } from './departures.ts'
import type { Group } from './groups.ts'
import { takeDate, takeJourney } from './journeys.ts'
import { gatherPeople } from './people.ts'
import { type Due, type Simulation, schedule, startSimulation, type Waiting, waitingFor } from './simulation.ts'
import { loadSources, type Source } from './sources.ts'
import type { DayCounts } from './tally.ts'

export interface Forecast {
  from: Date
  until: Date
  /** Who has something ahead. */
  people: number
  sources: SourceForecast[]
  /** How many recurring campaigns are active: what they will make is not in it. */
  recurring: number
}

export interface SourceForecast {
  kind: Source['kind']
  id: string
  name: string
  /** Why nothing of it would leave; null: it does. */
  problem: string | null
  leaves: number
  /** Mails of a campaign that have not left by then; null for a sequence. */
  left: number | null
  lastAt: Date | null
  limit: Limit | null
  days: DayCounts[]
}

/** `campaignId`: one that is looked at whatever its state, a draft as if it were sent now. */
export async function forecast(
  app: App,
  workspace: Workspace,
  { days, campaignId = null }: { days: number; campaignId?: string | null },
): Promise<Forecast> {
  const now = app.clock.now()
  const until = new Date(now.getTime() + days * day)
  const sources = await loadSources(app, workspace, { campaignId, now })
  const caps = await Caps.load(app, workspace, sources.settings, now)
  const { groups, people } = await gatherPeople(app, sources, { now, until })
  const sim = startSimulation(app, sources, {
    caps,
    until: until.getTime(),
    openLists: await findOpenLists(app, workspace.id),
  })
  await begin(sim, groups, now)
  for (let next = sim.agenda.take(); next !== undefined && next.at < until.getTime(); next = sim.agenda.take()) {
    await sim.pace()
    await happen(sim, next.what, next.at)
  }
  const all: Source[] = [...sources.sequences, ...sources.campaigns]
  const recurring = await countRecurring(app, workspace.id)
  return { from: now, until, people, sources: all.map((source) => resultOf(sim, source)), recurring }
}

async function countRecurring(reader: Reader, workspaceId: string): Promise<number> {
  const mine = and(eq(recurringCampaigns.workspaceId, workspaceId), eq(recurringCampaigns.state, 'active'))
  const [row] = await reader.db.select({ total: count() }).from(recurringCampaigns).where(mine)
  return row?.total ?? 0
}

/** Those that a step may subscribe somebody to. */
async function findOpenLists(reader: Reader, workspaceId: string): Promise<Set<string>> {
  const rows = await reader.db
    .select({ id: mailingLists.id })
    .from(mailingLists)
    .where(
      and(
        eq(mailingLists.workspaceId, workspaceId),
        eq(mailingLists.status, 'active'),
        ne(mailingLists.optIn, 'double'),
      ),
    )
  return new Set(rows.map(({ id }) => id))
}

async function begin(sim: Simulation, groups: Group[], now: Date): Promise<void> {
  for (const waiting of sim.waiting.values()) {
    const { problem, onTheirWay, tally, startsAt } = waiting.source
    if (problem !== null) continue
    if (onTheirWay > 0) tally.leave(now.getTime(), onTheirWay)
    fillAt(sim, waiting, startsAt.getTime())
  }
  for (const { ahead, size } of groups) {
    await sim.pace()
    for (const thing of ahead) {
      const isAside = thing.kind === 'mail' && (thing.place === 'aside' || thing.source.problem !== null)
      if (isAside) waitingFor(sim, thing.source).aside += size
      schedule(sim, thing, now.getTime())
    }
  }
}

async function happen(sim: Simulation, due: Due, at: number): Promise<void> {
  const now = new Date(at)
  switch (due.kind) {
    case 'journey':
      return await takeJourney(sim, due, now)
    case 'date':
      return takeDate(sim, due, now)
    case 'mail':
      return await takeAside(sim, due, now)
    case 'fill':
      // A later time was put beside it.
      return due.waiting.fillAt === at ? await fill(sim, due.waiting, now) : undefined
    case 'winner':
      return await takeWinner(sim, due.waiting, now)
  }
}

function resultOf(sim: Simulation, source: Source): SourceForecast {
  const { kind, id, name, problem, tally } = source
  const left = kind === 'campaign' ? leftOf(waitingFor(sim, source)) : null
  const lastAt = tally.lastAt === null ? null : new Date(tally.lastAt)
  return { kind, id, name, problem, leaves: tally.leaves, left, lastAt, limit: tally.limit(), days: tally.days() }
}

const leftOf = ({ queue, awaiting, aside, unsent }: Waiting) => sizeOf(queue) + sizeOf(awaiting) + aside + unsent
