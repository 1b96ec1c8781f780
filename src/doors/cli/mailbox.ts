// paquebot mailbox create | token | inbound

import { type App, type Tx, write } from '../../core/app.ts'
import type { Config } from '../../core/config.ts'
import { createMailbox, findMailbox, readAddress, renewInboundToken } from '../../features/mailboxes/mailboxes.ts'
import { createToken } from '../../features/mailboxes/tokens.ts'
import { parseDuration } from '../../kit/duration.ts'
import { addressDomain } from '../../kit/email-address.ts'
import { AppError } from '../../kit/error.ts'
import { findOwner, isNamedByOperator, vouchFor } from '../../people/domain-owners.ts'
import { getWorkspaceBySlug } from '../../people/workspaces.ts'
import { defineCommand, UsageError } from './command.ts'
import { withApp } from './with-app.ts'

const workspaceFlag = { type: 'string', value: 'SLUG', required: true, says: 'which workspace' } as const
const mailboxFlag = { type: 'string', value: 'MAILBOX_ID', required: true, says: 'from `mailbox list`' } as const

const create = defineCommand({
  name: 'mailbox create',
  says: 'Creates a mailbox: an address that receives mail, for agents to read and reply to. Assigns its domain to the workspace if no workspace owns it.',
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

const token = defineCommand({
  name: 'mailbox token',
  says: 'Creates a mailbox token and shows it, only once.',
  flags: {
    mailbox: mailboxFlag,
    scope: { type: 'string', value: 'read|reply', multiple: true, says: 'what it may do; default both' },
    name: { type: 'string', value: 'NAME', says: 'what it is for' },
    'expires-in': { type: 'string', value: '30d', says: 'how long it works; default until it is revoked' },
    airlock: { type: 'boolean', says: 'what it sends waits for a person once it has read what others wrote' },
  },
  run: ({ mailbox: id, scope, name, airlock, 'expires-in': expiresIn }, config) => {
    const livesMs = expiresIn === undefined ? undefined : parseDuration(expiresIn)
    if (livesMs === null) throw new UsageError(`a duration is a number and ms, s, m, h or d, not ${expiresIn}`)
    return withApp(config(), async (app) => {
      const mailbox = await getAnyMailbox(app, id)
      const scopes = scope.length === 0 ? undefined : scope
      const expiresAt = livesMs === undefined ? undefined : new Date(app.clock.now().getTime() + livesMs)
      const made = await write(app, (tx) => createToken(tx, mailbox, { name, scopes, expiresAt, airlock }))
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

export const mailboxCommands = [create, token, inbound]
