// One endpoint for three generations of clients: POST accepts 2026-07-28 (stateless) and 2025 (Streamable HTTP) requests, GET opens the
// stream of 2024-11-05 (HTTP+SSE), whose messages are posted to another path. The credential is checked for every request.

import { createMcpHandler, type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/server'
import type { App } from '../../core/app.ts'
import { readBody } from '../../core/http/body.ts'
import { toStatus } from '../../core/http/errors.ts'
import { createLimiter } from '../../core/http/limiter.ts'
import { keyOf, type Rate, rateLimited } from '../../core/http/rate-limit.ts'
import { bearerChallenge } from '../../features/oauth/metadata.ts'
import { AppError } from '../../kit/error.ts'
import { readJson } from '../../kit/json.ts'
import type { Address } from './addresses.ts'
import { createCall } from './call.ts'
import { refuseForeign } from './origin.ts'
import { type CallerRequest, mcpServer } from './protocol.ts'
import type { Sessions, SseSession } from './sessions.ts'
import type { Caller, Surface } from './surface.ts'

/** A component tree has at most 100 KB. */
const maxMessageBytes = 1024 * 1024
const maxBatch = 20
/** Messages and streams per credential; tool calls have a budget of their own. */
const messageRate: Rate = { burst: 300, perSecond: 20 }

/** The part of Bun's server that keeps an idle stream open. */
export interface Keeper {
  timeout(request: Request, seconds: number): void
}

/** The handlers of one endpoint. */
export interface Transport {
  post(request: Request, requestId: string): Promise<Response>
  /** Opens the stream of the oldest transport. */
  get(request: Request, requestId: string, keeper: Keeper | null): Promise<Response>
  /** Receives a message of such a stream. */
  message(request: Request, requestId: string): Promise<Response>
}

/** `sessions` may be shared by several surfaces. */
export function createTransport<C extends Caller>(app: App, surface: Surface<C>, sessions: Sessions): Transport {
  const admit = surface.createAdmit(app)
  const call = createCall(app, surface)
  /** The sender of a request, or of the last message of a session. */
  const asked = new WeakMap<Request | SseSession, CallerRequest<C>>()
  const serverFor = (from: Request | SseSession) =>
    mcpServer(app, surface, {
      call,
      asked() {
        const known = asked.get(from)
        if (!known) throw new AppError('unauthorized', 'This request needs a credential.')
        return known
      },
    })
  const { fetch: serve } = createMcpHandler(
    ({ requestInfo }) => {
      if (!requestInfo) throw new Error('a request without its HTTP request')
      return serverFor(requestInfo)
    },
    { onerror: (error) => app.log.debug('an MCP request was refused', { path: surface.path, error }) },
  )

  const limiter = createLimiter(app, messageRate)

  const enter = async (request: Request): Promise<C> => {
    refuseForeign(request, app.config.baseUrl)
    const caller = await admit(request).catch((error) => {
      throw withChallenge(app, surface, request, error)
    })
    const allowance = await limiter.take(keyOf.id('message', caller.presented.id))
    if (!allowance.allowed) throw rateLimited(allowance)
    return caller
  }

  const post = async (request: Request, requestId: string): Promise<Response> => {
    const caller = await enter(request)
    const parsedBody = await readMessage(app, request)
    if (parsedBody instanceof Response) return parsedBody
    asked.set(request, { caller, requestId })
    return serve(request, { parsedBody })
  }

  const get = async (request: Request, requestId: string, keeper: Keeper | null): Promise<Response> => {
    const caller = await enter(request)
    // Clients since 2025 name their version and ask for a second stream, which a stateless server need not have.
    if (request.headers.has('mcp-protocol-version') || request.headers.has('mcp-session-id')) {
      throw new AppError('method_not_allowed', 'This server does not offer this stream.', {
        headers: { allow: 'POST' },
      })
    }
    const { id: credentialId } = caller.presented
    const { messagePath } = surface
    const session = sessions.open({ credentialId, admit: () => admit(request), messagePath })
    asked.set(session, { caller, requestId })
    keeper?.timeout(request, 0)
    await serverFor(session).connect(session)
    return session.response()
  }

  const message = async (request: Request, requestId: string): Promise<Response> => {
    const caller = await enter(request)
    const id = new URL(request.url).searchParams.get('sessionId') ?? ''
    const session = sessions.get(id, caller.presented.id)
    asked.set(session, { caller, requestId })
    const body = await readMessage(app, request)
    const messages = body instanceof Response ? body : messagesOf(body)
    if (messages instanceof Response) return messages
    for (const one of messages) session.receive(one)
    return new Response('Accepted', { status: 202 })
  }

  return { post, get, message }
}

/** A 401 says where a client learns how to get a credential. */
function withChallenge(app: App, { endpoint }: Address, request: Request, error: unknown): unknown {
  if (!(error instanceof AppError) || toStatus(error.code) !== 401) return error
  const challenge = bearerChallenge(app, endpoint, request.headers.has('authorization'))
  return new AppError(error.code, error.message, { ...error.details, headers: { 'www-authenticate': challenge } })
}

/** The parsed message, or the answer to an invalid one (JSON-RPC 2.0, 5.1). Throws 413. */
async function readMessage(app: App, request: Request): Promise<unknown> {
  const body = await readBody(request, maxMessageBytes)
  try {
    const message = await readJson(app.aside, body)
    const isTooMany = Array.isArray(message) && message.length > maxBatch
    return isTooMany ? rpcError(-32600, `a batch may have at most ${maxBatch} messages`) : message
  } catch (error) {
    return rpcError(-32700, error instanceof AppError ? error.message : 'not JSON')
  }
}

function rpcError(code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status: 400 })
}

function messagesOf(body: unknown): JSONRPCMessage[] | Response {
  try {
    return (Array.isArray(body) ? body : [body]).map(parseJSONRPCMessage)
  } catch {
    return rpcError(-32600, 'not a JSON-RPC 2.0 message')
  }
}
