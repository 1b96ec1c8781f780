// One MCP endpoint: whom it admits, and its tools, resources and prompts.

import type { App } from '../../core/app.ts'
import { scopeWith } from '../../features/oauth/resources.ts'
import { AppError } from '../../kit/error.ts'
import { mayAct, type Role } from '../../people/access/roles.ts'
import type { Address } from './addresses.ts'
import type { Tool } from './tool.ts'

/**
 * What a caller came with: a key or token that somebody pasted into the client, or a connection that a person allowed (OAuth): who, to whom and
 * when.
 */
type CallerCredential =
  | { kind: 'api_key' | 'mailbox_token'; id: string; madeBy: string | null }
  | { kind: 'oauth_grant'; id: string; clientId: string; clientName: string; givenAt: Date; madeBy: string | null }

/** The holder of a credential. */
export interface Caller {
  /** Sessions and budgets are bound to its id. */
  presented: CallerCredential
  workspaceId: string
  mailboxId: string | null
  /** What the credential allows. */
  scopes: readonly string[]
  /** The most that it allows, whatever its scopes. */
  role: Role
  /** What it does outside waits for a person once it has read what strangers wrote (airlock.ts). */
  airlock: boolean
}

export interface Resource {
  uri: string
  name: string
  description: string
  mimeType: string
  text(): string
}

/** A resource that exists once per thing: its URI is `prefix` and the thing's id. It may hold words of strangers. */
export interface Report<C> {
  prefix: string
  name: string
  description: string
  mimeType: string
  /** As for a tool. */
  scope: string
  /** Undefined when the caller has no such thing. */
  text(app: App, caller: C, id: string): Promise<string | undefined>
}

export interface Prompt {
  name: string
  title: string
  description: string
  arguments: { name: string; description: string; required: boolean }[]
  /** The user's message, filled in with the arguments. */
  text(values: Record<string, string>): string
}

export interface Surface<C extends Caller> extends Address {
  title: string
  /** The credential of its callers, in words: "an API key". */
  credential: string
  instructions: string
  tools: Tool<C>[]
  resources: Resource[]
  reports: Report<C>[]
  prompts: Prompt[]
  /** `admit(request)`; throws 401 or 403. Called when a connection opens and again for every message. */
  createAdmit(app: App): (request: Request) => Promise<C>
}

/** As at a route: a scope, and the role of whoever made the credential. Throws `insufficient_scope`, `insufficient_role`. */
export function requireRight<C extends Caller>(
  { credential }: Surface<C>,
  { presented, scopes, role }: C,
  { scope, least }: { scope: string | null; least: Role },
): void {
  const isConnection = presented.kind === 'oauth_grant'
  const wanted = isConnection ? 'a connection' : credential
  if (scope !== null && !scopes.includes('full') && !scopes.includes(scope)) {
    const name = isConnection ? scopeWith(scope) : scope
    throw new AppError('insufficient_scope', `This needs ${wanted} with the scope ${name}.`)
  }
  if (!mayAct(role, least))
    throw new AppError('insufficient_role', `This needs ${wanted} made by a person with the role ${least}.`)
}
