// General faults of sending, for people whose mail waits; they cannot be notified by mail.

import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { oneOf, time } from '../../core/http/wire.ts'
import { tryMailNow } from '../../core/outbox/bring-forward.ts'
import { listSendingFaults } from '../../core/outbox/sending-faults.ts'
import { causeTodo, faultCauseNames, faultCauses, toFaultCause } from '../../mail/fault-cause.ts'
import { type Fault, parseScope } from '../../mail/sending-hold.ts'
import { auth } from '../../people/access/auth.ts'

const faultView = t.Object({
  scope: t.Union([t.Literal('relay'), t.Literal('workspace')], {
    description:
      '`relay`: the mail server accepts nothing from this installation. `workspace`: it refuses the mail of this workspace.',
  }),
  domain: t.Union([t.String(), t.Null()], {
    description:
      'The one receiving domain whose mail is refused; other mail goes on. Null: it is not about one domain.',
  }),
  about: t.Union(
    [t.Literal('relay'), t.Literal('sender'), t.Literal('message'), t.Literal('address'), t.Literal('mailbox')],
    {
      description:
        'What the reply of the mail server is about. `relay`: our sign-in, our permission to use the server, its quota. `sender`: our domain or address (SPF, DKIM, DMARC, block lists). The others: every mail is refused with the same text, so that it is not taken as a reply about the recipient.',
    },
  ),
  cause: oneOf(faultCauseNames, faultCauseNames.map((cause) => `\`${cause}\`: ${faultCauses[cause].todo}`).join(' ')),
  relayId: t.Union([t.String(), t.Null()], {
    description: 'The relay that it is a matter of, if it was added; null: that of `SMTP_URL`.',
  }),
  hint: t.String({ description: 'What to check.' }),
  reply: t.String({ description: 'The last reply of the mail server.' }),
  refusals: Type.Integer({ description: 'How many refusals in a row.' }),
  since: time,
  lastAt: time,
  heldUntil: t.Union([time, t.Null()], {
    description:
      'Mail is held, and a single message is tried at this time. Null: sending goes on, and only mail that is refused for this reason is delayed.',
  }),
})

export function faultRoutes(app: App) {
  return new Elysia({ prefix: '/v1/sending-faults' })
    .use(auth)
    .get(
      '',
      async ({ workspace }) => ({
        data: (await listSendingFaults(app, app.clock.now(), workspace.id)).map(toFaultView),
      }),
      {
        auth: { scope: 'activity.read', session: true },
        response: t.Object({ data: t.Array(faultView) }),
        detail: extension(
          'listSendingFaults',
          'List sending faults: why mail is held or delayed',
          'Empty when all is well. A fault listed here never makes a message fail, counts as a bounce or suppresses a recipient.',
        ),
      },
    )
    .post(
      '/try-again',
      async ({ workspace }) => {
        app.mailer.tryNow(workspace.id)
        return { success: true as const, mails: await write(app, (tx) => tryMailNow(tx, workspace.id)) }
      },
      {
        auth: { scope: 'jobs.write', session: true },
        response: t.Object({
          success: t.Literal(true),
          mails: Type.Integer({ description: 'How many messages that were held or tried before are due now.' }),
        }),
        detail: extension(
          'trySendingAgain',
          'Try waiting mail again now',
          'Retries without waiting for the next attempt. Where mail is held, one message is tried first, and the others follow once it was accepted. Mail that was not tried yet keeps its time. At most 1,000 messages of a kind per request. If several processes share a database, the one that answers this request does the sending.',
        ),
      },
    )
}

function toFaultView(fault: Fault): typeof faultView.static {
  const { scope, about, reply, refusals, since, lastAt, heldUntil } = fault
  const cause = toFaultCause(fault)
  const { workspaceId, domain, relayId } = parseScope(scope)
  return {
    scope: workspaceId === null ? 'relay' : 'workspace',
    domain,
    about,
    cause,
    relayId,
    hint: causeTodo(cause, relayId),
    reply,
    refusals,
    since: since.toISOString(),
    lastAt: lastAt.toISOString(),
    heldUntil: heldUntil?.toISOString() ?? null,
  }
}
