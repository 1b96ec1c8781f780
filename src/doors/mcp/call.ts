// One tool call: within its token's budget, validated, run, and recorded. Refusals are results that a model can read, never protocol errors
// (MCP, "Tools", Error Handling).

import type { InputRequiredResult } from '@modelcontextprotocol/server'
import { mcpCalls } from '../../../db/tables/mailboxes.ts'
import { type App, write } from '../../core/app.ts'
import { knownError, toProblem } from '../../core/http/errors.ts'
import { createLimiter } from '../../core/http/limiter.ts'
import { keyOf, type Rate, rateLimited } from '../../core/http/rate-limit.ts'
import { tellRefusal } from '../../features/webhooks/limit-events.ts'
import { type Act, acting, currentAct, newAct } from '../../kit/act.ts'
import { AppError } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { leaveLine } from '../../people/access/audit/leave-line.ts'
import { mustAsk, noteRead } from './airlock.ts'
import { type Exchange, isQuestion } from './exchange.ts'
import { type Caller, requireRight, type Surface } from './surface.ts'
import type { Tool } from './tool.ts'

/** Per token. */
const callRate: Rate = { burst: 60, perSecond: 1 }

interface CallResult {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
  [name: string]: unknown
}

interface Call<C> {
  /** The id of the HTTP request. */
  requestId: string
  tool: Tool<C>
  input: Record<string, unknown>
  exchange: Exchange
}

export type CallTool<C> = (caller: C, call: Call<C>) => Promise<CallResult | InputRequiredResult>

/**
 * `call(caller, { requestId, tool, input, exchange })`: never throws. When a tool asks a question first, each round is a call of its own.
 */
export function createCall<C extends Caller>(app: App, surface: Surface<C>): CallTool<C> {
  const limiter = createLimiter(app, callRate)
  return async (caller, { requestId, tool, input, exchange }) => {
    const started = performance.now()
    const act = actOf(caller, { requestId, tool: tool.name })
    const about = { path: surface.path, requestId, workspaceId: caller.workspaceId }
    const { result, outcome } = await run(app, about, async () => {
      const allowance = await limiter.take(keyOf.id('call', caller.presented.id))
      if (!allowance.allowed) throw rateLimited(allowance)
      requireRight(surface, caller, { scope: tool.scope, least: tool.hints.readOnlyHint ? 'viewer' : 'member' })
      // By what was read before: its own answer comes after what it does.
      const isHeld = await mustAsk(app, caller, tool)
      if (tool.touches.reads === 'untrusted') await noteRead(app, caller)
      return acting(act, () => (isHeld ? tool.ask(app, caller, input) : tool.run(app, caller, input, exchange)))
    })
    if (outcome === 'ok' && !tool.hints.readOnlyHint) await leaveLine(app, act, { operation: act.about().operation })
    await record(app, caller, { tool: tool.name, outcome, durationMs: Math.round(performance.now() - started) })
    return result
  }
}

/** Each call is an act of its own: one request may bring several. */
function actOf(caller: Caller, { requestId, tool }: { requestId: string; tool: string }): Act {
  const { presented, workspaceId } = caller
  const request = currentAct()
  const about = () => ({ ip: null, client: null, ...request?.about(), operation: `mcp ${tool}` })
  return newAct(about, { actor: { kind: presented.kind, id: presented.id }, workspaceId, requestId })
}

async function run<C extends Caller>(
  app: App,
  { workspaceId, ...about }: { path: string; requestId: string; workspaceId: string },
  work: () => ReturnType<Tool<C>['run']>,
): Promise<{ result: CallResult | InputRequiredResult; outcome: string }> {
  try {
    const done = await work()
    if (isQuestion(done)) return { result: done.question, outcome: 'input_required' }
    const { structured, text } = done
    const content = [{ type: 'text' as const, text }]
    return { result: { content, structuredContent: structured as Record<string, unknown> }, outcome: 'ok' }
  } catch (error) {
    const known = knownError(error)
    if (!known) app.log.error('a tool failed', { ...about, error })
    // Best effort, as its record is.
    await tellRefusal(app, workspaceId, error).catch((failed) =>
      app.log.error('a limit was not told', { ...about, error: failed }),
    )
    const told = known ?? new AppError('internal_error', 'Internal error; try again.')
    const problem = toProblem(told, { baseUrl: app.config.baseUrl, ...about })
    const { retryAfterSeconds } = told.details
    const body = retryAfterSeconds === undefined ? problem : { ...problem, retryAfterSeconds }
    return { result: { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true }, outcome: told.code }
  }
}

/** Best effort: a call that took effect is not undone because it could not be recorded. */
async function record(
  app: App,
  { presented, workspaceId, mailboxId }: Caller,
  call: { tool: string; outcome: string; durationMs: number },
): Promise<void> {
  const about = { workspaceId, mailboxId, credentialId: presented.id, ...call }
  await write(app, async (tx) => {
    await tx.db.insert(mcpCalls).values({ id: newId(tx, 'mcp', tx.now), ...about, createdAt: tx.now })
  }).catch((error) => app.log.error('a tool call was not recorded', { ...about, error }))
}
