// What stands at one MCP address: whom it admits, and which tools, resources and prompts they find there.

import type { App } from '../app.ts'
import { AppError } from '../lib/error.ts'
import type { Address } from './addresses.ts'
import type { Tool } from './tool.ts'

/** Whoever holds a credential. */
export interface Caller {
  /** The id of the API key or mailbox token; sessions and budgets are bound to it. */
  credentialId: string
  workspaceId: string
  mailboxId: string | null
  /** What the credential is good for. */
  scopes: readonly string[]
}

export interface Resource {
  uri: string
  name: string
  description: string
  mimeType: string
  text(): string
}

/** A resource of which there is one for each thing: `prefix` and the thing's id are its URI. */
export interface Report<C> {
  prefix: string
  name: string
  description: string
  mimeType: string
  /** As of a tool. */
  scope: string
  /** Undefined where the caller has no such thing. */
  text(app: App, caller: C, id: string): Promise<string | undefined>
}

export interface Prompt {
  name: string
  title: string
  description: string
  arguments: { name: string; description: string; required: boolean }[]
  /** What the user asks, filled with the arguments. */
  text(values: Record<string, string>): string
}

export interface Surface<C extends Caller> extends Address {
  title: string
  /** What its callers hold, in words: "an API key". */
  credential: string
  instructions: string
  tools: Tool<C>[]
  resources: Resource[]
  reports: Report<C>[]
  prompts: Prompt[]
  /** `admit(request)`; throws 401 or 403. Asked when a connection opens and again for every message. */
  createAdmit(app: App): (request: Request) => Promise<C>
}

/** Throws `insufficient_scope`. */
export function requireScope<C extends Caller>({ credential }: Surface<C>, { scopes }: C, wanted: string | null): void {
  if (wanted === null || scopes.includes('full') || scopes.includes(wanted)) return
  throw new AppError('insufficient_scope', `This needs ${credential} with the scope ${wanted}.`)
}
