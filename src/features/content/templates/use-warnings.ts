// What a change of a template means for its users. Campaigns, rules and confirmations have no caller who could supply a variable, so
// missing ones are reported to whoever changes the template, and refused when one of them is created or starts.

import { and, eq, isNull } from 'drizzle-orm'
import { campaigns } from '../../../../db/tables/campaigns.ts'
import { eventRules } from '../../../../db/tables/events.ts'
import { subscriptionSources } from '../../../../db/tables/lists.ts'
import type { Reader } from '../../../core/app.ts'
import type { Issue } from '../../../kit/error.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { unfillable, unionOfUses, type VariableUse } from '../rendering/variables.ts'
import { currentRevisions } from './contents.ts'
import { usesByLocale } from './resolve.ts'
import type { Template } from './templates.ts'
import { campaignsUsing, listed, marketingLinks, recurringUsing, sequencesUsing, transactionalRules } from './uses.ts'

/** What a rule leaves empty: it maps variables, and `{{event.x}}` comes from the event itself. */
export function unmapped(uses: VariableUse[], variables: Record<string, unknown>): string[] {
  return unfillable(uses, (name) => name.startsWith('event.') || Object.hasOwn(variables, name))
}

/** What a recurring campaign leaves empty: it fills in what its feed says. */
function unfed(uses: VariableUse[], feed: unknown): string[] {
  return unfillable(uses, (name) => feed !== null && name.startsWith('feed.'))
}

/** What a confirmation in one locale leaves empty or lacks; it must contain its link. */
export function missingInConfirmation(uses: VariableUse[]): string[] {
  const missing = unfillable(uses, (name) => name === 'list_names')
  return uses.some(({ name }) => name === 'confirm_url') ? missing : [...missing, 'confirm_url']
}

/** A warning for each kind of user that the template, in its current state, does not serve. */
export async function useWarnings(reader: Reader, workspace: Workspace, template: Template): Promise<Issue[]> {
  const senders = await listSenders(reader, workspace.id, template.slug)
  if (Object.values(senders).every(({ length }) => length === 0)) return []
  if (template.status !== 'active') return [inactive(senders)]
  const byLocale = await usesByLocale(reader, await currentRevisions(reader, template.id), workspace.brand)
  const uses = unionOfUses(byLocale)
  const inConfirmation = [...new Set(byLocale.flatMap(([, ofLocale]) => missingInConfirmation(ofLocale)))]
  return [
    ...lacking('campaigns', senders.campaigns, unfillable(uses)),
    ...senders.recurring.flatMap(({ id, feed }) => lacking('recurring campaigns', [id], unfed(uses, feed))),
    ...senders.rules.flatMap(({ id, variables }) => lacking('event rules', [id], unmapped(uses, variables))),
    ...lacking('confirmations of subscription sources', senders.sources, inConfirmation),
    ...toEverybody(await transactionalRules(reader, workspace.id, template.slug), marketingLinks(uses)),
  ]
}

/** Only an owner may let a rule mail people without consent; the content is up to whoever edits the template. */
function toEverybody(rules: string[], links: string[]): Issue[] {
  if (rules.length === 0) return []
  const who = `Event rules send this to contacts who agreed to nothing: ${listed(rules)}.`
  const message =
    links.length === 0
      ? `${who} It may not advertise.`
      : `${who} With ${links.join(' and ')} it is marketing, and they cannot send it as it is now.`
  return [{ path: 'content', message, code: links.length === 0 ? 'transactional_template' : 'marketing_template' }]
}

function lacking(what: string, ids: string[], missing: string[]): Issue[] {
  if (ids.length === 0 || missing.length === 0) return []
  const message = `In ${what} nothing fills ${missing.join(', ')}: ${listed(ids)} cannot send this template as it is now.`
  return [{ path: 'content', message, code: 'missing_variable' }]
}

interface Senders {
  /** Those that have not started; a started one keeps its content. */
  campaigns: string[]
  recurring: Awaited<ReturnType<typeof recurringUsing>>
  rules: { id: string; variables: Record<string, unknown> }[]
  sequences: string[]
  sources: string[]
}

function inactive({ campaigns: ids, recurring, rules, sequences, sources }: Senders): Issue {
  const users = listed([...ids, ...[...recurring, ...rules].map(({ id }) => id), ...sequences, ...sources])
  const message = `Only an active template is sent: ${users} cannot send this one.`
  return { path: 'status', message, code: 'template_in_use' }
}

async function listSenders(reader: Reader, workspaceId: string, slug: string): Promise<Senders> {
  const rules = await reader.db
    .select({ id: eventRules.id, variables: eventRules.variables })
    .from(eventRules)
    .where(and(eq(eventRules.workspaceId, workspaceId), eq(eventRules.templateId, slug), eq(eventRules.enabled, true)))
  const { workspaceId: owner, confirmationTemplateId, archivedAt } = subscriptionSources
  const sources = await reader.db
    .select({ id: subscriptionSources.id })
    .from(subscriptionSources)
    .where(and(eq(owner, workspaceId), eq(confirmationTemplateId, slug), isNull(archivedAt)))
  return {
    campaigns: await campaignsUsing(reader, workspaceId, slug, { where: isNull(campaigns.startedAt) }),
    recurring: await recurringUsing(reader, workspaceId, slug),
    rules,
    sequences: await sequencesUsing(reader, workspaceId, slug),
    sources: sources.map(({ id }) => id),
  }
}
