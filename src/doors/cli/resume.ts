// paquebot resume: what a database that was put back, copied or moved may send.

import type { App } from '../../core/app.ts'
import { invalidField } from '../../kit/error.ts'
import { parseTime } from '../../kit/time.ts'
import { jobKinds } from '../../operator/jobs.ts'
import { describeHeld, heldState, type QuarantineState } from '../../operator/quarantine/quarantine.ts'
import {
  type Cutoff,
  type Preview,
  previewResume,
  resumeAsIs,
  resumeWithout,
  toCutoff,
} from '../../operator/quarantine/resume.ts'
import { listWaitingMails, type WaitingMail } from '../../operator/quarantine/waiting.ts'
import { listWorkspaces } from '../../people/workspaces.ts'
import { columns, defineCommand, UsageError } from './command.ts'
import { withApp } from './with-app.ts'

/** How many mails are shown at a time. */
const perPage = 50

export const resume = defineCommand({
  name: 'resume',
  says: 'Shows what waits while sending is held because the database was restored, copied or moved; with one of the options, resumes sending.',
  flags: {
    'drop-overdue': {
      type: 'boolean',
      says: 'cancel what may already have been sent: everything that was due while the database was last served, here or elsewhere',
    },
    since: { type: 'string', value: 'TIME', says: 'cancel what was due before TIME, like 2027-01-15T12:00:00Z' },
    'as-is': { type: 'boolean', says: 'send everything, even if it may already have been sent' },
    list: {
      type: 'boolean',
      says: `show the waiting mails, ${perPage} at a time, earliest due first; changes nothing`,
    },
    after: { type: 'string', value: 'JOB', says: 'with --list: continue after this one' },
  },
  run: (choice, config) =>
    withApp(config(), async (app) => {
      const wanted = choiceOf(choice)
      const held = await heldState(app)
      if (held === null) return { json: { held: false }, lines: ['Nothing is held.'] }
      const known = toCutoff(held, app.clock.now())
      const cutoff = { ...known, dueBy: wanted.since ?? known.dueBy }
      if (wanted.how === 'list') return await listed(app, cutoff, choice.after)
      const preview = await previewResume(app, cutoff)
      const told = { because: held.because, since: held.since, cutoff: cutoff.dueBy, ...preview }
      if (wanted.how === 'ask') return { json: { held: true, ...told }, lines: linesOf(held, preview) }
      return await goOn(app, wanted.how, cutoff, told)
    }),
})

type Choice = { how: 'ask' | 'list' | 'drop' | 'as-is'; since?: Date }

interface Choices {
  'drop-overdue': boolean
  since: string | undefined
  'as-is': boolean
  list: boolean
  after: string | undefined
}

function choiceOf({ since, 'drop-overdue': drop, 'as-is': asIs, list, after }: Choices): Choice {
  if ([since !== undefined, drop, asIs, list].filter(Boolean).length > 1)
    throw new UsageError('--drop-overdue, --since, --as-is and --list cannot be combined')
  if (after !== undefined && !list) throw new UsageError('--after needs --list')
  if (asIs) return { how: 'as-is' }
  if (list) return { how: 'list' }
  if (since === undefined) return { how: drop ? 'drop' : 'ask' }
  const at = parseTime(since)
  if (at === null) throw invalidField('since', 'must be an ISO 8601 time like 2027-01-15T12:00:00Z', 'invalid_time')
  return { how: 'drop', since: at }
}

async function goOn(app: App, how: 'drop' | 'as-is', cutoff: Cutoff, told: object) {
  if (how === 'as-is') {
    await resumeAsIs(app)
    return { json: { held: false, ...told }, lines: ['Resumed: everything that waits is sent.'] }
  }
  const done = await resumeWithout(app, jobKinds, cutoff)
  const paused = done.paused === 0 ? '' : ` ${done.paused} campaigns are paused; resume or cancel each.`
  const lines = [`Resumed. ${done.cancelled} jobs that may already have been sent are cancelled.${paused}`]
  return { json: { held: false, ...told, ...done }, lines }
}

/** Of all workspaces together: the id of a job begins with the time at which it first fell due. */
async function listed(app: App, cutoff: Cutoff, after: string | undefined) {
  const workspaces = await listWorkspaces(app)
  const page = { cutoff, after, limit: perPage + 1 }
  const found = await Promise.all(
    workspaces.map(async ({ id, slug }) => {
      const mails = await listWaitingMails(app, { workspaceId: id, kinds: jobKinds }, page)
      return mails.map((mail) => ({ workspace: slug, mail }))
    }),
  )
  const first = found.flat().toSorted((one, other) => (one.mail.job.id < other.mail.job.id ? -1 : 1))
  const mails = first.slice(0, perPage).map(({ workspace, mail }) => waitingMailView(workspace, mail))
  const next = first.length > perPage ? (mails.at(-1)?.jobId ?? null) : null
  const rows = mails.map((one) => [
    one.dueAt,
    one.mayHaveLeft ? 'may have left' : '',
    one.workspace,
    one.email ?? one.kind,
    one.subject ?? '',
  ])
  const more = next === null ? [] : ['', `paquebot resume --list --after ${next}   shows the next`]
  return {
    json: { held: true, mails, next },
    lines: rows.length === 0 ? ['No mail is waiting.'] : [...columns(rows), ...more],
  }
}

function waitingMailView(workspace: string, { job, mayHaveLeft, message }: WaitingMail) {
  const { id: jobId, kind, dueAt } = job
  const { id: messageId = null, email = null, subject = null } = message ?? {}
  return { workspace, jobId, kind, dueAt: dueAt.toISOString(), mayHaveLeft, messageId, email, subject }
}

function linesOf(held: QuarantineState, { lanes, campaigns }: Preview): string[] {
  const table = lanes.map((one) => [
    one.lane,
    `${one.jobs} wait`,
    `${one.mayHaveLeft} may have left`,
    `the oldest was due ${one.oldestDueAt.toISOString()}`,
  ])
  return [
    `Held since ${held.since.toISOString()}: ${describeHeld(held)}.`,
    held.servedUntil === null
      ? 'It may have been served elsewhere until now: everything that was due may already have been sent from there.'
      : `It was served until ${held.servedUntil.toISOString()}: what was due by then may already have been sent.`,
    ...(held.because === 'moved'
      ? ['If it was moved, and has not been served at the previous place since, use --as-is.']
      : []),
    ...columns(table),
    ...columns(campaigns.map(({ id, name, status }) => ['campaign', id, status, name])),
    '',
    'paquebot resume --list           shows the mails one by one',
    'paquebot resume --drop-overdue   cancels what may already have been sent, pauses these campaigns, and resumes',
    'paquebot resume --since TIME     the same, for what was due before TIME',
    'paquebot resume --as-is          sends everything',
  ]
}
