// What the editor of a recurring campaign is drawn from, and what it sends of it.

import { weekdays } from '../../../db/tables/recurring.ts'
import type { Recurring } from '../../nouns.ts'
import { digest } from './digest.ts'

export interface RecurringDraft {
  name: string
  subject: string
  previewText: string
  mailingListId: string
  segmentId: string
  /** Empty: content of its own. */
  templateId: string
  every: Recurring['schedule']['every']
  at: string
  /** 1 is Monday. */
  weekdays: number[]
  dayOfMonth: number
  inRecipientZone: boolean
  timeZone: string
  /** Null: of no feed. */
  feed: { url: string; maxItems: number } | null
  isPaused: boolean
}

export function draftOf(
  recurring: Recurring | null,
  { listId, timeZone }: { listId: string; timeZone: string },
): RecurringDraft {
  const schedule: Recurring['schedule'] = recurring?.schedule ?? { every: 'week', at: '09:00', weekdays: ['monday'] }
  const feed = recurring?.feed
  return {
    name: recurring?.name ?? '',
    subject: recurring?.subject ?? '',
    previewText: recurring?.previewText ?? '',
    mailingListId: recurring?.mailingListId ?? listId,
    segmentId: recurring?.segmentId ?? '',
    templateId: recurring?.templateId ?? '',
    every: schedule.every,
    at: schedule.at,
    weekdays: (schedule.weekdays ?? ['monday']).map((name) => weekdays.indexOf(name) + 1),
    dayOfMonth: schedule.dayOfMonth ?? 1,
    inRecipientZone: schedule.inRecipientZone ?? false,
    timeZone: recurring?.timeZone ?? timeZone,
    feed: feed ? { url: feed.url, maxItems: feed.maxItems ?? 10 } : null,
    isPaused: false,
  }
}

export function scheduleOf(draft: RecurringDraft): Recurring['schedule'] {
  const { every, at, dayOfMonth, inRecipientZone } = draft
  return {
    every,
    at,
    ...(every === 'week' && { weekdays: weekdays.filter((_, number) => draft.weekdays.includes(number + 1)) }),
    ...(every === 'month' && { dayOfMonth }),
    ...(inRecipientZone && { inRecipientZone }),
  }
}

/** Null while it is none yet: such is not asked about. */
export function planOf(draft: RecurringDraft) {
  const { every, at, dayOfMonth, timeZone, inRecipientZone } = draft
  const hasDay = every === 'day' || (every === 'week' ? draft.weekdays.length > 0 : dayOfMonth >= 1 && dayOfMonth <= 31)
  if (!hasDay || !/^\d\d:\d\d$/.test(at)) return null
  if (inRecipientZone) return { schedule: scheduleOf(draft) }
  return Intl.supportedValuesOf('timeZone').concat('UTC').includes(timeZone)
    ? { schedule: scheduleOf(draft), timeZone }
    : null
}

/** With content of its own where it has neither some already nor a template. */
export function bodyOf(draft: RecurringDraft, stored: Recurring | null) {
  const { name, subject, previewText, mailingListId, segmentId, templateId, timeZone, feed } = draft
  const isWritten = stored !== null && stored.content !== null
  return {
    name: name.trim(),
    subject: subject.trim(),
    previewText: previewText.trim(),
    mailingListId,
    segmentId: segmentId || null,
    ...(templateId === '' ? !isWritten && { content: digest } : { templateId }),
    schedule: scheduleOf(draft),
    timeZone,
    feed: feed && { url: feed.url.trim(), maxItems: feed.maxItems },
  }
}
