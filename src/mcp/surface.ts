// What stands at one MCP address: whom it admits, and which tools, resources and prompts they find there.

import type { App } from '../app.ts'
import type { Address } from './addresses.ts'
import type { Tool } from './tool.ts'

/** Whoever holds a credential. */
export interface Caller {
  /** The id of the API key or mailbox token; sessions and budgets are bound to it. */
  credentialId: string
  workspaceId: string
  mailboxId: string | null
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
  instructions: string
  tools: Tool<C>[]
  resources: Resource[]
  reports: Report<C>[]
  prompts: Prompt[]
  /** `admit(request)`; throws 401 or 403. Asked when a connection opens and again for every message. */
  createAdmit(app: App): (request: Request) => Promise<C>
}
