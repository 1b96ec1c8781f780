// Agents as the airlock sees them: what they call, and what a person decides about it.

import { expect } from 'bun:test'
import { write } from '../../src/core/app.ts'
import { getMailbox } from '../../src/features/mailboxes/mailboxes.ts'
import { createToken } from '../../src/features/mailboxes/tokens.ts'
import { type Json, type RequestOptions, session, type TestApp } from './app.ts'
import type { TestMailbox } from './mailbox.ts'
import { mcpClient } from './mcp.ts'

export type Call = (tool: string, input?: Json) => Promise<Json>

/** Each call is a session of its own. A refusal is its problem document. */
export function callerOf(t: TestApp, path: '/mcp' | '/mailbox/mcp', token: string): Call {
  return async (name, input = {}) => {
    await using client = await mcpClient('2026-07-28 (stateless)', t.url + path, token)
    const { isError, structuredContent, content } = await client.callTool({ name, arguments: input })
    return isError ? JSON.parse(content[0].text) : structuredContent
  }
}

/** A token of this mailbox, by default behind the airlock and made by the owner. */
export async function agentOf(
  t: TestApp,
  { id }: TestMailbox,
  { airlock = true, madeBy = t.user.id }: { airlock?: boolean; madeBy?: string } = {},
): Promise<Call> {
  const mailbox = await getMailbox(t.app, t.workspace.id, id)
  const { token } = await write(t.app, (tx) => createToken(tx, mailbox, { airlock, madeBy }))
  return callerOf(t, '/mailbox/mcp', token)
}

/** What waits now, newest first. */
export async function waiting(t: TestApp): Promise<Json[]> {
  return (await t.get('/v1/approvals', 200, session)).data
}

/** One decision; `as` is a session. */
export async function decide(
  t: TestApp,
  verb: 'approve' | 'refuse',
  { id, contentHash }: { id: string; contentHash: string },
  as: RequestOptions = session,
): Promise<Json> {
  const { results } = await t.post(`/v1/approvals/${verb}`, { approvals: [{ id, contentHash }] }, 200, as)
  expect(results).toHaveLength(1)
  return results[0]
}
