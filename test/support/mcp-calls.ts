// A tool of a mailbox, called with its token.

import { expect } from 'bun:test'
import type { Json, TestApp } from './app.ts'
import type { TestMailbox } from './mailbox.ts'
import { mcpClient } from './mcp.ts'

export const modern = '2026-07-28 (stateless)'

/** A call over the modern client, as it comes. */
export async function call(
  t: TestApp,
  mailbox: TestMailbox,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Json> {
  await using client = await mcpClient(modern, `${t.url}/mailbox/mcp`, mailbox.token)
  return await client.callTool({ name, arguments: args })
}

/** The problem of a refused call. */
export function problemOf(result: Json): Json {
  expect(result.isError).toBe(true)
  expect(result.structuredContent).toBeUndefined()
  return JSON.parse(result.content[0].text)
}
