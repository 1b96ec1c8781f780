// Reads what is asked to be stored of a recurring campaign, and stores it only if a campaign could be made of it.

import type { RecurringDraft, RecurringFeed, RecurringSchedule } from '../../../../db/tables/recurring.ts'
import type { App, Tx } from '../../../core/app.ts'
import { invalidField } from '../../../kit/error.ts'
import { isTimeZone } from '../../../kit/local-time.ts'
import { withoutUndefined } from '../../../kit/without-undefined.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { writeShowing } from '../../content/media/keep.ts'
import { type Editor, type NewDraft, readDraft } from '../draft.ts'
import { checkEdition, composeEdition, sampleFeed } from './edition.ts'
import { checkFeedUrl } from './fetch-feed.ts'
import { createRecurring, getRecurring, type Recurring, type RecurringFields, updateRecurring } from './recurring.ts'
import type { NewRecurringBody, RecurringBody } from './schema.ts'

const defaultItems = 10

/** Throws 422 for fields with which no campaign could be made. */
export async function saveNew(
  app: App,
  workspace: Workspace,
  { schedule, timeZone = workspace.timeZone, feed = null, state = 'active', ...body }: NewRecurringBody,
  editor: Editor,
): Promise<Recurring> {
  const { name, ...draft } = body
  const fields = { name, draft, schedule: readSchedule(schedule), timeZone, feed: readFeed(feed) }
  return await save(app, workspace, fields, editor, (tx, checked) => createRecurring(tx, workspace.id, checked, state))
}

/** The same; only what is given changes, also where somebody else, or one of its times, changes it meanwhile. */
export async function saveChange(
  app: App,
  workspace: Workspace,
  id: string,
  body: RecurringBody,
  editor: Editor,
): Promise<Recurring> {
  for (;;) {
    const before = await getRecurring(app, workspace.id, id)
    const saved = await saveOver(app, workspace, before, body, editor)
    if (saved !== null) return saved
  }
}

/** Null when it has changed since it was read. */
async function saveOver(
  app: App,
  workspace: Workspace,
  before: Recurring,
  { schedule, timeZone, feed, name, ...body }: RecurringBody,
  editor: Editor,
): Promise<Recurring | null> {
  const fields = {
    name: name ?? before.name,
    draft: { ...before.draft, ...withoutUndefined(body), ...replacing(body) } as RecurringDraft,
    schedule: schedule === undefined ? before.schedule : readSchedule(schedule),
    timeZone: timeZone ?? before.timeZone,
    feed: feed === undefined ? before.feed : readFeed(feed),
  }
  // What a member has decided holds through the changes of a program.
  const byPerson = editor.byPerson || (before.draft.ignoreGuardrail === true && body.ignoreGuardrail === undefined)
  return await save(app, workspace, fields, { byPerson }, async (tx, checked) => {
    const current = await getRecurring(tx, workspace.id, before.id)
    return current.revision === before.revision ? await updateRecurring(tx, current, checked) : null
  })
}

/** Content takes the place of a template, and a template that of content. */
function replacing({ templateId, content }: Pick<RecurringBody, 'templateId' | 'content'>): Partial<RecurringDraft> {
  if (content !== undefined && templateId === undefined) return { templateId: null }
  return typeof templateId === 'string' && content === undefined ? { content: undefined } : {}
}

async function save<Saved>(
  app: App,
  workspace: Workspace,
  fields: RecurringFields,
  editor: Editor,
  store: (tx: Tx, checked: RecurringFields) => Promise<Saved>,
): Promise<Saved> {
  const { name, timeZone, feed } = fields
  checkTimeZone(timeZone)
  if (feed !== null) checkFeedUrl(app, feed.url)
  if (fields.draft.templateId == null && fields.draft.content === undefined)
    throw invalidField('content', 'give content or a template', 'no_content')
  const { input, pictures } = await readDraft(app, workspace, { ...fields.draft, name } as NewDraft, editor)
  const draft = withoutUndefined({ ...fields.draft, content: input.content, locale: input.locale }) as RecurringDraft
  const checked = { ...fields, draft }
  const sample = { feed: feed && sampleFeed(feed), at: app.clock.now() }
  const edition = await composeEdition(app, workspace, checked, sample)
  return await writeShowing(app, workspace.id, pictures, async (tx) => {
    await checkEdition(tx, workspace.id, edition)
    return await store(tx, checked)
  })
}

export function checkTimeZone(timeZone: string): void {
  if (!isTimeZone(timeZone)) throw invalidField('timeZone', 'is not a time zone like Europe/Berlin')
}

export function readFeed(feed: { url: string; maxItems?: number | undefined } | null): RecurringFeed | null {
  return feed && { url: feed.url, maxItems: feed.maxItems ?? defaultItems }
}

/** Throws 422 for days that are missing, or that belong to another rhythm. */
export function readSchedule({ inRecipientZone = false, ...days }: NewRecurringBody['schedule']): RecurringSchedule {
  return { ...readDays(days), ...(inRecipientZone ? { inRecipientZone } : {}) }
}

function readDays({ every, at, weekdays, dayOfMonth }: NewRecurringBody['schedule']): RecurringSchedule {
  const misplaced = every !== 'week' && weekdays ? 'weekdays' : every !== 'month' && dayOfMonth ? 'dayOfMonth' : null
  if (misplaced !== null)
    throw invalidField(`schedule.${misplaced}`, `does not belong to every ${every}`, 'contradiction')
  if (every === 'day') return { every, at }
  if (every === 'week') {
    if (weekdays === undefined) throw invalidField('schedule.weekdays', 'is needed for every week', 'required')
    return { every, at, weekdays }
  }
  if (dayOfMonth === undefined) throw invalidField('schedule.dayOfMonth', 'is needed for every month', 'required')
  return { every, at, dayOfMonth }
}
