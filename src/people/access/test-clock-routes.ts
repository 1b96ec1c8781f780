// The clock of a test workspace over REST. With a key of the workspace it is that of its test workspace: no request moves real mail.

import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import type { App } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import { time } from '../../core/http/wire.ts'
import { advanceTestClock, readTestClock, type TestClock } from '../test-clock.ts'
import { auth } from './auth.ts'

const path = '/v1/test/clock'

const clock = {
  now: { ...time, description: 'The time of the server, which never moves.' },
  waiting: Type.Integer({ description: 'Jobs that wait in the test workspace.' }),
  nextDueAt: t.Union([time, t.Null()], { description: 'When the first of them is due.' }),
}

export function testClockRoutes(app: App) {
  const read = async (workspaceId: string) => toView(await readTestClock(app, workspaceId))
  return new Elysia()
    .use(auth)
    .get(path, ({ workspace }) => read(workspace.id), {
      auth: { scope: 'jobs.read', session: true },
      response: t.Object(clock),
      detail: extension(
        'getTestClock',
        'Fetch the state of the test clock',
        'How many jobs wait in the test workspace, and when the first is due. With a key that is not a test key, this is the test workspace of its workspace.',
      ),
    })
    .post(
      path,
      async ({ workspace, body }) => {
        const moved = await advanceTestClock(app, workspace.id, body.advance)
        return { success: true as const, moved, ...(await read(workspace.id)) }
      },
      {
        auth: { scope: 'jobs.write', session: true },
        body: refusing(
          t.Object({
            advance: t.String({
              maxLength: 20,
              description: 'By how much: `90s`, `15m`, `12h`, `7d`; at most `400d`.',
              examples: ['7d'],
            }),
          }),
        ),
        response: t.Object({
          success: t.Literal(true),
          moved: Type.Integer({ description: 'How many jobs were moved forward; those that are due now run at once.' }),
          ...clock,
        }),
        detail: extension(
          'advanceTestClock',
          'Advance the clock of the test workspace',
          'Everything that waits there becomes due earlier by that time: delayed mails, rules with a delay, scheduled sends and campaigns, retries. Confirmation links and Idempotency-Keys expire earlier, and frequency limits end earlier. Timestamps that are already stored stay. Real mail is never affected: with a key that is not a test key, this is the test workspace of its workspace. At most 10,000 jobs at once.',
        ),
      },
    )
}

function toView({ now, waiting, nextDueAt }: TestClock) {
  return { now: now.toISOString(), waiting, nextDueAt: nextDueAt?.toISOString() ?? null }
}
