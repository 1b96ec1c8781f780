// The mail that asks a person about what their agents would do: what waits, and a link to decide (links.ts). Nobody is mailed where no mail
// leaves, or at an address whose mail is read here: an agent could say yes to itself there.

import type { App } from '../../../core/app.ts'
import { defineJob, type JobResult } from '../../../core/outbox/job.ts'
import { isTestWorkspace } from '../../../kit/id.ts'
import { visible } from '../../../kit/visible.ts'
import { isCapturing } from '../../../people/domain-owners.ts'
import { approvalMailJob, approvalsUrl } from '../../../people/members/approval-mail.ts'
import { mailNotice, noticeJob } from '../../../people/members/owner-notice.ts'
import { listPasskeys } from '../../../people/sign-in/passkeys/passkeys.ts'
import { getWorkspace, type Workspace } from '../../../people/workspaces.ts'
import { isAddressHere } from '../../mailboxes/mailboxes.ts'
import { type Approval, listAsked } from './approvals.ts'
import { findDecider, makeLink, wantsMail } from './links.ts'

/** In one mail. */
const mostListed = 10
const maxSubjectChars = 100
export const mailApprovals = defineJob<{ userId: string }>({
  ...noticeJob,
  ...approvalMailJob,
  async run(app, job, control) {
    const { workspaceId, payload } = job
    const not = await whyNot(app, workspaceId, payload.userId)
    if (not !== null) return cancelled(not)
    const person = await findDecider(app, workspaceId, payload.userId)
    if (!person) return cancelled('this person may not decide any more')
    if (await isAddressHere(app, person.email)) return cancelled('this address is a mailbox of this installation')
    const workspace = await getWorkspace(app, workspaceId)
    const { userId, email } = person
    const { rows, total } = await listAsked(app, workspace, { userId, most: mostListed })
    if (total === 0) return cancelled('nothing waits any more')
    const url = await whereToDecide(app, { id: job.id, workspace, userId }, rows)
    return await mailNotice(app, job, control, { email, ...toMail(workspace, { rows, total }, url) })
  },
})

function cancelled(detail: string): JobResult {
  return { outcome: 'cancelled', code: 'not_asked', detail }
}

async function whyNot(app: App, workspaceId: string, userId: string): Promise<string | null> {
  if (isCapturing(app)) return 'this installation sends no mail'
  if (isTestWorkspace(workspaceId)) return 'mail of a test workspace does not leave'
  return (await wantsMail(app, { workspaceId, userId })) ? null : 'this person wants no such mail'
}

/** Whoever has a passkey confirms with it, in the dashboard. */
async function whereToDecide(
  app: App,
  { id, workspace, userId }: { id: string; workspace: Workspace; userId: string },
  rows: Approval[],
): Promise<{ decide: string; isLink: boolean; list: string; docs: string }> {
  const list = approvalsUrl(app.config, workspace.slug)
  const docs = `${app.config.baseUrl}/docs/approvals#mails`
  if ((await listPasskeys(app, userId)).length > 0) return { decide: list, isLink: false, list, docs }
  const approvals = rows.map(({ id, contentHash }) => ({ id, contentHash }))
  const path = await makeLink(app, { id, workspaceId: workspace.id, userId, approvals })
  return { decide: app.config.baseUrl + path, isLink: true, list, docs }
}

function toMail(
  { name }: Workspace,
  { rows, total }: { rows: Approval[]; total: number },
  { decide, isLink, list, docs }: Awaited<ReturnType<typeof whereToDecide>>,
) {
  const more = total - rows.length
  const lines = [...rows.map(lineOf), ...(more > 0 ? [`- and ${more} more: ${list}`] : [])]
  const how = isLink
    ? `Open this link to see all of it, and to approve or refuse it. It works once, within 24 hours:\n\n${decide}\n\nWhoever has this link can decide in your place: do not forward this mail. Such mails can be switched off there. Who has a passkey is mailed no such links.`
    : `Read it, and approve or refuse it with your passkey:\n\n${decide}\n\nHow to get no such mails: ${docs}`
  return {
    subject: total === 1 ? `One thing waits for you in ${name}` : `${total} things wait for you in ${name}`,
    text: `An agent that you have let into ${name} would do this, and waits for a person:

${lines.join('\n')}

${how}

Nothing of it happens without a yes.`,
  }
}

/** A stranger may have written the subject. */
function lineOf({ kind, name, subject, to }: Approval): string {
  const what = visible(kind === 'action' ? `${subject}: ${name}` : subject).slice(0, maxSubjectChars)
  return to === null ? `- ${what}` : `- to ${to}: ${what}`
}
