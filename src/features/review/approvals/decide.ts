// Decisions about what waits, by a person, one or many: each names the hash of what they saw, and calls the rule of the thing itself.

import type { SeenApproval } from '../../../../db/tables/agents.ts'
import { type App, type Reader, write } from '../../../core/app.ts'
import { knownError } from '../../../core/http/errors.ts'
import { actOn, didNothing } from '../../../kit/act.ts'
import { AppError } from '../../../kit/error.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { getCampaign } from '../../campaigns/campaigns.ts'
import { approveCampaign, refuseCampaign } from '../../campaigns/lifecycle.ts'
import { approveDraft, type Decision, editDraft, getDraft, refuseDraft } from '../../mailboxes/drafts.ts'
import { approveAction, getAction, isAction, refuseAction } from './actions.ts'
import { type Approval, isCampaign, loadPerson, ofAction, ofCampaign, ofMail } from './approvals.ts'

export interface Decided {
  id: string
  approval: Approval | null
  error: AppError | null
}

/**
 * One after the other; what is refused leaves the others alone. `revision_mismatch` has the hash of what it is now.
 *
 * @param by the id of the person.
 */
export async function decideAll(
  app: App,
  workspace: Workspace,
  decide: typeof approve,
  { approvals, by }: { approvals: SeenApproval[]; by: string },
): Promise<Decided[]> {
  const results: Decided[] = []
  const decided: string[] = []
  for (const { id, contentHash } of approvals) {
    const result = await decideOne(app, workspace, decide, { id, contentHash, by })
    results.push(result)
    // What its recipient is not mailed any more was decided all the same.
    if (result.error === null || result.error.code === 'recipient_suppressed') decided.push(id)
  }
  for (const id of decided) actOn(id)
  if (decided.length === 0) didNothing()
  return results
}

async function decideOne(
  app: App,
  workspace: Workspace,
  decide: typeof approve,
  { id, ...decision }: SeenApproval & Decision,
): Promise<Decided> {
  try {
    return { id, approval: await decide(app, workspace, id, decision), error: null }
  } catch (error) {
    const known = knownError(error)
    if (!known) throw error
    return { id, approval: null, error: await withDecider(app, workspace, id, known) }
  }
}

/** Who comes second is told who was first. */
async function withDecider(reader: Reader, { id: workspaceId }: Workspace, id: string, error: AppError) {
  if (error.code !== 'invalid_state_transition' || isCampaign(id)) return error
  const { state, decidedBy } = await (isAction(id) ? getAction : getDraft)(reader, workspaceId, id)
  const person = await loadPerson(reader, decidedBy)
  return person ? new AppError(error.code, `this was ${state} before by ${person.name ?? person.id}`) : error
}

/** Throws 409 with the hash of what it is now, unless it is what was seen. */
export async function approve(app: App, workspace: Workspace, id: string, decision: Decision): Promise<Approval> {
  if (isAction(id)) return await ofAction(app, await approveAction(app, workspace, id, decision))
  if (!isCampaign(id)) return await ofMail(app, await approveDraft(app, workspace, id, decision))
  return await ofCampaign(app, await approveCampaign(app, workspace.id, id, toApproval(decision)))
}

/** The same. */
export async function refuse(app: App, workspace: Workspace, id: string, decision: Decision): Promise<Approval> {
  if (isAction(id)) return await ofAction(app, await write(app, (tx) => refuseAction(tx, workspace.id, id, decision)))
  if (!isCampaign(id)) return await ofMail(app, await write(app, (tx) => refuseDraft(tx, workspace.id, id, decision)))
  return await ofCampaign(app, await write(app, (tx) => refuseCampaign(tx, workspace.id, id, toApproval(decision))))
}

const toApproval = ({ by: approvedBy, contentHash }: Decision) => ({ approvedBy, contentHash })

/** Of mail: a campaign is changed where it is, and a call is what it is. */
export async function edit(
  app: App,
  workspace: Workspace,
  id: string,
  change: Decision & { words: { text?: string | undefined; content?: unknown } },
): Promise<Approval> {
  if (isAction(id)) throw new AppError('invalid_state_transition', 'a call is approved or refused as it is')
  if (!isCampaign(id)) return await ofMail(app, await write(app, (tx) => editDraft(tx, workspace, id, change)))
  await getCampaign(app, workspace.id, id)
  throw new AppError('invalid_state_transition', `edit a campaign at /v1/campaigns/${id}, then approve it`)
}
