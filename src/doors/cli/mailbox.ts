// paquebot mailbox create | list | update | token | inbound

import { type App, type Tx, write } from '../../core/app.ts'
import type { Config } from '../../core/config.ts'
import {
  createMailbox,
  findMailbox,
  listMailboxes,
  readAddress,
  renewInboundToken,
} from '../../features/mailboxes/mailboxes.ts'
import { toMailboxView } from '../../features/mailboxes/schema.ts'
import { createToken } from '../../features/mailboxes/tokens.ts'
import { parseDuration } from '../../kit/duration.ts'
import { addressDomain } from '../../kit/email-address.ts'
import { AppError } from '../../kit/error.ts'
import { given } from '../../kit/given.ts'
import { ownValue } from '../../kit/own-value.ts'
import { findOwner, isNamedByOperator, vouchFor } from '../../people/domain-owners.ts'
import { getWorkspaceBySlug } from '../../people/workspaces.ts'
import { columns, defineCommand, UsageError } from './command.ts'
import { fieldLines, withApi } from './with-api.ts'
import { withApp } from './with-app.ts'

const workspaceFlag = { type: 'string', value: 'SLUG', required: true, says: 'which workspace' } as const
const mailboxFlag = { type: 'string', value: 'MAILBOX_ID', required: true, says: 'from `mailbox list`' } as const

const create = defineCommand({
  name: 'mailbox create',
  says: 'Creates a mailbox: an address that receives mail, for agents to read and answer. Assigns its domain to the workspace if nobody owns it.',
  flags: {
    workspace: workspaceFlag,
    address: {
      type: 'string',
      value: 'ADDRESS',
      required: true,
      says: 'the address, or its part before @INBOUND_DOMAIN',
    },
    name: { type: 'string', value: 'NAME', says: 'the sender name of its replies' },
  },
  run: ({ workspace: slug, address, name }, config) =>
    withApp(config(), async (app) => {
      const workspace = await getWorkspaceBySlug(app, slug)
      const whole = readAddress(address, app.config.inboundDomain)
      const mailbox = await write(app, async (tx) => {
        await vouchIfNobodys(tx, app.config, { workspaceId: workspace.id, domain: addressDomain(whole) })
        return await createMailbox(tx, app.config, workspace.id, { address: whole, name })
      })
      return {
        json: { id: mailbox.id, address: mailbox.address },
        lines: [`Mailbox ${mailbox.address} (${mailbox.id}) is ready.`],
      }
    }),
})

/** An operator who creates a mailbox at an unowned domain assigns the domain; a domain of another workspace is never taken silently. */
async function vouchIfNobodys(tx: Tx, config: Config, owned: { workspaceId: string; domain: string }): Promise<void> {
  if (isNamedByOperator(config, owned.domain)) return
  const owner = await findOwner(tx, owned.domain)
  if (owner === null) await vouchFor(tx, owned)
  if (owner === null || owner.workspaceId === owned.workspaceId) return
  throw new AppError(
    'conflict',
    `${owned.domain} belongs to another workspace; \`paquebot domain vouch\` gives it to this one`,
  )
}

const list = defineCommand({
  name: 'mailbox list',
  says: 'Lists the mailboxes of a workspace.',
  flags: { workspace: workspaceFlag },
  run: ({ workspace: slug }, config) =>
    withApp(config(), async (app) => {
      const workspace = await getWorkspaceBySlug(app, slug)
      const rows = await listMailboxes(app, workspace.id)
      return {
        json: { mailboxes: rows.map(toMailboxView) },
        lines: columns(
          rows.map(({ id, address, status, holdReplies }) => [id, address, status, holdReplies ? 'holds replies' : '']),
        ),
      }
    }),
})

const switches: Record<string, boolean> = { on: true, off: false }

const update = defineCommand({
  name: 'mailbox update',
  says: 'Renames, disables or enables a mailbox, or has what agents reply from it wait for a person.',
  flags: {
    workspace: workspaceFlag,
    mailbox: mailboxFlag,
    name: { type: 'string', value: 'NAME', says: 'the sender name of its replies' },
    status: { type: 'string', value: 'active|disabled', says: 'a disabled one receives nothing' },
    'hold-replies': { type: 'string', value: 'on|off', says: 'on: replies wait for `approval approve`' },
  },
  run: ({ workspace: slug, mailbox: id, name, status, 'hold-replies': hold }, config) => {
    const holdReplies = hold === undefined ? undefined : ownValue(switches, hold)
    if (hold !== undefined && holdReplies === undefined)
      throw new UsageError(`--hold-replies is on or off, not ${hold}`)
    return withApi(config(), slug, async (api) => {
      const json = await api('PATCH', `/v1/mailboxes/${encodeURIComponent(id)}`, given({ name, status, holdReplies }))
      return { json, lines: columns(fieldLines(json)) }
    })
  },
})

const token = defineCommand({
  name: 'mailbox token',
  says: 'Creates a mailbox token and shows it, only once.',
  flags: {
    mailbox: mailboxFlag,
    scope: { type: 'string', value: 'read|reply', multiple: true, says: 'what it may do; default both' },
    name: { type: 'string', value: 'NAME', says: 'what it is for' },
    'expires-in': { type: 'string', value: '30d', says: 'how long it works; default until it is revoked' },
  },
  run: ({ mailbox: id, scope, name, 'expires-in': expiresIn }, config) => {
    const livesMs = expiresIn === undefined ? undefined : parseDuration(expiresIn)
    if (livesMs === null) throw new UsageError(`a duration is a number and ms, s, m, h or d, not ${expiresIn}`)
    return withApp(config(), async (app) => {
      const mailbox = await getAnyMailbox(app, id)
      const scopes = scope.length === 0 ? undefined : scope
      const expiresAt = livesMs === undefined ? undefined : new Date(app.clock.now().getTime() + livesMs)
      const made = await write(app, (tx) => createToken(tx, mailbox, { name, scopes, expiresAt }))
      return { json: { id: made.row.id, token: made.token, scopes: made.row.scopes }, lines: [made.token] }
    })
  },
})

const inbound = defineCommand({
  name: 'mailbox inbound',
  says: 'Creates the URL that a mail provider posts to, replacing the previous one, and shows it only once.',
  flags: { mailbox: mailboxFlag },
  run: ({ mailbox: id }, config) =>
    withApp(config(), async (app) => {
      const { workspaceId } = await getAnyMailbox(app, id)
      const secret = await write(app, (tx) => renewInboundToken(tx, workspaceId, id))
      const inboundUrl = `${app.config.baseUrl}/v1/inbound/${secret}`
      return { json: { id, inboundUrl }, lines: [inboundUrl] }
    }),
})

async function getAnyMailbox(app: App, id: string) {
  const mailbox = await findMailbox(app, id)
  if (mailbox) return mailbox
  throw new AppError('not_found', `there is no mailbox ${JSON.stringify(id.slice(0, 80))}`)
}

export const mailboxCommands = [create, list, update, token, inbound]
