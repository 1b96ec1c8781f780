// Resend: suppressions, as its SDK asks for them. The id of one is the key of its address in our list, which stays when the address is erased.

import { Elysia, t } from 'elysia'
import type { SuppressionReason } from '../../../db/tables/contacts.ts'
import type { App, Reader } from '../../core/app.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import { removeSuppression, suppressMany, suppressOne } from '../../features/contacts/consent/manual-suppression.ts'
import {
  findSuppression,
  findSuppressionByKey,
  keyOfSuppression,
  listSuppressions,
  type Suppression,
  suppressionKey,
} from '../../features/contacts/consent/suppression.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { auth, type Caller, toActor } from '../../people/access/auth.ts'
import { hidden, id, page, readPage, root, toPage } from './resend-mail.ts'

const many = t.Optional(t.Array(id, { minItems: 1, maxItems: 100 }))

export function resendSuppressionRoutes(app: App) {
  const reading = { auth: 'suppressions.read' } as const
  const adding = { auth: 'suppressions.write' } as const
  const removing = { auth: 'contacts.write' } as const
  return new Elysia({ prefix: `${root}/suppressions`, ...hidden })
    .use(auth)
    .get(
      '',
      async ({ workspace, query: { origin, ...query } }) => {
        if (origin !== undefined)
          throw invalidField('origin', 'origin is not supported: the list has suppressions of every origin')
        const { most, after } = readPage(query)
        const last = after === undefined ? undefined : keyOfSuppression(await getSuppression(app, workspace.id, after))
        const rows = await listSuppressions(app, workspace.id, { email: undefined, after: last, limit: most + 1 })
        return toPage(rows, most, toSuppression)
      },
      { ...reading, query: t.Object({ ...page.properties, origin: t.Optional(id) }) },
    )
    .get(
      '/:idOrEmail',
      async ({ workspace, params }) => ({
        object: 'suppression',
        ...toSuppression(await getSuppression(app, workspace.id, params.idOrEmail)),
      }),
      reading,
    )
    .post(
      '',
      async ({ workspace, body: { email } }) => {
        const { row } = await suppressOne(app, workspace.id, { email, reason: 'manual' })
        return { object: 'suppression', id: row.emailHash }
      },
      { ...adding, body: refusing(t.Object({ email: id })) },
    )
    .post(
      '/batch/add',
      async ({ workspace, body: { emails = [] } }) => {
        await suppressMany(app, workspace.id, { emails, reason: 'manual' })
        return { data: emails.map((email) => ({ object: 'suppression', id: suppressionKey(email) })) }
      },
      { ...adding, body: refusing(t.Object({ emails: many })) },
    )
    .delete('/:idOrEmail', ({ params, caller }) => remove(app, caller, params.idOrEmail), removing)
    .post(
      '/batch/remove',
      async ({ body: { emails = [], ids = [] }, caller }) => {
        const data = []
        for (const one of [...emails, ...ids]) data.push(await remove(app, caller, one))
        return { data }
      },
      { ...removing, body: refusing(t.Object({ emails: many, ids: many })) },
    )
}

/** Throws 404. */
async function getSuppression(reader: Reader, workspaceId: string, idOrEmail: string): Promise<Suppression> {
  const find = idOrEmail.includes('@') ? findSuppression : findSuppressionByKey
  const row = await find(reader, workspaceId, idOrEmail)
  if (row) return row
  throw new AppError('not_found', 'Suppression not found')
}

/** Throws 404, and 429 when too many complaints were removed. */
async function remove(app: App, { workspace, credential }: Caller, idOrEmail: string) {
  const { email, emailHash } = await getSuppression(app, workspace.id, idOrEmail)
  if (email === null && !idOrEmail.includes('@'))
    throw invalidField('id', 'the address of this suppression was erased: give the address instead of the id')
  await removeSuppression(app, workspace.id, { email: email ?? idOrEmail, removedBy: toActor(credential) })
  return { object: 'suppression', id: emailHash, deleted: true }
}

const originOf: Record<SuppressionReason, 'bounce' | 'complaint' | 'manual'> = {
  hardBounce: 'bounce',
  complaint: 'complaint',
  manual: 'manual',
  unsubscribe: 'manual',
}

function toSuppression({ email, emailHash, reason, messageId, createdAt }: Suppression) {
  return {
    id: emailHash,
    email: email ?? '',
    origin: originOf[reason],
    source_id: messageId,
    created_at: createdAt.toISOString(),
  }
}
