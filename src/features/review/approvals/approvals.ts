// Everything that waits for approval: campaigns of a workspace whose agents need an approval, mail that agents wrote, and what they would have
// done outside. It has no rules of its own: each decision calls those of the thing, and names the hash of what the person saw.

import { and, count, desc, eq, inArray, isNull, lt } from 'drizzle-orm'
import { campaigns } from '../../../../db/tables/campaigns.ts'
import { contentRevisions } from '../../../../db/tables/content-revisions.ts'
import type { ReplyContent, WaitsFor } from '../../../../db/tables/mailboxes.ts'
import type { App, Reader } from '../../../core/app.ts'
import type { Actor } from '../../../kit/act.ts'
import { AppError } from '../../../kit/error.ts'
import { visible } from '../../../kit/visible.ts'
import { loadNames } from '../../../people/access/audit/lines.ts'
import { operator } from '../../../people/access/grants.ts'
import { loadCampaignSettings } from '../../../people/campaign-settings.ts'
import { loadMakers } from '../../../people/members/approval-mail.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { contentHash } from '../../campaigns/approved-hash.ts'
import type { Campaign } from '../../campaigns/campaign.ts'
import { getCampaign } from '../../campaigns/campaigns.ts'
import { type CampaignContent, effectiveContents, settingsIn } from '../../campaigns/contents.ts'
import { variantContents } from '../../campaigns/variant-contents.ts'
import { asGiven, toContent } from '../../content/rendering/content.ts'
import type { Node } from '../../content/rendering/nodes.ts'
import {
  countWaiting,
  draftHash,
  findOldestWaiting,
  getDraft,
  listWaiting,
  type MailDraft,
} from '../../mailboxes/drafts.ts'
import { readMessage } from '../../mailboxes/inbox.ts'
import { toMessageView } from '../../mailboxes/message-schema.ts'
import { authorOfId } from '../../mailboxes/reply-limits.ts'
import {
  type Difference,
  differenceBetween,
  nothingIn,
  type SettingChange,
  settingChanges,
  type Words,
} from '../revisions/difference.ts'
import {
  countActions,
  describeAction,
  findOldestAction,
  getAction,
  type HeldAction,
  isAction,
  listActions,
} from './actions.ts'

type NamedActor = Actor & { name: string | null }

export interface Approval {
  id: string
  /** A `mail` begins a thread. */
  kind: 'campaign' | 'reply' | 'mail' | 'action'
  status: 'waiting' | 'approved' | 'refused' | 'withdrawn'
  waitsFor: WaitsFor | 'workspace'
  name: string
  subject: string
  /** Of mail. */
  to: string | null
  mailboxId: string | null
  /** Of a campaign. */
  mailingListId: string | null
  author: NamedActor | null
  createdAt: Date
  decidedBy: NamedActor | null
  contentHash: string
}

/** To what was approved last, or what the agent wrote. */
interface Changes {
  since: 'approved' | 'written'
  settings: SettingChange[]
  locales: (Difference & { locale: string })[]
}

/** Ids of all kinds sort by the time in them. */
const timeIn = (id: string) => id.slice(id.indexOf('_') + 1)
export const isCampaign = (id: string) => id.startsWith('cmp_')

/** Newest first; `limit` and one more. `after`: an id of either kind. */
export async function listApprovals(
  app: App,
  { id: workspaceId }: Workspace,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<{ rows: Approval[]; total: number }> {
  const behind = (prefix: string) => (after === undefined ? undefined : `${prefix}_${timeIn(after)}`)
  const mails = await listWaiting(app, workspaceId, { limit, after: behind('msg') })
  const actions = await listActions(app, workspaceId, { limit, after: behind('act') })
  const drafts = await draftsWaiting(app, workspaceId, { limit, after: behind('cmp') })
  const rows = [...mails, ...actions, ...drafts.rows].sort((one, other) => (timeIn(one.id) < timeIn(other.id) ? 1 : -1))
  const shown: Approval[] = []
  for (const row of rows.slice(0, limit + 1))
    shown.push(
      await ('receivedId' in row ? ofMail(app, row) : 'action' in row ? ofAction(app, row) : ofCampaign(app, row)),
    )
  return { rows: shown, total: await countApprovals(app, workspaceId) }
}

/**
 * What waits, by the airlock or as a draft, of agents that this person has let in: the newest, and how many there are (of the newest 200 mails and
 * 200 calls).
 */
export async function listAsked(
  reader: Reader,
  { id: workspaceId }: Workspace,
  { userId, most }: { userId: string; most: number },
): Promise<{ rows: Approval[]; total: number }> {
  const page = { limit: lookedThrough, after: undefined }
  const mails = (await listWaiting(reader, workspaceId, page)).filter(({ waitsFor }) => waitsFor !== 'mailbox')
  const all = [...mails, ...(await listActions(reader, workspaceId, page))]
  const makers = await loadMakers(reader, [...new Set(all.map(({ authorId }) => authorId))])
  const asked = all
    .filter(({ authorId }) => makers.get(authorId) === userId)
    .sort((one, other) => (timeIn(one.id) < timeIn(other.id) ? 1 : -1))
  const rows: Approval[] = []
  for (const row of asked.slice(0, most))
    rows.push(await ('action' in row ? ofAction(reader, row) : ofMail(reader, row)))
  return { rows, total: asked.length }
}

const lookedThrough = 200

/** None where agents need no approval. */
async function draftsWaiting(
  reader: Reader,
  workspaceId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<{ rows: Campaign[]; total: number }> {
  if (!(await loadCampaignSettings(reader, workspaceId)).agentsNeedApproval) return { rows: [], total: 0 }
  const waiting = and(
    eq(campaigns.workspaceId, workspaceId),
    eq(campaigns.status, 'draft'),
    isNull(campaigns.refusedBy),
  )
  const [open] = await reader.db.select({ total: count() }).from(campaigns).where(waiting)
  const rows = await reader.db
    .select()
    .from(campaigns)
    .where(and(waiting, after === undefined ? undefined : lt(campaigns.id, after)))
    .orderBy(desc(campaigns.id))
    .limit(limit + 1)
  return { rows, total: open?.total ?? 0 }
}

/** What agents would do, without campaigns: how many wait, and since when. */
export async function summarizeWaiting(
  reader: Reader,
  workspaceId: string,
): Promise<{ total: number; since: Date | null }> {
  const total = (await countWaiting(reader, workspaceId)) + (await countActions(reader, workspaceId))
  const mail = await findOldestWaiting(reader, workspaceId)
  const action = await findOldestAction(reader, workspaceId)
  const since = Math.min(...[mail, action].flatMap((row) => (row ? [row.createdAt.getTime()] : [])))
  return { total, since: total === 0 ? null : new Date(since) }
}

/** How many wait. */
async function countApprovals(reader: Reader, workspaceId: string): Promise<number> {
  const drafts = await draftsWaiting(reader, workspaceId, { limit: 0, after: undefined })
  return (await countWaiting(reader, workspaceId)) + (await countActions(reader, workspaceId)) + drafts.total
}

/** With what it says, what it replies to and what has changed. Throws `not_found`. */
export async function getApproval(app: App, workspace: Workspace, id: string) {
  if (isCampaign(id)) {
    const campaign = await getCampaign(app, workspace.id, id)
    const contents = await listContents(app, campaign)
    const changes = await campaignChanges(app, campaign)
    return { ...(await ofCampaign(app, campaign)), text: null, contents, repliesTo: null, changes, action: null }
  }
  if (isAction(id)) return await actionDetail(app, workspace, await getAction(app, workspace.id, id))
  const row = await getDraft(app, workspace.id, id)
  const said = toWords(row, row.said, workspace.primaryLocale)
  const repliesTo = await findOriginal(app, row)
  const { text = null } = row.said
  const changes = await replyChanges(row, said.locale)
  const contents = [{ ...said, variant: null }]
  return { ...(await ofMail(app, row)), text, contents, repliesTo, changes, action: null }
}

/** The call itself, and what it would send or write. */
async function actionDetail(app: App, workspace: Workspace, row: HeldAction) {
  const approval = await ofAction(app, row)
  const { title } = await describeAction(app, row)
  const { content, ...given } = row.input
  const { campaignId, locale = workspace.primaryLocale, subject = '' } = given as Partial<Record<string, string>>
  const campaign = campaignId === undefined ? null : await getCampaign(app, workspace.id, campaignId).catch(orNull)
  const words =
    content === undefined ? [] : [{ locale, subject, previewText: '', content: toContent(content), variant: null }]
  const contents = campaign ? await listContents(app, campaign) : words
  const changes = campaign ? await campaignChanges(app, campaign) : null
  return {
    ...approval,
    text: null,
    contents,
    repliesTo: null,
    changes,
    action: { name: row.action, title, input: row.input },
  }
}

/** What would be sent: of the campaign itself, then of each variant of its test. */
async function listContents(reader: Reader, campaign: Campaign) {
  const own = await effectiveContents(reader, campaign)
  const toSaid = ({ revisionId: _, content, ...said }: CampaignContent, variant: string | null) => {
    return { ...said, content: asGiven(content), variant }
  }
  const contents = own.map((said) => toSaid(said, null))
  for (const variant of campaign.test?.variants ?? [])
    for (const said of await variantContents(reader, campaign, variant)) contents.push(toSaid(said, variant.name))
  return contents
}

/** What the agent read, with what was taken out of it. Null when the mail is no longer stored. */
async function findOriginal(app: App, { mailboxId, receivedId }: MailDraft) {
  if (receivedId === null) return null
  const read = await readMessage(app, mailboxId, receivedId).catch(orNull)
  if (!read) return null
  const { id: messageId, from, subject, text, quotedText, hidden, auth } = toMessageView(read)
  return { messageId, from, subject, auth, text: visible(text), quotedText: visible(quotedText), hidden }
}

function orNull(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null
  throw error
}

export async function ofCampaign(reader: Reader, campaign: Campaign): Promise<Approval> {
  const { id, name, subject, mailingListId, createdBy, createdAt, status, refusedBy, approvedBy } = campaign
  return {
    id,
    kind: 'campaign',
    status: refusedBy !== null ? 'refused' : status === 'draft' ? 'waiting' : 'approved',
    waitsFor: 'workspace',
    name,
    subject,
    to: null,
    mailboxId: null,
    mailingListId,
    author: createdBy && (await withName(reader, createdBy)),
    createdAt,
    decidedBy: await loadPerson(reader, refusedBy ?? approvedBy),
    contentHash: await contentHash(reader, campaign),
  }
}

export async function ofMail(reader: Reader, row: MailDraft): Promise<Approval> {
  const { id, state, subject, email: to, mailboxId, receivedId, waitsFor, authorId, createdAt } = row
  return {
    id,
    kind: receivedId === null ? 'mail' : 'reply',
    status: state,
    waitsFor,
    name: subject,
    subject,
    to,
    mailboxId,
    mailingListId: null,
    author: await withName(reader, authorOfId(authorId)),
    createdAt,
    decidedBy: await loadPerson(reader, row.decidedBy),
    contentHash: await draftHash(reader, row),
  }
}

export async function ofAction(reader: Reader, row: HeldAction): Promise<Approval> {
  const { id, state, authorKind: kind, authorId, createdAt } = row
  const { title, thing, contentHash: hash } = await describeAction(reader, row)
  return {
    id,
    kind: 'action',
    status: state,
    waitsFor: 'airlock',
    name: thing?.name ?? title,
    subject: title,
    to: null,
    mailboxId: null,
    mailingListId: null,
    author: await withName(reader, { kind, id: authorId }),
    createdAt,
    decidedBy: await loadPerson(reader, row.decidedBy),
    contentHash: hash,
  }
}

/** Null: nobody decided. The operator on the command line is one, too. */
export async function loadPerson(reader: Reader, id: string | null): Promise<NamedActor | null> {
  if (id === null) return null
  return await withName(reader, { kind: id === operator ? 'operator' : 'person', id })
}

async function withName(reader: Reader, actor: Actor): Promise<NamedActor> {
  const names = await loadNames(reader, [actor])
  return { ...actor, name: names.get(actor.id) ?? null }
}

/** Null before the first approval. */
async function campaignChanges(reader: Reader, campaign: Campaign): Promise<Changes | null> {
  const { approved } = campaign
  if (approved === null) return null
  const ids = approved.contents.map(({ revisionId }) => revisionId)
  const rows = await reader.db.select().from(contentRevisions).where(inArray(contentRevisions.id, ids))
  const kept = new Map(rows.map(({ id, content }) => [id, toContent(content)]))
  const before = new Map(
    approved.contents.map(({ revisionId, ...said }) => [said.locale, { ...said, content: kept.get(revisionId) ?? [] }]),
  )
  const after = new Map((await effectiveContents(reader, campaign)).map((said) => [said.locale, said]))
  const locales: Changes['locales'] = []
  for (const locale of new Set([...before.keys(), ...after.keys()])) {
    const [old = nothingIn(locale), fresh = nothingIn(locale)] = [before.get(locale), after.get(locale)]
    locales.push({ locale, ...(await differenceBetween(old, fresh, 'marketing')) })
  }
  return { since: 'approved', settings: settingChanges(approved.settings, settingsIn(campaign)), locales }
}

async function replyChanges(row: MailDraft, locale: string): Promise<Changes> {
  const words = [toWords(row, row.first, locale), toWords(row, row.said, locale)] as const
  return {
    since: 'written',
    settings: [],
    locales: [{ locale, ...(await differenceBetween(...words, 'transactional')) }],
  }
}

/** A plain text as the one node that it is shown as. */
function toWords({ subject }: MailDraft, { text, content }: ReplyContent, locale: string): Words {
  const tree = text === undefined ? (content as Node[]) : [{ type: 'text' as const, text }]
  return { locale, subject, previewText: '', content: tree }
}
