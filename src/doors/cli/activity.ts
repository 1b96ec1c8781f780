// paquebot activity

import { columns, defineCommand, type Output, type Print, UsageError } from './command.ts'
import { type Answer, type Api, cells, type Listen, rowsOf, withApi } from './with-api.ts'

const defaultLimit = 20
const maxPerPage = 100

export const activity = defineCommand({
  name: 'activity',
  says: 'Finds mails with their status, newest first: to:ada@example.net status:bounced after:7d',
  flags: {
    search: {
      type: 'string',
      value: 'SEARCH',
      operand: true,
      says: 'a search as in the API; in quotes if it has spaces',
    },
    workspace: { type: 'string', value: 'SLUG', required: true, says: 'which workspace' },
    follow: { type: 'boolean', says: 'show new mails and status changes as they happen instead, until Ctrl-C' },
    limit: { type: 'string', value: 'N', says: `at most so many; default ${defaultLimit}` },
  },
  run: ({ search, workspace, follow, limit = String(defaultLimit) }, config, print) => {
    if (!/^[1-9]\d{0,5}$/.test(limit)) throw new UsageError(`--limit takes a number from 1 to 999999, not ${limit}`)
    return withApi(config(), workspace, async (api, listen) => {
      if (follow) return await followed(listen, search ?? '', print)
      const mails = await findMails(api, search ?? '', Number(limit))
      return { json: { mails }, lines: columns(mails.map(mailRow)) }
    })
  },
})

async function followed(listen: Listen, search: string, print: Print): Promise<Output> {
  for await (const change of listen(`/v1/activity?${new URLSearchParams({ q: search })}`))
    print({ json: change, lines: [cells(change, [...changeCells]).join('  ')] })
  return { json: { ended: true }, lines: [] }
}

const changeCells = ['at', 'status', 'email', 'templateId', 'subject', 'code', 'messageId'] as const

/** Page after page: one may be short, and still have a next one. */
async function findMails(api: Api, search: string, limit: number): Promise<Answer[]> {
  const mails: Answer[] = []
  const perPage = String(Math.min(limit, maxPerPage))
  for (let cursor: string | null = ''; cursor !== null && mails.length < limit; ) {
    const query = new URLSearchParams({ q: search, perPage, ...(cursor === '' ? {} : { cursor }) })
    const page = await api('GET', `/v1/activity?${query}`)
    mails.push(...rowsOf(page))
    cursor = nextOf(page)
  }
  return mails.slice(0, limit)
}

function nextOf({ pagination }: Answer): string | null {
  const next = pagination && typeof pagination === 'object' && 'nextCursor' in pagination ? pagination.nextCursor : null
  return typeof next === 'string' ? next : null
}

function mailRow(mail: Answer): string[] {
  return cells(mail, ['createdAt', 'status', 'email', 'templateId', 'subject', 'messageId'])
}
