// Mailboxes over REST. An API key may keep house (make, rename, disable); what opens a mailbox's mail, tokens and the inbound
// address, is made by a signed-in person or on the command line.

import { Elysia } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { auth, type Credential, toGrantor } from '../../people/access/auth.ts'
import { successBody } from '../../people/access/schema.ts'
import {
  checkDomain,
  createMailbox,
  deleteMailbox,
  getMailbox,
  listMailboxes,
  readAddress,
  renewInboundToken,
  updateMailbox,
} from './mailboxes.ts'
import { countReplies } from './reply-limits.ts'
import {
  inboundView,
  mailboxBody,
  mailboxChangeBody,
  mailboxList,
  mailboxView,
  newMailboxView,
  newTokenView,
  tokenBody,
  tokenList,
  toMailboxView,
  toTokenView,
} from './schema.ts'
import { createToken, listTokens, revokeToken } from './tokens.ts'

const reads = { scope: 'mailboxes.read', session: true } as const
const writes = { scope: 'mailboxes.write', session: true } as const

export function mailboxRoutes(app: App) {
  return new Elysia({ prefix: '/v1/mailboxes' })
    .use(auth)
    .get('', async ({ workspace }) => ({ data: (await listMailboxes(app, workspace.id)).map(toMailboxView) }), {
      auth: reads,
      response: mailboxList,
      detail: extension(
        'listMailboxes',
        'List the mailboxes',
        'Addresses that receive mail for this workspace, without their messages.',
      ),
    })
    .post(
      '',
      async ({ workspace, credential, body, set }) => {
        refuseLooser(credential, body)
        const address = readAddress(body.address, app.config.inboundDomain)
        const warnings = await checkDomain(app, workspace.id, address)
        const mailbox = await write(app, (tx) => createMailbox(tx, app.config, workspace.id, { ...body, address }))
        set.status = 201
        return { ...toMailboxView(mailbox), warnings }
      },
      {
        auth: writes,
        body: mailboxBody,
        response: { 201: newMailboxView },
        detail: extension(
          'createMailbox',
          'Make a mailbox',
          'The address must be at `INBOUND_DOMAIN` or at a domain that belongs to this workspace; otherwise 403, or a warning in capture mode. 409 if the address is taken.',
          [409],
        ),
      },
    )
    .get(
      '/:mailboxId',
      async ({ workspace, params }) => toMailboxView(await getMailbox(app, workspace.id, params.mailboxId)),
      {
        auth: reads,
        response: mailboxView,
        detail: extension(
          'getMailbox',
          'Read one mailbox',
          'Address, name and status of one mailbox, without its mail.',
        ),
      },
    )
    .patch(
      '/:mailboxId',
      async ({ workspace, credential, params, body }) => {
        refuseLooser(credential, body)
        return toMailboxView(await write(app, (tx) => updateMailbox(tx, workspace.id, params.mailboxId, body)))
      },
      {
        auth: writes,
        body: mailboxChangeBody,
        response: mailboxView,
        detail: extension(
          'updateMailbox',
          'Rename, disable or enable a mailbox',
          'Only the fields in the request change. A disabled mailbox receives nothing, and its tokens do not work.',
        ),
      },
    )
    .delete(
      '/:mailboxId',
      async ({ workspace, params }) => {
        await write(app, (tx) => deleteMailbox(tx, workspace.id, params.mailboxId))
        return { success: true as const, message: 'Mailbox deleted; its tokens are revoked.' }
      },
      {
        session: true,
        response: successBody,
        detail: extension(
          'deleteMailbox',
          'Delete a mailbox and its mail',
          'The address is free and its tokens stop working at once; its mail is removed within the hour. This cannot be undone.',
        ),
      },
    )
}

/** Only for people: each of these is a way to the mail itself. */
export function mailboxAccessRoutes(app: App) {
  return new Elysia({ prefix: '/v1/mailboxes/:mailboxId' })
    .use(auth)
    .get(
      '/tokens',
      async ({ workspace, params }) => {
        const { id } = await getMailbox(app, workspace.id, params.mailboxId)
        const rows = await listTokens(app, id)
        const now = app.clock.now()
        return {
          data: await Promise.all(
            rows.map(async (row) => toTokenView(row, await countReplies(app, 'author', row.id, now))),
          ),
        }
      },
      {
        session: true,
        response: tokenList,
        detail: extension(
          'listMailboxTokens',
          'List the tokens of a mailbox',
          'Active tokens with name, scopes, last use and the number of replies in the last hour; never the token itself.',
        ),
      },
    )
    .post(
      '/tokens',
      async ({ workspace, credential, params, body, set }) => {
        const mailbox = await getMailbox(app, workspace.id, params.mailboxId)
        const { name, scopes, airlock } = body
        const { userId: madeBy } = toGrantor(credential)
        const input = { name, scopes, airlock, expiresAt: readExpiry(body.expiresAt), madeBy }
        const { row, token } = await write(app, (tx) => createToken(tx, mailbox, input))
        set.status = 201
        return { ...toTokenView(row, 0), token }
      },
      {
        session: true,
        body: tokenBody,
        response: { 201: newTokenView },
        detail: extension(
          'createMailboxToken',
          'Create a mailbox token; it is shown only once',
          'For an agent: the token gives access to this one mailbox at `/mailbox/mcp` and to nothing else. It is in this response and is never shown again.',
        ),
      },
    )
    .delete(
      '/tokens/:tokenId',
      async ({ workspace, params }) => {
        const { id } = await getMailbox(app, workspace.id, params.mailboxId)
        await write(app, (tx) => revokeToken(tx, id, params.tokenId))
        return { success: true as const, message: 'Mailbox token revoked.' }
      },
      {
        session: true,
        response: successBody,
        detail: extension(
          'revokeMailboxToken',
          'Revoke a mailbox token at once, also on open streams',
          'It stops working at once; on an open stream, from the next message on.',
        ),
      },
    )
    .post(
      '/inbound-address',
      async ({ workspace, credential, params }) => {
        const { userId } = toGrantor(credential)
        const token = await write(app, (tx) => renewInboundToken(tx, workspace.id, params.mailboxId, userId))
        return { inboundUrl: `${app.config.baseUrl}/v1/inbound/${token}` }
      },
      {
        session: true,
        response: inboundView,
        detail: extension(
          'renewInboundAddress',
          'Create the URL that a mail provider posts to; the previous one stops working',
          'A mail provider posts received mail to this URL, which is a secret. The previous URL stops working at once.',
        ),
      },
    )
}

/** What bounds agents is set by people. */
function refuseLooser({ kind }: Credential, given: { holdReplies?: boolean; writesTo?: unknown }): void {
  if (kind !== 'api_key') return
  if (given.holdReplies !== undefined)
    throw new AppError('forbidden', 'Only a signed-in member can set whether mail of agents waits for approval.')
  if (given.writesTo !== undefined)
    throw new AppError('forbidden', 'Only a signed-in member can set to whom agents may write.')
}

function readExpiry(expiresAt: string | undefined): Date | undefined {
  if (expiresAt === undefined) return undefined
  const at = new Date(expiresAt)
  if (Number.isNaN(at.getTime())) throw invalidField('expiresAt', 'must be an ISO 8601 time', 'invalid_time')
  return at
}
