// Sequences over REST: drafts, publishing, pausing and stopping. Their people are in people-routes.ts.

import { Elysia, t } from 'elysia'
import { type App, type Tx, write } from '../../core/app.ts'
import { extension, looking } from '../../core/http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../../core/http/pagination.ts'
import { auth } from '../../people/access/auth.ts'
import { successBody } from '../../people/access/schema.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { contentHash, planMoves } from './migrate.ts'
import { sequencePeopleRoutes } from './people-routes.ts'
import {
  createBody,
  movesAnswer,
  movesBody,
  publishBody,
  sequenceListItem,
  sequenceView,
  updateBody,
} from './schema.ts'
import {
  createSequence,
  deleteSequence,
  getSequence,
  listSequences,
  pauseSequence,
  publishSequence,
  resumeSequence,
  stopSequence,
  updateSequence,
} from './sequences.ts'
import { checkTestSenders } from './test-checks.ts'
import type { Sequence } from './versions.ts'
import { countPeople, loadSequenceView, toListItem } from './views.ts'
import { stepWinnerRoutes } from './winner-routes.ts'

const path = '/v1/sequences'
const reading = { scope: 'sequences.read', session: true } as const
const writing = { scope: 'sequences.write', session: true } as const
/** What makes mail leave. */
const sending = { scope: 'sequences.send', session: true } as const

export function sequenceRoutes(app: App) {
  return new Elysia({ prefix: path })
    .use(auth)
    .use(draftRoutes(app))
    .use(publishRoutes(app))
    .use(stateRoutes(app))
    .use(stepWinnerRoutes(app))
    .use(sequencePeopleRoutes(app))
}

/** Changes a sequence in one transaction and shows it. */
async function changed(app: App, workspace: Workspace, change: (tx: Tx) => Promise<Sequence>) {
  return await loadSequenceView(app, workspace, await write(app, change))
}

function draftRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .get(
      '',
      async ({ workspace, query }) => {
        const request = { workspaceId: workspace.id, path, query }
        const bounds = await readPage(app, request)
        const { rows, total } = await listSequences(app, workspace.id, bounds)
        const people = await countPeople(
          app,
          rows.map(({ id }) => id),
        )
        const view = (row: Sequence) => toListItem(workspace, row, people.get(row.id))
        return writePage(app, request, bounds, { rows, total, idOf: ({ id }) => id, view })
      },
      {
        auth: reading,
        query: t.Object(pageQuery),
        response: pageOf(sequenceListItem),
        detail: {
          ...extension('listSequences', 'List the sequences, newest first', 'With the people in each, by state.'),
          tool: {
            name: 'list_sequences',
            says: {
              purpose:
                'Lists the sequences of the workspace: several mails to a person, one after the other, from an event on.',
              notFor: 'What one says or how its steps fare (get_sequence), or campaigns.',
              returns: '`data` with id, name, state, version and people by state, newest first, and `pagination`.',
              whenToUse: 'To find a sequence by its name, or to see which have people who cannot go on.',
            },
            touches: { reads: 'own', acts: 'no' },
            shows: ['id', 'name', 'state', 'version', 'pauseReason', 'waitsFor', 'people'],
          },
          command: ['id', 'state', 'name', 'version'],
        },
      },
    )
    .post(
      '',
      async ({ workspace, body, set }) => {
        set.status = 201
        return await changed(app, workspace, (tx) => createSequence(tx, workspace.id, body))
      },
      {
        auth: writing,
        body: createBody,
        response: { 201: sequenceView },
        detail: extension(
          'createSequence',
          'Draft a sequence',
          'Nobody begins it before it is published. What it names need not exist yet: `issues` lists what keeps it from being published.',
          [422],
        ),
      },
    )
    .use(oneRoutes(app))
}

function oneRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .get(
      '/:sequenceId',
      async ({ workspace, params }) =>
        await loadSequenceView(app, workspace, await getSequence(app, workspace.id, params.sequenceId)),
      {
        auth: reading,
        response: sequenceView,
        detail: extension(
          'getSequence',
          'Fetch one sequence',
          'Its draft, what is wrong with it, and the people at each step.',
        ),
      },
    )
    .patch(
      '/:sequenceId',
      ({ workspace, params, body }) =>
        changed(app, workspace, (tx) => updateSequence(tx, workspace.id, params.sequenceId, body)),
      {
        auth: writing,
        body: updateBody,
        response: sequenceView,
        detail: extension(
          'updateSequence',
          'Change the draft of a sequence',
          'People in it stay in the version that they began. With `revision`, a change that somebody else made meanwhile is not overwritten: 409.',
          [409, 422],
        ),
      },
    )
    .delete(
      '/:sequenceId',
      async ({ workspace, params }) => {
        await write(app, (tx) => deleteSequence(tx, workspace.id, params.sequenceId))
        return { success: true as const, message: 'Sequence deleted.' }
      },
      {
        auth: writing,
        response: successBody,
        detail: extension('deleteSequence', 'Delete a draft', '409 once it was published: stop it instead.', [409]),
      },
    )
}

function publishRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .post(
      '/:sequenceId/moves',
      async ({ workspace, params, body: { steps = {} } }) => {
        const sequence = await getSequence(app, workspace.id, params.sequenceId)
        return { contentHash: contentHash(sequence, steps), moves: await planMoves(app, sequence, steps) }
      },
      {
        auth: { scope: 'sequences.read', session: 'viewer' },
        body: movesBody,
        response: movesAnswer,
        detail: {
          ...extension(
            'planSequenceMoves',
            'Where people would move if the draft were published with them',
            'Nothing is changed. To publish it so, pass the same `steps` and this `contentHash`.',
            [422],
          ),
          ...looking,
        },
      },
    )
    .post(
      '/:sequenceId/publish',
      async ({ workspace, credential, params, body }) => {
        await checkTestSenders(app, workspace, (await getSequence(app, workspace.id, params.sequenceId)).draft)
        const publish = (tx: Tx) => publishSequence(tx, workspace, { ...body, id: params.sequenceId }, credential)
        return await changed(app, workspace, publish)
      },
      {
        auth: sending,
        body: publishBody,
        response: sequenceView,
        detail: extension(
          'publishSequence',
          'Publish the draft: people begin it from now on',
          'It becomes a version, which never changes; people who are in an earlier one stay there, or move as `steps` says. `contentHash` is that of the draft as it was looked at. While people are being moved, a version without `steps` is refused: 409. One whose `purpose` is `transactional` only an owner who is signed in publishes.',
          [403, 409, 422],
        ),
      },
    )
}

function stateRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .post(
      '/:sequenceId/pause',
      ({ workspace, params }) => changed(app, workspace, (tx) => pauseSequence(tx, workspace.id, params.sequenceId)),
      {
        auth: writing,
        response: sequenceView,
        detail: extension(
          'pauseSequence',
          'Hold everybody where they are',
          'No mail leaves. Whoever begins meanwhile waits at the first step; exits and goals still take people out.',
          [409],
        ),
      },
    )
    .post(
      '/:sequenceId/resume',
      ({ workspace, params }) => changed(app, workspace, (tx) => resumeSequence(tx, workspace.id, params.sequenceId)),
      {
        auth: sending,
        response: sequenceView,
        detail: extension('resumeSequence', 'Go on after a pause', 'What fell due meanwhile is due now.', [409]),
      },
    )
    .post(
      '/:sequenceId/stop',
      ({ workspace, params }) => changed(app, workspace, (tx) => stopSequence(tx, workspace.id, params.sequenceId)),
      {
        auth: writing,
        response: sequenceView,
        detail: extension(
          'stopSequence',
          'End it for everybody',
          'Everybody leaves, nobody begins, no further mail is sent. It does not come back.',
        ),
      },
    )
}
