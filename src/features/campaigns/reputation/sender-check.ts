// Whether a workspace may send campaigns as this sender. At any level the domain must be its own or that of MAIL_FROM; from M2 the domain
// must also sign with a published key and have a DMARC record.

import type { App } from '../../../core/app.ts'
import { addressDomain, parseAddress } from '../../../kit/email-address.ts'
import { AppError, type Issue } from '../../../kit/error.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { checkStanding } from '../../sending/domains/checks.ts'
import { findDomain } from '../../sending/domains/keys.ts'
import { chooseSender, type Sender } from '../../sending/sender.ts'

/** Levels that may send without a verified domain, with a warning. */
const lenient = ['M0', 'M1']

export interface CheckedSender {
  sender: Sender
  domain: string
  warnings: Issue[]
}

interface SenderFields {
  fromName: string | null
  fromEmail: string | null
  replyTo: string | null
}

/** Throws 403: `domain_not_verified` for a domain that is not the workspace's, `dmarc_required` from M2. */
export async function checkSender(app: App, workspace: Workspace, from: SenderFields): Promise<CheckedSender> {
  // First, because the DNS may make the domain the workspace's.
  const problem = await domainProblem(app, workspace.id, from.fromEmail ?? app.config.mailFrom.address)
  const sender = await chooseSender(app, workspace, from, {})
  const domain = addressDomain(sender.email)
  if (problem === null) return { sender, domain, warnings: sender.warnings }
  if (!lenient.includes(workspace.trustLevel)) {
    throw new AppError('dmarc_required', `From trust level M2 on: ${problem}.`, {
      errors: [{ path: 'fromEmail', message: problem, code: 'dmarc_required' }],
    })
  }
  const warning = { path: 'fromEmail', message: `${problem}.`, code: 'domain_not_authenticated' }
  return { sender, domain, warnings: [...sender.warnings, warning] }
}

async function domainProblem(app: App, workspaceId: string, fromEmail: string): Promise<string | null> {
  const parsed = parseAddress(fromEmail)
  if (!parsed.ok) return parsed.reason
  const { domain } = parsed
  const row = await findDomain(app, workspaceId, domain)
  if (!row) return `mail from ${domain} would not be signed: add it as a sending domain`
  const { dkim, dmarc, check } = await checkStanding(app, row)
  if (!dkim)
    return `the DKIM key of ${domain} is ${check.dkim === 'unknown' ? 'not confirmed to be published' : 'not published'}`
  if (!dmarc) return `${domain} has no valid DMARC record`
  return null
}
