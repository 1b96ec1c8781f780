// Campaigns from the draft to the last recipient: states, contents, the ledger, and that nobody is mailed twice or left out.

import { describe, expect, test } from 'bun:test'
import { write } from '../src/core/app.ts'
import { moveSubscription } from '../src/features/contacts/consent/subscriptions.ts'
import { suppress } from '../src/features/contacts/consent/suppression.ts'
import { openUnsubscribe } from '../src/features/contacts/consent/unsubscribe-link.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { content, draft, drafted, join, listOf, statsOf, trust } from './support/campaign.ts'
import { ranOnFile } from './support/database.ts'
import { startSink } from './support/smtp-sink.ts'

const leave = { method: 'api' }
/** What a mail says, and what is refused, is the same on any database. */
const once = test.skipIf(ranOnFile)

describe('a campaign that is sent', () => {
  test('reaches everybody on the list once, and says so', async () => {
    await using t = await testApp()
    const { id } = await drafted(t, 30)
    const sent = await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    expect(sent).toMatchObject({
      campaignId: id,
      status: 'sending',
      recipients: 30,
      skipped: {},
      forecast: 'finishes today',
    })
    await t.settle()
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 30, sent: 30 })
    const mails = await t.sent()
    expect(mails.map(({ to }) => to).sort()).toEqual(Array.from({ length: 30 }, (_, n) => `r${n}@example.net`).sort())
    expect(mails[0]?.raw.replaceAll('=\r\n', '')).toContain('Hello Reader')
    const { data } = await t.get('/v1/activity', 200)
    expect(data[0]).toMatchObject({ kind: 'campaign', campaignId: id, status: 'sent', subject: 'News for Reader 29' })
  })

  once('carries a way out: a link in the text, and a header pair that the signature covers', async () => {
    await using t = await testApp()
    await t.post('/v1/sending-domains', { domain: 'news.example' }, 201)
    const { id, list, contacts } = await drafted(t, 1, { fromEmail: 'hello@news.example' })
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    await t.settle()
    const raw = (await t.sent())[0]?.raw ?? ''
    const unfolded = raw.replaceAll(/\r\n[ \t]+/g, ' ')
    const token = /^List-Unsubscribe: <[^>]+\/u\/([^>]+)>\r$/m.exec(unfolded)?.[1] ?? ''
    expect(unfolded).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    const signed = [...unfolded.matchAll(/^DKIM-Signature: .*?h=([^;]+);/gm)].map((match) =>
      match[1]?.replaceAll(' ', ''),
    )
    expect(signed).toHaveLength(2)
    for (const names of signed)
      expect(names?.split(':')).toEqual(expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']))
    expect(await openUnsubscribe(t.app, token)).toEqual({
      workspaceId: t.workspace.id,
      contactId: contacts[0]?.id ?? '',
      mailingListId: list.id,
      messageId: expect.stringMatching(/^msg_/),
    })
    expect(raw.replaceAll('=\r\n', '')).toContain(token)
  })

  once('keeps its way out although a footer says otherwise, in the HTML and in the text, with a warning', async () => {
    await using t = await testApp()
    const { list } = await listOf(t, 1)
    await trust(t, 'M1')
    const body = { name: 'x', subject: 'x', mailingListId: list.id }
    const bare = [...content, { type: 'footer', showUnsubscribe: false }]
    const own = [...bare, { type: 'text', format: 'markdown', text: 'Enough? [Leave]({{unsubscribe_url}}).' }]
    for (const [tree, codes, links] of [
      [bare, ['unsubscribe_kept'], 1],
      [own, [], 1],
      [content, [], 1],
    ] as const) {
      const { id, warnings } = await t.post('/v1/campaigns', { ...body, content: tree }, 201)
      expect(warnings.map(({ code }: Json) => code)).toEqual([...codes])
      await t.patch(`/v1/campaigns/${id}`, { ignoreGuardrail: true }, 200, { as: 'session' })
      await t.post(`/v1/campaigns/${id}/send`, {}, 200)
      await t.settle()
      const { data } = await t.get(`/v1/campaigns/${id}/recipients`, 200)
      const { captured } = await t.get(`/v1/activity/${data[0].messageId}`, 200)
      for (const part of [captured.html, captured.text]) expect(part.match(/\/u\/[\w-]+/g)).toHaveLength(links)
    }
  })

  test('is not sent twice: by a second send, by twenty at once, by a repeat with the key', async () => {
    await using t = await testApp()
    const { id } = await drafted(t, 5)
    const headers = { 'idempotency-key': 'one' }
    const first = await t.request('POST', `/v1/campaigns/${id}/send`, {}, { headers })
    const again = await t.request('POST', `/v1/campaigns/${id}/send`, {}, { headers })
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 200, 'true'])
    expect(again.body).toEqual(first.body)
    const refused = await Promise.all(
      Array.from({ length: 20 }, () => t.request('POST', `/v1/campaigns/${id}/send`, {})),
    )
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['409 invalid_state_transition']),
    )
    await t.settle()
    expect((await t.sent()).length).toBe(5)
    await t.unchanged(() => t.post(`/v1/campaigns/${id}/send`, {}, 409))
  })

  test('twenty sends at once are one', async () => {
    await using t = await testApp()
    const { id } = await drafted(t, 5)
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => t.request('POST', `/v1/campaigns/${id}/send`, {})),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    await t.settle()
    expect((await t.sent()).length).toBe(5)
  })

  once('says it in the language of each recipient, by the template or by trees of its own', async () => {
    await using t = await testApp()
    const { list, contacts } = await listOf(t, 2)
    const [first] = contacts
    await t.template({ id: 'news', text: 'In English' })
    await t.put(
      '/v1/transactional/news/content/de',
      { content: [{ type: 'text', text: 'Auf Deutsch' }], subject: 'Vorlage' },
      200,
    )
    await write(t.app, (tx) => tx.db.run(`UPDATE contacts SET locale = 'de-AT' WHERE id = '${first?.id}'`))
    const id = await draft(t, list, { content: undefined, templateId: 'news', subject: 'Campaign' })
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    // The template changes after the start: what was taken over is sent.
    await t.put('/v1/transactional/update', { id: 'news', content: [{ type: 'text', text: 'Too late' }] }, 200)
    await t.settle()
    const mails = await t.sent()
    const to = (n: number) => mails.find((mail) => mail.to === `r${n}@example.net`)?.raw ?? ''
    expect(to(0)).toMatch(/Subject: Vorlage[\s\S]*Auf Deutsch/)
    expect(to(1)).toMatch(/Subject: Campaign[\s\S]*In English/)
  })
})

describe('who is skipped', () => {
  test('each with its outcome and reason, in the dry run and in the ledger', async () => {
    await using t = await testApp()
    const { list, contacts } = await listOf(t, 10)
    const [a, b, c, d] = contacts
    if (!a || !b || !c || !d) throw new Error('no contacts')
    await write(t.app, async (tx) => {
      await tx.db.run(`UPDATE contacts SET subscribed = 0 WHERE id = '${a.id}'`)
      await suppress(tx, t.workspace.id, { email: b.email.toUpperCase(), reason: 'complaint' })
      await moveSubscription(tx, c, list.id, 'unsubscribed', leave)
      await tx.db.run(`UPDATE subscriptions SET status = 'pending' WHERE contact_id = '${d.id}'`)
    })
    const id = await draft(t, list)
    const dry = await t.unchanged(() => t.post(`/v1/campaigns/${id}/send`, { dryRun: true }, 200))
    expect(dry).toMatchObject({
      status: 'draft',
      recipients: 6,
      skipped: { unsubscribed: 1, suppressed: 1, unconfirmed: 1 },
      exact: true,
    })
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    await t.settle()
    const skipped = { unsubscribed: 1, suppressed: 1, unconfirmed: 1 }
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 9, sent: 6, ...skipped })
    const { data, pagination } = await t.get(`/v1/campaigns/${id}/recipients?state=suppressed`, 200)
    expect(pagination.totalResults).toBe(1)
    expect(data).toMatchObject([
      { contactId: b.id, email: b.email, state: 'suppressed', reason: 'complaint', messageId: null },
    ])
    const why = await t.get(`/v1/campaigns/${id}/recipients/${a.id}`, 200)
    expect(why.checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([
      { check: 'consent', ok: false, value: 'unsubscribed from all mail' },
    ])
  })

  test('whoever leaves or is suppressed between preparing and the final dot is not mailed', async () => {
    await using sink = startSink()
    await using t = await testApp({ mailer: smtpTransport({ url: `${sink.url}?maxConnections=1` }) })
    const { id, list, contacts } = await drafted(t, 40)
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    const settled = t.settle()
    await sink.whenReceived(1)
    // All forty are prepared by now, and one connection carries them one by one.
    await write(t.app, async (tx) => {
      for (const contact of contacts.slice(20, 30)) await moveSubscription(tx, contact, list.id, 'unsubscribed', leave)
      for (const contact of contacts.slice(30))
        await suppress(tx, t.workspace.id, { email: contact.email, reason: 'manual' })
    })
    const gone = new Set(contacts.slice(20).map(({ email }) => email))
    const mailed = () => sink.received.filter(({ to }) => gone.has(to.join())).length
    const before = mailed()
    await settled
    const stats = await statsOf(t, id)
    expect(stats).toMatchObject({ status: 'sent', sent: sink.count() })
    expect(stats.sent + stats.unsubscribed + stats.suppressed).toBe(40)
    // One mail may have been on its way to its final dot when they left.
    expect(mailed() - before).toBeLessThanOrEqual(1)
    expect(stats.unsubscribed + stats.suppressed).toBe(20 - mailed())
    expect(stats.unsubscribed + stats.suppressed).toBeGreaterThan(10)
  })

  test('a filter chooses among the list; what it cannot mean is refused', async () => {
    await using t = await testApp()
    const { list, contacts } = await listOf(t, 6)
    await write(t.app, (tx) =>
      tx.db.run(
        `UPDATE contacts SET properties = '{"plan":"pro","seats":12}' WHERE id IN ('${contacts[1]?.id}', '${contacts[4]?.id}')`,
      ),
    )
    const id = await draft(t, list, {
      audienceFilter: [
        { field: 'plan', op: 'eq', value: 'pro' },
        { field: 'seats', op: 'gt', value: 3 },
      ],
    })
    expect(await t.post(`/v1/campaigns/${id}/send`, { dryRun: true }, 200)).toMatchObject({ recipients: 2 })
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    await t.settle()
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 2, sent: 2 })
    for (const field of ['plan) OR 1=1 --', 'workspaceId', '__proto__'])
      await t.unchanged(() =>
        t.post(
          '/v1/campaigns',
          { name: 'x', subject: 'x', mailingListId: list.id, audienceFilter: [{ field, op: 'eq', value: 1 }] },
          422,
        ),
      )
  })
})

describe('states', () => {
  test('approval binds the content: an edit, also of the template, undoes it', async () => {
    await using t = await testApp()
    const { list } = await listOf(t, 2)
    await t.template({ id: 'news', content })
    const id = await draft(t, list, { content: undefined, templateId: 'news' })
    const approve = async (status: number) => {
      const { contentHash } = await t.get(`/v1/campaigns/${id}`, 200)
      return await t.post(`/v1/campaigns/${id}/approve`, { contentHash }, status, { as: 'session' })
    }
    await t.post(`/v1/campaigns/${id}/approve`, {}, 401)
    expect(await approve(200)).toMatchObject({ status: 'approved', approvedBy: t.user.id })
    await t.put('/v1/transactional/update', { id: 'news', content: [{ type: 'text', text: 'Other words' }] }, 200)
    const changed = await t.unchanged(() => t.post(`/v1/campaigns/${id}/send`, {}, 409))
    expect(changed.detail).toContain('approve it again')
    await approve(200)
    expect(await t.patch(`/v1/campaigns/${id}`, { subject: 'Another' }, 200)).toMatchObject({
      status: 'draft',
      approvedAt: null,
    })
    await approve(200)
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    await t.unchanged(() => t.patch(`/v1/campaigns/${id}`, { subject: 'Too late' }, 409))
  })

  once('where agents need an approval, a key cannot send without one, and a member can', async () => {
    await using t = await testApp()
    const { id } = await drafted(t, 1)
    await t.patch('/v1/campaign-settings', { agentsNeedApproval: true }, 401)
    await t.patch('/v1/campaign-settings', { agentsNeedApproval: true }, 200, { as: 'session' })
    const refused = await t.unchanged(() => t.post(`/v1/campaigns/${id}/send`, {}, 403))
    expect(refused.errors).toMatchObject([{ code: 'approval_required' }])
    await t.post(`/v1/campaigns/${id}/send`, {}, 200, { as: 'session' })
  })

  test('a schedule starts it in the time zone of the workspace, and can be taken back', async () => {
    await using t = await testApp()
    const { list } = await listOf(t, 3)
    await t.patch('/v1/workspace', { timeZone: 'Europe/Paris' }, 200)
    const id = await draft(t, list)
    const scheduled = await t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt: '2026-01-15T14:30' }, 200)
    expect(scheduled).toMatchObject({ status: 'scheduled', scheduledAt: '2026-01-15T13:30:00.000Z' })
    expect(await t.post(`/v1/campaigns/${id}/unschedule`, {}, 200)).toMatchObject({
      status: 'draft',
      scheduledAt: null,
    })
    await t.post(`/v1/campaigns/${id}/send`, { scheduledAt: '2026-01-15T14:00:00Z' }, 200)
    await t.advance('100m')
    expect((await t.sent()).length).toBe(0)
    await t.advance('21m')
    expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 3 })
    for (const scheduledAt of ['tomorrow', '2026-01-14T00:00:00Z', '2027-02-01T00:00:00Z'])
      await t.unchanged(() => t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt }, 422))
  })

  const acts: [string, (t: TestApp, id: string) => Promise<Json>, waiting: number][] = [
    ['is taken back', (t, id) => t.post(`/v1/campaigns/${id}/unschedule`, {}, 200), 0],
    ['is sent now', (t, id) => t.post(`/v1/campaigns/${id}/send`, {}, 200), 0],
    ['is cancelled', (t, id) => t.post(`/v1/campaigns/${id}/cancel`, {}, 200), 0],
    ['is changed', (t, id) => t.patch(`/v1/campaigns/${id}`, { name: 'Another' }, 200), 0],
    [
      'gets other content',
      (t, id) => t.put(`/v1/campaigns/${id}/content/en`, { content: [{ type: 'text', text: 'Other' }] }, 200),
      0,
    ],
    ['is deleted', (t, id) => t.delete(`/v1/campaigns/${id}`, undefined, 200), 0],
    [
      'gets another time',
      (t, id) => t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt: '2026-01-15T15:00:00Z' }, 200),
      1,
    ],
  ]
  test.each(acts)('no job waits for a time that is over: the campaign %s', async (_, act, waiting) => {
    await using t = await testApp()
    const { id } = await drafted(t, 1)
    await t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt: '2026-01-15T14:30:00Z' }, 200)
    await act(t, id)
    const { data } = await t.get('/v1/jobs?state=pending', 200)
    expect(data.filter(({ kind }: Json) => kind === 'campaign.start')).toHaveLength(waiting)
  })

  test('after a schedule was taken back, a campaign that is sent does not wait for its time', async () => {
    await using t = await testApp()
    const { id } = await drafted(t, 1)
    await t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt: '2026-01-15T14:30:00Z' }, 200)
    await t.post(`/v1/campaigns/${id}/unschedule`, {}, 200)
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    const { data } = await t.get(`/v1/campaigns/${id}/why`, 200)
    expect(data.map(({ code }: Json) => code)).not.toContain('scheduled')
  })

  test('a schedule that is more than an hour overdue waits for a click', async () => {
    await using t = await testApp()
    const { id } = await drafted(t, 3)
    await t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt: '2026-01-15T13:00:00Z' }, 200)
    await t.advance('122m')
    expect(await t.get(`/v1/campaigns/${id}`, 200)).toMatchObject({ status: 'paused', pauseReason: 'missed_window' })
    expect((await t.sent()).length).toBe(0)
    await t.post(`/v1/campaigns/${id}/resume`, {}, 200)
    await t.settle()
    expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 3 })
  })

  test('pause holds what has not left, resume goes on, and the totals agree with the sink', async () => {
    await using sink = startSink()
    await using t = await testApp({ mailer: smtpTransport({ url: `${sink.url}?maxConnections=2` }) })
    const { id } = await drafted(t, 60)
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    const settled = t.settle()
    await sink.whenReceived(5)
    expect(await t.post(`/v1/campaigns/${id}/pause`, {}, 200)).toMatchObject({
      status: 'paused',
      pauseReason: 'manual',
    })
    await settled
    const held = await statsOf(t, id)
    expect(held.sent).toBe(sink.count())
    expect(held.sent).toBeLessThan(60)
    await t.advance('1h')
    expect(sink.count()).toBe(held.sent)
    await t.unchanged(() => t.post(`/v1/campaigns/${id}/pause`, {}, 409))
    await t.post(`/v1/campaigns/${id}/resume`, {}, 200)
    await t.settle()
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 60, sent: 60 })
    expect(new Set(sink.received.flatMap(({ to }) => to)).size).toBe(60)
    expect(sink.count()).toBe(60)
  })

  test('cancel gives whoever is open the outcome cancelled', async () => {
    await using sink = startSink()
    await using t = await testApp({ mailer: smtpTransport({ url: `${sink.url}?maxConnections=1` }) })
    const { id } = await drafted(t, 50)
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    const settled = t.settle()
    await sink.whenReceived(2)
    await t.post(`/v1/campaigns/${id}/cancel`, {}, 200)
    await settled
    await t.settle()
    const stats = await statsOf(t, id)
    expect(stats).toEqual({ status: 'cancelled', audience: 50, sent: sink.count(), cancelled: 50 - sink.count() })
    await t.unchanged(() => t.post(`/v1/campaigns/${id}/resume`, {}, 409))
  })

  test('a campaign that began stays on record; a draft can be deleted', async () => {
    await using t = await testApp()
    const { list } = await listOf(t, 1)
    const [one, other] = [await draft(t, list), await draft(t, list)]
    await t.delete(`/v1/campaigns/${one}`, undefined, 200)
    await t.get(`/v1/campaigns/${one}`, 404)
    await t.post(`/v1/campaigns/${other}/send`, {}, 200)
    await t.unchanged(() => t.delete(`/v1/campaigns/${other}`, undefined, 409))
  })
})

describe('what is refused', () => {
  once('nothing to say, nobody to fill a variable, a list that is not there, a sender that is no address', async () => {
    await using t = await testApp()
    const { list } = await listOf(t, 1)
    await trust(t, 'M1')
    const body = { name: 'x', subject: 'x', mailingListId: list.id }
    const refusals: [object, number][] = [
      [{ ...body, content: [{ type: 'text', text: '{{code}}' }] }, 422],
      [{ ...body, mailingListId: 'lst_none', content }, 422],
      [{ ...body, content, templateId: 'news' }, 422],
      [{ ...body, templateId: 'no-such' }, 422],
      [{ ...body, content, fromEmail: 'elsewhere.example' }, 422],
      [{ ...body, content, subject: 'a\r\nBcc: e@x' }, 422],
      [{ ...body, content, replyTo: 'r@x\r\nBcc: e@x' }, 422],
      [{ ...body, content, ignoreGuardrail: true }, 403],
    ]
    for (const [wrong, status] of refusals) await t.unchanged(() => t.post('/v1/campaigns', wrong, status))
    const { id } = await t.post('/v1/campaigns', body, 201)
    expect(await t.unchanged(() => t.post(`/v1/campaigns/${id}/send`, {}, 422))).toMatchObject({ code: 'no_content' })
  })
})

describe('large ones', () => {
  test('the window is filled again and again, and a contact that joins later is not in it', async () => {
    await using sink = startSink()
    await using t = await testApp({ mailer: smtpTransport({ url: sink.url }) })
    const { id, list } = await drafted(t, 1_200)
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    await t.settle()
    await join(t, list, 3, { first: 5_000 })
    await t.settle()
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 1_200, sent: 1_200 })
    expect(new Set(sink.received.flatMap(({ to }) => to)).size).toBe(1_200)
    expect(sink.count()).toBe(1_200)
  }, 240_000)
})
