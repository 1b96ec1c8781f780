// What waits while the database is held, for the people of each workspace, who know best what has left already.

import { Elysia, t } from 'elysia'
import type { App } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../../core/http/pagination.ts'
import { nullableText, time } from '../../core/http/wire.ts'
import type { Kinds } from '../../core/outbox/waiting.ts'
import { auth } from '../../people/access/auth.ts'
import { heldState } from './quarantine.ts'
import { toCutoff } from './resume.ts'
import { countWaitingMails, listWaitingMails, type WaitingMail } from './waiting.ts'

const path = '/v1/held-mails'

const heldMail = t.Object({
  jobId: t.String(),
  kind: t.String({ description: 'What the job does, e.g. `deliver-message`.' }),
  dueAt: time,
  mayHaveLeft: t.Boolean({
    description:
      'It existed and was due, or was being sent, while this database was last served: it may have been sent already.',
  }),
  messageId: t.Union([t.String(), t.Null()], {
    description: 'Null for a job that creates its mail only when it runs, such as the delayed mail of an event rule.',
  }),
  email: nullableText,
  subject: nullableText,
})

export function quarantineRoutes(app: App, kinds: Kinds) {
  return new Elysia().use(auth).get(
    path,
    async ({ workspace, query }) => {
      const request = { workspaceId: workspace.id, path, query }
      const { limit, after } = await readPage(app, request)
      const held = await heldState(app)
      const of = { workspaceId: workspace.id, kinds }
      const cutoff = held && toCutoff(held, app.clock.now())
      const rows = cutoff === null ? [] : await listWaitingMails(app, of, { cutoff, after, limit: limit + 1 })
      const total = cutoff === null ? 0 : await countWaitingMails(app, of)
      return writePage(app, request, { limit, after }, { rows, total, idOf: ({ job }) => job.id, view: toHeldMail })
    },
    {
      auth: { scope: 'activity.read', session: true },
      query: t.Object(pageQuery),
      response: pageOf(heldMail),
      detail: extension(
        'listHeldMails',
        'List the mails that wait because the database was restored, copied or moved',
        'By due time, earliest first. Empty unless sending is held (`sending_held` in `GET /v1/attention`). Cancel those that have been sent already with `POST /v1/jobs/{jobId}/cancel`; then the operator runs `paquebot resume`.',
      ),
    },
  )
}

function toHeldMail({ job, mayHaveLeft, message }: WaitingMail): typeof heldMail.static {
  const { id: jobId, kind, dueAt } = job
  const { id: messageId = null, email = null, subject = null } = message ?? {}
  return { jobId, kind, dueAt: dueAt.toISOString(), mayHaveLeft, messageId, email, subject }
}
