// Connections over REST: for people, who allowed them and end them.

import { Elysia, t } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { auth } from '../../people/access/auth.ts'
import { firstReadAt, successBody } from '../../people/access/schema.ts'
import { type ListedGrant, listGrants, revokeGrant } from './grants.ts'

const textOrNull = (description: string) => t.Union([t.String(), t.Null()], { description })

const connectionView = t.Object({
  id: t.String(),
  clientId: t.String({
    description: 'The id that it got when it registered, or the address of the document about it.',
  }),
  clientName: t.String({ description: 'What the program calls itself.' }),
  clientHost: t.String({ description: 'Where the person was sent back to: a host, or the scheme of a program.' }),
  mailboxId: textOrNull('The one mailbox that it opens; null: the tools of the workspace.'),
  mailboxAddress: textOrNull('The address of that mailbox.'),
  scopes: t.Array(t.String(), {
    description: 'Of a workspace `read`, `write`, `send`; of a mailbox `read`, `reply`.',
  }),
  madeBy: t.Union([t.Object({ userId: t.String(), email: t.String() }), t.Null()], {
    description: 'Who allowed it; it ends with their right. Null: the operator kept it.',
  }),
  role: t.Union([t.Literal('viewer'), t.Literal('member'), t.Literal('owner')], {
    description: 'The role of that person when they allowed it: it never allows more.',
  }),
  createdAt: t.String({ format: 'date-time' }),
  lastUsedAt: t.Union([t.String({ format: 'date-time' }), t.Null()]),
  firstReadAt,
})

export function oauthGrantRoutes(app: App) {
  return new Elysia({ prefix: '/v1/oauth-grants' })
    .use(auth)
    .get('', async ({ workspace }) => ({ data: (await listGrants(app, workspace.id)).map(toView) }), {
      session: true,
      response: t.Object({ data: t.Array(connectionView) }),
      detail: extension(
        'listOAuthGrants',
        'List the programs that people have connected (OAuth)',
        'Each open connection to the tools of the workspace or of one of its mailboxes: which program, who allowed it, what it may do, and when it was last used.',
      ),
    })
    .delete(
      '/:grantId',
      async ({ workspace, params }) => {
        await write(app, (tx) => revokeGrant(tx, workspace.id, params.grantId))
        return { success: true as const, message: 'Connection revoked.' }
      },
      {
        session: true,
        response: successBody,
        detail: extension(
          'revokeOAuthGrant',
          'Revoke a connection at once, with all its tokens',
          'Its next request is refused; open streams are closed within 2 seconds.',
        ),
      },
    )
}

function toView({ madeBy, maker, ...grant }: ListedGrant): typeof connectionView.static {
  const { id, clientId, clientName, clientHost, mailboxId, mailboxAddress, scopes, role } = grant
  return {
    ...{ id, clientId, clientName, clientHost, mailboxId, mailboxAddress, scopes, role },
    madeBy: madeBy === null || maker === null ? null : { userId: madeBy, email: maker },
    createdAt: grant.createdAt.toISOString(),
    lastUsedAt: grant.lastUsedAt?.toISOString() ?? null,
    firstReadAt: grant.firstReadAt?.toISOString() ?? null,
  }
}
