// Text that is written to make a pattern look at it again and again: wherever it may come from, it is looked at once.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { noteReport } from '../src/features/campaigns/feedback.ts'
import { messageAddress } from '../src/features/sending/activity/message-address.ts'
import { takeMessageMail } from '../src/features/sending/feedback/bounces.ts'
import { newId } from '../src/kit/id.ts'
import { toRawMail } from '../src/mail/raw-mail.ts'
import { aboutWhom } from '../src/mail/refusal.ts'
import { type TestApp, testApp } from './support/app.ts'
import { hostileHtml } from './support/hostile-html.ts'
import { longestBlock, maxBlockMs } from './support/loop-monitor.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp({ environment: { INBOUND_DOMAIN: 'in.acme.test' } })
})
afterAll(() => t[Symbol.asyncDispose]())

const mega = 1_000_000
const filled = (text: string, length: number) => text.repeat(Math.floor(length / text.length))

async function quick<T>(name: string, work: () => Promise<T>): Promise<T> {
  const { blockMs, result } = await longestBlock(name, work)
  expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
  return result
}

test('the name of a property', async () => {
  const body = JSON.stringify({ email: 'ada@example.net', [filled('_', mega)]: 1 })
  for (const path of ['/v1/contacts/create', '/v1/contacts/update', '/v1/events/send'])
    await quick(`a property called ____…, ${path}`, () =>
      t.request(path.endsWith('update') ? 'PUT' : 'POST', path, body),
    )
})

test('a cell of a file', async () => {
  await t.contact({ email: 'grace@example.net', plan: 5 })
  const rows = Array.from({ length: 20 }, (_, n) => `a${n}@example.net,${filled('1', 90_000)}x`)
  const csv = `email,plan\n${rows.join('\n')}\n`
  const consent = encodeURIComponent(JSON.stringify({ subscribed: false, statement: 'asked' }))
  await quick('cells of 90,000 digits and a letter', async () => {
    const headers = { 'content-type': 'text/csv' }
    await t.request('POST', `/v1/contacts/import?consent=${consent}`, csv, { headers })
    await t.settle()
  })
})

test('what a server says of an address', async () => {
  const spaces = `${filled(' ', 30_000)}\rx`
  for (const text of [
    filled('<', 500_000),
    filled('a', 500_000),
    filled('a@', 500_000),
    filled('<a', 500_000),
    spaces,
  ]) {
    await quick(`a reply of ${text.slice(0, 4)}…`, async () =>
      aboutWhom({ stage: 'rcpt', code: 550, enhanced: null, text }),
    )
    const report = `Content-Type: multipart/report; boundary=x\r\n\r\n--x\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; a\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; ${text}\r\n--x--\r\n`
    const to = messageAddress(t.app, 'bounce', newId(t.app, 'msg', t.clock.now())) ?? ''
    const raw = await toRawMail([Buffer.from(report)])
    await quick(`a report that says ${text.slice(0, 4)}…`, () => takeMessageMail(t.app, to, raw, noteReport))
  }
})

test('the HTML of a mail with a content of the caller’s own', async () => {
  const mail = { from: 'noreply@example.com', to: 'ada@example.net', subject: 'Pictures' }
  for (const html of [`cid: src=${filled(' ', mega)}`, `cid: url(${filled(' ', mega)}`, `cid:${filled('src=', mega)}`])
    await quick(`an HTML of ${html.slice(0, 12)}…`, () =>
      t.request('POST', '/compat/resend/emails', JSON.stringify({ ...mail, html })),
    )
})

test('the HTML of a captured mail', async () => {
  for (const tag of ['<x-', '<!--', '<a href=', '<img ', '<style>', '<div style="', '<a href=x>', '<div>', '<b><p>']) {
    const size = 300_000
    const head = `To: ada@example.net\r\nContent-Type: text/html\r\n\r\n`
    const raw = await toRawMail([Buffer.from(head + filled(`${tag.repeat(20)}\r\n`, size))])
    const envelope = { from: 'a@example.org', to: 'ada@example.net' }
    const mail = { workspaceId: t.workspace.id, envelope, messageId: newId(t.app, 'msg', t.clock.now()), raw }
    await t.app.mailer.send(
      mail,
      { beforeFinalDot: async () => true, signal: new AbortController().signal },
      { relayId: null, receiver: 'example.net' },
    )
    const [{ capturedId }] = (await t.get('/v1/activity/captured?perPage=1', 200)).data
    const seen = await quick(`a captured mail of ${tag}`, () => t.get(`/v1/activity/captured/${capturedId}`, 200))
    expect(seen.htmlBytes).toBeGreaterThan(size / 2)
  }
})

test('the text of a mail', async () => {
  const content = [
    { type: 'text', text: '{{note}}' },
    { type: 'list', itemsVariable: 'all', items: ['{{item.a}}'] },
  ]
  await t.template({ id: 'note', content })
  for (const text of [
    `a${filled('\n', 9_990)}b`,
    `a${filled(' \n', 9_990)}b`,
    `a${filled(' ', 9_990)}b`,
    filled('\n', 9_990),
  ]) {
    const all = Array.from({ length: 3 }, () => ({ a: text }))
    const dataVariables = { note: text, all }
    await quick(`a variable of ${JSON.stringify(text.slice(0, 6))}…`, async () => {
      await t.request('POST', '/v1/transactional/send', { email: 'ada@example.net', templateId: 'note', dataVariables })
      await t.settle()
    })
  }
})

test('the words of a template', async () => {
  const long = 90_000
  const trees: [string, object][] = [
    ['a list variable of spaces', { type: 'list', itemsVariable: `{{${filled(' ', long)}x`, items: ['a'] }],
    ['a list variable of spaces at its end', { type: 'list', itemsVariable: `a${filled(' ', long)}x`, items: ['a'] }],
    ['a variable of underscores', { type: 'text', text: `{{contact.${filled('_', long)}}}` }],
    ['a variable of spaces', { type: 'text', text: `{{${filled(' ', long)}` }],
    ['braces', { type: 'text', text: filled('{{', long) }],
    ['brackets', { type: 'text', format: 'markdown', text: filled('[', long / 2) }],
    ['links', { type: 'text', format: 'markdown', text: filled('[a](', long / 2) }],
    ['stars', { type: 'text', format: 'markdown', text: filled('*a', long / 4) }],
    ['double stars', { type: 'text', format: 'markdown', text: filled('**', long / 3) }],
    ['underscores', { type: 'text', format: 'markdown', text: filled('_a ', long / 3) }],
    ['line ends', { type: 'text', text: `a${filled('\n', long / 2)}b` }],
    ['slashes', { type: 'button', text: 'a', href: `https://example.com${filled('/', long)}` }],
    [
      'an address of variables',
      { type: 'button', text: 'a', href: `https://example.com/${filled('{{a}}', long / 2)}` },
    ],
    ['an e-mail address of variables', { type: 'button', text: 'a', href: `mailto:${filled('{{a}}', long / 2)}` }],
    ['a colour', { type: 'text', text: 'a', color: `#${filled('a', long)}` }],
    ['a name', { type: 'text', text: 'a' }],
  ]
  for (const [name, node] of trees) {
    const body = { name: name === 'a name' ? `a${filled('-', long)}b` : 'a', subject: 'S', content: [node] }
    await quick(`a template with ${name}`, () => t.request('POST', '/v1/transactional/create', body))
    await quick(`a preview with ${name}`, () => t.request('POST', '/v1/transactional/preview', body))
  }
})

test('a page of another service', async () => {
  const headers = { 'content-type': 'text/html' }
  const from = '/v1/imports/preview?format=mailchimp&name=page.html'
  for (const [name, html] of [...hostileHtml, deepPage]) {
    const text = html(490_000)
    const reply = await quick(`a page of ${name}`, () => t.request('POST', from, `<html>${text}`, { headers }))
    expect([200, 422], `${name}: ${reply.text}`).toContain(reply.status)
  }
  const { body } = await t.request('POST', from, `<html>${deepPage[1](300_000)}`, { headers })
  expect(body.report.templates).toMatchObject([{ converted: false, problems: [expect.stringContaining('512 deep')] }])
})

const deepPage: (typeof hostileHtml)[number] = ['<div>', (chars) => '<div>'.repeat(chars / 5)]
