// Jobs over REST: a workspace's jobs in the outbox, and what an operator can do about them. An extension.

import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import { isUnavailable } from '../../../db/faults.ts'
import { type JobState, jobStates, waitingStates } from '../../../db/tables/outbox.ts'
import { type App, type Tx, write } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../../core/http/pagination.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import { oneOf, time } from '../../core/http/wire.ts'
import { lanes } from '../../core/outbox/lanes.ts'
import { cancelAny, type Operated, resolveAny, retryAny } from '../../core/outbox/operate.ts'
import type { Kinds } from '../../core/outbox/waiting.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { auth } from '../../people/access/auth.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { countJobs, type ListedJob, listJobs } from './jobs.ts'

const path = '/v1/jobs'
/** The most jobs that one request acts on. */
const maxAtOnce = 1_000

const state = oneOf<JobState>(jobStates)
const lane = oneOf(Object.keys(lanes))
const nullable = <T extends ReturnType<typeof t.String>>(schema: T) => t.Union([schema, t.Null()])

const jobView = t.Object({
  jobId: t.String(),
  lane: t.String({ description: 'The queue that it belongs to.' }),
  kind: t.String({ description: 'What it does.' }),
  state,
  dueAt: t.String({ format: 'date-time', description: 'For a held job: its time before it was held.' }),
  attempt: Type.Integer({ description: 'Attempts so far.' }),
  attemptsMax: Type.Integer({ description: 'After this many it is `dead`.' }),
  code: nullable(t.String({ description: 'The result of the last attempt, e.g. `missing_variable`.' })),
  detail: nullable(t.String()),
  parentId: nullable(t.String({ description: 'The id of the job that this one repeats.' })),
  retriedAs: nullable(t.String({ description: 'The id of the job that repeats this one; retry that one instead.' })),
  payload: t.Object({}, { additionalProperties: t.Unknown(), description: 'The ids of what it is about.' }),
  createdAt: time,
  finishedAt: nullable(time),
})

const answer = t.Object({
  success: t.Literal(true),
  jobId: t.String(),
  outcome: t.String({ description: '`retried`, `cancelled`, `cancel_requested`, `done` or `resent`.' }),
  newJobId: t.Optional(t.String({ description: 'The id of the job that continues the work.' })),
})

const verdict = t.Union([t.Literal('done'), t.Literal('resend')], {
  description: '`done`: it did arrive. `resend`: send it again.',
})
const selection = {
  jobIds: t.Optional(
    t.Array(t.String({ maxLength: 100 }), { minItems: 1, maxItems: maxAtOnce, description: 'The ids of the jobs.' }),
  ),
  lane: t.Optional({ ...lane, description: 'All matching jobs of this lane, at most 1,000.' }),
  kind: t.Optional(
    t.String({ maxLength: 100, description: 'All matching jobs of this kind, with or without `lane`; at most 1,000.' }),
  ),
}
const anySelection = Object.keys(selection)
const bulkAnswer = t.Object({
  success: t.Literal(true),
  results: t.Array(
    t.Object({
      jobId: t.String(),
      outcome: t.String({ description: 'As for one job, or `refused`.' }),
      newJobId: t.Optional(t.String()),
      code: t.Optional(t.String({ description: 'Why it was refused, e.g. `not_found`.' })),
    }),
  ),
})

type Act = (tx: Tx, jobId: string) => Promise<Operated>

const read = { scope: 'jobs.read', session: true } as const
const change = { scope: 'jobs.write', session: true } as const

/** What can be done about a job of a workspace. */
function actsOf(kinds: Kinds, { id: workspaceId }: Workspace) {
  const retry: Act = (tx, jobId) => retryAny(tx, kinds, workspaceId, jobId)
  const cancel: Act = (tx, jobId) => cancelAny(tx, kinds, workspaceId, jobId)
  const resolve =
    (given: 'done' | 'resend'): Act =>
    (tx, jobId) =>
      resolveAny(tx, kinds, { workspaceId, jobId, verdict: given })
  return { of: { workspaceId, kinds }, retry, cancel, resolve }
}

export function jobRoutes(app: App, kinds: Kinds) {
  return new Elysia({ prefix: path }).use(listRoutes(app, kinds)).use(manyRoutes(app, kinds)).use(oneRoutes(app, kinds))
}

function listRoutes(app: App, kinds: Kinds) {
  return new Elysia().use(auth).get(
    '',
    async ({ workspace, query }) => {
      const request = { workspaceId: workspace.id, path, query }
      const bounds = await readPage(app, request)
      const filter = { lane: query.lane, states: query.state && [query.state], kind: query.kind }
      const { of } = actsOf(kinds, workspace)
      const rows = await listJobs(app, of, { ...filter, before: bounds.after, limit: bounds.limit + 1 })
      const total = await countJobs(app, of, filter)
      return writePage(app, request, bounds, { rows, total, idOf: ({ id }) => id, view: toJobView })
    },
    {
      auth: read,
      query: t.Object({
        lane: t.Optional({ ...lane, description: 'Only jobs of this lane.' }),
        state: t.Optional({ ...state, description: 'Only those in this state.' }),
        kind: t.Optional(t.String({ maxLength: 100, description: 'Only jobs of this kind.' })),
        ...pageQuery,
      }),
      response: pageOf(jobView),
      detail: extension(
        'listJobs',
        'List jobs that are waiting, running or stuck',
        'Mail, webhooks and imports are processed as jobs. `held` jobs are mails of a paused campaign; `dead` jobs have to be retried by somebody; for `ambiguous` jobs somebody has to say whether the mail arrived.',
      ),
    },
  )
}

function manyRoutes(app: App, kinds: Kinds) {
  const acts = (workspace: Workspace) => actsOf(kinds, workspace)
  return new Elysia()
    .use(auth)
    .post(
      '/retry',
      ({ workspace, body }) =>
        many(app, acts(workspace).of, { ...body, states: ['dead'], isLast: true }, acts(workspace).retry),
      {
        auth: change,
        body: refusing(t.Object(selection, { needed: [anySelection] })),
        response: bulkAnswer,
        detail: extension(
          'retryJobs',
          'Retry dead jobs: the given ones, or all of a lane or kind',
          'A job that was already retried is not included when retrying a whole lane or kind. At most 1,000 jobs per request. Each job has its own result: a refused job does not affect the others.',
        ),
      },
    )
    .post(
      '/cancel',
      ({ workspace, body }) =>
        many(app, acts(workspace).of, { ...body, states: waitingStates }, acts(workspace).cancel),
      {
        auth: change,
        body: refusing(t.Object(selection, { needed: [anySelection] })),
        response: bulkAnswer,
        detail: extension(
          'cancelJobs',
          'Cancel waiting jobs: the given ones, or all of a lane or kind',
          'At most 1,000 jobs per request. Each job has its own result: a refused job does not affect the others.',
        ),
      },
    )
    .post(
      '/resolve',
      ({ workspace, body }) =>
        many(app, acts(workspace).of, { ...body, states: ['ambiguous'] }, acts(workspace).resolve(body.verdict)),
      {
        auth: change,
        body: refusing(t.Object({ verdict, ...selection }, { needed: [anySelection] })),
        response: bulkAnswer,
        detail: extension(
          'resolveJobs',
          'Resolve jobs whose outcome is unknown',
          'The connection broke while the mail was handed to the mail server, so it is unknown whether it arrived: confirm that it did, or have it sent again. At most 1,000 jobs per request.',
        ),
      },
    )
}

function oneRoutes(app: App, kinds: Kinds) {
  const acts = (workspace: Workspace) => actsOf(kinds, workspace)
  return new Elysia()
    .use(auth)
    .post('/:jobId/retry', ({ workspace, params }) => actOnOne(app, params.jobId, acts(workspace).retry), {
      auth: change,
      response: answer,
      detail: extension(
        'retryJob',
        'Retry a dead or cancelled job, as a new job',
        'The response has the id of the new job. 409 if the job is not dead or cancelled.',
        [409],
      ),
    })
    .post('/:jobId/cancel', ({ workspace, params }) => actOnOne(app, params.jobId, acts(workspace).cancel), {
      auth: change,
      response: answer,
      detail: extension(
        'cancelJob',
        'Cancel a job that has not been handed over',
        'A waiting job is cancelled at once; a running job is cancelled unless its mail was already handed over. 409 if the job has ended.',
        [409],
      ),
    })
    .post(
      '/:jobId/resolve',
      ({ workspace, params, body }) => actOnOne(app, params.jobId, acts(workspace).resolve(body.verdict)),
      {
        auth: change,
        body: refusing(t.Object({ verdict })),
        response: answer,
        detail: extension(
          'resolveJob',
          'Resolve a job whose outcome is unknown',
          'The connection broke while the mail was handed to the mail server, so it is unknown whether it arrived: confirm that it did, or have it sent again. 409 for a job in any other state.',
          [409],
        ),
      },
    )
}

async function actOnOne(app: App, jobId: string, act: Act) {
  return { success: true as const, ...(await write(app, (tx) => act(tx, jobId))) }
}

interface Selection {
  jobIds?: string[]
  lane?: string
  kind?: string
  states: readonly JobState[]
  /** Of a lane or kind: without those that another job repeats. */
  isLast?: true
}

/** Each job has its own transaction, so a refused one does not affect the others. */
async function many(app: App, of: { workspaceId: string; kinds: Kinds }, { jobIds, ...which }: Selection, act: Act) {
  if (jobIds === undefined && which.lane === undefined && which.kind === undefined)
    throw invalidField('jobIds', 'name the jobs: jobIds, or a lane, or a kind', 'required')
  const filter = { ...which, before: undefined, limit: maxAtOnce }
  const ids = jobIds ?? (await listJobs(app, of, filter)).map(({ id }) => id)
  const results = await Promise.all([...new Set(ids)].map((jobId) => attempt(app, jobId, act)))
  return { success: true as const, results }
}

async function attempt(app: App, jobId: string, act: Act) {
  try {
    return await write(app, (tx) => act(tx, jobId))
  } catch (error) {
    if (!(error instanceof AppError) || isUnavailable(error)) throw error
    return { jobId, outcome: 'refused', code: error.code }
  }
}

function toJobView(row: ListedJob): typeof jobView.static {
  const { id: jobId, lane, kind, state, dueAt, attempt, attemptsMax, lastCode, lastError, parentId, payload } = row
  return {
    jobId,
    lane,
    kind,
    state,
    dueAt: dueAt.toISOString(),
    attempt,
    attemptsMax,
    code: lastCode,
    detail: lastError,
    parentId,
    retriedAs: row.retriedAs,
    payload: payload as Record<string, unknown>,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }
}
