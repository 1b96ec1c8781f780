// What tests of campaigns begin with: a list with people on it, and a draft.

import type { TrustLevel } from '../../db/tables/workspaces.ts'
import { write } from '../../src/app.ts'
import type { Contact } from '../../src/consent/find-contact.ts'
import type { MailingList } from '../../src/consent/named-lists.ts'
import { moveSubscription } from '../../src/consent/subscriptions.ts'
import { createContact } from '../../src/contacts/contacts.ts'
import { createList } from '../../src/lists/lists.ts'
import { setTrustLevel } from '../../src/reputation/trust-level.ts'
import type { Json, TestApp } from './app.ts'

export const content = [
  { type: 'heading', text: 'Hello {{contact.firstName|there}}' },
  { type: 'text', text: 'News of {{company_name}}.' },
]

/** People r0@ … on a new list; each named `Reader n`. */
export async function listOf(
  t: TestApp,
  people: number,
  { workspaceId = t.workspace.id, domain = 'example.net', first = 0 } = {},
): Promise<{ list: MailingList; contacts: Contact[] }> {
  const list = await write(t.app, (tx) => createList(tx, workspaceId, { name: 'News' }))
  return { list, contacts: await join(t, list, people, { domain, first }) }
}

export async function join(
  t: TestApp,
  list: MailingList,
  people: number,
  { domain = 'example.net', first = 0 } = {},
): Promise<Contact[]> {
  return await write(t.app, async (tx) => {
    const made: Contact[] = []
    for (let n = first; n < first + people; n++) {
      const contact = await createContact(tx, list.workspaceId, {
        email: `r${n}@${domain}`,
        firstName: `Reader ${n}`,
        properties: {},
      })
      await moveSubscription(tx, contact, list.id, 'active', { method: 'import' })
      made.push(contact)
    }
    return made
  })
}

export async function trust(t: TestApp, level: TrustLevel, workspace = t.workspace): Promise<void> {
  await write(t.app, (tx) => setTrustLevel(tx, workspace, level))
}

/** A draft to `list` at trust level M1, where no DNS record is asked for. */
export async function draft(t: TestApp, list: MailingList, fields: object = {}): Promise<string> {
  await trust(t, 'M1')
  const body = { name: 'July', subject: 'News for {{contact.firstName}}', mailingListId: list.id, content, ...fields }
  return (await t.post('/v1/campaigns', body, 201)).id
}

export async function statsOf(t: TestApp, id: string): Promise<Json> {
  const { status, stats } = await t.get(`/v1/campaigns/${id}`, 200)
  return { status, ...Object.fromEntries(Object.entries(stats).filter(([, count]) => count !== 0)) }
}
