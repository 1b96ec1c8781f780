// What tests of campaigns begin with: a list with people on it, and a draft.

import { and, eq, sql } from 'drizzle-orm'
import { oneOf } from '../../db/bulk.ts'
import { contacts } from '../../db/tables/contacts.ts'
import { mailingLists } from '../../db/tables/lists.ts'
import type { TrustLevel } from '../../db/tables/workspaces.ts'
import { write } from '../../src/core/app.ts'
import { setTrustLevel } from '../../src/features/campaigns/reputation/trust-level.ts'
import type { Contact } from '../../src/features/contacts/consent/find-contact.ts'
import type { MailingList } from '../../src/features/contacts/consent/named-lists.ts'
import { noEvidence } from '../../src/features/contacts/imports/evidence.ts'
import { type ImportRow, importRows } from '../../src/features/contacts/imports/rows.ts'
import { createList } from '../../src/features/lists/lists.ts'
import type { Json, Reply, TestApp } from './app.ts'

export const content = [
  { type: 'heading', text: 'Hello {{contact.firstName|there}}' },
  { type: 'text', text: 'News of {{company_name}}.' },
]

/** People r0@ … on a new list; each named `Reader n`. They come as an import, for that takes few statements. */
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
  const numbers = Array.from({ length: people }, (_, n) => first + n)
  const rows = numbers.map((n): ImportRow => {
    const mailingLists = { [list.id]: true }
    const fields = { email: `r${n}@${domain}`, firstName: `Reader ${n}`, properties: {}, mailingLists }
    return { line: n, fields, says: 'subscribed', stated: false, evidence: noEvidence() }
  })
  return await write(t.app, async (tx) => {
    const { faults } = await importRows(tx, { workspaceId: list.workspaceId, evidence: { method: 'import' } }, rows)
    if (faults.length > 0) throw new Error(`not everybody could join: ${JSON.stringify(faults)}`)
    const emails = rows.map(({ fields }) => String(fields.email))
    const found = await tx.db
      .select()
      .from(contacts)
      .where(and(eq(contacts.workspaceId, list.workspaceId), sql`${contacts.emailKey} IN ${oneOf(emails)}`))
    const byEmail = new Map(found.map((contact) => [contact.email, contact]))
    return emails.flatMap((email) => byEmail.get(email) ?? [])
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

/** A draft to so many people on a new list. */
export async function drafted(t: TestApp, people: number, fields: object = {}) {
  const { list, contacts } = await listOf(t, people)
  return { list, contacts, id: await draft(t, list, fields) }
}

/** Sends it, as far as it goes now. */
export async function sendCampaign(t: TestApp, id: string): Promise<void> {
  await t.post(`/v1/campaigns/${id}/send`, {}, 200)
  await t.settle()
}

/** A campaign to so many people that was sent, and its mails. */
export async function sentCampaign(t: TestApp, people: number) {
  const made = await drafted(t, people)
  await sendCampaign(t, made.id)
  const { data } = await t.get(`/v1/campaigns/${made.id}/recipients`, 200)
  return { ...made, messageIds: data.map(({ messageId }: Json) => messageId) as string[] }
}

/** Who would get a campaign to the list, and why not. */
export async function audienceOf(t: TestApp, listId: string): Promise<Record<string, string>> {
  const list = (await t.app.db.select().from(mailingLists)).find(({ id }) => id === listId)
  if (!list) throw new Error('no list')
  const id = await draft(t, list)
  const { data } = await t.unchanged(() => t.get(`/v1/campaigns/${id}/audience?perPage=100`, 200))
  return Object.fromEntries(
    data.map(({ email, outcome, reason }: Json) => [email, reason ? `${outcome}: ${reason}` : outcome]),
  )
}

export async function statsOf(t: TestApp, id: string): Promise<Json> {
  const { status, stats } = await t.get(`/v1/campaigns/${id}`, 200)
  return { status, ...Object.fromEntries(Object.entries(stats).filter(([, count]) => count !== 0)) }
}

/** Of a campaign whose moment was missed, and since then its template asks for what nobody fills in. */
export async function resumedWithoutContent(t: TestApp, listId: string): Promise<Reply> {
  await t.template({ id: 'later', name: 'A', subject: 'A' })
  const draft = { name: 'C', subject: 'C', mailingListId: listId, templateId: 'later' }
  const { id } = await t.post('/v1/campaigns', draft, 201)
  const scheduledAt = new Date(t.clock.now().getTime() + 60_000).toISOString()
  await t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt }, 200)
  await t.advance('3h')
  const asking = [{ type: 'text', text: 'Your code is {{code}}' }]
  await t.put('/v1/transactional/update', { id: 'later', content: asking }, 200)
  return await t.request('POST', `/v1/campaigns/${id}/resume`)
}
