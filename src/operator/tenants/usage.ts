// What a workspace used by day, for whoever bills it: read from figures that are kept anyway, one look-up for each day.

import { and, eq, gte, lte, sql } from 'drizzle-orm'
import { type LimitName, workspaceDays } from '../../../db/tables/workspaces.ts'
import type { Reader } from '../../core/app.ts'
import { readSeries } from '../../features/sending/stats/read.ts'
import { readTotal } from '../../people/totals.ts'
import type { Workspace } from '../../people/workspaces.ts'

/** Null: it has no limits, so it is not counted. Bytes are those of the files and mails as they came. */
interface Counted {
  accepted: number | null
  events: number | null
  contactsMade: number | null
  mediaBytes: number | null
  receivedBytes: number | null
  sentBytes: number | null
}

interface Used extends Counted {
  sent: number
  delivered: number
  bounced: number
  complained: number
  campaigns: number
}

interface UsedOnDay extends Used {
  day: string
  limitsMet: LimitName[]
}

export interface Usage {
  workspaceId: string
  contacts: number
  totals: Used
  data: UsedOnDay[]
}

/** `days`: the begins of days of UTC, at least one, one after the other. */
export async function loadUsage(reader: Reader, { id: workspaceId, limits }: Workspace, days: Date[]): Promise<Usage> {
  const [counted, campaigns] = [
    await countedOn(reader, workspaceId, days),
    await ofCampaigns(reader, workspaceId, days),
  ]
  const selection = { workspaceId, dimension: 'all', bucket: 'day' } as const
  const [series] = await readSeries(reader, selection, { begins: days, values: [''] })
  const data = (series?.data ?? []).map(({ at, sent, delivered, bounced, complained }): UsedOnDay => {
    const own = counted.get(at.getTime())
    return {
      day: at.toISOString().slice(0, 10),
      ...countedIn(limits === null ? null : (own ?? nothing)),
      sent,
      delivered,
      bounced,
      complained,
      campaigns: campaigns.get(at.getTime()) ?? 0,
      limitsMet: own?.met ?? [],
    }
  })
  const sum = (name: keyof Used) => data.reduce((total, one) => total + (one[name] ?? 0), 0)
  const totals = {
    ...countedIn(
      limits && {
        mails: sum('accepted'),
        events: sum('events'),
        contactsMade: sum('contactsMade'),
        mediaBytes: sum('mediaBytes'),
        receivedBytes: sum('receivedBytes'),
        sentBytes: sum('sentBytes'),
      },
    ),
    sent: sum('sent'),
    delivered: sum('delivered'),
    bounced: sum('bounced'),
    complained: sum('complained'),
    campaigns: sum('campaigns'),
  }
  return { workspaceId, contacts: await readTotal(reader, workspaceId, 'contacts'), totals, data }
}

type CountedRow = Pick<
  typeof workspaceDays.$inferSelect,
  'mails' | 'events' | 'contactsMade' | 'mediaBytes' | 'receivedBytes' | 'sentBytes'
>

const nothing: CountedRow = { mails: 0, events: 0, contactsMade: 0, mediaBytes: 0, receivedBytes: 0, sentBytes: 0 }

function countedIn(row: CountedRow | null): Counted {
  return {
    accepted: row?.mails ?? null,
    events: row?.events ?? null,
    contactsMade: row?.contactsMade ?? null,
    mediaBytes: row?.mediaBytes ?? null,
    receivedBytes: row?.receivedBytes ?? null,
    sentBytes: row?.sentBytes ?? null,
  }
}

const bounds = (days: Date[]) => ({ from: days[0] ?? new Date(0), to: days.at(-1) ?? new Date(0) })

async function countedOn(reader: Reader, workspaceId: string, days: Date[]) {
  const { from, to } = bounds(days)
  const rows = await reader.db
    .select()
    .from(workspaceDays)
    .where(and(eq(workspaceDays.workspaceId, workspaceId), gte(workspaceDays.day, from), lte(workspaceDays.day, to)))
  return new Map(rows.map((row) => [row.day.getTime(), row]))
}

async function ofCampaigns(reader: Reader, workspaceId: string, days: Date[]): Promise<Map<number, number>> {
  const { from, to } = bounds(days)
  const rows = await reader.db.all<{ at: number; sent: number }>(
    sql`SELECT at AS at, sum(sent) AS sent FROM figures WHERE workspace_id = ${workspaceId} AND dimension = 'campaign'
      AND bucket = 'day' AND at BETWEEN ${from.getTime()} AND ${to.getTime()} GROUP BY at`,
  )
  return new Map(rows.map(({ at, sent }) => [at, sent]))
}
