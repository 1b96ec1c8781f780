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
    secret: { type: 'string', value: 'WHSEC', says: 'the signing secret of the provider; stored sealed, never shown' },
    enable: { type: 'boolean', says: 'take events' },
    disable: { type: 'boolean', says: 'take none' },
  },
  run: ({ workspace: slug, secret, enable, disable }, config) => {
    if (enable && disable) throw new UsageError('--enable and --disable contradict each other')
    const signing_secret = secret === '-' ? readFileSync(0, 'utf8').trim() : secret
    const change = withoutUndefined({ signing_secret, enabled: enable ? true : disable ? false : undefined })
    if (Object.keys(change).length === 0) throw new UsageError('say what to set: --secret, --enable or --disable')
    return withApi(config(), slug, async (api) => {
      const json = await api('PATCH', settingsPath, change)
      return { json, lines: columns(fieldLines(json)) }
    })
  },
})

export const paymentCommands = [set]
