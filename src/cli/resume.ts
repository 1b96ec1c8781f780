// paquebot resume: what a database that was put back, copied or moved may send.

import type { App } from '../app.ts'
import { jobKinds } from '../jobs.ts'
import { invalidField } from '../lib/error.ts'
import { parseTime } from '../lib/time.ts'
import { describeHeld, type Held, heldState } from '../quarantine/quarantine.ts'
import { type Preview, previewResume, resumeAsIs, resumeWithout } from '../quarantine/resume.ts'
import { columns, defineCommand, UsageError } from './command.ts'
import { withApp } from './with-app.ts'

export const resume = defineCommand({
  name: 'resume',
  says: 'Shows what waits in a database that is held because it was put back, copied or moved; with a choice, resumes sending.',
  flags: {
    'drop-overdue': {
      type: 'boolean',
      says: 'cancel what may already have been sent: all that was due while this was last served',
    },
    since: { type: 'string', value: 'TIME', says: 'cancel what was due before TIME, like 2027-01-15T12:00:00Z' },
    'as-is': { type: 'boolean', says: 'send everything, even if it may already have been sent' },
  },
  run: (choice, config) =>
    withApp(config(), async (app) => {
      const wanted = choiceOf(choice)
      const held = await heldState(app)
      if (held === null) return { json: { held: false }, lines: ['Nothing is held.'] }
      const cutoff = wanted.since ?? held.servedUntil ?? app.clock.now()
      const preview = await previewResume(app, cutoff)
      const told = { because: held.because, since: held.since, cutoff, ...preview }
      if (wanted.how === 'ask') return { json: { held: true, ...told }, lines: linesOf(held, cutoff, preview) }
      return await goOn(app, wanted.how, cutoff, told)
    }),
})

type Choice = { how: 'ask' | 'drop' | 'as-is'; since?: Date }

function choiceOf(flags: { 'drop-overdue': boolean; since: string | undefined; 'as-is': boolean }): Choice {
  const { since, 'drop-overdue': drop, 'as-is': asIs } = flags
  if ([since !== undefined, drop, asIs].filter(Boolean).length > 1)
    throw new UsageError('--drop-overdue, --since and --as-is exclude each other')
  if (asIs) return { how: 'as-is' }
  if (since === undefined) return { how: drop ? 'drop' : 'ask' }
  const at = parseTime(since)
  if (at === null) throw invalidField('since', 'must be an ISO 8601 time like 2027-01-15T12:00:00Z', 'invalid_time')
  return { how: 'drop', since: at }
}

async function goOn(app: App, how: 'drop' | 'as-is', cutoff: Date, told: object) {
  if (how === 'as-is') {
    await resumeAsIs(app)
    return { json: { held: false, ...told }, lines: ['Resumed: everything that waits is sent.'] }
  }
  const done = await resumeWithout(app, jobKinds, cutoff)
  const paused = done.paused === 0 ? '' : ` ${done.paused} campaigns are paused; resume or cancel each.`
  const lines = [`Resumed. ${done.cancelled} jobs that may already have been sent are cancelled.${paused}`]
  return { json: { held: false, ...told, ...done }, lines }
}

function linesOf(held: Held, cutoff: Date, { lanes, campaigns }: Preview): string[] {
  const table = lanes.map((one) => [
    one.lane,
    `${one.jobs} wait`,
    `${one.mayHaveLeft} may have left`,
    `the oldest was due ${one.oldestDueAt.toISOString()}`,
  ])
  return [
    `Held since ${held.since.toISOString()}: ${describeHeld(held)}.`,
    held.servedUntil === null
      ? 'It is unknown how long it was served elsewhere: all that is due may already have been sent.'
      : `It was served until ${cutoff.toISOString()}: what was due by then may already have been sent.`,
    ...(held.because === 'moved'
      ? ['Was it moved, and never served at the former place since? Then --as-is is right.']
      : []),
    ...columns(table),
    ...columns(campaigns.map(({ id, name, status }) => ['campaign', id, status, name])),
    '',
    'paquebot resume --drop-overdue   cancels what may already have been sent, pauses these campaigns, and resumes',
    'paquebot resume --since TIME     the same, for what was due before TIME',
    'paquebot resume --as-is          lets everything leave',
  ]
}
