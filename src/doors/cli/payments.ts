// paquebot payments set

import { readFileSync } from 'node:fs'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import { columns, defineCommand, UsageError } from './command.ts'
import { fieldLines, withApi } from './with-api.ts'

const workspaceFlag = { type: 'string', value: 'SLUG', required: true, says: 'which workspace' } as const
const settingsPath = '/v1/settings/integrations/payments'

const set = defineCommand({
  name: 'payments set',
  says: 'Sets up the payment integration. A secret is read from stdin with --secret -.',
  flags: {
    workspace: workspaceFlag,
    secret: {
      type: 'string',
      value: 'WHSEC',
      says: 'the signing secret of the provider; stored encrypted, never shown',
    },
    enable: { type: 'boolean', says: 'accept events' },
    disable: { type: 'boolean', says: 'accept no events' },
  },
  run: ({ workspace: slug, secret, enable, disable }, config) => {
    if (enable && disable) throw new UsageError('--enable and --disable cannot be combined')
    const signing_secret = secret === '-' ? readFileSync(0, 'utf8').trim() : secret
    const change = withoutUndefined({ signing_secret, enabled: enable ? true : disable ? false : undefined })
    if (Object.keys(change).length === 0) throw new UsageError('nothing to set: use --secret, --enable or --disable')
    return withApi(config(), slug, async (api) => {
      const json = await api('PATCH', settingsPath, change)
      return { json, lines: columns(fieldLines(json)) }
    })
  },
})

export const paymentCommands = [set]
