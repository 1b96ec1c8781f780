// A mail in the browser: the page behind view_in_browser_url shows what was sent, to whoever has its address and to nobody else.

import { expect, test } from 'bun:test'
import { simpleParser } from 'mailparser'
import { type Reply, type RequestOptions, type TestApp, testApp } from './support/app.ts'
import { draft, listOf } from './support/campaign.ts'

const nobody: RequestOptions = { as: 'nobody' }
const link = { type: 'link', text: 'In the browser', href: '{{view_in_browser_url}}' }
const content = [{ type: 'text', text: 'Hello {{name}}, on {{date}}' }, link]

/** The HTML of the mails that left, and the path of the page that each leads to. */
async function mails(t: TestApp): Promise<{ html: string; path: string }[]> {
  await t.settle()
  const parsed = await Promise.all((await t.sent()).map(({ raw }) => simpleParser(raw)))
  return parsed.map(({ html }) => {
    const body = html || ''
    return { html: body, path: /href="[^"]*(\/view\/[^"]+)"/.exec(body)?.[1] ?? 'none' }
  })
}

const page = (t: TestApp, path: string): Promise<Reply> => t.request('GET', path, undefined, nobody)

test('the page is the mail as it was sent, though its template has changed since', async () => {
  await using t = await testApp()
  await t.template({ content })
  const { messageId } = await t.mail({ dataVariables: { name: 'Ada <b>"x"</b><script>1</script>' } })
  const [mail] = await mails(t)
  expect(mail?.path).toContain(`/view/${messageId.slice(4)}-`)
  await t.put('/v1/transactional/update', { id: 'hello', content: [{ type: 'text', text: 'Changed' }, link] }, 200)
  await t.advance('40d')
  const shown = await page(t, mail?.path ?? '')
  expect(shown.status).toBe(200)
  expect(shown.text.trim()).toBe(mail?.html.trim() ?? '')
  expect(shown.text).toContain('on January 15, 2026')
  expect(shown.text).not.toMatch(/<script/i)
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-robots-tag': 'noindex, nofollow, noarchive',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  })
  const policy = shown.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/default-src 'none'.*form-action 'none'.*sandbox/)
  expect(policy).not.toMatch(/allow-scripts|allow-forms|allow-same-origin|script-src/)
})

test('an address that is not ours, or of another mail, is a page that says so, and changes nothing', async () => {
  await using t = await testApp()
  await t.template({ content })
  const send = { email: 'ada@example.net', templateId: 'hello', dataVariables: { name: 'Ada' } }
  await t.mail(send)
  await t.mail(send)
  const [one, two] = (await mails(t)).map(({ path }) => path)
  const [id = '', mac = ''] = (one ?? '').slice('/view/'.length).split('-')
  const [, otherMac = ''] = (two ?? '').slice('/view/'.length).split('-')
  const forged = [
    `${id}-${otherMac}`,
    `${id}-${mac.slice(0, -1)}`,
    `${id}-${'0'.repeat(32)}`,
    `${id}-${mac}0`,
    id,
    `${id}-`,
    'preview',
    '%00',
    'x'.repeat(5_000),
  ]
  await t.unchanged(async () => {
    for (const token of forged) {
      const reply = await page(t, `/view/${token}`)
      expect([reply.status, reply.text.includes('Ada')], token.slice(0, 80)).toEqual([404, false])
    }
    expect((await page(t, one ?? '')).status).toBe(200)
  })
})

test('it is gone when the person is erased', async () => {
  await using t = await testApp()
  await t.template({ content })
  const { id } = await t.contact({ firstName: 'Ada' })
  await t.mail({ dataVariables: { name: 'Ada' } })
  const [mail] = await mails(t)
  expect((await page(t, mail?.path ?? '')).text).toContain('Hello Ada')
  await t.delete(`/v1/contacts/${id}/data`, undefined, 200)
  expect((await page(t, mail?.path ?? '')).status).toBe(404)
})

test('that of a campaign has the way out, and is not tracked', async () => {
  await using t = await testApp()
  await t.patch('/v1/campaign-settings', { trackOpens: true, trackClicks: true }, 200, { as: 'session' })
  const { list } = await listOf(t, 1)
  const out = { type: 'link', text: 'Out', href: 'https://acme.test/out' }
  const id = await draft(t, list, { content: [{ type: 'text', text: 'Dear {{contact.firstName}}' }, link, out] })
  await t.post(`/v1/campaigns/${id}/send`, {}, 200)
  const [mail] = await mails(t)
  expect(mail?.html).toContain('/t/c/')
  const { text, status } = await t.unchanged(() => page(t, mail?.path ?? ''))
  expect(status).toBe(200)
  expect(text).toContain('Dear Reader 0')
  expect(text).toContain('https://acme.test/out')
  expect(text).not.toContain('/t/')
  const wayOut = /href="[^"]*(\/u\/[^"]+)"/.exec(text)?.[1] ?? 'none'
  await t.unchanged(() => page(t, wayOut))
  expect((await page(t, wayOut)).status).toBe(200)
})
