// paquebot approval list | show | approve | refuse: what waits for a person.

import { columns, defineCommand } from './command.ts'
import { type Answer, cells, rowsOf, withApi } from './with-api.ts'

const path = '/v1/approvals'
const workspace = { type: 'string', value: 'SLUG', required: true, says: 'which workspace' } as const
const approval = { type: 'string', value: 'ID', required: true, says: 'from `approval list`' } as const
const hash = { type: 'string', value: 'HASH', required: true, says: 'contentHash of what you read' } as const
const perPage = 100

const list = defineCommand({
  name: 'approval list',
  says: 'Lists campaigns and replies of agents that wait for a person.',
  flags: { workspace },
  run: ({ workspace: slug }, config) =>
    withApi(config(), slug, async (api) => {
      const approvals = rowsOf(await api('GET', `${path}?perPage=${perPage}`))
      return {
        json: { approvals },
        lines: columns(approvals.map((one) => cells(one, ['id', 'kind', 'subject', 'to', 'contentHash']))),
      }
    }),
})

const show = defineCommand({
  name: 'approval show',
  says: 'Shows as JSON what would leave, what it replies to and what has changed.',
  flags: { workspace, approval },
  run: ({ workspace: slug, approval: id }, config) =>
    withApi(config(), slug, async (api) => {
      const json = await api('GET', `${path}/${encodeURIComponent(id)}`)
      return { json, lines: JSON.stringify(json, null, 2).split('\n') }
    }),
})

function deciding(verb: 'approve' | 'refuse', says: string, done: (answer: Answer) => string) {
  return defineCommand({
    name: `approval ${verb}`,
    says,
    flags: { workspace, approval, hash },
    run: ({ workspace: slug, approval: id, hash: contentHash }, config) =>
      withApi(config(), slug, async (api) => {
        const json = await api('POST', `${path}/${encodeURIComponent(id)}/${verb}`, { contentHash })
        return { json, lines: [done(json)] }
      }),
  })
}

const approve = deciding(
  'approve',
  'Approves what was read: a reply leaves, a campaign may be sent.',
  ({ id, kind }) => (kind === 'reply' ? `The reply ${id} is on its way.` : `Campaign ${id} may be sent.`),
)
const refuse = deciding('refuse', 'Refuses what was read; it does not leave.', ({ id }) => `${id} is refused.`)

export const approvalCommands = [list, show, approve, refuse]
