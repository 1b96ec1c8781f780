// The MCP routes: /mcp for a workspace's API key, /mailbox/mcp for a mailbox token. The protocol package is loaded with the first request,
// because it would be a quarter of the start-up time of a server that no agent calls.

import { Elysia } from 'elysia'
import type { App } from '../../core/app.ts'
import { agentCalls } from '../../core/http/surface.ts'
import { type Address, mailboxAddress, workspaceAddress } from './addresses.ts'
import type { Operations } from './declared-tools.ts'
import type { Sessions } from './sessions.ts'
import type { Keeper, Transport } from './transport.ts'

export function mcpRoutes(app: App, sessions: Sessions, operations: Operations) {
  const load = async () => {
    const [{ createTransport }, { mailboxSurface, workspaceSurface }] = await Promise.all([
      import('./transport.ts'),
      import('./surfaces.ts'),
    ])
    return {
      workspace: createTransport(app, workspaceSurface(operations), sessions),
      mailbox: createTransport(app, mailboxSurface, sessions),
    }
  }
  let loaded: ReturnType<typeof load> | undefined
  const transports = () => {
    loaded ??= load()
    return loaded
  }
  return new Elysia()
    .use(addressRoutes(workspaceAddress, async () => (await transports()).workspace))
    .use(addressRoutes(mailboxAddress, async () => (await transports()).mailbox))
}

interface RequestContext {
  request: Request
  server: Keeper | null
  set: { headers: Record<string, string | number> }
}

function addressRoutes({ path, streamPath, messagePath }: Address, transport: () => Promise<Transport>) {
  const hidden = { parse: 'none', detail: { hide: true, ...agentCalls } } as const
  const idOf = (set: RequestContext['set']) => String(set.headers['x-request-id'] ?? '')
  const stream = async ({ request, server, set }: RequestContext) => (await transport()).get(request, idOf(set), server)
  return new Elysia()
    .post(path, async ({ request, set }) => (await transport()).post(request, idOf(set)), hidden)
    .get(path, stream, hidden)
    .get(streamPath, stream, hidden)
    .post(messagePath, async ({ request, set }) => (await transport()).message(request, idOf(set)), hidden)
}
