// Blocks over REST: pieces of content that are written once and used again.

import { Elysia, t } from 'elysia'
import { type App, write } from '../../../core/app.ts'
import { extension } from '../../../core/http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../../../core/http/pagination.ts'
import { auth } from '../../../people/access/auth.ts'
import { successBody } from '../../../people/access/schema.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { parseTree } from '../rendering/tree.ts'
import { checkedLocale } from '../templates/contents.ts'
import { countBlocks, createBlock, deleteBlock, getBlock, listBlocks, renameBlock } from './blocks.ts'
import { contentOfBlock, putBlockLocale } from './save.ts'
import {
  blockView,
  contentBody,
  contentView,
  createBody,
  renameBody,
  savedView,
  toBlockView,
  toContentView,
  usesView,
} from './schema.ts'
import { findUses, toUsesView } from './uses.ts'

const path = '/v1/blocks'
const reading = { scope: 'transactional.read', session: true } as const
const writing = { scope: 'transactional.write', session: true } as const

const listQuery = t.Object({
  ...pageQuery,
  q: t.Optional(t.String({ maxLength: 200, description: 'Finds blocks whose name contains this.' })),
})

export function blockRoutes(app: App) {
  return new Elysia({ prefix: path })
    .use(auth)
    .use(blockContentRoutes(app))
    .get('', ({ workspace, query }) => list(app, workspace, query), {
      auth: reading,
      query: listQuery,
      response: pageOf(blockView),
      detail: {
        ...extension('listBlocks', 'List the blocks', 'Pieces of content that are used again, oldest first.'),
        tool: {
          name: 'list_blocks',
          says: {
            purpose:
              'Lists the blocks of the workspace: pieces of content that are written once and used in many mails.',
            notFor: 'Changing one, which changes all mails that use it: people do that in the dashboard.',
            returns: '`data` with id, name and locales, oldest first, and `pagination`.',
            whenToUse:
              'Before writing a footer, a notice or a signature: use `{"type": "block", "blockId": …}` in `content`.',
          },
          touches: { reads: 'own', acts: 'no' },
          shows: ['id', 'name', 'locales'],
        },
      },
    })
    .post(
      '',
      async ({ workspace, body, set }) => {
        const { content } = parseTree(body.content)
        const locale = body.locale === undefined ? workspace.primaryLocale : checkedLocale('locale', body.locale)
        const block = await write(app, (tx) => createBlock(tx, workspace.id, { name: body.name, locale, content }))
        set.status = 201
        return toBlockView(block)
      },
      {
        auth: writing,
        body: createBody,
        response: { 201: blockView },
        detail: extension(
          'createBlock',
          'Create a block',
          'A piece of content that templates and campaigns use as `{"type": "block", "blockId": …}`.',
        ),
      },
    )
    .get('/:blockId', async ({ workspace, params }) => toBlockView(await getBlock(app, workspace.id, params.blockId)), {
      auth: reading,
      response: blockView,
      detail: extension(
        'getBlock',
        'Fetch one block',
        'Its name and languages. What it holds is at `/content/{locale}`.',
      ),
    })
    .patch(
      '/:blockId',
      async ({ workspace, params, body }) =>
        toBlockView(await write(app, (tx) => renameBlock(tx, workspace.id, params.blockId, body.name))),
      {
        auth: writing,
        body: renameBody,
        response: blockView,
        detail: extension('updateBlock', 'Rename a block', 'What uses it stays as it is.'),
      },
    )
    .delete(
      '/:blockId',
      async ({ workspace, params }) => {
        await write(app, (tx) => deleteBlock(tx, workspace.id, params.blockId))
        return { success: true as const, message: 'Block deleted.' }
      },
      {
        auth: writing,
        response: successBody,
        detail: extension(
          'deleteBlock',
          'Delete a block',
          '409 while a template, a recurring campaign or a campaign that has not begun uses it; they are named.',
          [409],
        ),
      },
    )
}

function blockContentRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .get(
      '/:blockId/uses',
      async ({ workspace, params }) => {
        const { id } = await getBlock(app, workspace.id, params.blockId)
        return toUsesView(await findUses(app, workspace.id, id))
      },
      {
        auth: reading,
        response: usesView,
        detail: extension('listBlockUses', 'List what uses a block', 'All that a change of the block changes.'),
      },
    )
    .get(
      '/:blockId/content/:locale',
      async ({ workspace, params }) => {
        const { id } = await getBlock(app, workspace.id, params.blockId)
        const locale = checkedLocale('locale', params.locale)
        return toContentView(await contentOfBlock(app, id, locale))
      },
      {
        auth: reading,
        response: contentView,
        detail: extension(
          'getBlockContent',
          'Fetch what a block holds in one locale',
          'There is no fallback: 404 for a locale without content.',
          [422],
        ),
      },
    )
    .put(
      '/:blockId/content/:locale',
      ({ workspace, params, body }) => putBlockLocale(app, workspace.id, params, body),
      {
        auth: writing,
        body: contentBody,
        response: savedView,
        detail: extension(
          'setBlockContent',
          'Set what a block holds in one locale',
          'Every template and every campaign that has not begun and uses the block gets a new revision with it at once; mail that was accepted, and campaigns that have begun, stay as they were. An approval of a campaign that shows it no longer counts. 422 where it would not fit into one of them.',
          [409],
        ),
      },
    )
}

async function list(app: App, workspace: Workspace, query: typeof listQuery.static) {
  const request = { workspaceId: workspace.id, path, query }
  const bounds = await readPage(app, request)
  const rows = await listBlocks(app, workspace.id, { q: query.q, after: bounds.after, limit: bounds.limit + 1 })
  const total = await countBlocks(app, workspace.id, query.q ?? '')
  return writePage(app, request, bounds, { rows, total, idOf: ({ id }) => id, view: toBlockView })
}
