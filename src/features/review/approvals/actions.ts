// What agents would have done outside and may not do by themselves: calls of tools that wait for a person's yes to exactly this. What they do is
// done by the functions of the feature, and the hash binds the call and what it is about.

import { and, asc, count, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { heldActions } from '../../../../db/tables/agents.ts'
import { type App, type Reader, type Tx, write } from '../../../core/app.ts'
import { sha256Hex } from '../../../kit/digest.ts'
import { day } from '../../../kit/duration.ts'
import { AppError } from '../../../kit/error.ts'
import { firstId, newId } from '../../../kit/id.ts'
import { askByMail } from '../../../people/members/approval-mail.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { mustBeAsSeen } from '../../campaigns/approval.ts'
import { contentHash } from '../../campaigns/approved-hash.ts'
import { getCampaign } from '../../campaigns/campaigns.ts'
import { sendCampaign } from '../../campaigns/send.ts'
import { removeTemplate } from '../../content/templates/draft.ts'
import { getTemplate } from '../../content/templates/templates.ts'
import { type TemplateChange, writeTemplate } from '../../content/templates/write-template.ts'
import type { Decision } from '../../mailboxes/drafts.ts'

export type HeldAction = typeof heldActions.$inferSelect

interface Inputs {
  send_campaign: { campaignId: string; scheduledAt?: string; inRecipientZone?: boolean }
  update_template: TemplateChange
  delete_template: { id: string }
}
export type ActionName = keyof Inputs
export type ActionInput<N extends ActionName> = Inputs[N]

interface Action<I> {
  title: string
  /** What the yes is bound to beside the input. Throws `not_found`. */
  about(reader: Reader, workspaceId: string, input: I): Promise<{ name: string; state: string }>
  /** `state`: that of about(), as the person saw it. */
  perform(app: App, workspace: Workspace, input: I, seen: { id: string; state: string }): Promise<unknown>
}

const actions: { [N in ActionName]: Action<Inputs[N]> } = {
  send_campaign: {
    title: 'Send a campaign',
    async about(reader, workspaceId, { campaignId }) {
      const campaign = await getCampaign(reader, workspaceId, campaignId)
      return { name: campaign.name, state: await contentHash(reader, campaign) }
    },
    perform: (app, workspace, { campaignId, ...when }, { id, state }) =>
      sendCampaign(app, workspace, campaignId, { ...when, byPerson: true, contentHash: state, idempotencyKey: id }),
  },
  update_template: {
    title: 'Change a template that is in use',
    about: templateState,
    perform: (app, workspace, input) => writeTemplate(app, workspace, input),
  },
  delete_template: {
    title: 'Delete a template',
    about: templateState,
    perform: (app, workspace, { id }) => removeTemplate(app, workspace, { id }),
  },
}

async function templateState(reader: Reader, workspaceId: string, { id }: { id: string }) {
  const { name, updatedAt, status } = await getTemplate(reader, workspaceId, id)
  return { name, state: JSON.stringify([updatedAt, status]) }
}

/** Of one agent. */
const mostWaiting = 20

/**
 * Keeps a call for a person; the same call twice is one. Throws `not_found`, and `rate_limit_exceeded` where 20 of the agent wait.
 */
export async function holdAction<N extends ActionName>(
  tx: Tx,
  author: Pick<HeldAction, 'workspaceId' | 'authorKind' | 'authorId'>,
  { action, input }: { action: N; input: Inputs[N] },
): Promise<HeldAction> {
  await actions[action].about(tx, author.workspaceId, input)
  const waiting = await tx.db
    .select()
    .from(heldActions)
    .where(and(eq(heldActions.authorId, author.authorId), eq(heldActions.state, 'waiting')))
    .limit(mostWaiting)
  const same = waiting.find((one) => one.action === action && Bun.deepEquals(one.input, input))
  if (same) return same
  if (waiting.length === mostWaiting)
    throw new AppError('rate_limit_exceeded', `${mostWaiting} calls of this agent wait for a person already`, {
      retryAfterSeconds: 3600,
    })
  const row: HeldAction = {
    id: newId(tx, 'act', tx.now),
    ...author,
    action,
    input: { ...input },
    state: 'waiting',
    decidedBy: null,
    decidedAt: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  await tx.db.insert(heldActions).values(row)
  await askByMail(tx, author)
  return row
}

export const isAction = (id: string) => id.startsWith('act_')

/** Throws `not_found`, also for another workspace's. */
export async function getAction(reader: Reader, workspaceId: string, id: string): Promise<HeldAction> {
  const [row] = await reader.db.select().from(heldActions).where(eq(heldActions.id, id))
  if (row?.workspaceId === workspaceId) return row
  throw new AppError('not_found', 'there is nothing with this id to approve')
}

/** As the index says it. */
const isWaiting = sql`${heldActions.state} = 'waiting'`
const waitingIn = (workspaceId: string) => and(eq(heldActions.workspaceId, workspaceId), isWaiting)

/** Newest first; `limit` and one more. */
export async function listActions(
  { db }: Reader,
  workspaceId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<HeldAction[]> {
  return await db
    .select()
    .from(heldActions)
    .where(and(waitingIn(workspaceId), after === undefined ? undefined : lt(heldActions.id, after)))
    .orderBy(desc(heldActions.id))
    .limit(limit + 1)
}

export async function countActions({ db }: Reader, workspaceId: string): Promise<number> {
  const [row] = await db.select({ total: count() }).from(heldActions).where(waitingIn(workspaceId))
  return row?.total ?? 0
}

export async function findOldestAction({ db }: Reader, workspaceId: string): Promise<HeldAction | null> {
  const waiting = waitingIn(workspaceId)
  const [row] = await db.select().from(heldActions).where(waiting).orderBy(asc(heldActions.id)).limit(1)
  return row ?? null
}

/** What a person sees of it: what it would do, with what, and the hash of both. `thing` is null when it is gone. */
export async function describeAction(reader: Reader, row: HeldAction) {
  const { title, about } = actionOf(row)
  const thing = await about(reader, row.workspaceId, row.input).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  })
  const hash = sha256Hex(JSON.stringify([row.action, row.input, thing]))
  return { title, thing, contentHash: hash }
}

/**
 * It is done, once: whoever says yes second gets 409. Where it is refused by its rules, it waits on and the refusal is thrown.
 */
export async function approveAction(
  app: App,
  workspace: Workspace,
  id: string,
  decision: Decision,
): Promise<HeldAction> {
  const { row, state } = await write(app, (tx) => decide(tx, workspace.id, id, { ...decision, to: 'approved' }))
  try {
    await actionOf(row).perform(app, workspace, row.input, { id, state })
  } catch (error) {
    await write(app, (tx) => change(tx, row, { state: 'waiting', decidedBy: null, decidedAt: null }))
    throw error
  }
  return row
}

export async function refuseAction(tx: Tx, workspaceId: string, id: string, decision: Decision): Promise<HeldAction> {
  return (await decide(tx, workspaceId, id, { ...decision, to: 'refused' })).row
}

async function decide(
  tx: Tx,
  workspaceId: string,
  id: string,
  { to: state, contentHash: seen, by }: Decision & { to: 'approved' | 'refused' },
): Promise<{ row: HeldAction; state: string }> {
  const row = await getAction(tx, workspaceId, id)
  if (row.state !== 'waiting') throw new AppError('invalid_state_transition', `this was ${row.state} before`)
  const { thing, contentHash: hash } = await describeAction(tx, row)
  mustBeAsSeen(seen, hash)
  const decided = await change(tx, row, { state, decidedBy: by, decidedAt: tx.now })
  return { row: decided, state: thing?.state ?? '' }
}

async function change(tx: Tx, row: HeldAction, to: Partial<HeldAction>): Promise<HeldAction> {
  const given = { ...to, updatedAt: tx.now }
  await tx.db.update(heldActions).set(given).where(eq(heldActions.id, row.id))
  return { ...row, ...given }
}

/** It was checked when it was kept. */
function actionOf({ action }: HeldAction): Action<Record<string, unknown>> {
  return actions[action as ActionName] as Action<Record<string, unknown>>
}

const rowsPerDelete = 200
const keptMs = 90 * day

/** Those that were made 90 days ago. Returns how many; call until 0. */
export async function deleteOldActions(tx: Tx): Promise<number> {
  const old = tx.db
    .select({ id: heldActions.id })
    .from(heldActions)
    .where(lt(heldActions.id, firstId('act', new Date(tx.now.getTime() - keptMs))))
    .limit(rowsPerDelete)
  const gone = await tx.db.delete(heldActions).where(inArray(heldActions.id, old)).returning({ id: heldActions.id })
  return gone.length
}
