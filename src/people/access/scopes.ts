// What an API key may do. `full` includes every scope, also those of later versions.

/** What an API key may be given: what it may do, and on which feature. */
export const scopes = [
  'full',
  'transactional.read',
  'transactional.send',
  'transactional.write',
  'contacts.read',
  'contacts.write',
  'lists.read',
  'lists.write',
  'subscriptions.write',
  'events.send',
  'events.read',
  'sources.read',
  'sources.write',
  'mcp',
  'activity.read',
  'api-keys.read',
  'api-keys.write',
  'campaigns.read',
  'campaigns.write',
  'campaigns.send',
  'domains.read',
  'domains.write',
  'jobs.read',
  'jobs.write',
  'mailboxes.read',
  'mailboxes.write',
  'members.read',
  'payments.read',
  'payments.write',
  'rules.read',
  'rules.write',
  'sequences.read',
  'sequences.write',
  'sequences.send',
  'suppressions.read',
  'suppressions.write',
  'webhooks.read',
  'workspace.read',
  'workspace.write',
  'workspaces.manage',
] as const
export type Scope = (typeof scopes)[number]

export function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text)
}

/** What only a key of the first workspace may be given, by its owner or the operator (src/operator/tenants/routes.ts). */
export const ofInstallation: Scope = 'workspaces.manage'

/** True when a key with `granted` has the scope `wanted`. */
export function covers(granted: readonly string[], wanted: Scope): boolean {
  return granted.includes('full') || granted.includes(wanted)
}
