// What the mail of a rule is: marketing, for those who agreed to it, or transactional, for everybody who is not suppressed. That somebody
// may be mailed who did not agree to it is an owner's decision, and a template that is marketing never goes out that way.

import type { Reader } from '../app.ts'
import { AppError, type Issue } from '../lib/error.ts'
import type { VariableUse } from '../rendering/variables.ts'
import { campaignsUsing, listed } from '../templates/uses.ts'
import { type Credential, grantorOf } from '../workspaces/auth.ts'
import type { Rule } from './matching.ts'

/** Throws insufficient_role. */
export function expectMayMail(credential: Credential, { purpose }: Rule): void {
  if (purpose === 'marketing' || grantorOf(credential).role === 'owner') return
  throw new AppError(
    'insufficient_role',
    'A rule whose mail is transactional reaches people who agreed to nothing: only an owner of the workspace makes or changes one.',
  )
}

/** A mail that one can unsubscribe from is marketing. */
const marketing = ['unsubscribe_url', 'preferences_url']

/** Throws validation_failed: the template became marketing after the rule was made. */
export function expectPurpose({ purpose }: Rule, uses: VariableUse[]): void {
  const [issue] = purpose === 'marketing' ? [] : linkIssues(uses)
  if (issue) throw new AppError('validation_failed', issue.message, { errors: [issue] })
}

export async function purposeIssues(
  reader: Reader,
  { workspaceId, purpose }: Rule,
  { slug, uses }: { slug: string; uses: VariableUse[] },
): Promise<Issue[]> {
  if (purpose === 'marketing') return []
  const sending = await campaignsUsing(reader, workspaceId, slug)
  const message = `the template is marketing: campaigns send it (${listed(sending)})`
  const issue = { path: 'purpose', code: 'marketing_template', message }
  return [...linkIssues(uses), ...(sending.length === 0 ? [] : [issue])]
}

function linkIssues(uses: VariableUse[]): Issue[] {
  const links = uses.filter(({ name }) => marketing.includes(name)).map(({ name }) => `{{${name}}}`)
  if (links.length === 0) return []
  const message = `the template is marketing: it has ${links.join(' and ')}, and a transactional mail has nothing to unsubscribe from`
  return [{ path: 'purpose', code: 'marketing_template', message }]
}
