// paquebot webhook create | test: one with its secret, and a test whose exit code says whether it arrived.

import { withoutUndefined } from '../../kit/without-undefined.ts'
import { columns, defineCommand } from './command.ts'
import { fieldLines, withApi } from './with-api.ts'

const path = '/v1/webhook-endpoints'
const workspace = { type: 'string', value: 'SLUG', required: true, says: 'which workspace' } as const
const endpoint = { type: 'string', value: 'ID', required: true, says: 'from `webhook list`' } as const
const fields = {
  event: {
    type: 'string',
    value: 'NAME',
    multiple: true,
    says: 'the events it receives: a name, or `contact.*`; default: all events',
  },
  description: { type: 'string', value: 'TEXT', says: 'what it is for' },
  disabled: { type: 'boolean', says: 'create it disabled' },
} as const

function filtersOf(events: string[]): string[] | undefined {
  return events.length > 0 ? events : undefined
}

const create = defineCommand({
  name: 'webhook create',
  says: 'Creates an active webhook endpoint with a signing secret, which is shown only once.',
  flags: { workspace, url: { type: 'string', value: 'URL', required: true, says: 'where deliveries go' }, ...fields },
  run: ({ workspace: slug, url, event, description, disabled }, config) =>
    withApi(config(), slug, async (api) => {
      const body = withoutUndefined({
        url,
        description,
        eventFilters: filtersOf(event),
        status: disabled ? 'disabled' : 'active',
      })
      const made = await api('POST', path, body)
      const { signingSecret } = await api('POST', `${path}/${made['id']}/signing-secret`)
      const json = { ...made, hasSigningSecret: true, signingSecret }
      return { json, lines: columns(fieldLines({ id: made['id'], url, signingSecret })) }
    }),
})

const test = defineCommand({
  name: 'webhook test',
  says: 'Sends a test event to an endpoint, once and at once. Exit 1 if it is not accepted.',
  flags: { workspace, endpoint },
  run: ({ workspace: slug, endpoint: id }, config) =>
    withApi(config(), slug, async (api) => {
      const json = await api('POST', `${path}/${encodeURIComponent(id)}/send-test`)
      return { json, lines: columns(fieldLines(json)), ok: json['delivered'] === true }
    }),
})

export const webhookCommands = [create, test]
