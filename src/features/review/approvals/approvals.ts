// Everything that waits for approval: campaigns of a workspace whose agents need an approval, and held replies of agents. It has no rules
// of its own: each decision calls the campaign's or the reply's, and names the hash of what the person saw.

import { and, count, desc, eq, inArray, isNull, lt } from 'drizzle-orm'
import { campaigns } from '../../../../db/tables/campaigns.ts'
import { contentRevisions } from '../../../../db/tables/content-revisions.ts'
import type { ReplyContent } from '../../../../db/tables/mailboxes.ts'
import { type App, type Reader, write } from '../../../core/app.ts'
import type { Actor } from '../../../kit/act.ts'
import { AppError } from '../../../kit/error.ts'
import { visible } from '../../../kit/visible.ts'
import { loadNames } from '../../../people/access/audit/lines.ts'
import { loadCampaignSettings } from '../../../people/campaign-settings.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { contentHash } from '../../campaigns/approved-hash.ts'
import type { Campaign } from '../../campaigns/campaign.ts'
import { getCampaign } from '../../campaigns/campaigns.ts'
import { type CampaignContent, effectiveContents, settingsIn } from '../../campaigns/contents.ts'
import { approveCampaign, refuseCampaign } from '../../campaigns/lifecycle.ts'
import { variantContents } from '../../campaigns/variant-contents.ts'
import { asGiven, toContent } from '../../content/rendering/content.ts'
import type { Node } from '../../content/rendering/nodes.ts'
import {
  approveReply,
  countHeld,
  type Decision,
  editReply,
  getHeld,
  type HeldReply,
  heldHash,
  listHeld,
  refuseReply,
} from '../../mailboxes/held-replies.ts'
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

export interface Approval {
  id: string
  kind: 'campaign' | 'reply'
  status: 'waiting' | 'approved' | 'refused'
  name: string
  subject: string
  /** Of a reply. */
  to: string | null
  mailboxId: string | null
  /** Of a campaign. */
  mailingListId: string | null
  author: (Actor & { name: string | null }) | null
  createdAt: Date
  contentHash: string
}

/** To what was approved last, or what the agent wrote. */
interface Changes {
  since: 'approved' | 'written'
  settings: SettingChange[]
  locales: (Difference & { locale: string })[]
}

/** Ids of both kinds sort by the time in them. */
const timeIn = (id: string) => id.slice(id.indexOf('_') + 1)
const isCampaign = (id: string) => id.startsWith('cmp_')

/** Newest first; `limit` and one more. `after`: an id of either kind. */
export async function listApprovals(
  app: App,
  { id: workspaceId }: Workspace,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<{ rows: Approval[]; total: number }> {
  const behind = (prefix: string) => (after === undefined ? undefined : `${prefix}_${timeIn(after)}`)
  const replies = await listHeld(app, workspaceId, { limit, after: behind('msg') })
  const drafts = await draftsWaiting(app, workspaceId, { limit, after: behind('cmp') })
  const rows = [...replies, ...drafts.rows].sort((one, other) => (timeIn(one.id) < timeIn(other.id) ? 1 : -1))
  const shown: Approval[] = []
  for (const row of rows.slice(0, limit + 1))
    shown.push(await ('receivedId' in row ? ofReply(app, row) : ofCampaign(app, row)))
  return { rows: shown, total: (await countHeld(app, workspaceId)) + drafts.total }
}

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

/** With what it says, what it replies to and what has changed. Throws `not_found`. */
export async function getApproval(app: App, workspace: Workspace, id: string) {
  if (isCampaign(id)) {
    const campaign = await getCampaign(app, workspace.id, id)
    const contents = await listContents(app, campaign)
    const changes = await campaignChanges(app, campaign)
    return { ...(await ofCampaign(app, campaign)), text: null, contents, repliesTo: null, changes }
  }
  const row = await getHeld(app, workspace.id, id)
  const said = toWords(row, row.said, workspace.primaryLocale)
  const repliesTo = await findOriginal(app, row)
  const { text = null } = row.said
  const changes = await replyChanges(row, said.locale)
  return { ...(await ofReply(app, row)), text, contents: [{ ...said, variant: null }], repliesTo, changes }
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
async function findOriginal(app: App, { mailboxId, receivedId }: HeldReply) {
  const read = await readMessage(app, mailboxId, receivedId).catch(orNull)
  if (!read) return null
  const { id: messageId, from, subject, text, quotedText, hidden, auth } = toMessageView(read)
  return { messageId, from, subject, auth, text: visible(text), quotedText: visible(quotedText), hidden }
}

function orNull(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null
  throw error
}

/** Throws 409 with the hash of what it is now, unless it is what was seen. */
export async function approve(app: App, workspace: Workspace, id: string, decision: Decision): Promise<Approval> {
  if (!isCampaign(id)) return await ofReply(app, await approveReply(app, workspace, id, decision))
  return await ofCampaign(app, await approveCampaign(app, workspace.id, id, toApproval(decision)))
}

/** The same. */
export async function refuse(app: App, workspace: Workspace, id: string, decision: Decision): Promise<Approval> {
  if (!isCampaign(id)) return await ofReply(app, await write(app, (tx) => refuseReply(tx, workspace.id, id, decision)))
  return await ofCampaign(app, await write(app, (tx) => refuseCampaign(tx, workspace.id, id, toApproval(decision))))
}

const toApproval = ({ by: approvedBy, contentHash }: Decision) => ({ approvedBy, contentHash })

/** Of a reply: a campaign is changed where it is. */
export async function edit(
  app: App,
  workspace: Workspace,
  id: string,
  change: Decision & { words: { text?: string | undefined; content?: unknown } },
): Promise<Approval> {
  if (!isCampaign(id)) return await ofReply(app, await write(app, (tx) => editReply(tx, workspace, id, change)))
  await getCampaign(app, workspace.id, id)
  throw new AppError('invalid_state_transition', `edit a campaign at /v1/campaigns/${id}, then approve it`)
}

async function ofCampaign(reader: Reader, campaign: Campaign): Promise<Approval> {
  const { id, name, subject, mailingListId, createdBy, createdAt, status, refusedBy } = campaign
  return {
    id,
    kind: 'campaign',
    status: refusedBy !== null ? 'refused' : status === 'draft' ? 'waiting' : 'approved',
    name,
    subject,
    to: null,
    mailboxId: null,
    mailingListId,
    author: createdBy && (await withName(reader, createdBy)),
    createdAt,
    contentHash: await contentHash(reader, campaign),
  }
}

async function ofReply(reader: Reader, row: HeldReply): Promise<Approval> {
  const { id, state, subject, email: to, mailboxId, tokenId, createdAt } = row
  return {
    id,
    kind: 'reply',
    status: state === 'held' ? 'waiting' : state,
    name: subject,
    subject,
    to,
    mailboxId,
    mailingListId: null,
    author: await withName(reader, authorOfId(tokenId)),
    createdAt,
    contentHash: await heldHash(reader, row),
  }
}

async function withName(reader: Reader, actor: Actor) {
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

async function replyChanges(row: HeldReply, locale: string): Promise<Changes> {
  const words = [toWords(row, row.first, locale), toWords(row, row.said, locale)] as const
  return {
    since: 'written',
    settings: [],
    locales: [{ locale, ...(await differenceBetween(...words, 'transactional')) }],
  }
}

/** A plain text as the one node that it is shown as. */
function toWords({ subject }: HeldReply, { text, content }: ReplyContent, locale: string): Words {
  const tree = text === undefined ? (content as Node[]) : [{ type: 'text' as const, text }]
  return { locale, subject, previewText: '', content: tree }
}
