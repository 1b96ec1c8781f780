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
  version: t.String({ description: 'Of the server that answers.' }),
  backup: t.Object({
    schedule: t.Union([t.String(), t.Null()], {
      description: 'When the server takes one (cron, in UTC); null where it takes none by itself.',
    }),
    last: t.Union(
      [
        t.Object({
          path: t.String({ description: 'The file on the server, or its `s3://` address.' }),
          sizeBytes: Type.Integer(),
          takenAt: time('As of when the database is in it. It was restored and checked right then.'),
        }),
        t.Null(),
      ],
      { description: 'The last one; null before the first.' },
    ),
  }),
  held: t.Union(
    [
      t.Object({
        reason: t.String(),
        since: time('When the server found it.'),
        servedUntil: t.Union([time('What was due by then may have left already.'), t.Null()], {
          description: 'Null where it is unknown: all that is due may have left from elsewhere.',
        }),
      }),
      t.Null(),
    ],
    {
      description:
        'A database that was put back, copied or moved sends nothing until `paquebot resume`. Null: it sends.',
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
        'What runs, when it was last backed up, and whether it is held',
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
