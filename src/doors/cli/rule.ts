// paquebot rule list | try, event list

import { mailPurposes } from '../../../db/tables/events.ts'
import { given } from '../../kit/given.ts'
import { columns, defineCommand } from './command.ts'
import { cells, rowsOf, withApi } from './with-api.ts'

const path = '/v1/event-rules'
const perPage = 100
const workspace = { type: 'string', value: 'SLUG', required: true, says: 'which workspace' } as const

const list = defineCommand({
  name: 'rule list',
  says: 'Lists the event rules.',
  flags: { workspace },
  run: ({ workspace: slug }, config) =>
    withApi(config(), slug, async (api) => {
      const rules = rowsOf(await api('GET', `${path}?perPage=${perPage}`))
      const shown = rules.map((one) => cells(one, ['id', 'enabled', 'eventName', 'action', 'purpose', 'name']))
      return { json: { rules }, lines: columns(shown) }
    }),
})

const setPurpose = defineCommand({
  name: 'rule set-purpose',
  says: 'Says what the mail of a rule is: marketing, or transactional, which also reaches contacts who are not subscribed.',
  flags: {
    workspace,
    rule: { type: 'string', value: 'ID', required: true, says: 'from `rule list`' },
    purpose: { type: 'string', value: mailPurposes.join('|'), required: true, says: 'what its mail is' },
  },
  run: ({ workspace: slug, rule, purpose }, config) =>
    withApi(config(), slug, async (api) => {
      const json = await api('PATCH', `${path}/${encodeURIComponent(rule)}`, { purpose })
      return { json, lines: [`${json['name']}: ${json['purpose']}`] }
    }),
})

const tryIt = defineCommand({
  name: 'rule try',
  says: 'Tells what a rule would have done with an event of the past, and why not. Sends nothing.',
  flags: {
    workspace,
    rule: { type: 'string', value: 'ID', required: true, says: 'from `rule list`' },
    event: { type: 'string', value: 'ID', required: true, says: 'from `event list`' },
  },
  run: ({ workspace: slug, rule, event }, config) =>
    withApi(config(), slug, async (api) => {
      const json = await api('POST', `${path}/${encodeURIComponent(rule)}/try`, { eventId: event })
      const checks = rowsOf({ data: json['checks'] })
      const lines = columns(checks.map((one) => [one['ok'] ? 'yes' : 'no', ...cells(one, ['check', 'value'])]))
      return { json, lines: [json['wouldRun'] ? 'It would run.' : 'It would do nothing.', ...lines] }
    }),
})

const events = defineCommand({
  name: 'event list',
  says: 'Lists the last events.',
  flags: {
    workspace,
    name: { type: 'string', value: 'NAME', says: 'only events of this name' },
    email: { type: 'string', value: 'ADDRESS', says: 'only those of this contact' },
  },
  run: ({ workspace: slug, name, email }, config) =>
    withApi(config(), slug, async (api) => {
      const query = new URLSearchParams(given({ perPage: String(perPage), name, email }))
      const found = rowsOf(await api('GET', `/v1/events?${query}`))
      const shown = found.map((one) => cells(one, ['id', 'createdAt', 'name', 'email']))
      return { json: { events: found }, lines: columns(shown) }
    }),
})

export const ruleCommands = [list, setPurpose, tryIt, events]
