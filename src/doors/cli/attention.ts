// paquebot attention: what is wrong, since when, and what to do.

import { defineCommand } from './command.ts'
import { type Answer, cells, rowsOf, withApi } from './with-api.ts'

/** As much of a time as people read. */
const timeChars = 16

export const attention = defineCommand({
  name: 'attention',
  says: 'Lists what needs attention, worst first: what is wrong, since when (UTC), and what to do. Makes no request to other servers.',
  flags: { workspace: { type: 'string', value: 'SLUG', required: true, says: 'which workspace' } },
  run: ({ workspace }, config) =>
    withApi(config(), workspace, async (api) => {
      const json = await api('GET', '/v1/attention')
      const items = rowsOf(json)
      return {
        json,
        lines: (paint) => (items.length === 0 ? [paint.good('Nothing needs attention.')] : items.flatMap(linesOf)),
      }
    }),
})

function linesOf(item: Answer): string[] {
  const [severity = '', code = '', since = ''] = cells(item, ['severity', 'code', 'since'])
  const { thing, detail } = item as { thing: { name: string } | null; detail: string | null }
  const what = [item['text'], thing?.name, detail].filter(Boolean).join(': ')
  const at = since.slice(0, timeChars).replace('T', ' ')
  return [`${severity.padEnd('warning'.length)}  ${at}  ${code}`, `  ${what}`, `  ${item['todo']}`]
}
