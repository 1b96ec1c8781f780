// paquebot captured: the mail that capture mode kept, and waiting for one of it.

import { columns, defineCommand, UsageError } from './command.ts'
import { type Answer, cells, rowsOf, withApi } from './with-api.ts'

const shownAtOnce = '50'

export const captured = defineCommand({
  name: 'captured',
  says: 'Lists captured mail, newest first; with --wait, shows the first matching mail as soon as it arrives',
  flags: {
    search: {
      type: 'string',
      value: 'WORDS',
      operand: true,
      says: 'words of an address or the subject; in quotes if several',
    },
    workspace: { type: 'string', value: 'SLUG', required: true, says: 'which workspace' },
    to: { type: 'string', value: 'ADDRESS', says: 'only to this address' },
    subject: { type: 'string', value: 'TEXT', says: 'only with this in the subject' },
    after: { type: 'string', value: 'ID|TIME', says: 'only mail captured after this one, or after this time' },
    wait: { type: 'boolean', says: 'wait for a matching mail; with --json, print all of it' },
    timeout: { type: 'string', value: 'MS', says: 'with --wait: how long, up to 25000; default 10000' },
  },
  run: ({ search, workspace, to, subject, after, wait, timeout }, config) => {
    if (wait && search !== undefined) throw new UsageError('--wait takes --to and --subject, but no search words')
    if (!wait && timeout !== undefined) throw new UsageError('--timeout needs --wait')
    const asked = Object.entries({ to, subject, after }).flatMap(([name, value]) => (value ? [[name, value]] : []))
    const more = wait ? { timeoutMs: timeout ?? '10000' } : { q: search ?? '', perPage: shownAtOnce }
    const query = new URLSearchParams([...asked, ...Object.entries(more)])
    return withApi(config(), workspace, async (api) => {
      const json = await api('GET', `/v1/activity/captured${wait ? '/wait' : ''}?${query}`)
      const { mail } = json
      return { json, lines: wait ? linesOf(mail) : columns(rowsOf(json).map(mailRow)), ok: mail !== null }
    })
  },
})

function mailRow(mail: Answer): string[] {
  return cells(mail, ['capturedId', 'createdAt', 'to', 'subject', 'messageId'])
}

function linesOf(mail: unknown): string[] {
  return mail === null ? ['No matching mail arrived.'] : columns([mailRow(mail as Answer)])
}
