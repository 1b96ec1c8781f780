// General faults of sending, for people whose mail waits; they cannot be told by mail.

import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import type { App } from '../app.ts'
import { extension } from '../http/operation.ts'
import { time } from '../http/wire.ts'
import { causeOf, faultCauses } from '../mail/fault-cause.ts'
import { type Fault, partsOf } from '../mail/sending-hold.ts'
import { listSendingFaults } from '../outbox/sending-faults.ts'
import { auth } from '../workspaces/auth.ts'

const faultView = t.Object({
  scope: t.Union([t.Literal('relay'), t.Literal('workspace')], {
    description:
      '`relay`: the mail server accepts nothing from this installation. `workspace`: it refuses mail of this workspace.',
  }),
  domain: t.Union([t.String(), t.Null()], {
    description:
      'The one receiving domain whose mail is refused; other mail goes on. Null: it is not about one domain.',
  }),
  about: t.Union(
    [t.Literal('relay'), t.Literal('sender'), t.Literal('message'), t.Literal('address'), t.Literal('mailbox')],
    {
      description:
        'Whom the reply is about. `relay`: our sign-in, our right to use the server, its quota. `sender`: our domain or address (SPF, DKIM, DMARC, block lists). The others: every mail is refused with the same text, so it is not taken literally.',
    },
  ),
  cause: t.Union(
    [
      t.Literal('not_reached'),
      t.Literal('tls'),
      t.Literal('sign_in'),
      t.Literal('throttled'),
      t.Literal('sender'),
      t.Literal('relaying'),
      t.Literal('receiver'),
    ],
    {
      description: Object.entries(faultCauses)
        .map(([cause, hint]) => `\`${cause}\`: ${hint}`)
        .join(' '),
    },
  ),
  hint: t.String({ description: 'What to check.' }),
  reply: t.String({ description: 'The last reply of the mail server.' }),
  refusals: Type.Integer({ description: 'In a row.' }),
  since: time,
  lastAt: time,
  heldUntil: t.Union([time, t.Null()], {
    description:
      'Mail is held, and a single one is tried at this time. Null: sending goes on, and mail refused for this reason is delayed.',
  }),
})

export function faultRoutes(app: App) {
  return new Elysia().use(auth).get(
    '/v1/sending-faults',
    async ({ workspace }) => ({
      data: (await listSendingFaults(app, app.clock.now(), workspace.id)).map(toFaultView),
    }),
    {
      auth: { scope: 'activity.read', session: true },
      response: t.Object({ data: t.Array(faultView) }),
      detail: extension(
        'listSendingFaults',
        'Faults of sending: why mail is held or delayed',
        'Empty when all is well. Nothing listed here ends a mail, counts as a bounce or suppresses anybody.',
      ),
    },
  )
}

function toFaultView(fault: Fault): typeof faultView.static {
  const { scope, about, reply, refusals, since, lastAt, heldUntil } = fault
  const cause = causeOf(fault)
  const { workspaceId, domain } = partsOf(scope)
  return {
    scope: workspaceId === null ? 'relay' : 'workspace',
    domain,
    about,
    cause,
    hint: faultCauses[cause],
    reply,
    refusals,
    since: since.toISOString(),
    lastAt: lastAt.toISOString(),
    heldUntil: heldUntil?.toISOString() ?? null,
  }
}
