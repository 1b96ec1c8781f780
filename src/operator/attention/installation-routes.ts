// What the installation is and how it is kept, for those whose it is.

import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import type { App } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { AppError } from '../../kit/error.ts'
import { version } from '../../kit/version.ts'
import { auth } from '../../people/access/auth.ts'
import { lastBackup } from '../backup/last.ts'
import { describeHeld, heldState } from '../quarantine/quarantine.ts'
import { isOperator } from './attention.ts'

const time = (description: string) => t.String({ format: 'date-time', description })

const installationView = t.Object({
  version: t.String({ description: 'The version of the server that answers.' }),
  backup: t.Object({
    schedule: t.Union([t.String(), t.Null()], {
      description: 'When the server takes backups (cron expression, in UTC); null if it takes none by itself.',
    }),
    last: t.Union(
      [
        t.Object({
          path: t.String({ description: 'The file on the server, or its `s3://` address.' }),
          sizeBytes: Type.Integer(),
          takenAt: time('The point in time of the database in it. The backup was restored and checked right away.'),
        }),
        t.Null(),
      ],
      { description: 'The last backup; null before the first.' },
    ),
  }),
  held: t.Union(
    [
      t.Object({
        reason: t.String(),
        since: time('When the server detected it.'),
        servedUntil: t.Union([time('Mail that was due by then may have been sent already.'), t.Null()], {
          description: 'Null if unknown: all mail that is due may have been sent from elsewhere.',
        }),
      }),
      t.Null(),
    ],
    {
      description:
        'Set after the database was restored, copied or moved: nothing is sent until `paquebot resume`. Null: mail is sent.',
    },
  ),
})

export function installationRoutes(app: App) {
  return new Elysia().use(auth).get(
    '/v1/installation',
    async ({ workspace, credential }) => {
      if (!(await isOperator(app, workspace, credential)))
        throw new AppError('forbidden', 'Only owners and full keys of the first workspace see the installation.')
      return await loadView(app)
    },
    {
      auth: { scope: 'full', session: 'owner' },
      response: installationView,
      detail: extension(
        'getInstallation',
        'Fetch the version, the last backup, and whether sending is held',
        'For owners and full keys of the first workspace; 403 for others.',
        [403],
      ),
    },
  )
}

async function loadView(app: App): Promise<typeof installationView.static> {
  const [last, held] = await Promise.all([lastBackup(app), heldState(app)])
  const { to, schedule } = app.config.backup
  return {
    version,
    backup: {
      schedule: to === undefined ? null : schedule,
      last: last && { path: last.path, sizeBytes: last.bytes, takenAt: last.takenAt.toISOString() },
    },
    held: held && {
      reason: describeHeld(held),
      since: held.since.toISOString(),
      servedUntil: held.servedUntil?.toISOString() ?? null,
    },
  }
}
