// Looking at a mail before anybody gets it: previews of stored and of unsaved content, and tests to members.

import { describe, expect, test } from 'bun:test'
import { write } from '../src/core/app.ts'
import { viewUrl } from '../src/features/sending/browser-view.ts'
import { createUser } from '../src/people/access/users.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { content, draft, listOf, sendCampaign, statsOf, trust } from './support/campaign.ts'

const says = (text: string) => [{ type: 'text', text }]
const owner = 'owner@acme.test'

async function template(t: TestApp, fields: object = {}) {
  const body = {
    id: 'order',
    name: 'O',
    subject: 'Order {{order}}',
    previewText: 'On its way',
    content: says('To {{address}}, {{contact.firstName|you}}'),
  }
  return await t.template({ ...body, ...fields })
}

describe('a preview', () => {
  test('of a template is the mail that a send would make, in the locale and for the contact that are named', async () => {
    await using t = await testApp()
    await template(t)
    await t.put(
      '/v1/transactional/order/content/de',
      { subject: 'Bestellung {{order}}', content: says('An {{address}}') },
      200,
    )
    await t.contact({ firstName: 'Ada <b>' })
    const dataVariables = { order: '4711', address: '<Graz>' }
    const { messageId } = await t.mail({ templateId: 'order', dataVariables })
    await t.settle()
    const { captured } = await t.get(`/v1/activity/${messageId}`, 200)
    const shown = await t.unchanged(() =>
      t.post('/v1/transactional/order/preview', { email: 'ada@example.net', dataVariables }, 200),
    )
    expect(shown).toMatchObject({
      locale: 'en',
      subject: 'Order 4711',
      previewText: 'On its way',
      missingVariables: [],
      warnings: [],
    })
    for (const part of ['html', 'text']) expect(shown[part].trim()).toBe(captured[part].trim())
    expect(shown.html).toContain('To &lt;Graz&gt;, Ada &lt;b&gt;')
    expect(shown.htmlBytes).toBe(Buffer.byteLength(shown.html))
    const austrian = await t.post('/v1/transactional/order/preview', { locale: 'de-AT', dataVariables }, 200)
    expect(austrian).toMatchObject({ locale: 'de', subject: 'Bestellung 4711' })
  })

  test('says in comments which node made what, when it is asked to, and is the same mail but for them', async () => {
    await using t = await testApp()
    const tree = [{ type: 'section', children: [...says('One'), ...says('Two')] }, { type: 'footer' }]
    await template(t, { content: tree, subject: 'S' })
    const [plain, marked] = [{}, { marks: true }].map((body) => t.post('/v1/transactional/order/preview', body, 200))
    const { html } = await marked
    expect(html).toMatch(
      /<!--content\[0\]-->.*<!--content\[0\]\.children\[1\]-->[^!]*Two[^!]*<!--\/content\[0\]\.children\[1\]-->.*<!--\/content\[0\]-->/s,
    )
    expect(html.replace(/<!--\/?content[^>]*-->/g, '')).toBe((await plain).html)
    expect((await marked).htmlBytes).toBe((await plain).htmlBytes)
  })

  test('shows what is missing in its place, and refuses what a send would refuse', async () => {
    await using t = await testApp()
    await template(t, { status: 'draft' })
    const bare = await t.post('/v1/transactional/order/preview', {}, 200)
    expect(bare).toMatchObject({ subject: 'Order {{order}}', missingVariables: ['order', 'address'] })
    expect(bare.text).toContain('To {{address}}, you')
    const wrong = { dataVariables: { company_name: 'Other', order: '1' } }
    expect(await t.post('/v1/transactional/order/preview', wrong, 422)).toMatchObject({
      code: 'auto_variable_not_allowed',
    })
    const stray = await t.post('/v1/transactional/order/preview', { dataVariables: { colour: 'red' } }, 200)
    expect(stray.warnings).toMatchObject([{ code: 'unused_variable' }])
    await t.post('/v1/transactional/order/preview', { email: 'not an address' }, 422)
    await t.post('/v1/transactional/order/preview', { locale: '!' }, 422)
    await t.post('/v1/transactional/nothing/preview', {}, 404)
    await t.post('/v1/transactional/create', { id: 'empty', name: 'E', subject: 'E' }, 201)
    expect(await t.post('/v1/transactional/empty/preview', {}, 422)).toMatchObject({ code: 'no_content' })
  })

  test('of an unsaved tree stores nothing, and lists every fault of it', async () => {
    await using t = await testApp()
    await template(t)
    const unsaved = {
      content: [...says('New {{address}}'), { type: 'image', src: 'https://a.example/x.png' }],
      subject: 'S',
    }
    for (const path of ['/v1/transactional/preview', '/v1/transactional/order/preview']) {
      const shown = await t.unchanged(() => t.post(path, { ...unsaved, dataVariables: { address: 'Graz' } }, 200))
      expect(shown).toMatchObject({ subject: 'S', missingVariables: [] })
      expect(shown.text).toContain('New Graz')
      expect(shown.warnings.map(({ code }: Json) => code)).toEqual(['missing_alt'])
      const faulty = await t.post(path, { ...unsaved, content: [{ type: 'raw' }, { type: 'heading' }] }, 422)
      expect(faulty.errors.map(({ path: at }: Json) => at)).toEqual(['content[0].type', 'content[1].text'])
      // An editor asks while somebody is still writing.
      const told = await t.post(path, { ...unsaved, content: [{ type: 'heading' }], draft: true }, 200)
      expect(told).toMatchObject({ html: '', findings: [{ path: 'content[0].text', severity: 'error' }] })
      expect((await t.post(path, { ...unsaved, draft: true }, 200)).text).toContain('New')
      await t.post(path, { ...unsaved, content: [] }, 422)
      await t.post(path, { ...unsaved, subject: 'a\r\nBcc: e@x' }, 422)
    }
    await t.post('/v1/transactional/preview', { subject: 'S' }, 422)
  })

  test('of an unsaved tree is shown with another brand, which is not stored', async () => {
    await using t = await testApp()
    await t.patch('/v1/workspace', { brand: { companyName: 'Acme', companyAddress: '1 Quay Street' } }, 200)
    const content = [{ type: 'button', text: 'Go', href: 'https://a.example' }, { type: 'footer' }]
    const preview = (brand: Json, status: number) =>
      t.post('/v1/transactional/preview', { content, subject: 'From {{company_name}}', brand }, status)
    const shown = await t.unchanged(() => preview({ companyAddress: null, primaryColor: '#0f766e' }, 200))
    expect(shown.subject).toBe('From Acme')
    expect(shown.html).toContain('#0f766e')
    expect(shown.html).not.toContain('1 Quay Street')
    expect((await preview({ primaryColor: 'teal' }, 422)).errors).toMatchObject([{ path: 'brand.primaryColor' }])
  })

  test('of a campaign has its footer and ways out that lead nowhere', async () => {
    await using t = await testApp()
    const { list } = await listOf(t, 1)
    await t.template({ id: 'news', content })
    await t.put(
      '/v1/transactional/news/content/de',
      { content: says('Hallo {{contact.firstName|ihr}}'), subject: 'Neues' },
      200,
    )
    const id = await draft(t, list, { content: undefined, templateId: 'news', subject: 'Campaign' })
    const shown = await t.unchanged(() => t.post(`/v1/campaigns/${id}/preview`, { email: 'r0@example.net' }, 200))
    expect(shown).toMatchObject({ subject: 'Campaign', locale: 'en', missingVariables: [] })
    expect(shown.html).toContain('Reader 0')
    const leave = /href="([^"]*\/u\/[^"]*)"/.exec(shown.html)?.[1] ?? ''
    expect(shown.text).toContain(leave)
    const tried = await fetch(leave, {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(tried.status).toBe(404)
    expect(await t.post(`/v1/campaigns/${id}/preview`, { locale: 'de-CH' }, 200)).toMatchObject({
      locale: 'de',
      subject: 'Neues',
    })
    const unsaved = await t.unchanged(() =>
      t.post(`/v1/campaigns/${id}/preview`, { content: says('Code {{code}}'), subject: 'Other' }, 200),
    )
    expect(unsaved).toMatchObject({ subject: 'Other', missingVariables: ['code'] })
    const { id: bare } = await t.post('/v1/campaigns', { name: 'x', subject: 'x', mailingListId: list.id }, 201)
    expect(await t.post(`/v1/campaigns/${bare}/preview`, {}, 422)).toMatchObject({ code: 'no_content' })
  })
})

describe('a test', () => {
  test('of a template goes to members only, is marked, and asks for its variables', async () => {
    await using t = await testApp()
    await template(t, { status: 'draft' })
    await write(t.app, (tx) =>
      createUser(tx, t.workspace, { email: 'Mia@acme.test', name: 'Mia', passwordHash: null, role: 'member' }),
    )
    const dataVariables = { order: '4711', address: 'Graz' }
    const path = '/v1/transactional/order/test'
    for (const emails of [['ada@example.net'], [owner, 'ada@example.net'], []])
      await t.unchanged(() => t.post(path, { emails, dataVariables }, 422))
    expect(await t.unchanged(() => t.post(path, { emails: [owner] }, 422))).toMatchObject({ code: 'missing_variable' })
    expect(await t.unchanged(() => t.post(path, { dataVariables }, 422))).toMatchObject({
      errors: [{ path: 'emails' }],
    })
    const { tests } = await t.post(path, { emails: [owner, 'mia@ACME.test', owner], dataVariables }, 200)
    expect(tests).toMatchObject([
      { email: owner, status: 'queued' },
      { email: 'mia@acme.test', status: 'queued' },
    ])
    await t.settle()
    const mails = await t.sent()
    expect(mails.map(({ to }) => to).sort()).toEqual(['mia@acme.test', owner])
    for (const { raw } of mails) {
      expect(raw).toContain('Subject: [Test] Order 4711')
      expect(raw).toContain('X-Paquebot-Test: yes')
      expect(raw).toContain('Graz')
    }
    const record = await t.get(`/v1/activity/${tests[0].messageId}`, 200)
    expect(record).toMatchObject({ kind: 'test', status: 'sent', templateId: 'order', metadata: { test: 'yes' } })
    // What is not saved yet can be tried as well; it stays unsaved.
    const unsaved = { content: says('Other {{address}}'), subject: 'Draft' }
    await t.unchanged(() => t.post(path, { emails: [owner], ...unsaved, content: [{ type: 'raw' }] }, 422))
    await t.post(path, { emails: [owner], ...unsaved, dataVariables: { address: 'Wien' } }, 200)
    await t.settle()
    const last = (await t.sent()).at(-1)
    expect([last?.raw.includes('Subject: [Test] Draft'), last?.raw.includes('Other Wien')]).toEqual([true, true])
    expect(await t.get('/v1/transactional/order', 200)).toMatchObject({ subject: 'Order {{order}}' })
    // Without addresses, a signed-in member gets it.
    const own = await t.post(path, { dataVariables }, 200, { as: 'session' })
    expect(own.tests.map(({ email }: Json) => email)).toEqual([owner])
  })

  test('of a campaign counts for nobody: no recipient, no limit, no cap, and the send goes on as if it had not been', async () => {
    await using t = await testApp()
    const { list } = await listOf(t, 2)
    await t.contact({ email: owner, firstName: 'Olive', mailingLists: { [list.id]: true } })
    const id = await draft(t, list, { previewText: 'Soon' })
    const before = await t.post(`/v1/campaigns/${id}/send`, { dryRun: true }, 200)
    const { tests } = await t.post(`/v1/campaigns/${id}/test`, { emails: [owner] }, 200)
    await t.settle()
    const [mail] = await t.sent()
    expect(mail?.raw).toContain('Subject: [Test] News for Olive')
    expect(mail?.raw).not.toMatch(/^List-Unsubscribe/m)
    expect(mail?.raw.replaceAll('=\r\n', '')).toContain('/u/preview')
    const record = await t.get(`/v1/activity/${tests[0].messageId}`, 200)
    expect(record).toMatchObject({ kind: 'test', metadata: { campaignId: id } })
    expect(record.campaignId).toBeUndefined()
    // Looked at in a browser, it is the mail that came.
    const token = viewUrl(t.app, t.app.config.baseUrl, tests[0].messageId).split('/').at(-1)
    const page = await t.request('GET', `/view/${token}`, undefined, { as: 'nobody' })
    expect([page.status, page.text.includes('/u/preview')]).toEqual([200, true])
    expect(await statsOf(t, id)).toEqual({ status: 'draft' })
    expect(await t.post(`/v1/campaigns/${id}/send`, { dryRun: true }, 200)).toEqual(before)
    await sendCampaign(t, id)
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 3, sent: 3 })
    // Also of one that has been sent, and with words that are not stored.
    await t.post(`/v1/campaigns/${id}/test`, { emails: [owner], content: says('Later'), subject: 'Next' }, 200)
    await t.post(`/v1/campaigns/${id}/test`, {}, 200, { as: 'session' })
  })

  test('is limited, needs the scope of a send, and says when an address is suppressed', async () => {
    await using t = await testApp()
    await trust(t, 'M1')
    await template(t, { content: says('Hello'), subject: 'S' })
    const path = '/v1/transactional/order/test'
    const { apiKey } = await t.post('/v1/api-keys', { name: 'r', scopes: ['transactional.read'] }, 201)
    await t.post(path, { emails: [owner] }, 403, { as: { apiKey } })
    await t.post('/v1/transactional/order/preview', {}, 200, { as: { apiKey } })
    await t.post('/v1/suppressions', { email: owner }, 201)
    expect((await t.post(path, { emails: [owner] }, 200)).tests).toMatchObject([{ status: 'suppressed' }])
    for (let n = 1; n < 20; n++) await t.post(path, { emails: [owner] }, 200)
    const refused = await t.request('POST', path, { emails: [owner] })
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 180])
    await t.advance('3m')
    await t.post(path, { emails: [owner] }, 200)
  })
})
