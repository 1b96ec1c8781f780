// Work that is long for one workspace is short for its neighbours: exports, imports, erasures and replays
// let the loop go on, and a neighbour's mail is accepted meanwhile. On a file: with a server the rows come over the network.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { write } from '../src/core/app.ts'
import { setTrustLevel } from '../src/features/campaigns/reputation/trust-level.ts'
import { session, type TestApp, testApp } from './support/app.ts'
import { remoteDatabase } from './support/database.ts'
import { longestBlock, loopMs, maxBlockMs } from './support/loop-monitor.ts'

const onFile = test.skipIf(remoteDatabase)

let t: TestApp

/** `count` rows, by SQL: `n` counts them, `hex` is n in 32 digits. */
async function rows(count: number, insert: string): Promise<void> {
  await write(t.app, (tx) =>
    tx.db.run(
      sql.raw(`WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count}),
        numbered AS (SELECT n, printf('%032x', n) AS hex FROM numbers) ${insert}`),
    ),
  )
}

/** No two workspaces share an id. */
const contactPrefix = (workspaceId: string) => `con_${workspaceId.slice(-6)}`

async function contactRows(count: number, workspaceId: string): Promise<void> {
  await rows(
    count,
    `INSERT INTO contacts (id, workspace_id, email, email_key, source, subscribed, properties, created_at, updated_at)
     SELECT '${contactPrefix(workspaceId)}' || hex, '${workspaceId}', 'person' || n || '@example.net', 'person' || n || '@example.net', 'API', 1,
       '{"plan":"plan' || n || '"}', 1, 1 FROM numbered`,
  )
}

beforeAll(async () => {
  t = await testApp()
  await t.template({ subject: 'Hi' })
})
afterAll(() => t[Symbol.asyncDispose]())

/** The bytes of an answer, which the reader does not keep. */
async function streamed(path: string, apiKey: string, signal?: AbortSignal): Promise<number> {
  const headers = { authorization: `Bearer ${apiKey}` }
  const response = await fetch(t.url + path, { headers, ...(signal ? { signal } : {}) })
  let bytes = 0
  for await (const chunk of response.body ?? []) bytes += chunk.byteLength
  return bytes
}

/** Accepts mails one after the other: how long each took, sorted. */
async function accepted(count: number): Promise<number[]> {
  const took: number[] = []
  for (let n = 0; n < count; n++) {
    const at = loopMs()
    await t.mail()
    took.push(loopMs() - at)
  }
  return took.sort((a, b) => a - b)
}

describe('no reader holds the loop', () => {
  onFile('the rehearsal of a campaign to 20,000, few of whom are alike', async () => {
    const { workspace, apiKey } = await t.stranger('rehearsing')
    await contactRows(20_000, workspace.id)
    const as = { apiKey }
    const list = await t.post('/v1/mailing-lists', { name: 'All' }, 201, { as })
    await rows(
      20_000,
      `INSERT INTO subscriptions (id, workspace_id, contact_id, mailing_list_id, status, created_at, updated_at)
       SELECT 'sub_' || hex, '${workspace.id}', '${contactPrefix(workspace.id)}' || hex, '${list.id}', 'active', 1, 1 FROM numbered`,
    )
    await rows(
      20_000,
      `INSERT INTO campaign_mails (workspace_id, contact_id, message_id, sent_at)
       SELECT '${workspace.id}', '${contactPrefix(workspace.id)}' || hex, 'msg_' || hex, ${t.clock.now().getTime()} - n * 30000 FROM numbered`,
    )
    await write(t.app, (tx) => setTrustLevel(tx, workspace, 'M1'))
    const body = { name: 'N', subject: 'S', mailingListId: list.id, content: [{ type: 'text', text: 'T' }] }
    const { id } = await t.post('/v1/campaigns', body, 201, { as })
    const one = await longestBlock('the rehearsal of a campaign', () =>
      t.post(`/v1/campaigns/${id}/rehearse`, { days: 10 }, 200, { as }),
    )
    expect(one.result.leaves + one.result.left).toBeGreaterThan(1_000)
    expect(one.blockMs).toBeLessThanOrEqual(maxBlockMs)
  })

  onFile('exports of 100,000 contacts, one and eight at once', async () => {
    const { workspace, apiKey } = await t.stranger('large')
    await contactRows(100_000, workspace.id)
    const exported = (signal?: AbortSignal) => streamed('/v1/contacts/export', apiKey, signal)
    const one = await longestBlock('an export of 100,000 contacts', () => exported())
    expect(one.result).toBeGreaterThan(100_000 * 40)
    expect(one.blockMs).toBeLessThanOrEqual(maxBlockMs)

    const alone = await accepted(200)
    const eight = await longestBlock('eight at once', async () => {
      const reading = new AbortController()
      const all = Array.from({ length: 8 }, () => exported(reading.signal).catch(() => 0))
      const took = await accepted(200)
      reading.abort()
      await Promise.all(all)
      return took
    })
    for (const [name, took] of [
      ['alone', alone],
      ['beside eight exports', eight.result],
    ] as const) {
      const at = (share: number) => (took[Math.floor(took.length * share)] ?? 0).toFixed(1)
      process.stdout.write(
        `  a neighbour's mail is accepted ${name}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (${took.length})\n`,
      )
    }
    expect(eight.blockMs).toBeLessThanOrEqual(maxBlockMs)
    expect(eight.result[Math.floor(eight.result.length / 2)]).toBeLessThan(250)
  })

  let people = 0

  /** With 5,000 mails and 20,000 events. */
  async function personWithMuch(): Promise<string> {
    const email = `much${++people}@example.net`
    const { id } = await t.contact({ email })
    await rows(
      5_000,
      `INSERT INTO messages (id, workspace_id, kind, status, email, contact_id, subject, locale, from_email, variables, message_id_header, attempts, created_at, updated_at)
       SELECT 'msg_${people}' || hex, '${t.workspace.id}', 'transactional', 'sent', '${email}', '${id}', 'Hi', 'en', 'a@example.net', '{}', hex || '@example.net', 1, 1, 1 FROM numbered`,
    )
    await rows(
      20_000,
      `INSERT INTO events (id, workspace_id, contact_id, name, properties, origin, occurred_at, created_at)
       SELECT 'evt_${people}' || hex, '${t.workspace.id}', '${id}', 'bought', '{}', 'api', 1, 1 FROM numbered`,
    )
    return id
  }

  onFile('the export and the erasure of a person with 5,000 mails and 20,000 events', async () => {
    const id = await personWithMuch()
    const read = await longestBlock('the export of a person', () => streamed(`/v1/contacts/${id}/export`, t.apiKey))
    const person = await t.get(`/v1/contacts/${id}/export`, 200)
    expect([person.events.length, person.messages.length]).toEqual([20_000, 5_000])
    expect(read.result).toBe(Buffer.byteLength(JSON.stringify(person)))
    expect(read.blockMs).toBeLessThanOrEqual(maxBlockMs)
    const erase = (one: string) => t.delete(`/v1/contacts/${one}/data`, undefined, 200, session)
    const { blockMs, result } = await longestBlock('the erasure of a person', erase, personWithMuch)
    expect(result).toMatchObject({ messages: 5_000, events: 20_000 })
    expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
  })

  onFile('an import of 5,000 rows', async () => {
    const { apiKey } = await t.stranger('importing')
    let round = 0
    const csv = { as: { apiKey }, headers: { 'content-type': 'text/csv' } }
    const newPeople = async () => {
      round++
      const line = (n: number) => `new${n}@example${round}.net,First ${n},plan${n % 10},false\r\n`
      return `email,firstName,plan,subscribed\r\n${Array.from({ length: 5_000 }, (_, n) => line(n)).join('')}`
    }
    const imported = async (file: string) => {
      const made = await t.request('POST', '/v1/contacts/import', file, csv)
      await t.settle()
      return t.get(`/v1/contact-imports/${made.body.id}`, 200, { as: { apiKey } })
    }
    const { blockMs, result } = await longestBlock('an import of 5,000 rows', imported, newPeople)
    expect(result).toMatchObject({ state: 'done', created: 5_000, bad: 0 })
    expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
  })

  onFile('a replay of 10,000 deliveries', async () => {
    const { id } = await t.endpoint({ url: 'https://hooks.example.com/' })
    const now = t.clock.now().getTime()
    await rows(
      1,
      `INSERT INTO webhook_events (sequence, id, workspace_id, type, payload, hops, created_at)
       SELECT 1000000, 'wh_' || hex, '${t.workspace.id}', 'contact.created', '{}', 0, ${now} FROM numbered`,
    )
    let round = 0
    const failedDeliveries = () =>
      rows(
        10_000,
        `INSERT INTO webhook_deliveries (id, endpoint_id, workspace_id, event_sequence, type, state, attempts, created_at, updated_at)
         SELECT 'whd_0${++round}' || substr(hex, 3), '${id}', '${t.workspace.id}', 1000000, 'contact.created', 'failed', 1, 1, 1 FROM numbered`,
      )
    const replay = () =>
      t.post(
        `/v1/webhook-endpoints/${id}/replay`,
        { from: new Date(0).toISOString(), states: ['failed'] },
        200,
        session,
      )
    const { blockMs, result } = await longestBlock('a replay of 10,000 deliveries', replay, failedDeliveries)
    expect(result).toMatchObject({ replayed: 10_000 })
    expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
  })
})
