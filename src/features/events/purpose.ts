// The purpose of a rule's mail: marketing, for contacts who have consented, or transactional, for everybody who is not suppressed. Only an
// owner may choose transactional, and a template that is marketing is never sent that way.

import type { Reader } from '../../core/app.ts'
import { AppError, type Issue, invalidField } from '../../kit/error.ts'
import { type Credential, isOwnerInPerson } from '../../people/access/auth.ts'
import type { VariableUse } from '../content/rendering/variables.ts'
import { campaignsUsing, listed, marketingLinks, transactionalRules } from '../content/templates/uses.ts'
import type { Rule } from './matching.ts'

const acts = { rule: 'create or change', sequence: 'publish' }

/** Throws insufficient_role. */
export function expectMayMail(
  credential: Credential,
  { purpose }: Pick<Rule, 'purpose'>,
  what: 'rule' | 'sequence' = 'rule',
): void {
  if (purpose === 'marketing' || isOwnerInPerson(credential)) return
  throw new AppError(
    'insufficient_role',
    `A ${what} with transactional mail reaches people without their consent: only a signed-in owner of the workspace may ${acts[what]} it.`,
  )
}

/** Throws validation_failed: the template became marketing after the rule was made. */
export async function expectPurpose(
  reader: Reader,
  rule: Pick<Rule, 'workspaceId' | 'purpose'>,
  template: TemplateUse,
): Promise<void> {
  const [issue] = await purposeIssues(reader, rule, template)
  if (issue) throw new AppError('validation_failed', issue.message, { errors: [issue] })
}

/** For a campaign that is to send a template. Throws validation_failed where rules send it to people who agreed to nothing. */
export async function refuseTransactional(
  reader: Reader,
  workspaceId: string,
  slug: string,
  path = 'templateId',
): Promise<void> {
  const rules = await transactionalRules(reader, workspaceId, slug)
  if (rules.length === 0) return
  const message = `the template is transactional: event rules send it to contacts who agreed to nothing (${listed(rules)}); send a copy of it`
  throw invalidField(path, message, 'transactional_template')
}

/** A template, and what its mail uses. */
interface TemplateUse {
  slug: string
  uses: VariableUse[]
}

export async function purposeIssues(
  reader: Reader,
  { workspaceId, purpose }: Pick<Rule, 'workspaceId' | 'purpose'>,
  { slug, uses }: TemplateUse,
): Promise<Issue[]> {
  if (purpose === 'marketing') return []
  const sending = await campaignsUsing(reader, workspaceId, slug)
  const message = `the template is marketing: campaigns send it (${listed(sending)})`
  const issue = { path: 'purpose', code: 'marketing_template', message }
  return [...linkIssues(uses), ...(sending.length === 0 ? [] : [issue])]
}

function linkIssues(uses: VariableUse[]): Issue[] {
  const links = marketingLinks(uses)
  if (links.length === 0) return []
  const message = `the template is marketing: it has ${links.join(' and ')}, and a transactional mail has nothing to unsubscribe from`
  return [{ path: 'purpose', code: 'marketing_template', message }]
}
