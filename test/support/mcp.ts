// Clients of three generations at one address, as their makers publish them.

import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { workspaceSurface as surfaceOf } from '../../src/doors/mcp/surfaces.ts'
import { declaredRoutes } from '../../src/doors/server.ts'
import type { Json } from './app.ts'

const routes = declaredRoutes()
/** The tools of a workspace as they are declared; those that are routes cannot be called here. */
export const workspaceSurface = surfaceOf({
  routes: () => routes,
  handle: () => Promise.reject(new Error('only declared')),
})

export const generations = ['2024-11-05 (HTTP+SSE)', '2025 (Streamable HTTP)', '2026-07-28 (stateless)'] as const
export type Generation = (typeof generations)[number]

/** What all of them can do; results are asserted on, so not typed. */
export interface McpClient extends AsyncDisposable {
  listTools(): Promise<Json>
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<Json>
  listResources(): Promise<Json>
  listResourceTemplates(): Promise<Json>
  readResource(request: { uri: string }): Promise<Json>
  listPrompts(): Promise<Json>
  getPrompt(request: { name: string; arguments?: Record<string, string> }): Promise<Json>
  getServerVersion(): Json
  /** Resolves when the server has closed the connection. */
  closed: Promise<void>
}

const identity = { name: 'paquebot-tests', version: '1' }

/** What the client offers to the server: a person who answers forms, a model that writes. */
export interface Offers {
  person?(message: string): Json
  model?(request: Json): string
}

export async function mcpClient(
  generation: Generation,
  url: string,
  token: string,
  { person, model }: Offers = {},
): Promise<McpClient> {
  const capabilities = { ...(person ? { elicitation: { form: {} } } : {}), ...(model ? { sampling: {} } : {}) }
  const written = ({ params }: Json) =>
    ({ role: 'assistant', model: 'm', content: { type: 'text', text: model?.(params) ?? '' } }) as const
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const address = new URL(url)
  const closed = Promise.withResolvers<void>()
  if (generation === '2026-07-28 (stateless)') {
    const client = new ModernClient(identity, { versionNegotiation: { mode: 'auto' }, capabilities })
    if (person) client.setRequestHandler('elicitation/create', ({ params }) => person(params.message))
    if (model) client.setRequestHandler('sampling/createMessage', written)
    client.onclose = () => closed.resolve()
    await client.connect(new ModernTransport(address, { requestInit }))
    return assemble(client, closed.promise)
  }
  const client = new Client(identity, { capabilities })
  if (person) client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params.message))
  if (model) client.setRequestHandler(CreateMessageRequestSchema, written)
  client.onclose = () => closed.resolve()
  const transport =
    generation === '2025 (Streamable HTTP)'
      ? new StreamableHTTPClientTransport(address, { requestInit })
      : new SSEClientTransport(address, { requestInit })
  await client.connect(transport as Parameters<Client['connect']>[0])
  return assemble(client, closed.promise)
}

function assemble(client: Client | ModernClient, closed: Promise<void>): McpClient {
  const any = client as Client
  return {
    listTools: () => any.listTools(),
    callTool: (call) => any.callTool(call),
    listResources: () => any.listResources(),
    listResourceTemplates: () => any.listResourceTemplates(),
    readResource: (request) => any.readResource(request),
    listPrompts: () => any.listPrompts(),
    getPrompt: (request) => any.getPrompt(request),
    getServerVersion: () => any.getServerVersion(),
    closed,
    [Symbol.asyncDispose]: () => any.close(),
  }
}
