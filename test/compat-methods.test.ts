// Every method of the packages of other services: each works here, or is answered with 501 that names what of ours to use.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { AccountClient, ServerClient } from 'postmark'
import { Resend } from 'resend'
import { compatPrefix } from '../src/core/http/surface.ts'
import { compatRoutes } from '../src/doors/compat/dialects.ts'
import { postmark } from '../src/doors/compat/postmark.ts'
import { resend } from '../src/doors/compat/resend.ts'
import { sendgrid } from '../src/doors/compat/sendgrid.ts'
import { ses } from '../src/doors/compat/ses.ts'
import { type TestApp, testApp } from './support/app.ts'
import { makeList } from './support/lists.ts'

const from = 'shop@example.com'

/** Whatever a method asks for: a text, where it makes a path of it, and every field that one of them wants. */
const anything = {
  id: 'x',
  email: 'ada@example.net',
  emailId: 'x',
  contactId: 'x',
  inboxId: 'x',
  threadId: 'x',
  draftId: 'x',
  labelId: 'x',
  automationId: 'x',
  runId: 'x',
  broadcastId: 'x',
  domainId: 'x',
  webhookId: 'x',
  eventId: 'x',
  to: 'ada@example.net',
  from,
  name: 'x',
  event: 'x',
  query: 'x',
  labels: ['x'],
  topics: [{ id: 'x', subscription: 'opt_in' }],
  file: new Blob(['email\nada@example.net']),
  columnMap: {},
  steps: [],
  connections: [],
  toString: () => 'x',
}

type Call = (...given: object[]) => Promise<unknown>

/** `emails.receiving.get`: the methods of a client and of what hangs on it, but those that it calls itself. */
function methodsOf(client: object, inner: RegExp, prefix = ''): Map<string, Call> {
  const found = new Map<string, Call>()
  for (let type = Object.getPrototypeOf(client); type !== Object.prototype; type = Object.getPrototypeOf(type))
    for (const name of Object.getOwnPropertyNames(type))
      if (!inner.test(prefix + name)) found.set(prefix + name, Reflect.get(client, name).bind(client))
  for (const [name, part] of Object.entries(client)) {
    const isPart = typeof part === 'object' && part !== null && Object.hasOwn(part, 'resend')
    if (isPart) for (const [method, call] of methodsOf(part, inner, `${prefix}${name}.`)) found.set(method, call)
  }
  return found
}

/** What it said, whether it was thrown or returned. */
const answerOf = async (call: () => unknown): Promise<unknown> => {
  try {
    const answer = await call()
    return Object(answer).error ?? answer
  } catch (error) {
    return error
  }
}

interface Walk {
  /** As docs/moving-in.md calls its section. */
  section: string
  all: Map<string, Call>
  /** How many of the arguments of a method are none of the call. */
  spare: number
  works: Record<string, () => Promise<unknown>>
}

/** Every other one is 501 with something of ours that there is, changes nothing, and is in no list of what works. */
async function walk(t: TestApp, { section, all, spare, works }: Walk) {
  for (const [name, call] of Object.entries(works)) {
    expect([...all.keys()]).toContain(name)
    const answer = await answerOf(call)
    expect(Object(answer).statusCode ?? 200, `${name}: ${JSON.stringify(answer)}`).toBeLessThan(300)
  }
  const ours = new Set(Object.keys((await t.get('/openapi.json', 200, { as: 'nobody' })).paths))
  const absent = [...all].filter(([name]) => !Object.hasOwn(works, name))
  await t.unchanged(async () => {
    for (const [name, call] of absent) {
      const given = Array.from({ length: call.length - spare }, () => anything)
      const { statusCode, message } = Object(await answerOf(() => call(...given)))
      expect([name, statusCode, message]).toEqual([name, 501, expect.stringContaining('Use ')])
      expectOurs(`${name}: ${message}`, ours)
    }
  })
  const text = await Bun.file(join(import.meta.dir, '../docs/moving-in.md')).text()
  const part = text.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? ''
  const paragraph = /^Of its methods these work: ([\s\S]*?)\n\n/m.exec(part)?.[1] ?? ''
  const named = [...paragraph.matchAll(/`([\w.]+)`/g)].map(([, name]) => name)
  expect(named.sort()).toEqual(Object.keys(works).sort())
}

function expectOurs(message: string, ours: Set<string>) {
  const named = [...message.matchAll(/\/v1\/[\w{}/-]+/g)].map(([path]) => path)
  expect(named, message).not.toEqual([])
  for (const path of named) expect([...ours], message).toContain(path)
}

test('every method of the resend SDK works, or is 501 with what to use instead', async () => {
  await using t = await testApp()
  const resend = new Resend(t.apiKey, { baseUrl: `${t.url}/compat/resend` })
  const listId = await makeList(t)
  const email = 'grace@example.net'
  const mail = { from, to: email, subject: 'x', text: 'x' }
  const later = { ...mail, scheduledAt: '2026-03-01T00:00:00Z' }
  const waiting = (await resend.emails.send(later)).data?.id ?? ''
  const other = (await resend.emails.send(later)).data?.id ?? ''
  await resend.contacts.create({ email: 'bob@example.net' })
  const made = { segment: '', domain: '' }
  const works: Record<string, () => Promise<unknown>> = {
    'emails.send': () => resend.emails.send(mail),
    'emails.create': () => resend.emails.create(mail),
    'emails.get': () => resend.emails.get(waiting),
    'emails.list': () => resend.emails.list({ limit: 2 }),
    'emails.update': () => resend.emails.update({ id: waiting, scheduledAt: '2026-03-02T00:00:00Z' }),
    'emails.cancel': () => resend.emails.cancel(other),
    'batch.send': () => resend.batch.send([mail]),
    'batch.create': () => resend.batch.create([mail]),
    'contacts.create': () => resend.contacts.create({ email }),
    'contacts.get': () => resend.contacts.get({ email }),
    'contacts.list': () => resend.contacts.list(),
    'contacts.update': () => resend.contacts.update({ email, firstName: 'Grace' }),
    'contacts.segments.add': () => resend.contacts.segments.add({ email, segmentId: listId }),
    'contacts.segments.list': () => resend.contacts.segments.list({ email }),
    'contacts.segments.remove': () => resend.contacts.segments.remove({ email, segmentId: listId }),
    'contacts.remove': () => resend.contacts.remove({ email: 'bob@example.net' }),
    'segments.create': async () => {
      const answer = await resend.segments.create({ name: 'News' })
      made.segment = answer.data?.id ?? ''
      return answer
    },
    'segments.get': () => resend.segments.get(made.segment),
    'segments.list': () => resend.segments.list(),
    'segments.update': () => resend.segments.update(made.segment, { name: 'More news' }),
    'segments.remove': () => resend.segments.remove(made.segment),
    'audiences.create': () => resend.audiences.create({ name: 'News' }),
    'audiences.get': () => resend.audiences.get(listId),
    'audiences.list': () => resend.audiences.list(),
    'audiences.update': () => resend.audiences.update(listId, { name: 'More news' }),
    'audiences.remove': () => resend.audiences.remove(listId),
    'domains.create': async () => {
      const answer = await resend.domains.create({ name: 'mail.example.com' })
      made.domain = answer.data?.id ?? ''
      return answer
    },
    'domains.get': () => resend.domains.get(made.domain),
    'domains.list': () => resend.domains.list(),
    'domains.verify': () => resend.domains.verify(made.domain),
    'domains.remove': () => resend.domains.remove(made.domain),
    'suppressions.add': () => resend.suppressions.add({ email: 'eve@example.net' }),
    'suppressions.get': () => resend.suppressions.get('eve@example.net'),
    'suppressions.list': () => resend.suppressions.list(),
    'suppressions.remove': () => resend.suppressions.remove('eve@example.net'),
    'suppressions.batch.add': () => resend.suppressions.batch.add({ emails: ['eve@example.net'] }),
    'suppressions.batch.remove': () => resend.suppressions.batch.remove({ emails: ['eve@example.net'] }),
  }
  const inner =
    /(^|\.)(constructor|performCreate|build\w+|appendField|forward(Passthrough|Wrapped)|downloadRaw)$|^(logError|fetchRequest|get|post|put|patch|delete|webhooks\.verify)$/
  await walk(t, { section: 'resend', all: methodsOf(resend, inner), spare: 0, works })
})

test('every method of the postmark SDK works, or is 501 with what to use instead', async () => {
  await using t = await testApp()
  const options = { useHttps: false, requestHost: `${t.url.slice('http://'.length)}/compat/postmark` }
  const [postmark, account] = [new ServerClient(t.apiKey, options), new AccountClient(t.apiKey, options)]
  await t.template()
  const mail = { From: from, To: 'bounce@simulator.paquebot.test', Subject: 'x', TextBody: 'x' }
  await postmark.sendEmail(mail)
  await t.settle()
  const bounce = (await postmark.getBounces()).Bounces[0]?.ID ?? 0
  const To = 'ada@example.net'
  const templated = { From: t.app.config.mailFrom.address, To, TemplateAlias: 'hello', TemplateModel: {} }
  const Suppressions = [{ EmailAddress: 'eve@example.net' }]
  const works = {
    sendEmail: () => postmark.sendEmail({ ...mail, To }),
    sendEmailBatch: () => postmark.sendEmailBatch([{ ...mail, To }]),
    sendEmailWithTemplate: () => postmark.sendEmailWithTemplate(templated),
    sendEmailBatchWithTemplates: () => postmark.sendEmailBatchWithTemplates([templated]),
    getDeliveryStatistics: () => postmark.getDeliveryStatistics(),
    getBounces: () => postmark.getBounces(),
    getBounce: () => postmark.getBounce(bounce),
    activateBounce: () => postmark.activateBounce(bounce),
    getSuppressions: () => postmark.getSuppressions('outbound'),
    createSuppressions: () => postmark.createSuppressions('outbound', { Suppressions }),
    deleteSuppressions: () => postmark.deleteSuppressions('outbound', { Suppressions }),
    getOutboundOverview: () => postmark.getOutboundOverview(),
    getSentCounts: () => postmark.getSentCounts(),
    getSpamComplaintsCounts: () => postmark.getSpamComplaintsCounts(),
  }
  const inner = /^(constructor|(set|get)ClientOptions|process\w+|getComposed\w+|verifyToken|setDefault\w+)$/
  const all = new Map([...methodsOf(account, inner), ...methodsOf(postmark, inner)])
  await walk(t, { section: 'postmark', all, spare: 1, works })
})

test('what the other clients of SendGrid and SES call is 501 in their form, with what to use instead', async () => {
  await using t = await testApp()
  const headers = { 'content-type': 'text/csv' }
  const ours = new Set(Object.keys((await t.get('/openapi.json', 200, { as: 'nobody' })).paths))
  const calls = ['GET templates', 'DELETE templates/x', 'GET stats', 'PUT marketing/contacts', 'POST mail/batch']
  const more = [
    'GET messages',
    'GET suppression/bounces',
    'POST asm/groups',
    'GET user/webhooks/event/settings',
    'GET scopes',
  ]
  for (const [method = '', path = ''] of [...calls, ...more].map((one) => one.split(' '))) {
    const body = method === 'GET' ? undefined : 'x'
    const { status, body: told } = await t.unchanged(() =>
      t.request(method, `/compat/sendgrid/v3/${path}`, body, { headers }),
    )
    expect(status).toBe(501)
    expectOurs(told.errors[0].message, ours)
  }
})

test('a path of another service is never 404, 405 or 415: what is not built is 501, and what is built is not called absent', async () => {
  await using t = await testApp()
  const routed = compatRoutes(t.app).routes.filter(({ path }) => path.startsWith(compatPrefix))
  expect(routed.length).toBeGreaterThan(40)
  for (const dialect of [resend, postmark, sendgrid, ses]) {
    const root = `${compatPrefix}${dialect.name}`
    for (const { method, path } of routed.filter(({ path }) => path.startsWith(`${root}/`))) {
      const call = `${method} ${path.slice(root.length).replaceAll(/:\w+/g, 'x_1')}`
      expect(
        dialect.absent.filter(([, calls]) => calls.test(call)),
        call,
      ).toEqual([])
    }
  }
  const { authorization } = { authorization: `Bearer ${t.apiKey}` }
  for (const name of ['resend', 'postmark', 'sendgrid'])
    for (const path of ['', '/', '/x', '/emails', '/email', '/v3/mail/send', '/contacts/imports', '/emails/x/y/z'])
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'POST', 'OPTIONS']) {
        const url = `${t.url}/compat/${name}${path}`
        const body = /GET|HEAD/.test(method) ? null : 'a,b'
        const sent = { authorization, 'x-postmark-server-token': t.apiKey, 'content-type': 'text/csv' }
        const { status } = await fetch(url, { method, body, headers: sent })
        const isBuilt = routed.some((one) => one.path === `/compat/${name}${path}` && one.method === method)
        const wanted = isBuilt ? [200, 415, 422] : method === 'HEAD' && path === '/emails' ? [200, 501] : [501]
        expect(wanted, `${method} ${url}`).toContain(status)
      }
})
