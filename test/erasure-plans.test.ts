// What an erasure reads as the installation grows: every statement of the erasure of a person and of a workspace is explained. A person is
// looked up, and a workspace costs what it has.

import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { messages } from '../db/tables/messages.ts'
import { outboxJobs } from '../db/tables/outbox.ts'
import { findOwned, ownedTables } from '../db/workspace-rows.ts'
import { write } from '../src/core/app.ts'
import { buildIndex } from '../src/features/sending/activity/search-index.ts'
import { linkRecipients } from '../src/features/sending/send.ts'
import { erasedAddress } from '../src/kit/email-address.ts'
import { newId } from '../src/kit/id.ts'
import { closeWorkspace, eraseWorkspace } from '../src/operator/tenants/erase.ts'
import { type TestApp, testApp } from './support/app.ts'
import { remoteDatabase } from './support/database.ts'
import { thingsOf } from './support/every-route.ts'
import { allStatementsOf, type Walk, walksOf, wideOf } from './support/query-plans.ts'

/** What tells of a person in passing, and has no index of it: gone through in slices, or small. */
const inPassing: Record<string, string> = {
  audit_changes: 'what people of the workspace changed by hand',
  contact_imports: 'a file each',
  preferences: 'what the dashboard keeps for them',
  webhook_attempts: 'answers that hold an address',
  webhook_events: 'thirty days of a workspace with endpoints',
}

const isPlanned = (statement: string) => /^\s*(SELECT|WITH|UPDATE|DELETE)/i.test(statement)
const told = (walks: Walk[]) => walks.map(({ step, statement }) => `${step}: ${statement.replace(/\s+/g, ' ')}`)

/** Blocks of mails in the index, and some behind them: every fifth to the person. */
async function mailsTo(t: TestApp, email: string, contactId: string): Promise<number> {
  const count = 400
  await write(t.app, async (tx) => {
    for (let n = 0; n < count; n++) {
      const id = newId(tx, 'msg', tx.now)
      const isTheirs = n % 5 === 0
      const to = isTheirs ? { email: n % 2 ? 'former@example.net' : email, contactId: n % 2 ? contactId : null } : null
      const plain = { kind: 'transactional', status: 'sent', subject: 'Hello', locale: 'en' } as const
      const rest = { fromEmail: 'a@b.test', variables: {}, messageIdHeader: `${id}@b.test` }
      const times = { createdAt: tx.now, updatedAt: tx.now }
      const row = { id, workspaceId: t.workspace.id, ...plain, ...rest, ...times }
      await tx.db.insert(messages).values({ ...row, ...(to ?? { email: `other${n}@example.net` }) })
    }
  })
  await buildIndex(t.app)
  return count / 5
}

test('every mail to a person is erased, in blocks of the index and behind them, by contact and by address', async () => {
  await using t = await testApp()
  const { id } = await t.contact({ email: 'gone@example.net' })
  const theirs = await mailsTo(t, 'Gone@Example.net', id)
  const { messages: erased } = await t.delete(`/v1/contacts/${id}/data`, undefined, 200)
  expect(erased).toBe(theirs)
  const addresses = await t.app.db.all<{ email: string; n: number }>(
    sql`SELECT email, count(*) AS n FROM messages WHERE email NOT LIKE 'other%' GROUP BY email`,
  )
  expect(addresses).toEqual([{ email: erasedAddress, n: theirs }])
})

test('a mail that gets its contact when it is in the index already is found by that contact', async () => {
  await using t = await testApp()
  await t.template()
  const { messageId } = await t.mail({ email: 'linked@example.net' })
  await mailsTo(t, 'other@example.net', 'con_other')
  const body = { email: 'linked@example.net', templateId: 'hello', addToContact: true }
  const answer = { messageId, status: 'queued' as const, success: true as const, warnings: [] }
  await linkRecipients(t.app, t.workspace.id, body, { answer, evidence: { method: 'api' } })
  const { id } = await t.get('/v1/contacts/find?email=linked@example.net', 200).then(([contact]) => contact)
  await t.patch(`/v1/contacts/${id}`, { email: 'new@example.net' }, 200)
  expect(await t.delete(`/v1/contacts/${id}/data`, undefined, 200)).toMatchObject({ messages: 1 })
  expect(await t.get(`/v1/activity/${messageId}`, 200)).toMatchObject({ email: erasedAddress })
})

test('rows of files that were not imported are forgotten where the person stands in them, and the others stay', async () => {
  await using t = await testApp()
  const { id } = await t.contact({ email: 'gone@example.net' })
  const line = (n: number) => `no address ${n},${n % 3 === 0 ? 'write to Gone@Example.net' : 'nobody'},false`
  for (let file = 0; file < 2; file++) {
    const csv = ['email,firstName,subscribed', ...Array.from({ length: 900 }, (_, n) => line(n))].join('\n')
    const headers = { 'content-type': 'text/csv' }
    expect((await t.request('POST', '/v1/contacts/import', csv, { headers })).status).toBe(202)
  }
  await t.settle()
  const faults = async () => (await t.app.db.all<{ n: number }>(sql`SELECT count(*) AS n FROM import_faults`))[0]?.n
  expect(await faults()).toBe(1_800)
  await t.delete(`/v1/contacts/${id}/data`, undefined, 200)
  expect(await faults()).toBe(1_200)
})

describe.skipIf(remoteDatabase)('an erasure goes through no table that grows:', () => {
  test('of a person', async () => {
    await using t = await testApp()
    const { ids, email } = await thingsOf(t)
    await mailsTo(t, email, ids['contactId'] ?? '')
    const seen = await allStatementsOf(t)
    await t.delete(`/v1/contacts/${ids['contactId']}/data`, undefined, 200)
    const planned = [...seen].filter(isPlanned)
    expect(planned.length).toBeGreaterThan(50)
    const found = planned.flatMap((one) => [...walksOf(t, one), ...wideOf(t, one)])
    expect(told(found.filter(({ table }) => !(table in inPassing)))).toEqual([])
    expect([...new Set(found.map(({ table }) => table))].sort()).toEqual(Object.keys(inPassing))
  })

  test('of a workspace', async () => {
    await using t = await testApp({ isNew: true })
    await thingsOf(t)
    const { id } = t.workspace
    const first = await t.stranger('first')
    await write(t.app, (tx) => tx.db.run(sql`UPDATE workspaces SET created_at = 1 WHERE id = ${first.workspace.id}`))
    await write(t.app, (tx) => closeWorkspace(tx, id))
    const [row] = await t.app.db.select().from(outboxJobs).where(eq(outboxJobs.kind, eraseWorkspace.kind))
    if (!row) throw new Error('there is no job')
    const seen = await allStatementsOf(t)
    const control = { signal: new AbortController().signal, handOver: async () => null, progressed: async () => {} }
    expect(await eraseWorkspace.run(t.app, { ...row, payload: { id } }, control)).toMatchObject({ outcome: 'decide' })
    const planned = [...seen].filter(isPlanned)
    expect(planned.length).toBeGreaterThan(150)
    // Links to sign in are valid for minutes.
    const small = [
      'login_links',
      ...ownedTables().flatMap((one) =>
        (one.of === 'workspace' || one.of === 'part') && findOwned(one).by === 'all rows' ? one.table.name : [],
      ),
    ]
    const found = planned.flatMap((one) => walksOf(t, one)).filter(({ table }) => !small.includes(table))
    expect(told(found)).toEqual([])
  })
})
