// The mail that asks a person about what their agents would do, and its link: whom it goes to and whom not, what looking at it does, and that it
// decides once, about exactly what was mailed.

import { describe, expect, test } from 'bun:test'
import { simpleParser } from 'mailparser'
import { approvalLinks, approvalMails } from '../db/tables/agents.ts'
import { write } from '../src/core/app.ts'
import { createUser, removeMember, setRole } from '../src/people/access/users.ts'
import { agentOf, type Call, decide, waiting } from './support/airlock.ts'
import { type Json, type RequestOptions, session, type TestApp, testApp } from './support/app.ts'
import { rawMail, type TestMailbox, testMailbox } from './support/mailbox.ts'
import { browserWithPasskey, passkeyEnvironment } from './support/passkey.ts'
import { type Sink, startSink } from './support/smtp-sink.ts'

const owner = 'owner@acme.test'
const linkIn = /http:\/\/[^\s]+(\/approve\/[A-Za-z0-9_-]{43})/

/** An installation that sends mail, a mailbox, and an agent of its owner. */
async function stage(environment: Record<string, string> = {}) {
  const sink = startSink()
  const t = await testApp({ environment: { SMTP_URL: sink.url, INBOUND_DOMAIN: 'in.example.net', ...environment } })
  const mailbox = await testMailbox(t, { address: 'desk@in.example.net' })
  const agent = await agentOf(t, mailbox)
  return {
    t,
    sink,
    mailbox,
    agent,
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]()
      await sink[Symbol.asyncDispose]()
    },
  }
}

async function draftIn(agent: Call, mailbox: TestMailbox, text = 'By steam.'): Promise<string> {
  const { draftId } = await agent('create_draft', { messageId: await mailbox.receive(rawMail()), text })
  expect(draftId).toMatch(/^msg_/)
  return draftId
}

/** The mails to this person, as text. */
async function mailsTo(sink: Sink, email = owner): Promise<{ subject: string; text: string }[]> {
  const mine = sink.received.filter(({ to }) => to.includes(email))
  const parsed = await Promise.all(mine.map(({ raw }) => simpleParser(raw)))
  return parsed.map(({ subject = '', text = '' }) => ({ subject, text }))
}

/** The path of the link in the newest mail to this person. */
async function linkTo(sink: Sink, email = owner): Promise<string> {
  const [, path = ''] = linkIn.exec((await mailsTo(sink, email)).at(-1)?.text ?? '') ?? []
  expect(path).not.toBe('')
  return path
}

const nobody: RequestOptions = { as: 'nobody' }

function press(t: TestApp, path: string, fields: [string, string][], headers: Record<string, string> = {}) {
  const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers }
  return t.request('POST', path, new URLSearchParams(fields).toString(), { as: 'nobody', headers: form })
}

const approving = (...ids: string[]): [string, string][] => [
  ['do', 'approve'],
  ...ids.map((id): [string, string] => ['yes', id]),
]

describe('the mail', () => {
  test('comes a minute later, lists what waits, and at most once in a quarter of an hour', async () => {
    await using s = await stage()
    const { t, sink, mailbox, agent } = s
    for (const text of ['One', 'Two']) await draftIn(agent, mailbox, text)
    await t.settle()
    expect(sink.received).toEqual([])
    await t.advance('1m')
    const [first, ...more] = await mailsTo(sink)
    expect(more).toEqual([])
    expect(first?.subject).toBe('2 things wait for you in Acme')
    expect(first?.text.match(/- to ada@example\.net: Re: A question/g)).toHaveLength(2)
    for (let number = 0; number < 10; number++) await draftIn(agent, mailbox, `More ${number}`)
    await t.advance('13m')
    expect(await mailsTo(sink)).toHaveLength(1)
    await t.advance('2m')
    const [, second, ...others] = await mailsTo(sink)
    expect(others).toEqual([])
    expect(second?.subject).toBe('12 things wait for you in Acme')
    expect(second?.text).toContain('- and 2 more: ')
    await t.advance('25h')
    await t.cleanUp()
    expect(await t.app.db.select().from(approvalMails)).toEqual([])
    expect(await t.app.db.select().from(approvalLinks)).toEqual([])
  })

  test('is not sent where it would be read by agents, where nobody wants it, and for what was decided meanwhile', async () => {
    await using s = await stage()
    const { t, sink, mailbox } = s
    const desk = await write(t.app, (tx) =>
      createUser(tx, t.workspace, { email: 'DESK@in.example.net', passwordHash: null, role: 'owner' }),
    )
    const quiet = await t.person('member', { email: 'quiet@acme.test' })
    await t.request('PUT', '/v1/auth/preferences', { key: 'approvals.mail', value: 'off' }, quiet.as)
    const viewer = await t.person('member', { email: 'viewer@acme.test' })
    for (const madeBy of [desk.id, quiet.userId, viewer.userId, 'operator'])
      await draftIn(await agentOf(t, mailbox, { madeBy }), mailbox)
    await write(t.app, (tx) => setRole(tx, { workspaceId: t.workspace.id, userId: viewer.userId, role: 'viewer' }))
    const gone = await draftIn(s.agent, mailbox)
    const [newest] = await waiting(t)
    expect(newest?.id).toBe(gone)
    await decide(t, 'refuse', newest as Json as { id: string; contentHash: string })
    await t.advance('2m')
    expect(sink.received).toEqual([])
    expect(await t.app.db.select().from(approvalLinks)).toEqual([])
  })

  test('does not exist where no mail leaves, and to whoever has a passkey it leads to the dashboard', async () => {
    await using captured = await testApp()
    const mailbox = await testMailbox(captured)
    await draftIn(await agentOf(captured, mailbox), mailbox)
    await captured.advance('2m')
    expect(await captured.sent()).toEqual([])
    expect(await captured.app.db.select().from(approvalLinks)).toEqual([])
    await using s = await stage(passkeyEnvironment)
    await browserWithPasskey(s.t)
    await draftIn(s.agent, s.mailbox)
    await s.t.advance('2m')
    const [mail] = await mailsTo(s.sink)
    expect(mail?.text).toContain('/dashboard/acme/approvals')
    expect(mail?.text).not.toMatch(linkIn)
    expect(await s.t.app.db.select().from(approvalLinks)).toEqual([])
  })
})

describe('the link', () => {
  test('shows all that would leave and changes nothing, whoever looks; it decides once what is ticked', async () => {
    await using s = await stage()
    const { t, sink, mailbox, agent } = s
    const [one, two] = [await draftIn(agent, mailbox, 'By <b>steam</b>.'), await draftIn(agent, mailbox, 'By cards.')]
    await t.advance('1m')
    const path = await linkTo(sink)
    // What a scanner does.
    for (const method of ['HEAD', 'GET', 'GET', 'OPTIONS'])
      await t.unchanged(() => t.request(method, path, undefined, nobody))
    const seen = await t.request('GET', path, undefined, { as: 'nobody', headers: { 'accept-language': 'de' } })
    expect(seen.status).toBe(200)
    expect(seen.headers.get('cache-control')).toBe('no-store')
    for (const words of [
      'Was Ihre Agenten tun würden',
      'By &lt;b&gt;steam&lt;/b&gt;.',
      'How does the engine work?',
      owner,
    ])
      expect(seen.text).toContain(words)
    expect(seen.text).not.toMatch(/<input[^>]*checked/)
    // Without a tick, from another site, and with another token nothing happens.
    expect((await t.unchanged(() => press(t, path, approving()))).status).toBe(422)
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await t.unchanged(() => press(t, path, approving(one), foreign))).status).toBe(403)
    const forged = `${path.slice(0, -3)}abc`
    expect((await t.unchanged(() => press(t, forged, approving(one)))).status).toBe(410)
    const both = await Promise.all([press(t, path, approving(one)), press(t, path, approving(two))])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 410])
    await t.settle()
    expect(sink.received.filter(({ to }) => to.includes('ada@example.net'))).toHaveLength(1)
    expect((await t.unchanged(() => press(t, path, [['do', 'refuse']]))).status).toBe(410)
    expect((await t.request('GET', path, undefined, nobody)).status).toBe(410)
    const approved = both[0]?.status === 200 ? one : two
    expect(await t.get(`/v1/approvals/${approved}`, 200, session)).toMatchObject({
      status: 'approved',
      decidedBy: { kind: 'person', id: t.user.id },
    })
    const { data } = await t.get(`/v1/audit?thing=${approved}`, 200, session)
    expect(data).toMatchObject([{ actor: { kind: 'person', name: owner } }])
    // Its token is in no log, no row and no list of what was sent.
    const token = path.split('/')[2] ?? ''
    const stored = JSON.stringify([
      await t.app.db.select().from(approvalLinks),
      await t.get('/v1/activity', 200),
      await t.get('/v1/audit', 200, session),
      await agent('list_drafts'),
    ])
    expect(stored + t.logged.join('')).not.toContain(token)
  })

  test('does not do what has changed, and tells the second person who was first', async () => {
    await using s = await stage()
    const { t, sink, mailbox, agent } = s
    const edited = await draftIn(agent, mailbox, 'Before.')
    const decided = await draftIn(agent, mailbox, 'Decided.')
    await t.advance('1m')
    const path = await linkTo(sink)
    await agent('update_draft', { draftId: edited, text: 'After.' })
    const grace = await t.person('member')
    const other = (await waiting(t)).find(({ id }) => id === decided)
    await decide(t, 'refuse', other, grace.as)
    const { text } = await t.request('GET', path, undefined, nobody)
    expect(text).toContain('It has changed since it was mailed to you')
    expect(text).toContain(`Refused by ${grace.email}`)
    expect(text).not.toContain('After.')
    const done = await press(t, path, approving(edited, decided))
    expect(done.text).toContain('It has changed since it was mailed to you')
    expect(done.text).toContain(`refused before by ${grace.email}`)
    await t.settle()
    expect(sink.received.filter(({ to }) => to.includes('ada@example.net'))).toEqual([])
    expect((await waiting(t)).map(({ id }) => id)).toEqual([edited])
  })

  test.each([
    ['is older than a day', async (t: TestApp) => void t.clock.advance(24 * 3_600_000)],
    [
      'has a person who may only look',
      async (t: TestApp, userId: string) => {
        await write(t.app, (tx) => setRole(tx, { workspaceId: t.workspace.id, userId, role: 'viewer' }))
      },
    ],
    [
      'has a person who left',
      async (t: TestApp, userId: string) => {
        await write(t.app, (tx) => removeMember(tx, t.workspace.id, userId))
      },
    ],
    [
      'has a person with a passkey by now',
      async (t: TestApp, userId: string) => void (await browserWithPasskey(t, userId)),
    ],
  ])('decides nothing once it %s', async (_, change) => {
    await using s = await stage(passkeyEnvironment)
    const { t, sink, mailbox } = s
    const { userId, email } = await t.person('member')
    const draft = await draftIn(await agentOf(t, mailbox, { madeBy: userId }), mailbox)
    await t.advance('1m')
    const path = await linkTo(sink, email)
    expect(await mailsTo(sink)).toEqual([])
    await change(t, userId)
    for (const does of [approving(draft), [['do', 'refuse']] as [string, string][]])
      expect((await t.unchanged(() => press(t, path, does))).status).toBe(410)
  })

  test('is no way around what it lists: what another list holds is not approved by it', async () => {
    await using s = await stage()
    const { t, sink, mailbox, agent } = s
    await draftIn(agent, mailbox)
    await t.advance('1m')
    const path = await linkTo(sink)
    const later = await draftIn(agent, mailbox, 'Not mailed yet.')
    const done = await press(t, path, approving(later))
    expect(done.status).toBe(422)
    expect((await waiting(t)).map(({ status }) => status)).toEqual(['waiting', 'waiting'])
  })

  test('switches the mails off, and still decides', async () => {
    await using s = await stage()
    const { t, sink, mailbox, agent } = s
    const draft = await draftIn(agent, mailbox)
    await t.advance('1m')
    const path = await linkTo(sink)
    expect((await press(t, path, [['do', 'stop']])).status).toBe(200)
    expect(await t.get('/v1/auth/preferences', 200, session)).toMatchObject({
      data: [{ key: 'approvals.mail', value: 'off' }],
    })
    await draftIn(agent, mailbox)
    await t.advance('20m')
    expect(await mailsTo(sink)).toHaveLength(1)
    expect((await press(t, path, approving(draft))).text).toContain('Approved')
  })
})
