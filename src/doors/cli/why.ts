// paquebot why lane | campaign | message: why it does not move, and what to do.

import { defineCommand } from './command.ts'
import { type Answer, cells, rowsOf, withApi } from './with-api.ts'

const workspace = { type: 'string', value: 'SLUG', required: true, says: 'which workspace' } as const

/** As much of a time as people read. */
const timeChars = 16

function why(name: string, what: string, pathOf: (id: string) => string) {
  return defineCommand({
    name: `why ${name}`,
    says: `Explains why ${what} is not progressing: since when, until when (UTC), and what to do. Changes nothing.`,
    flags: {
      id: { type: 'string', value: name === 'lane' ? 'LANE' : 'ID', required: true, operand: true, says: 'which' },
      workspace,
    },
    run: ({ id, workspace: slug }, config) =>
      withApi(config(), slug, async (api) => {
        const json = await api('GET', pathOf(encodeURIComponent(id)))
        return { json, lines: rowsOf(json).flatMap(linesOf) }
      }),
  })
}

interface WayOfMail {
  relay: { name: string } | null
  receiver: string | null
}

function linesOf(reason: Answer): string[] {
  const [state = '', code = '', since, until] = cells(reason, ['state', 'code', 'since', 'until'])
  const { thing, detail, path } = reason as {
    thing: { name: string } | null
    detail: string | null
    path: WayOfMail | null
  }
  const times = [timed('since', since), timed('until', until)].filter(Boolean).join(', ')
  const what = [reason['text'], thing?.name, detail].filter(Boolean).join(': ')
  return [
    `${state.padEnd('stopped'.length)}  ${[code, times].filter(Boolean).join('  ')}`,
    `  ${what}`,
    ...(path === null ? [] : [`  ${describePath(path)}`]),
    `  ${reason['todo']}`,
  ]
}

function describePath({ relay, receiver }: WayOfMail): string {
  return [relay && `through ${relay.name}`, receiver && `to ${receiver}`].filter(Boolean).join(' ')
}

const timed = (word: string, time = '') => time && `${word} ${time.slice(0, timeChars).replace('T', ' ')}`

export const whyCommands = [
  why('lane', 'a lane', (lane) => `/v1/jobs/why?lane=${lane}`),
  why('campaign', 'a campaign', (id) => `/v1/campaigns/${id}/why`),
  why('message', 'a mail', (id) => `/v1/activity/why?messageId=${id}`),
]
