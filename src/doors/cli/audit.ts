// paquebot audit

import { withoutUndefined } from '../../kit/without-undefined.ts'
import { columns, defineCommand, UsageError } from './command.ts'
import { type Answer, type Api, rowsOf, withApi } from './with-api.ts'

const path = '/v1/audit'
const defaultLines = 50
const mostLines = 10_000
const perPage = 100

const audit = defineCommand({
  name: 'audit',
  says: 'Shows who changed what in a workspace, newest first.',
  flags: {
    workspace: { type: 'string', value: 'SLUG', required: true, says: 'which workspace' },
    actor: { type: 'string', value: 'ID', says: 'only actions of this actor: usr_…, key_…, operator, system' },
    operation: { type: 'string', value: 'NAME', says: 'only this action, e.g. updateWorkspace' },
    kind: { type: 'string', value: 'KIND', says: 'only actions on resources of this kind, e.g. template' },
    thing: { type: 'string', value: 'ID', says: 'only actions on this resource: its id, or slug' },
    since: { type: 'string', value: 'TIME', says: 'from this time on, e.g. 2027-01-15T00:00:00Z' },
    until: { type: 'string', value: 'TIME', says: 'before this time' },
    limit: { type: 'string', value: 'N', says: `how many lines; default ${defaultLines}` },
  },
  run: ({ workspace: slug, limit, ...filter }, config) =>
    withApi(config(), slug, async (api) => {
      const lines = await readLines(api, new URLSearchParams(withoutUndefined(filter)), wantedOf(limit))
      return { json: { lines }, lines: columns(lines.map(cellsOf)) }
    }),
})

function wantedOf(limit = String(defaultLines)): number {
  const wanted = /^\d{1,5}$/.test(limit) ? Number(limit) : 0
  if (wanted >= 1 && wanted <= mostLines) return wanted
  throw new UsageError(`--limit must be a whole number from 1 to ${mostLines}, not ${JSON.stringify(limit)}`)
}

async function readLines(api: Api, query: URLSearchParams, wanted: number): Promise<Answer[]> {
  const lines: Answer[] = []
  query.set('perPage', String(Math.min(wanted, perPage)))
  while (lines.length < wanted) {
    const page = await api('GET', `${path}?${query}`)
    lines.push(...rowsOf(page))
    const { nextCursor } = page['pagination'] as { nextCursor: string | null }
    if (nextCursor === null) break
    query.set('cursor', nextCursor)
  }
  return lines.slice(0, wanted)
}

function cellsOf({ at, actor, operation, count, changes }: Answer): string[] {
  const { id, name } = actor as { id: string; name: string | null }
  const things = (changes as { kind: string; id: string; after: object | null }[]).map(
    (one) => `${one.kind} ${one.id}${one.after ? ` (${Object.keys(one.after).join(', ')})` : ''}`,
  )
  const times = count === 1 ? [] : [`${count} times`]
  return [String(at), name ?? id, String(operation), [...times, ...new Set(things)].join('; ')]
}

export const auditCommands = [audit]
