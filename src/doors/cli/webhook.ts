// paquebot webhook create | list | update | delete | rotate-secret | test

import { given } from '../../kit/given.ts'
import { columns, defineCommand, UsageError } from './command.ts'
import { cells, fieldLines, rowsOf, withApi } from './with-api.ts'

const path = '/v1/webhook-endpoints'
const workspace = { type: 'string', value: 'SLUG', required: true, says: 'which workspace' } as const
const endpoint = { type: 'string', value: 'ID', required: true, says: 'from `webhook list`' } as const
const fields = {
  event: {
    type: 'string',
    value: 'NAME',
    multiple: true,
    says: 'what it wants: a name, `contact.*`; default everything',
  },
  description: { type: 'string', value: 'TEXT', says: 'what it is for' },
  disabled: { type: 'boolean', says: 'keep it disabled' },
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
      const body = given({ url, description, eventFilters: filtersOf(event), status: disabled ? 'disabled' : 'active' })
      const made = await api('POST', path, body)
      const { signingSecret } = await api('POST', `${path}/${made['id']}/signing-secret`)
      const json = { ...made, hasSigningSecret: true, signingSecret }
      return { json, lines: columns(fieldLines({ id: made['id'], url, signingSecret })) }
    }),
})

const list = defineCommand({
  name: 'webhook list',
  says: 'Lists the webhook endpoints.',
  flags: { workspace },
  run: ({ workspace: slug }, config) =>
    withApi(config(), slug, async (api) => {
      const endpoints = rowsOf(await api('GET', path))
      return {
        json: { endpoints },
        lines: columns(endpoints.map((one) => cells(one, ['id', 'status', 'url', 'eventFilters']))),
      }
    }),
})

const update = defineCommand({
  name: 'webhook update',
  says: 'Changes the given settings of a webhook endpoint.',
  flags: {
    workspace,
    endpoint,
    url: { type: 'string', value: 'URL', says: 'where deliveries go' },
    status: { type: 'string', value: 'active|disabled', says: 'whether anything is delivered' },
    event: fields.event,
    description: fields.description,
  },
  run: ({ workspace: slug, endpoint: id, url, status, event, description }, config) => {
    const change = given({ url, status, description, eventFilters: filtersOf(event) })
    if (Object.keys(change).length === 0)
      throw new UsageError('say what to change: --url, --status, --event or --description')
    return withApi(config(), slug, async (api) => {
      const json = await api('PATCH', `${path}/${encodeURIComponent(id)}`, change)
      return { json, lines: columns(fieldLines(json)) }
    })
  },
})

const remove = defineCommand({
  name: 'webhook delete',
  says: 'Deletes a webhook endpoint; its pending deliveries are dropped.',
  flags: { workspace, endpoint },
  run: ({ workspace: slug, endpoint: id }, config) =>
    withApi(config(), slug, async (api) => {
      await api('DELETE', `${path}/${encodeURIComponent(id)}`)
      return { json: { id, deleted: true }, lines: [`Webhook endpoint ${id} is deleted.`] }
    }),
})

const rotate = defineCommand({
  name: 'webhook rotate-secret',
  says: 'Creates a new signing secret and shows it, only once; the previous one signs for 24 h more.',
  flags: { workspace, endpoint },
  run: ({ workspace: slug, endpoint: id }, config) =>
    withApi(config(), slug, async (api) => {
      const json = await api('POST', `${path}/${encodeURIComponent(id)}/signing-secret`)
      return { json, lines: [String(json['signingSecret'])] }
    }),
})

const test = defineCommand({
  name: 'webhook test',
  says: 'Sends a test event to an endpoint, now and once. Exit 1 if it is not accepted.',
  flags: { workspace, endpoint },
  run: ({ workspace: slug, endpoint: id }, config) =>
    withApi(config(), slug, async (api) => {
      const json = await api('POST', `${path}/${encodeURIComponent(id)}/send-test`)
      return { json, lines: columns(fieldLines(json)), ok: json['delivered'] === true }
    }),
})

export const webhookCommands = [create, list, update, remove, rotate, test]
