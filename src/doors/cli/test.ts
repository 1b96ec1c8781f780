// paquebot test clock

import { defineCommand } from './command.ts'
import { cells, withApi } from './with-api.ts'

const path = '/v1/test/clock'

export const testClock = defineCommand({
  name: 'test clock',
  says: 'Shows what waits in the test workspace; with --advance, moves its clock forward. Real mail is never affected.',
  flags: {
    workspace: { type: 'string', value: 'SLUG', required: true, says: 'which workspace' },
    advance: { type: 'string', value: '7d', says: 'by how much: 90s, 15m, 12h, 7d' },
  },
  run: ({ workspace, advance }, config) =>
    withApi(config(), workspace, async (api) => {
      const json = advance === undefined ? await api('GET', path) : await api('POST', path, { advance })
      const [moved = '', waiting = '', next = ''] = cells(json, ['moved', 'waiting', 'nextDueAt'])
      const came = advance === undefined ? [] : [`${moved} jobs were moved forward by ${advance}.`]
      return { json, lines: [...came, `${waiting} jobs wait${next === '' ? '' : `, the first until ${next}`}.`] }
    }),
})
