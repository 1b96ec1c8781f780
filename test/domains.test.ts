// Whose a domain is: one owner in an installation, asked of the DNS or told by the operator, and the same rule for whoever sends from
// it, receives at it or answers from it.

import { Database as SQLite } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { write } from '../src/core/app.ts'
import { listenForMail } from '../src/features/mailboxes/listen.ts'
import { createMailbox, findReceiver } from '../src/features/mailboxes/mailboxes.ts'
import { ownershipRecord, vouchFor, withdraw } from '../src/people/domain-owners.ts'
import { type Json, type RequestOptions, type TestApp, type TestAppOptions, testApp } from './support/app.ts'
import { draft, listOf, statsOf } from './support/campaign.ts'
import { cli } from './support/cli.ts'
import { remoteDatabase } from './support/database.ts'
import { type NameServer, nameServer } from './support/dns.ts'
import { rawMail } from './support/mailbox.ts'
import { smtpClient } from './support/smtp-client.ts'
import { type Sink, startSink } from './support/smtp-sink.ts'

const sendPath = '/v1/transactional/send'
const to = { email: 'ada@example.net', templateId: 'hello' }

interface Stage extends AsyncDisposable {
  t: TestApp
  dns: NameServer
  sink: Sink
  /** The second workspace. */
  other: RequestOptions & { workspaceId: string }
}

/** An installation of two workspaces that really sends. */
async function stage(options: TestAppOptions = {}): Promise<Stage> {
  const sink = startSink()
  const dns = await nameServer()
  const environment = {
    SMTP_URL: sink.url,
    MAIL_FROM: 'House <hello@house.example>',
    INBOUND_DOMAIN: 'in.house.example',
    ...options.environment,
  }
  const t = await testApp({ dns: dns.resolver, ...options, environment })
  const { workspace, apiKey } = await t.stranger()
  return {
    t,
    dns,
    sink,
    other: { as: { apiKey }, workspaceId: workspace.id },
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]()
      await sink[Symbol.asyncDispose]()
      await dns[Symbol.asyncDispose]()
    },
  }
}

const addDomain = (t: TestApp, domain: string, options?: RequestOptions): Promise<Json> =>
  t.post('/v1/sending-domains', { domain }, 201, options)
const verify = (t: TestApp, { id }: Json, options?: RequestOptions): Promise<Json> =>
  t.post(`/v1/sending-domains/${id}/verify`, {}, 200, options)

/** Publishes the record that names the workspace. */
function publish({ dns }: Stage, { dnsRecords }: Json): void {
  const [{ name, value }] = dnsRecords
  dns.names.set(name, [...recordsAt(dns, name), value])
}

function unpublish({ dns }: Stage, { dnsRecords }: Json): void {
  const [{ name, value }] = dnsRecords
  const left = recordsAt(dns, name).filter((text) => text !== value)
  if (left.length > 0) dns.names.set(name, left)
  else dns.names.delete(name)
}

function recordsAt(dns: NameServer, name: string): string[] {
  const there = dns.names.get(name)
  return Array.isArray(there) ? there : []
}

describe('a workspace uses the domains that are its own', () => {
  test('X2 M15: adding a domain gives no right to it: nothing leaves from it, and the refusal holds the record to publish', async () => {
    await using s = await stage()
    const { t, sink } = s
    await t.template({ fromEmail: 'ceo@victim.example' })
    const added = await addDomain(t, 'victim.example')
    expect(added).toMatchObject({ status: 'pending', proof: null })
    const refused = await t.unchanged(() => t.post(sendPath, to, 403))
    const record = ownershipRecord(t.workspace.id, 'victim.example')
    expect(refused).toMatchObject({
      code: 'domain_not_verified',
      errors: [{ path: 'fromEmail', code: 'domain_not_verified' }],
      domain: 'victim.example',
      dnsRecords: [record],
    })
    expect(record.name).toBe('_paquebot.victim.example')
    expect(added.dnsRecords).toContainEqual(record)
    expect(await verify(t, added)).toMatchObject({ status: 'failed', proof: null, ownership: 'missing' })
    await t.unchanged(() => t.post(sendPath, to, 403))
    publish(s, added)
    expect(await verify(t, added)).toMatchObject({ status: 'verified', proof: 'dns', ownership: 'ok', dkim: 'missing' })
    expect((await t.post(sendPath, to, 200)).warnings ?? []).toEqual([])
    await t.settle()
    expect(sink.received.map(({ raw }) => /^From: .*$/m.exec(raw.toString())?.[0])).toEqual([
      'From: House <ceo@victim.example>',
    ])
  })

  test('a published DKIM key says the same as the ownership record', async () => {
    await using s = await stage()
    const { t, dns } = s
    await t.template({ fromEmail: 'news@keyed.example' })
    const added = await addDomain(t, 'keyed.example')
    for (const { name, value } of added.dnsRecords.slice(1)) dns.names.set(name, [value])
    expect(await verify(t, added)).toMatchObject({ status: 'verified', proof: 'dns', ownership: 'ok', dkim: 'ok' })
    await t.post(sendPath, to, 200)
  })

  test.each([
    ['a subdomain', 'me@mail.own.example'],
    ['the parent', 'me@example'],
    ['a name that only begins so', 'me@own.example.evil.test'],
    ['a name that only ends so', 'me@notown.example'],
  ])('the right to own.example is none to %s', async (_, fromEmail) => {
    await using s = await stage()
    const { t } = s
    await write(t.app, (tx) => vouchFor(tx, { workspaceId: t.workspace.id, domain: 'own.example' }))
    await t.template({ fromEmail })
    expect((await t.unchanged(() => t.post(sendPath, to, 403))).code).toBe('domain_not_verified')
  })

  test('a subdomain can be proved by one workspace while another has the parent', async () => {
    await using s = await stage()
    const { t, other } = s
    const parent = await addDomain(t, 'shared.example')
    const child = await addDomain(t, 'a.shared.example', other)
    publish(s, parent)
    publish(s, child)
    expect((await verify(t, parent)).proof).toBe('dns')
    expect((await verify(t, child, other)).proof).toBe('dns')
  })

  test('a domain is the same in any case, in Unicode and in Punycode; one with a dot at its end is refused', async () => {
    await using s = await stage()
    const { t, other } = s
    const added = await addDomain(t, 'Bücher.Example')
    expect(added.domain).toBe('xn--bcher-kva.example')
    publish(s, added)
    await verify(t, added)
    await t.template({ fromEmail: 'Ceo@BÜCHER.example' })
    await t.template({ fromEmail: 'ceo@xn--BCHER-kva.example' }, other)
    await t.post(sendPath, to, 200)
    expect((await t.unchanged(() => t.post(sendPath, to, 403, other))).code).toBe('domain_not_verified')
    await t.settle()
    expect(s.sink.received[0]?.raw.toString()).toContain('\r\nFrom: House <Ceo@xn--bcher-kva.example>\r\n')
    const same = await addDomain(t, 'xn--BCHER-kva.example', other)
    expect(same.domain).toBe('xn--bcher-kva.example')
    for (const domain of ['bücher.example.', 'example', '.example', 'a..example', '*.example', 'münchen'])
      await t.post('/v1/sending-domains', { domain }, 422)
  })

  test('the domains that the operator named are for all; an address there is of the first workspace that took it', async () => {
    await using s = await stage()
    const { t, other } = s
    await t.post('/v1/mailboxes', { address: 'desk@in.house.example' }, 201)
    await t.post('/v1/mailboxes', { address: 'Desk@IN.house.example' }, 409, other)
    await t.template({ fromEmail: 'desk@in.house.example' })
    await t.post(sendPath, to, 200)
    await t.template({ fromEmail: 'desk@in.house.example' }, other)
    const refused = await t.unchanged(() => t.post(sendPath, to, 403, other))
    expect([refused.code, refused.errors[0].message]).toEqual([
      'domain_not_verified',
      'desk@in.house.example is a mailbox of another workspace.',
    ])
    for (const fromEmail of ['sales@house.example', 'hello@house.example', 'sales@in.house.example']) {
      await t.put('/v1/transactional/update', { id: 'hello', fromEmail }, 200, other)
      await t.post(sendPath, to, 200, other)
    }
    // Whoever made a mailbox of the sender of all others has not taken it from them.
    await t.post('/v1/mailboxes', { address: 'hello@house.example' }, 201)
    await t.put('/v1/transactional/update', { id: 'hello', fromEmail: null }, 200, other)
    await t.post(sendPath, to, 200, other)
  })

  test('addresses that speak for all at a domain of the operator are of the first workspace, or of whom the operator gives one', async () => {
    await using s = await stage()
    const { t, other } = s
    await t.template({ fromEmail: 'hello@house.example' })
    await t.template({ fromEmail: 'hello@house.example' }, other)
    const sendFrom = async (fromEmail: string, status: number, options?: RequestOptions) => {
      await t.put('/v1/transactional/update', { id: 'hello', fromEmail }, 200, options)
      return await t.post(sendPath, to, status, options)
    }
    const whole = ['postmaster', 'Abuse', 'HOSTMASTER', 'webmaster', 'admin', 'administrator', 'security', 'root']
    for (const name of [...whole, 'postmaster+x', 'ABUSE+x+y', 'www', 'ftp+'])
      for (const domain of ['in.house.example', 'house.example']) {
        const address = `${name}@${domain}`
        await t.unchanged(() => t.post('/v1/mailboxes', { address }, 403, other))
        const refused = await sendFrom(address, 403, other)
        expect(refused).toMatchObject({ code: 'domain_not_verified', errors: [{ path: 'fromEmail' }] })
        await sendFrom(address, 200)
      }
    // Mail to the postmaster, where there is no such mailbox, is not for whoever made the first one.
    const receiver = async () => (await findReceiver(t.app, 'postmaster@in.house.example'))?.address
    await t.post('/v1/mailboxes', { address: 'desk@in.house.example' }, 201, other)
    expect(await receiver()).toBeUndefined()
    await t.post('/v1/mailboxes', { address: 'office@in.house.example' }, 201)
    expect(await receiver()).toBe('office@in.house.example')
    const given = { address: 'abuse@in.house.example', name: 'Abuse' }
    await write(t.app, (tx) => createMailbox(tx, t.app.config, other.workspaceId, given))
    for (const name of ['abuse', 'abuse+1']) {
      await sendFrom(`${name}@in.house.example`, 200, other)
      await sendFrom(`${name}@in.house.example`, 403)
    }
  })

  test('campaigns are refused likewise, and one that runs is paused when its domain goes', async () => {
    await using s = await stage()
    const { t, sink } = s
    const { list } = await listOf(t, 3)
    const refused = await t.unchanged(() => t.post('/v1/campaigns', campaign(list.id), 403))
    expect(refused).toMatchObject({ code: 'domain_not_verified', errors: [{ path: 'fromEmail' }] })
    await write(t.app, (tx) => vouchFor(tx, { workspaceId: t.workspace.id, domain: 'news.example' }))
    const id = await draft(t, list, { fromEmail: 'July@News.Example' })
    await write(t.app, (tx) => withdraw(tx, 'news.example'))
    expect((await t.unchanged(() => t.post(`/v1/campaigns/${id}/send`, {}, 403))).code).toBe('domain_not_verified')
    await write(t.app, (tx) => vouchFor(tx, { workspaceId: t.workspace.id, domain: 'news.example' }))
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    await write(t.app, (tx) => withdraw(tx, 'news.example'))
    await t.settle()
    expect(await t.get(`/v1/campaigns/${id}`, 200)).toMatchObject({
      status: 'paused',
      pauseReason: 'domain_not_verified',
    })
    expect(sink.received).toHaveLength(0)
    await write(t.app, (tx) => vouchFor(tx, { workspaceId: t.workspace.id, domain: 'news.example' }))
    await t.post(`/v1/campaigns/${id}/resume`, {}, 200)
    await t.advance('2s')
    expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 3 })
  })

  test('what was accepted leaves only while its sender may still be used', async () => {
    await using s = await stage()
    const { t, sink } = s
    const owned = { workspaceId: t.workspace.id, domain: 'later.example' }
    await write(t.app, (tx) => vouchFor(tx, owned))
    await t.template({ fromEmail: 'me@later.example' })
    const scheduledAt = new Date(t.clock.now().getTime() + 3_600_000).toISOString()
    const { messageId } = await t.post(sendPath, { ...to, scheduledAt }, 200)
    await write(t.app, (tx) => vouchFor(tx, { ...owned, workspaceId: s.other.workspaceId }))
    await t.advance('2h')
    expect(sink.received).toHaveLength(0)
    const { status, events } = await t.get(`/v1/activity/${messageId}`, 200)
    expect([status, events.at(-1).code]).toEqual(['failed', 'domain_not_verified'])
  })

  test('a template with a sender that is not the workspace’s is taken, with a warning at once', async () => {
    await using s = await stage()
    const { t } = s
    const body = { id: 'foreign', name: 'x', subject: 'x', content: [{ type: 'text', text: 'x' }] }
    const made = await t.template({ ...body, fromEmail: 'ceo@victim.example' })
    expect(made.warnings).toMatchObject([{ path: 'fromEmail', code: 'domain_not_verified' }])
    expect(made.warnings[0].message).toContain('Until then each send is refused.')
    const house = await t.put('/v1/transactional/update', { id: 'foreign', fromEmail: 'hello@house.example' }, 200)
    expect(house.warnings).toEqual([])
    const again = await t.put('/v1/transactional/update', { id: 'foreign', fromEmail: 'ceo@other.example' }, 200)
    expect(again.warnings).toMatchObject([{ path: 'fromEmail', code: 'domain_not_verified' }])
    await t.put('/v1/transactional/update', { id: 'foreign', fromEmail: null }, 200)
    const refused = await t.post(sendPath, { email: 'a@b.example', templateId: 'foreign', replyTo: 'no' }, 422)
    expect(refused.detail).toMatch(/^replyTo: must have/)
  })

  test('in capture mode nothing leaves, so a sender that would be refused is a warning', async () => {
    await using t = await testApp()
    await t.template({ fromEmail: 'ceo@victim.example' })
    const { warnings } = await t.post(sendPath, to, 200)
    expect(warnings).toMatchObject([{ path: 'fromEmail', code: 'domain_not_verified' }])
    const mailbox = await t.post('/v1/mailboxes', { address: 'ceo@victim.example' }, 201)
    expect(mailbox.warnings).toMatchObject([{ path: 'address', code: 'domain_not_verified' }])
    const { list } = await listOf(t, 1)
    const made = await t.post('/v1/campaigns', { ...campaign(list.id), fromEmail: 'ceo@victim.example' }, 201)
    expect(made.warnings).toContainEqual(expect.objectContaining({ path: 'fromEmail', code: 'domain_not_verified' }))
  })
})

const campaign = (mailingListId: string) => ({
  name: 'July',
  subject: 'News',
  mailingListId,
  content: [{ type: 'text', text: 'News' }],
  fromEmail: 'july@news.example',
})

describe('the SPF record to publish', () => {
  const spfOf = ({ domain, dnsRecords }: Json): string =>
    dnsRecords.find(({ name }: Json) => name === domain)?.value ?? 'none'

  test('it keeps what is published and adds what the relay needs', async () => {
    await using s = await stage({ environment: { SMTP_URL: 'smtp://u:p@smtp.eu.mailgun.org:587' } })
    const { t, dns } = s
    const cases: [published: string[], wanted: string][] = [
      [[], 'v=spf1 include:mailgun.org ~all'],
      [['v=spf1 include:_spf.google.com -all'], 'v=spf1 include:_spf.google.com include:mailgun.org -all'],
      [['v=spf1 include:Mailgun.org ?all', 'another text'], 'v=spf1 include:Mailgun.org ?all'],
      [['v=spf1 a redirect=_spf.other.example'], 'v=spf1 a include:mailgun.org redirect=_spf.other.example'],
      [['v=spf1 a mx -all', 'v=spf1 mx ip4:192.0.2.1 ~all'], 'v=spf1 a mx ip4:192.0.2.1 include:mailgun.org -all'],
    ]
    for (const [index, [published, wanted]] of cases.entries()) {
      const domain = `spf${index}.example`
      if (published.length > 0) dns.names.set(domain, published)
      const added = await addDomain(t, domain)
      expect(spfOf(added)).toBe(wanted)
      expect(spfOf(await verify(t, added))).toBe(wanted)
    }
    const { data } = await t.get('/v1/sending-domains', 200)
    expect(data.map(spfOf)).toEqual(cases.map(([, wanted]) => wanted))
  })

  test('it knows the relays of the workspace, and a relay that it does not name is told', async () => {
    await using s = await stage({ environment: { SMTP_URL: 'smtp://u:p@smtp.eu.mailgun.org:587' } })
    const { t, dns } = s
    const relay = (url: string, more: object = {}) => t.post('/v1/relays', { name: url, url, ...more }, 201)
    await relay('smtp://u:p@smtp.sendgrid.net')
    await relay('mx://mail.acme.com', { weight: 0 })
    await relay('smtp://u:p@smtp.mailjet.com', { state: 'off' })
    const { workspace } = await t.stranger('other')
    await relay('smtp://u:p@smtp.postmarkapp.com', { workspaceId: workspace.id })
    const shared = 'include:mailgun.org include:sendgrid.net a:mail.acme.com'
    const added = await addDomain(t, 'spf.example')
    expect(spfOf(added)).toBe(`v=spf1 ${shared} ~all`)
    // By what the record includes.
    dns.names.set('spf.example', ['v=spf1 include:_spf.house.example -all'])
    dns.names.set('_spf.house.example', ['v=spf1 include:mailgun.org include:_spf.house.example -all'])
    expect(await verify(t, added)).toMatchObject({
      spf: 'ok',
      detail: expect.stringMatching(/the SPF record of spf\.example has no include:sendgrid\.net: /),
    })
    dns.names.set('_spf.house.example', ['v=spf1 include:mailgun.org include:sendgrid.net -all'])
    expect((await verify(t, added)).detail).not.toContain('SPF')
    await relay('smtp://u:p@smtp.mandrillapp.com', { workspaceId: t.workspace.id })
    expect(spfOf(await addDomain(t, 'own.example'))).toBe('v=spf1 include:spf.mandrillapp.com ~all')
  })

  test.each([
    ['smtp://127.0.0.1:25', 'v=spf1 a mx ~all'],
    ['smtp://relay.house.example', 'v=spf1 a:relay.house.example ~all'],
    ['smtps://email-smtp.eu-west-1.amazonaws.com', 'v=spf1 include:amazonses.com ~all'],
  ])('for the relay %s it is %s', async (relay, wanted) => {
    await using s = await stage({ environment: { SMTP_URL: relay } })
    expect(spfOf(await addDomain(s.t, 'fresh.example'))).toBe(wanted)
  })
})

describe('one owner at a time', () => {
  test('a row that nobody verified blocks nobody; a verified domain moves only when the old record is gone', async () => {
    await using s = await stage()
    const { t, dns, other } = s
    const squatter = await addDomain(t, 'moving.example')
    const theirs = await addDomain(t, 'moving.example', other)
    publish(s, theirs)
    expect(await verify(t, theirs, other)).toMatchObject({ status: 'verified', proof: 'dns' })
    // Both records are there: the first that was found stays.
    publish(s, squatter)
    expect(await verify(t, squatter)).toMatchObject({ status: 'failed', proof: null, ownership: 'wrong' })
    expect((await verify(t, squatter)).detail).toContain('belongs to another workspace')
    // A name server that does not answer takes nothing away.
    unpublish(s, theirs)
    const [{ name }] = theirs.dnsRecords
    const left = recordsAt(dns, name)
    dns.names.set(name, 'servfail')
    expect(await verify(t, squatter)).toMatchObject({ proof: null })
    dns.names.set(name, left)
    expect(await verify(t, squatter)).toMatchObject({ status: 'verified', proof: 'dns', ownership: 'ok' })
    const { data } = await t.get('/v1/sending-domains', 200, other)
    expect(data).toMatchObject([{ domain: 'moving.example', status: 'failed', proof: null }])
  })

  test('the key of the old owner holds the domain as its record does', async () => {
    await using s = await stage()
    const { t, dns, other } = s
    const old = await addDomain(t, 'keyed.example', other)
    for (const { name, value } of old.dnsRecords.slice(1, 3)) dns.names.set(name, [value])
    await verify(t, old, other)
    const fresh = await addDomain(t, 'keyed.example')
    publish(s, fresh)
    expect(await verify(t, fresh)).toMatchObject({ proof: null, ownership: 'wrong' })
    for (const { name, value } of fresh.dnsRecords.slice(1, 3)) dns.names.set(name, [value])
    expect(await verify(t, fresh)).toMatchObject({ proof: 'dns' })
  })

  test('of two that verify at the same moment one becomes the owner', async () => {
    await using s = await stage()
    const { t, other } = s
    for (const round of [1, 2]) {
      const [one, two] = [await addDomain(t, `race${round}.example`), await addDomain(t, `race${round}.example`, other)]
      publish(s, one)
      publish(s, two)
      const found = await Promise.all([verify(t, one), verify(t, two, other), verify(t, one), verify(t, two, other)])
      expect(found.filter(({ proof }) => proof === 'dns').length).toBe(2)
      const after = [await verify(t, one), await verify(t, two, other)].map(({ proof }) => proof)
      expect(after.toSorted()).toEqual(['dns', null])
    }
  })

  test('the mailbox of MAIL_FROM is the first workspace’s: answers to the mail of all come there', async () => {
    await using s = await stage()
    const { t } = s
    t.clock.advance(1_000)
    const { apiKey } = await t.stranger('later')
    const other = { as: { apiKey } }
    for (const address of ['hello@house.example', 'Hello@House.Example'])
      expect((await t.unchanged(() => t.post('/v1/mailboxes', { address }, 403, other))).detail).toContain('MAIL_FROM')
    await t.post('/v1/mailboxes', { address: 'desk@house.example' }, 201, other)
    expect(await t.post('/v1/mailboxes', { address: 'hello@house.example' }, 201)).toMatchObject({
      address: 'hello@house.example',
    })
    // It is the sender of the others all the same.
    await t.template({ fromEmail: 'hello@house.example' }, other)
    await t.post(sendPath, to, 200, other)
  })

  test('what the operator gave does not move by the DNS, only by the operator', async () => {
    await using s = await stage()
    const { t, other } = s
    await write(t.app, (tx) => vouchFor(tx, { workspaceId: other.workspaceId, domain: 'given.example' }))
    const mine = await addDomain(t, 'given.example')
    publish(s, mine)
    expect(await verify(t, mine)).toMatchObject({ status: 'failed', proof: null, ownership: 'wrong' })
    const theirs = await addDomain(t, 'given.example', other)
    expect(theirs).toMatchObject({ status: 'verified', proof: 'operator' })
    publish(s, theirs)
    expect(await verify(t, theirs, other)).toMatchObject({ proof: 'operator' })
    await write(t.app, (tx) => withdraw(tx, 'given.example'))
    expect(await verify(t, mine)).toMatchObject({ proof: 'dns' })
  })

  test('an owner who loses a domain is told', async () => {
    await using s = await stage()
    const { t, other } = s
    const mine = await addDomain(t, 'told.example')
    const records = mine.dnsRecords as { name: string; value: string }[]
    for (const { name, value } of records) s.dns.names.set(name, [value])
    await verify(t, mine)
    s.dns.names.clear()
    const theirs = await addDomain(t, 'told.example', other)
    publish(s, theirs)
    const { id } = await t.endpoint({
      url: 'https://hooks.example.com/x',
      status: 'active',
      eventFilters: ['domain.failed'],
    })
    await verify(t, theirs, other)
    const { data } = await t.get(`/v1/webhook-endpoints/${id}/deliveries`, 200, { as: 'session' })
    expect(data.map(({ eventName, type }: Json) => eventName ?? type)).toEqual(['domain.failed'])
  })
})

describe('mail goes to the owner', () => {
  test('a mailbox at a foreign domain is refused, and the owner has the address whoever took it before', async () => {
    await using s = await stage()
    const { t, other } = s
    const refused = await t.unchanged(() => t.post('/v1/mailboxes', { address: 'ceo@victim.example' }, 403))
    expect(refused).toMatchObject({ code: 'domain_not_verified', errors: [{ path: 'address' }] })
    await write(t.app, (tx) => vouchFor(tx, { workspaceId: t.workspace.id, domain: 'victim.example' }))
    const taken = await t.post('/v1/mailboxes', { address: 'ceo@victim.example' }, 201)
    await write(t.app, (tx) => vouchFor(tx, { workspaceId: other.workspaceId, domain: 'victim.example' }))
    expect(await arrives(t, 'ceo@victim.example')).toMatch(/^550 /)
    await t.post('/v1/mailboxes', { address: 'CEO@victim.example' }, 201, other)
    await t.post('/v1/mailboxes', { address: 'ceo@victim.example' }, 409, other)
    expect(await arrives(t, 'Ceo@Victim.Example')).toMatch(/^250 /)
    const { data } = await t.get(`/v1/mailboxes/${taken.id}/messages`, 200, { as: 'session' })
    expect(data).toEqual([])
  })

  test("nothing is answered from a domain that is not the mailbox owner's any more", async () => {
    await using s = await stage()
    const { t } = s
    const owned = { workspaceId: t.workspace.id, domain: 'answers.example' }
    await write(t.app, (tx) => vouchFor(tx, owned))
    const { id } = await t.post('/v1/mailboxes', { address: 'desk@answers.example' }, 201)
    expect(await arrives(t, 'desk@answers.example')).toMatch(/^250 /)
    const { token } = await t.post(`/v1/mailboxes/${id}/tokens`, {}, 201, { as: 'session' })
    const { data } = await t.get(`/v1/mailboxes/${id}/messages`, 200, { as: 'session' })
    await write(t.app, (tx) => withdraw(tx, 'answers.example'))
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
    const params = { name: 'reply_to_email', arguments: { messageId: data[0].id, text: 'Hello' } }
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' }
    const reply = await t.request('POST', '/mailbox/mcp', { ...call, params }, { as: 'nobody', headers })
    expect(reply.text).toContain('domain_not_verified')
    await t.settle()
    expect(s.sink.received).toHaveLength(0)
  })
})

/** What the listener says at the end of a mail to `address`, or to its RCPT. */
async function arrives(t: TestApp, address: string): Promise<string> {
  const listener = await listenForMail(t.app, { port: 0, host: '127.0.0.1' })
  try {
    using client = await smtpClient(listener.port)
    await client.reply()
    await client.say('EHLO mx.example.org')
    await client.say('MAIL FROM:<ada@example.org>')
    const taken = await client.say(`RCPT TO:<${address}>`)
    if (!taken.startsWith('250')) return taken
    await client.say('DATA')
    client.write(`${rawMail({ to: address })}\r\n.\r\n`)
    return await client.reply()
  } finally {
    await listener.close()
  }
}

test('on the command line the operator vouches for a domain, gives it to another workspace, and takes it back', async () => {
  using c = await cli()
  await c.run(['workspace', 'create', '--slug', 'one'])
  await c.run(['workspace', 'create', '--slug', 'two'])
  const vouch = (slug: string, domain: string) =>
    c.run(['domain', 'vouch', '--workspace', slug, '--domain', domain, '--json'])
  expect((await vouch('one', 'Shop.Example')).json).toEqual({
    domain: 'shop.example',
    workspace: 'one',
    proof: 'operator',
    former: null,
  })
  expect((await vouch('two', 'shop.example')).json.former).toBe('one')
  expect((await vouch('two', 'nonsense')).code).toBe(2)
  const make = (slug: string, address: string) =>
    c.run(['mailbox', 'create', '--workspace', slug, '--address', address, '--json'])
  // A mailbox made here is the operator's word too, but takes nothing from another workspace in passing.
  expect((await make('one', 'desk@shop.example')).code).toBe(1)
  expect((await make('one', 'desk@other.example')).code).toBe(0)
  expect((await vouch('two', 'other.example')).json.former).toBe('one')
  if (!remoteDatabase) {
    const database = new SQLite(join(c.directory, 'paquebot.db'))
    database.run("UPDATE domain_owners SET proof = 'kept' WHERE domain = 'shop.example'")
    database.close()
    const { json } = await c.run(['doctor', '--json'])
    const found = json.checks.find(({ name }: Json) => name === 'domains')
    expect(found.ok).toBe(false)
    expect(found.detail).toContain('shop.example (two)')
  }
  const withdrawn = await c.run(['domain', 'withdraw', '--domain', 'shop.example'])
  expect([withdrawn.code, withdrawn.out]).toEqual([0, 'No workspace owns shop.example now.\n'])
})
