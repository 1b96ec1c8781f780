// paquebot payments show | set | list | reprocess

import { readFileSync } from 'node:fs'
import { type ArchiveStatus, listArchive, reprocess, reprocessIgnored } from '../../features/events/payments/archive.ts'
import { given } from '../../kit/given.ts'
import { getWorkspaceBySlug } from '../../people/workspaces.ts'
import { columns, defineCommand, UsageError } from './command.ts'
import { fieldLines, withApi } from './with-api.ts'
import { withApp } from './with-app.ts'

const workspaceFlag = { type: 'string', value: 'SLUG', required: true, says: 'which workspace' } as const
const maxListed = 1_000

const list = defineCommand({
  name: 'payments list',
  says: 'Lists the archive of payment events, newest first.',
  flags: {
    workspace: workspaceFlag,
    status: { type: 'string', value: 'processed|ignored', says: 'only these' },
  },
  run: ({ workspace: slug, status }, config) => {
    const wanted = readStatus(status)
    return withApp(config(), async (app) => {
      const { id } = await getWorkspaceBySlug(app, slug)
      const { rows } = await listArchive(app, id, { status: wanted, before: undefined, limit: maxListed })
      const events = rows.map(({ providerEventId, type, status, reason, contactId, createdAt }) => {
        return { eventId: providerEventId, type, status, reason, contactId, receivedAt: createdAt.toISOString() }
      })
      const lines = columns(events.map((one) => [one.receivedAt, one.eventId, one.type, one.reason ?? one.status]))
      return { json: { events }, lines: lines.length > 0 ? lines : ['No payment events.'] }
    })
  },
})

function readStatus(text: string | undefined): ArchiveStatus | undefined {
  if (text === undefined || text === 'processed' || text === 'ignored') return text
  throw new UsageError(`a status is processed or ignored, not ${text}`)
}

const again = defineCommand({
  name: 'payments reprocess',
  says: 'Retries payment events that were ignored: their contact may exist by now.',
  flags: {
    workspace: workspaceFlag,
    event: { type: 'string', value: 'ID', says: 'only this one, by the provider’s id; default: all without a contact' },
  },
  run: ({ workspace: slug, event }, config) =>
    withApp(config(), async (app) => {
      const { id } = await getWorkspaceBySlug(app, slug)
      const result = event === undefined ? await reprocessIgnored(app, id) : counted(await reprocess(app, id, event))
      return { json: result, lines: [`${result.processed} of ${result.tried} payment events processed.`] }
    }),
})

function counted({ status }: { status: ArchiveStatus }) {
  return { tried: 1, processed: status === 'processed' ? 1 : 0 }
}

const settingsPath = '/v1/settings/integrations/payments'

const show = defineCommand({
  name: 'payments show',
  says: 'Shows the payment integration: the URL for the provider, and whether it is enabled.',
  flags: { workspace: workspaceFlag },
  run: ({ workspace: slug }, config) =>
    withApi(config(), slug, async (api) => {
      const json = await api('GET', settingsPath)
      return { json, lines: columns(fieldLines(json)) }
    }),
})

const set = defineCommand({
  name: 'payments set',
  says: 'Sets up the payment integration. A secret is read from stdin with --secret -.',
  flags: {
    workspace: workspaceFlag,
    secret: { type: 'string', value: 'WHSEC', says: 'the signing secret of the provider; stored sealed, never shown' },
    enable: { type: 'boolean', says: 'take events' },
    disable: { type: 'boolean', says: 'take none' },
  },
  run: ({ workspace: slug, secret, enable, disable }, config) => {
    if (enable && disable) throw new UsageError('--enable and --disable contradict each other')
    const signing_secret = secret === '-' ? readFileSync(0, 'utf8').trim() : secret
    const change = given({ signing_secret, enabled: enable ? true : disable ? false : undefined })
    if (Object.keys(change).length === 0) throw new UsageError('say what to set: --secret, --enable or --disable')
    return withApi(config(), slug, async (api) => {
      const json = await api('PATCH', settingsPath, change)
      return { json, lines: columns(fieldLines(json)) }
    })
  },
})

export const paymentCommands = [show, set, list, again]
