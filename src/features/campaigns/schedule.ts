// The time of a schedule, as it is asked for: one moment for everybody, or a local time in the zone of each recipient.

import type { App } from '../../core/app.ts'
import { invalidField } from '../../kit/error.ts'
import { fromLocal, parseLocalTime } from '../../kit/local-time.ts'
import { parseTime } from '../../kit/time.ts'
import { zoneOf } from '../../people/recipient-time.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { checkAhead } from '../sending/schedule.ts'
import { listTimeZones } from './audience.ts'
import type { Campaign } from './campaign.ts'

export interface ScheduleRequest {
  scheduledAt: string
  inRecipientZone?: boolean | undefined
}

export interface Schedule {
  /** When it begins. */
  at: Date
  /** The time at which each recipient gets it in their zone; null: at once, when it begins. */
  localTime: string | null
}

/** Throws 422 for an invalid time, one in the past, or one more than a year ahead. */
export async function readSchedule(
  app: App,
  workspace: Workspace,
  campaign: Campaign,
  { scheduledAt, inRecipientZone = false }: ScheduleRequest,
): Promise<Schedule> {
  const now = app.clock.now()
  if (inRecipientZone && campaign.test !== null)
    throw invalidField(
      'inRecipientZone',
      'does not go with a test: its variants leave at the same time',
      'contradiction',
    )
  if (!inRecipientZone) return { at: momentOf(workspace, scheduledAt, now), localTime: null }
  return { at: await firstMoment(app, workspace, campaign, scheduledAt), localTime: scheduledAt }
}

/** ISO 8601 with an offset, or local to the time zone of the workspace (`2027-01-15T12:00`). */
function momentOf({ timeZone }: Workspace, text: string, now: Date): Date {
  const local = parseLocalTime(text)
  const at = local === null ? parseTime(text) : fromLocal(local, timeZone)
  if (at === null) {
    throw invalidField(
      'scheduledAt',
      'must be an ISO 8601 time like 2027-01-15T12:00:00Z, or 2027-01-15T12:00 in the time zone of the workspace',
      'invalid_time',
    )
  }
  if (at.getTime() <= now.getTime()) throw invalidField('scheduledAt', 'has passed', 'invalid_time')
  checkAhead('scheduledAt', at.getTime() - now.getTime())
  return at
}

/** When the first zone of the audience reaches the time; now, if it has, and others have not. */
async function firstMoment(app: App, workspace: Workspace, campaign: Campaign, text: string): Promise<Date> {
  const local = parseLocalTime(text)
  if (local === null) {
    throw invalidField(
      'scheduledAt',
      'must be a local time without an offset, like 2027-01-15T09:00, with inRecipientZone: it is that time in the zone of each recipient',
      'invalid_time',
    )
  }
  const now = app.clock.now()
  const timezones = await listTimeZones(app, campaign, now)
  const zones =
    timezones.size === 0 ? [workspace.timeZone] : [...timezones].map((timezone) => zoneOf({ timezone }, workspace))
  const moments = zones.map((zone) => fromLocal(local, zone).getTime())
  if (Math.max(...moments) <= now.getTime())
    throw invalidField('scheduledAt', 'has passed in the zone of every recipient', 'invalid_time')
  const first = Math.max(Math.min(...moments), now.getTime())
  checkAhead('scheduledAt', first - now.getTime())
  return new Date(first)
}
