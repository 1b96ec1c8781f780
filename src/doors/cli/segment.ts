// paquebot segment create | list | preview

import { columns, defineCommand, UsageError } from './command.ts'
import { type Answer, cells, rowsOf, withApi } from './with-api.ts'

const path = '/v1/segments'
const perPage = 100
const workspace = { type: 'string', value: 'SLUG', required: true, says: 'which workspace' } as const
const filter = { type: 'string', value: 'JSON', required: true, says: 'the conditions (docs/contacts.md)' } as const

const create = defineCommand({
  name: 'segment create',
  says: 'Saves a search over contacts.',
  flags: { workspace, name: { type: 'string', value: 'NAME', required: true, says: 'its name for people' }, filter },
  run: ({ workspace: slug, name, filter }, config) => {
    const body = { name, filter: parse(filter) }
    return withApi(config(), slug, async (api) => {
      const json = await api('POST', path, body)
      return { json, lines: [`Segment ${name} (${json['id']}) is ready.`] }
    })
  },
})

const list = defineCommand({
  name: 'segment list',
  says: 'Lists the segments.',
  flags: { workspace },
  run: ({ workspace: slug }, config) =>
    withApi(config(), slug, async (api) => {
      const segments = rowsOf(await api('GET', `${path}?perPage=${perPage}`))
      return { json: { segments }, lines: columns(segments.map((one) => cells(one, ['id', 'name']))) }
    }),
})

const preview = defineCommand({
  name: 'segment preview',
  says: 'Tells how many contacts a filter means, and the first of them. Saves nothing.',
  flags: { workspace, filter },
  run: ({ workspace: slug, filter }, config) => {
    const body = { filter: parse(filter) }
    return withApi(config(), slug, async (api) => {
      const json = await api('POST', `${path}/preview`, body)
      const many = `${json['exact'] ? '' : 'about '}${json['contacts']} contacts`
      return { json, lines: [many, ...columns(rowsOf(json).map((one) => cells(one, ['id', 'email'])))] }
    })
  },
})

function parse(text: string): Answer {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError('--filter is no JSON')
  }
}

export const segmentCommands = [create, list, preview]
