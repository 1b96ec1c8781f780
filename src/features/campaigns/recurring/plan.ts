// What a recurring campaign would be before it is stored: its next times, and what its feed says now.

import type { App } from '../../../core/app.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { checkFeedUrl, fetchFeed } from './fetch-feed.ts'
import { listOccurrences, wallTimeOf } from './occurrences.ts'
import { checkTimeZone, readFeed, readSchedule } from './save.ts'
import { type PlanBody, type planAnswer, toItemView } from './schema.ts'

const shownTimes = 5

/** Throws 422 for a schedule, a zone or an address that would not be stored. */
export async function planAhead(
  app: App,
  workspace: Workspace,
  { schedule, timeZone = workspace.timeZone, feed = null }: PlanBody,
): Promise<typeof planAnswer.static> {
  checkTimeZone(timeZone)
  const rhythm = { schedule: readSchedule(schedule), timeZone }
  const times = listOccurrences(rhythm, app.clock.now(), shownTimes)
  return {
    times: times.map((at) => ({ at: at.toISOString(), localTime: wallTimeOf(rhythm, at) })),
    feed: feed && (await look(app, feed)),
  }
}

async function look(app: App, given: NonNullable<PlanBody['feed']>) {
  checkFeedUrl(app, given.url)
  const fetched = await fetchFeed(app, given.url, null)
  const reason = fetched.outcome === 'failed' ? fetched.reason : null
  const { title, items } = fetched.outcome === 'fetched' ? fetched.feed : { title: '', items: [] }
  return { reason, title, items: items.slice(0, readFeed(given)?.maxItems).map(toItemView) }
}
