// paquebot contact export | erase | timeline

import type { App } from '../../core/app.ts'
import { findNamed, getContact } from '../../features/contacts/consent/find-contact.ts'
import { erasePerson } from '../../operator/privacy/erase.ts'
import { exportPerson } from '../../operator/privacy/export.ts'
import { getWorkspaceBySlug } from '../../people/workspaces.ts'
import { columns, defineCommand, UsageError } from './command.ts'
import { type Answer, cells, rowsOf, withApi } from './with-api.ts'
import { withApp } from './with-app.ts'

const flags = {
  workspace: { type: 'string', value: 'SLUG', required: true, says: 'which workspace' },
  email: { type: 'string', value: 'ADDR', says: 'whose data' },
  'user-id': { type: 'string', value: 'ID', says: 'whose data, by your id for them' },
} as const

interface ContactReference {
  workspace: string
  email: string | undefined
  'user-id': string | undefined
}

/** Throws UsageError when nobody is named, not_found when there is no such contact. */
async function namedContact(app: App, { workspace: slug, email, 'user-id': userId }: ContactReference) {
  if (!email && !userId) throw new UsageError('name the person: --email ADDR or --user-id ID')
  const workspace = await getWorkspaceBySlug(app, slug)
  const contact = await findNamed(app, workspace.id, { email, userId })
  return contact ?? (await getContact(app, workspace.id, email ?? userId ?? ''))
}

const exportCommand = defineCommand({
  name: 'contact export',
  says: 'Prints everything that is stored about one person, as JSON.',
  flags,
  run: (values, config) =>
    withApp(config(), async (app) => {
      const person = await exportPerson(app, await namedContact(app, values))
      return { json: person, lines: JSON.stringify(person, null, 2).split('\n') }
    }),
})

const erase = defineCommand({
  name: 'contact erase',
  says: 'Erases one person. If the address is suppressed, only its hash is kept.',
  flags,
  run: (values, config) =>
    withApp(config(), async (app) => {
      const { id, workspaceId } = await namedContact(app, values)
      const erased = await erasePerson(app, workspaceId, id)
      const { messages, events, consentRecords } = erased
      const line = `Erased the contact ${id}: ${messages} mails, ${events} events, ${consentRecords} consent records.`
      return { json: { id, ...erased }, lines: [line] }
    }),
})

const timeline = defineCommand({
  name: 'contact timeline',
  says: 'Lists everything that happened with one person, newest first: events, mails, consent, suppression, campaigns.',
  flags: { ...flags, cursor: { type: 'string', value: 'CURSOR', says: 'continue after this, as printed before' } },
  run: async ({ cursor, ...values }, config) => {
    const { id } = await withApp(config(), (app) => namedContact(app, values))
    return await withApi(config(), values.workspace, async (api) => {
      const query = new URLSearchParams({ perPage: '100', ...(cursor === undefined ? {} : { cursor }) })
      const json = await api('GET', `/v1/contacts/${id}/timeline?${query}`)
      return { json, lines: columns(rowsOf(json).map(timelineLine)) }
    })
  },
})

/** What names an entry of each type. */
const names = ['subject', 'name', 'action', 'reason']
const details = ['status', 'method', 'state', 'messageId', 'id', 'campaignId']

function timelineLine(entry: Answer): string[] {
  const about: unknown = entry[String(entry['type'])]
  const value = (keys: string[]) =>
    Object.entries(about ?? {})
      .filter(([key, text]) => keys.includes(key) && typeof text === 'string')
      .map(([, text]) => String(text))
  return [...cells(entry, ['at', 'type']), value(names).join(' '), value(details).join(' ')]
}

export const contactCommands = [exportCommand, erase, timeline]
