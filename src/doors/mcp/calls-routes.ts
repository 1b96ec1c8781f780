// Tool calls by agents, for the members of the workspace and their keys: who, which tool, and the result. Never the content.

import { Type } from '@sinclair/typebox'
import { and, count, desc, eq, lt, type SQL } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { mcpCalls } from '../../../db/tables/mailboxes.ts'
import type { App, Reader } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../../core/http/pagination.ts'
import { auth } from '../../people/access/auth.ts'

type Call = typeof mcpCalls.$inferSelect

const path = '/v1/mcp-calls'
/** A request never counts further than this. */
const maxCounted = 10_000

const callView = t.Object({
  id: t.String(),
  tool: t.String(),
  outcome: t.String({ description: '`ok`, or the code of the error.' }),
  credentialId: t.String({ description: 'The API key, mailbox token or connection (OAuth).' }),
  mailboxId: t.Union([t.String(), t.Null()], { description: 'Set when it was a call of the tools of a mailbox.' }),
  durationMs: Type.Integer(),
  at: t.String({ format: 'date-time' }),
})

export function mcpCallRoutes(app: App) {
  return new Elysia().use(auth).get(
    path,
    async ({ workspace, query }) => {
      const request = { workspaceId: workspace.id, path, query }
      const bounds = await readPage(app, request)
      const calls = callsOf(workspace.id, query.credentialId)
      const rows = await listCalls(app, calls, bounds)
      const total = await countCalls(app, calls)
      return writePage(app, request, bounds, { rows, total, idOf: ({ id }) => id, view: toView })
    },
    {
      auth: { scope: 'activity.read', session: true },
      query: t.Object({
        ...pageQuery,
        credentialId: t.Optional(
          t.String({ maxLength: 100, description: 'Only those of this API key, mailbox token or connection: its id.' }),
        ),
      }),
      response: pageOf(callView),
      detail: extension(
        'listMcpCalls',
        'List tool calls by agents, newest first',
        'Each call with its tool, its credential and its result, without its content.',
      ),
    },
  )
}

function callsOf(workspaceId: string, credentialId: string | undefined): SQL | undefined {
  const isTheirs = credentialId === undefined ? undefined : eq(mcpCalls.credentialId, credentialId)
  return and(eq(mcpCalls.workspaceId, workspaceId), isTheirs)
}

/** One more than `limit`. */
async function listCalls(
  reader: Reader,
  calls: SQL | undefined,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<Call[]> {
  return await reader.db
    .select()
    .from(mcpCalls)
    .where(and(calls, after === undefined ? undefined : lt(mcpCalls.id, after)))
    .orderBy(desc(mcpCalls.id))
    .limit(limit + 1)
}

async function countCalls(reader: Reader, calls: SQL | undefined): Promise<number> {
  const some = reader.db.select({ id: mcpCalls.id }).from(mcpCalls).where(calls).limit(maxCounted)
  const [row] = await reader.db.select({ total: count() }).from(some.as('some'))
  return row?.total ?? 0
}

function toView({ id, tool, outcome, credentialId, mailboxId, durationMs, createdAt }: Call): typeof callView.static {
  return { id, tool, outcome, credentialId, mailboxId, durationMs, at: createdAt.toISOString() }
}
