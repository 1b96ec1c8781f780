// Who is not mailed: what puts an address on the list and takes it off, that an unknown address is answered like a known one, and
// that what bounces and complaints mean is counted where a mail is settled.

import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { sendingCounts } from '../db/tables/campaigns.ts'
import { write } from '../src/core/app.ts'
import { noteReport } from '../src/features/campaigns/feedback.ts'
import { setTrustLevel } from '../src/features/campaigns/reputation/trust-level.ts'
import { recordComplaint } from '../src/features/contacts/consent/deliverability.ts'
import { isSuppressed, suppress } from '../src/features/contacts/consent/suppression.ts'
import { applyFeedback } from '../src/features/sending/feedback/bounces.ts'
import { recordSoftBounce } from '../src/features/sending/feedback/soft-bounces.ts'
import { isSoftBounce } from '../src/features/sending/outcome.ts'
import type { Mailer, MailOutcome } from '../src/mail/mailer.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { sendCampaign } from './support/campaign.ts'
import { remoteDatabase } from './support/database.ts'
import { countOn, makeList } from './support/lists.ts'
import { loopMs } from './support/loop-monitor.ts'

const contacts = '/v1/contacts'
const list = '/v1/suppressions'
const ada = 'ada@example.net'

const statusOf = (t: TestApp, email: string): Promise<Json> =>
  t.get(`${contacts}/suppression-status?email=${encodeURIComponent(email)}`, 200)

describe('the status of an address', () => {
  test('is the reason and the time, however the address is written', async () => {
    await using t = await testApp()
    await t.post(list, { email: 'Ada@Bücher.example', reason: 'hardBounce' }, 201)
    expect(await statusOf(t, 'ADA@xn--bcher-kva.example')).toEqual({
      email: 'ADA@xn--bcher-kva.example',
      isSuppressed: true,
      reason: 'hardBounce',
      suppressedAt: '2026-01-15T12:00:00.000Z',
      removalQuota: { limit: 1_000_000, remaining: 1_000_000 },
    })
  })

  test('is the same for an address that nobody knows: status, shape, headers', async () => {
    await using t = await testApp()
    await t.post(`${contacts}/create`, { email: 'known@example.net', userId: 'u-1' }, 200)
    const ask = (email: string) => t.request('GET', `${contacts}/suppression-status?email=${email}`)
    const known = await ask('known@example.net')
    const unknown = await ask('nobod@example.net')
    expect(unknown.text.replace('nobod@', 'known@')).toBe(known.text)
    expect([known.status, unknown.status]).toEqual([200, 200])
    const told = (headers: Headers) => [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name))
    expect(told(unknown.headers)).toEqual(told(known.headers))
    await t.post(list, { email: 'known@example.net' }, 201)
    const suppressed = await ask('known@example.net')
    expect(Object.keys(suppressed.body)).toEqual(Object.keys(unknown.body))
    expect(suppressed.text).not.toContain('con_')
  })

  test('takes as long for one as for the other', async () => {
    await using t = await testApp()
    await t.post(`${contacts}/create`, { email: 'known@example.net' }, 200)
    const took: Record<string, number[]> = { known: [], nobod: [] }
    for (let n = 0; n < (remoteDatabase ? 50 : 1_000); n++) {
      for (const name of n % 2 === 0 ? ['known', 'nobod'] : ['nobod', 'known']) {
        const began = loopMs()
        await t.request('GET', `${contacts}/suppression-status?email=${name}@example.net`)
        took[name]?.push(loopMs() - began)
      }
    }
    const median = (values: number[] = []) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0
    const ratio = median(took.known) / median(took.nobod)
    expect(ratio).toBeGreaterThan(0.7)
    expect(ratio).toBeLessThan(1.4)
  })

  test('of what is no address is 422', async () => {
    await using t = await testApp()
    for (const query of ['', '?email=', '?email=ada', '?email=a@b.example,c@d.example', '?email=a%0d%0a@b.example']) {
      const { errors } = await t.unchanged(() => t.get(`${contacts}/suppression-status${query}`, 422))
      expect(errors[0].path, query).toBe('email')
    }
  })
})

describe('the list', () => {
  test('takes addresses one by one and many at once, each once, with its first reason', async () => {
    await using t = await testApp()
    const { warnings, ...made } = await t.post(list, { email: 'Ada@example.net', detail: 'asked by phone' }, 201)
    expect(made).toMatchObject({ email: ada, reason: 'manual', detail: 'asked by phone', messageId: null })
    await t.unchanged(async () =>
      expect(await t.post(list, { email: ada, reason: 'hardBounce' }, 200)).toEqual({ ...made, warnings }),
    )
    const emails = [ada, ...Array.from({ length: 700 }, (_, n) => `p${n}@example.net`), 'P1@example.net']
    expect(await t.post(`${list}/bulk`, { emails, reason: 'unsubscribe' }, 200)).toEqual({
      success: true,
      added: 700,
      unchanged: 2,
      warnings: [],
    })
    await t.unchanged(() => t.post(`${list}/bulk`, { emails }, 200))
    const seen: string[] = []
    let next: string | null = `${list}?perPage=100`
    while (next !== null) {
      const page: Json = await t.get(next, 200)
      expect(page.pagination.totalResults).toBe(701)
      seen.push(...page.data.map(({ email }: Json) => email))
      next = page.pagination.nextPage?.replace(/^.*(?=\/v1\/)/, '') ?? null
    }
    expect(new Set(seen).size).toBe(701)
    expect(seen).toHaveLength(701)
    expect((await t.get(`${list}?email=ADA@example.net`, 200)).data).toEqual([made])
  })

  test('50 equal requests at once add one row', async () => {
    await using t = await testApp()
    const all = await Promise.all(Array.from({ length: 50 }, () => t.request('POST', list, { email: ada })))
    expect(all.map(({ status }) => status).sort()).toEqual([...Array(49).fill(200), 201])
    expect((await t.get(list, 200)).pagination.totalResults).toBe(1)
  })

  const wrong: [at: string, body: unknown, path: string][] = [
    ['', {}, 'email'],
    ['', { email: 'ada' }, 'email'],
    ['', { email: ['a@b.example'] }, 'email'],
    ['', { email: ada, reason: 'because' }, 'reason'],
    ['', { email: ada, detail: 'x'.repeat(501) }, 'detail'],
    ['/bulk', {}, 'emails'],
    ['/bulk', { emails: [] }, 'emails'],
    ['/bulk', { emails: [ada, 'x', 'y@'] }, 'emails[1]'],
    ['/bulk', { emails: [5] }, 'emails[0]'],
    ['/bulk', { emails: Array(10_001).fill(ada) }, 'emails'],
  ]
  for (const [at, body, path] of wrong) {
    test(`POST ${at} ${JSON.stringify(body).slice(0, 60)} is 422 naming ${path}`, async () => {
      await using t = await testApp()
      const { errors } = await t.unchanged(() => t.post(`${list}${at}`, body, 422))
      expect(errors[0].path).toBe(path)
    })
  }

  test('a complaint also unsubscribes and takes off every list', async () => {
    await using t = await testApp()
    const listId = await makeList(t)
    const { id } = await t.post(`${contacts}/create`, { email: ada, mailingLists: { [listId]: true } }, 200)
    await t.post(list, { email: ada, reason: 'complaint' }, 201)
    const [found] = await t.get(`${contacts}/find?email=${ada}`, 200)
    expect(found).toMatchObject({ subscribed: false, mailingLists: {} })
    expect(await countOn(t, listId)).toBe(0)
    const { data } = await t.get(`${contacts}/${id}/consent`, 200)
    expect(data.map(({ action }: Json) => action)).toEqual(['granted', 'granted', 'complained', 'complained'])
    expect((await t.get(`${contacts}?listId=${listId}&state=complained`, 200)).data).toHaveLength(1)
  })
})

describe('a removal', () => {
  test('works by query and by body, is noted with who did it, and 404 the second time', async () => {
    await using t = await testApp()
    const remove = `${contacts}/suppression`
    await t.post(`${contacts}/create`, { email: 'cyd@example.net', userId: 'u-1' }, 200)
    for (const email of [ada, 'bob@example.net', 'cyd@example.net']) await t.post(list, { email }, 201)
    const quota = { limit: 1_000_000, remaining: 1_000_000 }
    const done = { success: true, message: 'Suppression removed.', removalQuota: quota, warnings: [] }
    expect(await t.delete(`${remove}?email=ADA@example.net`, undefined, 200)).toEqual(done)
    expect(await t.delete(remove, { email: 'bob@example.net' }, 200)).toEqual(done)
    expect(await t.delete(remove, { userId: 'u-1' }, 200)).toEqual(done)
    expect((await t.get(list, 200)).pagination.totalResults).toBe(0)
    await t.unchanged(async () => {
      await t.delete(`${remove}?email=${ada}`, undefined, 404)
      await t.delete(remove, { userId: 'u-9' }, 404)
      await t.delete(remove, undefined, 422)
      await t.delete(remove, { email: 'x' }, 422)
    })
    const noted = await t.app.db.all<Json>(sql`SELECT * FROM suppression_removals`)
    expect(noted).toHaveLength(3)
    for (const row of noted)
      expect(row).toMatchObject({
        workspace_id: t.workspace.id,
        reason: 'manual',
        removed_by: expect.stringMatching(/^key_/),
      })
    expect(await statusOf(t, ada)).toMatchObject({ isSuppressed: false, reason: null })
  })

  test('of a complaint is 200, told and counted, and 429 when the quota is used up', async () => {
    await using t = await testApp({ environment: { COMPLAINT_REMOVAL_LIMIT: '2' } })
    await t.endpoint({ url: 'https://hooks.example.com/' })
    const remove = (email: string) => t.request('DELETE', `${contacts}/suppression`, { email })
    for (const n of [1, 2, 3]) await t.post(list, { email: `p${n}@example.net`, reason: 'complaint' }, 201)
    const removed = await remove('p1@example.net')
    expect([removed.status, removed.body.removalQuota]).toEqual([200, { limit: 2, remaining: 1 }])
    const told = (await t.get('/v1/event-feed', 200)).data.at(-1)
    expect(told.type).toBe('suppression.removed')
    expect(t.logged.filter((line) => line.includes('a suppression was removed') && line.includes('key_'))).toHaveLength(
      1,
    )
    t.clock.advance(1_000)
    expect((await remove('p2@example.net')).body.removalQuota).toEqual({ limit: 2, remaining: 0 })
    const late = await t.unchanged(() => remove('p3@example.net'))
    expect([late.status, late.body.code]).toEqual([429, 'rate_limit_exceeded'])
    expect((await statusOf(t, ada)).removalQuota).toEqual({ limit: 2, remaining: 0 })
    await t.post(list, { email: ada }, 201)
    expect((await remove(ada)).status).toBe(200)
    t.clock.advance(30 * 86_400_000 + 1)
    expect((await remove('p3@example.net')).status).toBe(200)
  })

  test('by another workspace finds nothing', async () => {
    await using t = await testApp()
    const { apiKey } = await t.stranger()
    const as = { as: { apiKey } }
    await t.post(`${contacts}/create`, { email: ada, userId: 'u-1' }, 200)
    await t.post(list, { email: ada }, 201)
    await t.unchanged(async () => {
      await t.delete(`${contacts}/suppression?email=${ada}`, undefined, 404, as)
      await t.delete(`${contacts}/suppression?userId=u-1`, undefined, 404, as)
      expect((await t.get(`${contacts}/suppression-status?email=${ada}`, 200, as)).isSuppressed).toBe(false)
      expect((await t.get(`${list}?email=${ada}`, 200, as)).data).toEqual([])
    })
    await t.post(list, { email: ada }, 201, as)
    await t.delete(`${contacts}/suppression?email=${ada}`, undefined, 200, as)
    expect((await statusOf(t, ada)).isSuppressed).toBe(true)
  })
})

describe('what the mail server says', () => {
  const refused = (code: number, enhanced: string | null, stage: 'rcpt' | 'dot' = 'rcpt'): MailOutcome => ({
    outcome: 'refused',
    permanent: code >= 500,
    stage,
    code,
    enhanced,
    reply: `${code} ${enhanced ?? ''} says the server`,
  })
  const accepted: MailOutcome = { outcome: 'accepted', reply: '250 ok' }

  async function product(say: () => MailOutcome) {
    const mailer: Mailer = {
      kind: 'smtp',
      async send(_, { beforeFinalDot }) {
        const outcome = say()
        const goes = outcome.outcome !== 'accepted' || (await beforeFinalDot())
        return goes ? outcome : { outcome: 'withheld' }
      },
      close: async () => {},
    }
    const t = await testApp({ mailer })
    await t.template()
    const send = async () => {
      await t.mail({ email: 'Ada@example.net' })
      await t.settle()
    }
    return { t, send }
  }

  test('five full mailboxes in a row suppress; a delivery between begins anew', async () => {
    let answer = refused(552, '5.2.2')
    const { t, send } = await product(() => answer)
    await using _ = t
    const listId = await makeList(t)
    await t.post(`${contacts}/create`, { email: ada, mailingLists: { [listId]: true } }, 200)
    for (let n = 0; n < 4; n++) await send()
    answer = accepted
    await send()
    answer = refused(552, '5.2.2')
    for (let n = 0; n < 4; n++) await send()
    expect((await statusOf(t, ada)).isSuppressed).toBe(false)
    await send()
    expect(await statusOf(t, ada)).toMatchObject({ isSuppressed: true, reason: 'hardBounce' })
    expect((await t.get(list, 200)).data[0].detail).toStartWith('5 mails in a row were not accepted')
    expect(await countOn(t, listId)).toBe(0)
    expect((await t.get(`${contacts}/find?email=${ada}`, 200))[0]).toMatchObject({ subscribed: true, mailingLists: {} })
  })

  test('a mail that a relay took and that came back is no delivery between', async () => {
    const { t, send } = await product(() => accepted)
    await using _ = t
    const sendAndReport = async (back: boolean) => {
      await send()
      const [{ messageId }] = (await t.get('/v1/activity?perPage=1', 200)).data
      const full = { kind: 'soft', code: '5.2.2', detail: '552 full' } as const
      if (back) await write(t.app, (tx) => applyFeedback(tx, { messageId }, full, noteReport))
      await t.advance('1m')
    }
    for (const back of [true, true, true, true, false, true, true, true, true]) await sendAndReport(back)
    expect((await statusOf(t, ada)).isSuppressed).toBe(false)
    await sendAndReport(true)
    expect(await statusOf(t, ada)).toMatchObject({ isSuppressed: true, reason: 'hardBounce' })
  })

  test('a mail of a campaign counts like any other, and its bounce is one of one mail', async () => {
    const { t, send } = await product(() => refused(552, '5.2.2'))
    await using _ = t
    for (let n = 0; n < 4; n++) await send()
    const listId = await makeList(t)
    await t.post(`${contacts}/create`, { email: ada, mailingLists: { [listId]: true } }, 200)
    const words = { name: 'N', subject: 'N', mailingListId: listId, content: [{ type: 'text', text: 'News' }] }
    const { id } = await t.post('/v1/campaigns', words, 201)
    await write(t.app, (tx) => setTrustLevel(tx, t.workspace, 'M1'))
    await sendCampaign(t, id)
    expect(await statusOf(t, ada)).toMatchObject({ isSuppressed: true, reason: 'hardBounce' })
    const counts = await t.app.db
      .select({ sent: sendingCounts.sent, bounced: sendingCounts.bounced })
      .from(sendingCounts)
    expect(counts).toEqual([{ sent: 1, bounced: 1 }])
  })

  const never: [what: string, outcome: MailOutcome][] = [
    ['content', refused(554, '5.6.0', 'dot')],
    ['size', refused(552, '5.3.4')],
    ['the size that a mailbox takes', refused(552, '5.2.3')],
    ['policy', refused(550, '5.7.1')],
    ['our address', refused(553, '5.1.8')],
  ]
  for (const [what, outcome] of never) {
    test(`a mail that is refused for ${what} never counts`, async () => {
      const { t, send } = await product(() =>
        what === 'our address' && outcome.outcome === 'refused' ? { ...outcome, stage: 'mail' } : outcome,
      )
      await using _ = t
      for (let n = 0; n < 7; n++) await send()
      expect((await statusOf(t, ada)).isSuppressed).toBe(false)
      expect(await t.app.db.all(sql`SELECT * FROM soft_bounces`)).toEqual([])
    })
  }

  test('a mail that is given up after all attempts counts once, by its last answer', async () => {
    let said = 0
    const { t, send } = await product(() => {
      said++
      return refused(450, '4.2.2')
    })
    await using _ = t
    await send()
    for (let n = 0; n < 9; n++) await t.advance('30h')
    expect(said).toBe(9)
    expect(await t.app.db.all<Json>(sql`SELECT count FROM soft_bounces`)).toEqual([{ count: 1 }])
  })

  test('which codes are soft bounces is a table', () => {
    const soft = ['soft_bounce', '450', '450 4.2.1', '452 4.2.2', '451 4.1.1']
    const not = [
      'refused',
      'hard_bounce',
      '451',
      '452',
      '421 4.7.0',
      '450 4.7.1',
      '452 4.3.1',
      '552 4.2.3',
      '450 4.1.8',
      '450 4.1.7',
      'cut',
      'timeout',
      null,
    ]
    expect(soft.filter((code) => !isSoftBounce(code))).toEqual([])
    expect(not.filter((code) => isSoftBounce(code))).toEqual([])
  })

  test('soft bounces of one workspace are none of another; a complaint reported twice is one', async () => {
    await using t = await testApp()
    const other = await t.stranger()
    for (let n = 0; n < 4; n++) {
      await write(t.app, (tx) => recordSoftBounce(tx, t.workspace.id, { email: ada }))
      await write(t.app, (tx) => recordSoftBounce(tx, other.workspace.id, { email: ada }))
    }
    expect(await isSuppressed(t.app, t.workspace.id, ada)).toBeNull()
    await write(t.app, (tx) => recordSoftBounce(tx, t.workspace.id, { email: 'ADA@example.net' }))
    expect(await isSuppressed(t.app, t.workspace.id, ada)).toBe('hardBounce')
    expect(await isSuppressed(t.app, other.workspace.id, ada)).toBeNull()
    await t.post(`${contacts}/create`, { email: 'bob@example.net' }, 200)
    const complain = () =>
      write(t.app, (tx) => recordComplaint(tx, t.workspace.id, { email: 'bob@example.net', messageId: 'msg_1' }))
    expect(await complain()).toBe(true)
    expect(await t.unchanged(complain)).toBe(false)
  })

  test('the total is kept whatever puts an address on the list', async () => {
    await using t = await testApp()
    for (let n = 0; n < 3; n++) {
      await write(t.app, (tx) => suppress(tx, t.workspace.id, { email: ada, reason: 'manual' }))
      await write(t.app, (tx) => suppress(tx, t.workspace.id, { email: `p${n}@example.net`, reason: 'hardBounce' }))
    }
    expect((await t.get(list, 200)).pagination.totalResults).toBe(4)
  })
})
