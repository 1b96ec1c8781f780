// The library of pictures. What they are loaded by is serve.ts.

import { Elysia } from 'elysia'
import { type App, write } from '../../../core/app.ts'
import { extension } from '../../../core/http/operation.ts'
import { readPage, writePage } from '../../../core/http/pagination.ts'
import { pictureUpload } from '../../../core/http/surface.ts'
import { auth } from '../../../people/access/auth.ts'
import { deleteMedia, getMedia, labelMedia, listMedia } from './media.ts'
import {
  checkedLabels,
  deleteQuery,
  deletionView,
  labelBody,
  listQuery,
  mediaPage,
  mediaView,
  toMediaView,
  toUsedView,
  uploadQuery,
  usedView,
} from './schema.ts'
import type { MediaRow } from './store.ts'
import { takePicture, usedBytes } from './upload.ts'
import { listUsers } from './uses.ts'

const path = '/v1/media'

const reading = { scope: 'transactional.read', session: true } as const
const writing = { scope: 'transactional.write', session: true } as const

const pictureBody = {
  requestBody: {
    required: true,
    description: 'The bytes of the picture: PNG, JPEG, WebP or GIF. What they are is read from them.',
    content: { 'application/octet-stream': { schema: { type: 'string' as const, format: 'binary' } } },
  },
}

const messages = {
  deleted: 'Picture deleted: its address shows nothing any more.',
  removed:
    'Picture removed from the library. Mails that were sent still load it from its address; with force=true it is deleted for them, too.',
}

export function mediaRoutes(app: App) {
  const view = (row: MediaRow) => toMediaView(row, app.config.baseUrl)
  return new Elysia()
    .use(auth)
    .post(
      path,
      async ({ workspace, query, request, set }) => {
        const labels = checkedLabels({ name: query.name ?? 'picture', alt: query.alt ?? '' })
        const { row, isNew } = await takePicture(app, workspace.id, request.body ?? noBytes(), labels)
        set.status = isNew ? 201 : 200
        return view(row)
      },
      {
        auth: writing,
        parse: 'none',
        query: uploadQuery,
        response: { 200: mediaView, 201: mediaView },
        detail: {
          ...extension(
            'uploadMedia',
            'Upload a picture',
            'The body is the file: PNG, JPEG, WebP or GIF of at most 10 MB and 50 million pixels; its bytes decide which, not its name. SVG is refused with 415. The same bytes are stored once: 200 with what is there. The bytes are kept as they are, with what a camera wrote into them.',
            [422],
          ),
          ...pictureBody,
          ...pictureUpload,
        },
      },
    )
    .get(
      path,
      async ({ workspace, query }) => {
        const request = { workspaceId: workspace.id, path, query }
        const bounds = await readPage(app, request)
        const { rows, total } = await listMedia(app, workspace.id, {
          search: query.search,
          ...bounds,
          limit: bounds.limit + 1,
        })
        const page = await writePage(app, request, bounds, { rows, total, idOf: ({ id }) => id, view })
        const limitBytes = app.config.media.workspaceBytes
        return { ...page, storage: { usedBytes: await usedBytes(app, workspace.id), limitBytes } }
      },
      {
        auth: reading,
        query: listQuery,
        response: mediaPage,
        detail: {
          ...extension(
            'listMedia',
            'List the pictures of the library, newest first',
            'All of them, or those whose name or alternative text holds `search`; and how much of the room of the workspace is used.',
          ),
          tool: {
            name: 'list_media',
            says: {
              purpose: 'Lists the pictures of the library, newest first.',
              notFor: 'Pictures of other servers: a component takes their address as it is.',
              returns: '`data` with url, name, alt and size in pixels, and `pagination`.',
              whenToUse: 'To find the `src` and the `alt` of an image component.',
            },
            touches: { reads: 'own', acts: 'no' },
            takes: ['search', 'perPage', 'cursor'],
            shows: ['id', 'url', 'name', 'alt', 'contentType', 'bytes', 'width', 'height', 'animated'],
          },
          command: ['id', 'name', 'contentType', 'width', 'height', 'url'],
        },
      },
    )
    .use(oneOfMedia(app))
}

function oneOfMedia(app: App) {
  return new Elysia({ prefix: path })
    .use(auth)
    .get(
      '/:mediaId',
      async ({ workspace, params }) => {
        const row = await getMedia(app, workspace.id, params.mediaId)
        return toUsedView(row, await listUsers(app, row), app.config.baseUrl)
      },
      {
        auth: reading,
        response: usedView,
        detail: extension(
          'getMedia',
          'Fetch a picture, with what shows it',
          'Its address, its size, its alternative text, and where it is shown.',
        ),
      },
    )
    .patch(
      '/:mediaId',
      async ({ workspace, params, body }) => {
        const labels = checkedLabels(body)
        const row = await write(app, (tx) => labelMedia(tx, workspace.id, params.mediaId, labels))
        return toMediaView(row, app.config.baseUrl)
      },
      {
        auth: writing,
        body: labelBody,
        response: mediaView,
        detail: extension(
          'updateMedia',
          'Change the name or the alternative text of a picture',
          'Components that show it already keep their own text.',
        ),
      },
    )
    .delete(
      '/:mediaId',
      async ({ workspace, params, query }) => {
        const force = query.force === 'true'
        const outcome = await deleteMedia(app, workspace.id, params.mediaId, { force })
        return { success: true as const, outcome, message: messages[outcome] }
      },
      {
        auth: writing,
        query: deleteQuery,
        response: deletionView,
        detail: extension(
          'deleteMedia',
          'Delete a picture',
          'Refused with 409 `media_in_use`, which names them, while templates, unsent campaigns or the brand show it. A picture that was in a mail before is only removed from the library, so that mails already sent keep showing it; `force=true` deletes its file in any case, and its place in all of them stays empty.',
          [409],
        ),
      },
    )
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}
