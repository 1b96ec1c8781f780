// paquebot list create | list

import { given } from '../../kit/given.ts'
import { columns, defineCommand } from './command.ts'
import { cells, rowsOf, withApi } from './with-api.ts'

const path = '/v1/mailing-lists'
const workspace = { type: 'string', value: 'SLUG', required: true, says: 'which workspace' } as const
const perPage = 100

const create = defineCommand({
  name: 'list create',
  says: 'Creates a mailing list.',
  flags: {
    workspace,
    name: { type: 'string', value: 'NAME', required: true, says: 'its display name' },
    description: { type: 'string', value: 'TEXT', says: 'what people get' },
    public: { type: 'boolean', says: 'show it in the preference centre' },
    'opt-in': { type: 'string', value: 'single|double', says: 'whether people confirm by mail; default as in the API' },
  },
  run: ({ workspace: slug, name, description, public: isPublic, 'opt-in': optIn }, config) =>
    withApi(config(), slug, async (api) => {
      const json = await api('POST', path, given({ name, description, isPublic: isPublic || undefined, optIn }))
      return { json, lines: [`Mailing list ${name} (${json['id']}) is ready.`] }
    }),
})

const list = defineCommand({
  name: 'list list',
  says: 'Lists the mailing lists.',
  flags: { workspace },
  run: ({ workspace: slug }, config) =>
    withApi(config(), slug, async (api) => {
      const lists = rowsOf(await api('GET', `${path}?perPage=${perPage}`))
      return {
        json: { lists },
        lines: columns(lists.map((one) => cells(one, ['id', 'optIn', 'contactCount', 'name']))),
      }
    }),
})

export const listCommands = [create, list]
