// Captured mail over REST: what capture mode kept instead of sending, for people who look and for tests that wait.

import { Elysia } from 'elysia'
import type { App } from '../../../core/app.ts'
import { download, downloadAttachment, downloadResponse } from '../../../core/http/download.ts'
import { jsonStream } from '../../../core/http/json-stream.ts'
import { extension } from '../../../core/http/operation.ts'
import { pageOf, readPage, writePage } from '../../../core/http/pagination.ts'
import { AppError } from '../../../kit/error.ts'
import { auth } from '../../../people/access/auth.ts'
import { getCaptured, idOfCaptured, sourceOfCaptured } from '../activity/captured.ts'
import { countCaptured, isWide, searchCaptured } from '../activity/captured-search.ts'
import { waitForCaptured } from '../activity/captured-wait.ts'
import {
  capturedLine,
  capturedQuery,
  capturedView,
  defaultTimeoutMs,
  maxTimeoutMs,
  toCapturedFilter,
  toCapturedLine,
  toCapturedMail,
  toWaitFilter,
  waitQuery,
  waitView,
} from './schema.ts'

const path = '/v1/activity/captured'
const rule = { auth: { scope: 'activity.read', session: true } } as const

export function capturedRoutes(app: App) {
  const open = async (workspaceId: string, id: number) =>
    await toCapturedMail(app, await getCaptured(app, [workspaceId], id))
  return new Elysia({ prefix: path })
    .use(auth)
    .get('', ({ workspace, query }) => list(app, workspace.id, query), {
      ...rule,
      query: capturedQuery,
      response: pageOf(capturedLine),
      detail: extension(
        'listCaptured',
        'List captured mail, newest first',
        'Mail that was captured instead of sent. When searching, a page may be shorter than `perPage` although more pages follow, and `totalResults` counts the mails found so far.',
        [422],
      ),
    })
    .get(
      '/wait',
      async ({ workspace, query, request: { signal } }) => {
        const { timeoutMs = defaultTimeoutMs, ...asked } = query
        const filter = toWaitFilter(asked)
        const within = Math.min(timeoutMs, maxTimeoutMs)
        const found = await waitForCaptured(app, { workspaceId: workspace.id, filter, timeoutMs: within, signal })
        return json({ mail: found === null ? null : await open(workspace.id, found) })
      },
      {
        ...rule,
        query: waitQuery,
        response: waitView,
        detail: extension(
          'waitForCaptured',
          'Wait for a captured mail',
          'For tests: returns the newest matching mail if there is one, else the first that arrives, or `mail: null` if none arrives within `timeoutMs`. At least one of `to`, `subject`, `q` and `after` is required; give `after` so that mail from an earlier test does not match. At most 20 requests of a workspace may wait at once.',
          [422],
        ),
      },
    )
    .get(
      '/:capturedId',
      async ({ workspace, params }) => json(await open(workspace.id, idOfCaptured(params.capturedId))),
      {
        ...rule,
        response: capturedView,
        detail: extension(
          'getCaptured',
          'One captured mail',
          'Its parts, headers and links, and problems of its HTML with the clients they affect. No request is made to other hosts.',
        ),
      },
    )
    .get(
      '/:capturedId/raw',
      async ({ workspace, params }) => {
        const raw = await sourceOfCaptured(app, [workspace.id], idOfCaptured(params.capturedId))
        return download(raw, `${params.capturedId}.eml`, 'message/rfc822')
      },
      {
        ...rule,
        detail: {
          ...extension('getCapturedSource', 'A captured mail as .eml', 'The raw message (RFC 5322), as a download.'),
          ...downloadResponse('message/rfc822'),
        },
      },
    )
    .get(
      '/:capturedId/attachments/:number',
      async ({ workspace, params }) => {
        const raw = await sourceOfCaptured(app, [workspace.id], idOfCaptured(params.capturedId))
        return await downloadAttachment(app, raw, params.number)
      },
      {
        ...rule,
        detail: {
          ...extension(
            'getCapturedAttachment',
            'Download one attachment of a captured mail',
            'Attachments are numbered from 1.',
          ),
          ...downloadResponse(),
        },
      },
    )
}

function json(document: Record<string, unknown>): Response {
  return new Response(jsonStream(document), { headers: { 'content-type': 'application/json' } })
}

const placePattern = /^(\d+) (\d+)$/

async function list(app: App, workspaceId: string, query: typeof capturedQuery.static) {
  const filter = toCapturedFilter(query)
  const request = { workspaceId, path, query }
  const bounds = await readPage(app, request)
  const [, before, shown = 0] = bounds.after === undefined ? [] : (placePattern.exec(bounds.after) ?? wrongCursor())
  const { limit } = bounds
  const from = before === undefined ? undefined : Number(before)
  const { lines, next } = await searchCaptured(app, workspaceId, filter, { limit, before: from })
  const found = Number(shown) + lines.length
  return writePage(app, request, bounds, {
    rows: lines,
    total: isWide(filter) && filter.after === null ? await countCaptured(app, workspaceId) : found,
    idOf: ({ id }) => String(id),
    view: toCapturedLine,
    next: next === null ? null : `${next} ${found}`,
  })
}

function wrongCursor(): never {
  throw new AppError('invalid_cursor', 'cursor is not a nextCursor of this list')
}
