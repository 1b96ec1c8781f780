// The audit log over REST. Who is in a workspace is decided by owners, and so is who sees what each of them did: a key could be made by
// somebody who may do less.

import { Elysia, t } from 'elysia'
import type { App } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../../core/http/pagination.ts'
import { nextTurn, StepSize } from '../../kit/turn.ts'
import { writeCounts } from './audit/leave-line.ts'
import { countLines, type LineFilter, listLines } from './audit/lines.ts'
import { csvHeader, lineQuery, lineView, toCsv, toFilter, toLineView } from './audit/schema.ts'
import { auth } from './auth.ts'

const path = '/v1/audit'
const perSlice = { least: 20, most: 200 }

const formats = {
  ndjson: { type: 'application/x-ndjson', header: '', row: (line: Line) => `${JSON.stringify(toLineView(line))}\n` },
  csv: { type: 'text/csv; charset=utf-8', header: csvHeader, row: toCsv },
}
type Line = Parameters<typeof toCsv>[0]
type Format = (typeof formats)[keyof typeof formats]

const exportContent = Object.fromEntries(
  Object.values(formats).map(({ type }) => [type, { schema: { type: 'string' as const } }]),
)

export function auditRoutes(app: App) {
  return new Elysia({ prefix: path })
    .use(auth)
    .get(
      '',
      async ({ workspace, query }) => {
        const request = { workspaceId: workspace.id, path, query }
        const bounds = await readPage(app, request)
        const filter = toFilter(query)
        await writeCounts(app)
        const rows = await listLines(app, workspace.id, { ...filter, before: bounds.after, limit: bounds.limit + 1 })
        const total = await countLines(app, workspace.id, filter)
        return writePage(app, request, bounds, { rows, total, idOf: ({ id }) => id, view: toLineView })
      },
      {
        session: 'owner',
        query: t.Object({ ...lineQuery, ...pageQuery }),
        response: pageOf(lineView),
        detail: extension(
          'listAuditLog',
          'List who changed what, newest first',
          'Every action in the workspace that changed something: who did it, from where, and the values before and after. Frequent actions of keys and tokens (sending, events, contacts) are combined into one entry an hour, with a count.',
          [422],
        ),
      },
    )
    .get(
      '/export',
      async ({ workspace, query }) => {
        const format = formats[query.format ?? 'ndjson']
        const filter = toFilter(query)
        await writeCounts(app)
        const headers = {
          'content-type': format.type,
          'content-disposition': `attachment; filename="audit.${query.format ?? 'ndjson'}"`,
        }
        return new Response(linesAs(app, workspace.id, filter, format), { headers })
      },
      {
        session: 'owner',
        query: t.Object({
          ...lineQuery,
          format: t.Optional(t.Union([t.Literal('ndjson'), t.Literal('csv')], { description: 'Default `ndjson`.' })),
        }),
        detail: {
          ...extension(
            'exportAuditLog',
            'Export the audit log as a file',
            'All entries that match the filter, newest first: one JSON document per line, or CSV with one row per change.',
            [422],
          ),
          responses: { 200: { description: 'The entries, newest first.', content: exportContent } },
        },
      },
    )
}

/** Pulled by whoever reads: no more than a slice is in memory. */
function linesAs(
  app: App,
  workspaceId: string,
  filter: LineFilter,
  { header, row }: Format,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const sizes = new StepSize(workspaceId, perSlice)
  let before: string | undefined
  return new ReadableStream({
    start(controller) {
      if (header !== '') controller.enqueue(encoder.encode(header))
    },
    async pull(controller) {
      await nextTurn(workspaceId)
      const began = performance.now()
      const lines = await listLines(app, workspaceId, { ...filter, before, limit: sizes.next() })
      before = lines.at(-1)?.id
      if (before === undefined) return controller.close()
      controller.enqueue(encoder.encode(lines.map(row).join('')))
      sizes.took(lines.length, performance.now() - began)
    },
  })
}
