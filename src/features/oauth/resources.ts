// What can be connected to: the two MCP endpoints, each a resource of its own (RFC 8707), and what may be allowed there. A scope is what a
// person reads and says yes to; which rights of the API it stands for is decided at each call, so that a later tool that reads is one of `read`.

import type { App } from '../../core/app.ts'
import type { Role } from '../../people/access/roles.ts'
import type { Scope } from '../../people/access/scopes.ts'

export const endpoints = ['workspace', 'mailbox'] as const
export type Endpoint = (typeof endpoints)[number]

/** The address that clients are given. */
export const endpointPaths: Record<Endpoint, string> = { workspace: '/mcp', mailbox: '/mailbox/mcp' }

const workspaceScopes: Record<'read' | 'write' | 'send', Scope[]> = {
  read: [
    'mcp',
    'activity.read',
    'campaigns.read',
    'contacts.read',
    'domains.read',
    'events.read',
    'lists.read',
    'mailboxes.read',
    'sequences.read',
    'transactional.read',
  ],
  write: ['campaigns.write', 'contacts.write', 'sequences.write', 'transactional.write'],
  send: ['campaigns.send'],
}
export const mailboxScopes = ['read', 'reply'] as const

export type GrantScope = keyof typeof workspaceScopes | (typeof mailboxScopes)[number]

/** Without this one nothing works, so it is part of every yes. */
export const basicScope: GrantScope = 'read'

export function scopesOf(endpoint: Endpoint): GrantScope[] {
  return endpoint === 'mailbox' ? [...mailboxScopes] : (Object.keys(workspaceScopes) as GrantScope[])
}

/** The least role of a person who may allow it. */
export function leastRoleFor(scope: GrantScope): Role {
  return scope === basicScope ? 'viewer' : 'member'
}

/** The scopes of the API that a connection to a workspace has. */
export function rightsOf(granted: readonly string[]): Scope[] {
  return Object.entries(workspaceScopes).flatMap(([name, rights]) => (granted.includes(name) ? rights : []))
}

/** What a person would have to allow for that right. */
export function scopeWith(right: string): string {
  const found = Object.entries(workspaceScopes).find(([, rights]) => rights.some((one) => one === right))
  return found?.[0] ?? right
}

/** As clients name it in `resource`, and as its metadata does. */
export function resourceUrl({ config }: Pick<App, 'config'>, endpoint: Endpoint): string {
  return config.baseUrl + endpointPaths[endpoint]
}

/** Undefined for what is none of ours. A slash at the end, and the case of the host, make no difference. */
export function endpointOf(app: Pick<App, 'config'>, resource: string): Endpoint | undefined {
  return endpoints.find((one) => plainUrl(resourceUrl(app, one)) === plainUrl(resource))
}

function plainUrl(text: string): string | null {
  return URL.canParse(text) && !text.includes('#') ? new URL(text).href.replace(/\/$/, '') : null
}
