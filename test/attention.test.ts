// What needs attention: each kind of it is told, with the time since when it is so, to those whom it concerns.

import { expect, test } from 'bun:test'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { sql } from 'drizzle-orm'
import { openDatabase } from '../db/open.ts'
import { providerHooks, trustChanges } from '../db/tables/campaigns.ts'
import { contactImports } from '../db/tables/contacts.ts'
import { linkDomains } from '../db/tables/domains.ts'
import { confirmationMails } from '../db/tables/lists.ts'
import { mailboxDrafts, mailboxes } from '../db/tables/mailboxes.ts'
import { messages } from '../db/tables/messages.ts'
import { endedPid, outboxJobs, processes, sendingFaults } from '../db/tables/outbox.ts'
import { paymentEvents, paymentIntegrations } from '../db/tables/payments.ts'
import { segmentMarks } from '../db/tables/segments.ts'
import { sequenceSignals } from '../db/tables/sequences.ts'
import { webhookEndpoints } from '../db/tables/webhooks.ts'
import { installation } from '../db/tables/workspaces.ts'
import { type Tx, write } from '../src/core/app.ts'
import { noteReport } from '../src/features/campaigns/feedback.ts'
import { countSending } from '../src/features/campaigns/reputation/caps.ts'
import { sealUnsubscribe } from '../src/features/contacts/consent/unsubscribe-link.ts'
import { messageAddress, type Purpose } from '../src/features/sending/activity/message-address.ts'
import { takeMessageMail } from '../src/features/sending/feedback/bounces.ts'
import { trackingToken } from '../src/features/sending/tracking/links.ts'
import { newId } from '../src/kit/id.ts'
import { version } from '../src/kit/version.ts'
import { toRawMail } from '../src/mail/raw-mail.ts'
import { archiveState } from '../src/operator/archive/archive.ts'
import { attentionOfInstallation, rememberFirstSeen } from '../src/operator/attention/attention.ts'
import { ofRoom } from '../src/operator/attention/installation.ts'
import { codes, rules } from '../src/operator/attention/rules.ts'
import { noteBackup } from '../src/operator/backup/last.ts'
import { checkQuarantine } from '../src/operator/quarantine/quarantine.ts'
import { resumeAsIs } from '../src/operator/quarantine/resume.ts'
import { createSession } from '../src/people/access/sessions.ts'
import { addMember, createUser } from '../src/people/access/users.ts'
import { type Json, type RequestOptions, type TestApp, testApp } from './support/app.ts'
import { draft, listOf } from './support/campaign.ts'
import { remoteDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { illDomains } from './support/ill-domains.ts'
import { publish, tell, templates } from './support/sequences.ts'
import { startSink } from './support/smtp-sink.ts'
import { type Sqld, startSqld, startStrongSqld } from './support/sqld.ts'
import { sinkEnvironment } from './support/webhook-sink.ts'

const told = new Set<string>()

async function itemsOf(t: TestApp, options?: RequestOptions): Promise<Json[]> {
  const { data } = await t.get('/v1/attention', 200, options)
  for (const { code } of data) told.add(code)
  return data
}

const codesOf = async (t: TestApp, options?: RequestOptions) => (await itemsOf(t, options)).map(({ code }) => code)
const put = (t: TestApp, unit: (tx: Tx) => Promise<unknown>) => write(t.app, unit)
const hours = (n: number) => n * 3_600_000

test('the installation tells those whose it is what runs, when it was backed up, and whether it is held', async () => {
  await using t = await testApp({
    environment: { BACKUP_TO: 'backups', BACKUP_PASSPHRASE: 'long enough for a test', BACKUP_SCHEDULE: '5 4 * * *' },
  })
  const fresh = await t.get('/v1/installation', 200)
  expect(fresh).toEqual({ version, backup: { schedule: '5 4 * * *', last: null }, held: null })
  const takenAt = t.clock.now()
  await noteBackup(t.app, { path: '/b.age', bytes: 7, takenAt, tables: 1, rows: 1, hasSecret: true })
  const held = { because: 'older', since: takenAt, servedUntil: null }
  await put(t, (tx) =>
    tx.db.insert(installation).values({ name: 'held', value: JSON.stringify(held), updatedAt: takenAt }),
  )
  expect(await t.get('/v1/installation', 200, { as: 'session' })).toMatchObject({
    backup: { last: { path: '/b.age', sizeBytes: 7, takenAt: takenAt.toISOString() } },
    held: { reason: expect.stringContaining('a backup was restored'), since: takenAt.toISOString(), servedUntil: null },
  })
  const { apiKey } = await t.stranger()
  expect((await t.get('/v1/installation', 403, { as: { apiKey } })).code).toBe('forbidden')
})

test('a database that went back with its whole machine says so, once something comes to a mail that it does not know', async () => {
  await using t = await testApp({ environment: { INBOUND_DOMAIN: 'in.acme.test', MESSAGE_RETENTION_DAYS: '30' } })
  const behind = async () => (await itemsOf(t)).filter(({ code }) => code === 'database_behind')
  const raw = await toRawMail([Buffer.from('Subject: no\r\n\r\n')])
  const bounce = (to: string | null) => takeMessageMail(t.app, to ?? '', raw, noteReport)
  const mailOf = (purpose: Purpose, id: string) => messageAddress(t.app, purpose, id)
  await checkQuarantine(t.app, { mayMake: true })
  const before = newId(t.app, 'msg', new Date(t.clock.now().getTime() - 1))
  t.clock.advance(1)
  const ids = [1, 2, 3].map(() => newId(t.app, 'msg', t.clock.now()))
  const [first = '', second = '', third = ''] = ids
  // What others could have made, and what was before this database.
  await bounce(mailOf('bounce', first)?.replace(/-(.)/, (_, digit) => `-${digit === '0' ? 1 : 0}`) ?? null)
  await bounce(mailOf('bounce', before))
  await t.request('GET', `/t/c/${'0'.repeat(64)}/1`, undefined, { as: 'nobody' })
  expect(await behind()).toEqual([])
  for (const to of [mailOf('bounce', first), mailOf('unsubscribe', first)]) await bounce(to)
  expect(await behind()).toMatchObject([{ severity: 'warning', detail: 'mails that are not in it: 1' }])
  await t.request('GET', `/t/c/${trackingToken(t.app, second)}/1`, undefined, { as: 'nobody' })
  const claim = { workspaceId: t.workspace.id, contactId: 'con_1', mailingListId: null, messageId: third }
  await t.request('GET', `/u/${await sealUnsubscribe(t.app, claim)}`, undefined, { as: 'nobody' })
  expect(await behind()).toMatchObject([{ detail: 'mails that are not in it: 3' }])
  t.clock.advance(1)
  await resumeAsIs(t.app)
  expect(await behind()).toEqual([])
  await bounce(mailOf('bounce', first))
  expect(await behind()).toEqual([])
  // What is kept no longer is not missed.
  t.clock.advance(1)
  const old = newId(t.app, 'msg', t.clock.now())
  t.clock.advance(31 * hours(24))
  await bounce(mailOf('bounce', old))
  expect(await behind()).toEqual([])
})

test('a new installation says that it only captures mail, since when it was first seen to', async () => {
  await using t = await testApp()
  const [item, ...others] = await itemsOf(t)
  expect(others).toEqual([])
  expect(item).toEqual({
    cause: null,
    code: 'capture_mode',
    severity: 'notice',
    area: 'sending',
    scope: 'installation',
    since: t.clock.now().toISOString(),
    text: rules.capture_mode.text,
    detail: null,
    thing: null,
    todo: rules.capture_mode.todo,
    docs: 'docs/attention.md#capture_mode',
  })
  const seenAt = t.clock.now().toISOString()
  await rememberFirstSeen(t.app)
  t.clock.advance(hours(30))
  await rememberFirstSeen(t.app)
  expect((await t.unchanged(() => itemsOf(t)))[0]?.since).toBe(seenAt)
  const { checks } = await t.get('/readyz', 503, { as: 'nobody' })
  expect(checks.attention).toEqual(['capture_mode'])
})

test('what is over is forgotten, and begins anew when it comes again', async () => {
  await using t = await testApp()
  const ahead = async (ms: number) => {
    const heartbeatAt = new Date(t.clock.now().getTime() + ms)
    const process = { bootId: 'b', pid: 1, host: 'h', version: 'v', startedAt: heartbeatAt, heartbeatAt }
    await put(t, (tx) =>
      tx.db.insert(processes).values(process).onConflictDoUpdate({ target: processes.bootId, set: process }),
    )
    await rememberFirstSeen(t.app)
  }
  const since = async () => (await itemsOf(t)).find(({ code }) => code === 'clock_set_back')?.since
  await ahead(hours(1))
  const first = t.clock.now().toISOString()
  t.clock.advance(60_000)
  expect(await since()).toBe(first)
  await ahead(0)
  expect(await since()).toBeUndefined()
  t.clock.advance(60_000)
  await ahead(hours(1))
  expect(await since()).toBe(t.clock.now().toISOString())
})

test.skipIf(remoteDatabase)('a backup is missed when its time is over by more than it may take', async () => {
  const BACKUP_RECIPIENT = await identityToRecipient(await generateX25519Identity())
  await using t = await testApp({
    environment: { BACKUP_TO: 'backups', BACKUP_RECIPIENT, BACKUP_SCHEDULE: '0 3 * * *' },
  })
  expect(await codesOf(t)).toContain('backup_late')
  const takenAt = t.clock.now()
  await noteBackup(t.app, { path: 'b', bytes: 1, takenAt, tables: 1, rows: 1, hasSecret: true })
  expect(await codesOf(t)).not.toContain('backup_late')
  t.clock.advance(hours(31))
  const item = (await itemsOf(t)).find(({ code }) => code === 'backup_late')
  expect(new Date(item?.since ?? 0).toISOString()).toEndWith('T09:00:00.000Z')
  expect(item?.detail).toContain(takenAt.toISOString())
})

test('a full disk is worse than one that is nearly full', () => {
  const room = { freeBytes: 1e9, hasRoom: true, walBytes: 0 }
  const found = (change: object) => {
    const some = ofRoom({ ...room, ...change }).map(({ code }) => code)
    for (const code of some) told.add(code)
    return some
  }
  expect(found({})).toEqual([])
  expect(found({ freeBytes: null })).toEqual([])
  expect(found({ freeBytes: 4e8 })).toEqual(['disk_low'])
  expect(found({ freeBytes: 1e6, hasRoom: false })).toEqual(['disk_full'])
  expect(found({ walBytes: 2e9 })).toEqual(['wal_large'])
})

test.skipIf(remoteDatabase)(
  'what concerns the machine is for who runs it; what stops all mail is for everybody',
  async () => {
    await using t = await testApp({ environment: { SMTP_URL: 'smtp://127.0.0.1:9' } })
    const { workspace, apiKey } = await t.stranger()
    const since = t.clock.now()
    await put(t, (tx) =>
      tx.db.insert(sendingFaults).values({
        ...{ scope: 'relay', about: 'relay', reply: '535 5.7.8 no', refusals: 5 },
        ...{ since, lastAt: since, heldUntil: since },
      }),
    )
    const member = await write(t.app, async (tx) => {
      const user = await createUser(tx, t.workspace, { email: 'm@acme.test', passwordHash: null, role: 'viewer' })
      await addMember(tx, { workspaceId: workspace.id, userId: user.id, role: 'owner' })
      return `session=${await createSession(tx, user.id)}`
    })
    const as = (workspaceId: string): RequestOptions => ({
      as: 'nobody',
      headers: { cookie: member, origin: t.url, 'x-workspace-id': workspaceId },
    })
    const { apiKey: narrow } = await t.post('/v1/api-keys', { name: 'n', scopes: ['activity.read'] }, 201)
    const everything = ['mail_held', 'backup_none', 'links_local', 'bounces_unseen']
    expect(await codesOf(t)).toEqual(everything)
    expect(await codesOf(t, { as: 'session' })).toEqual(everything)
    for (const who of [as(t.workspace.id), as(workspace.id), { as: { apiKey } }, { as: { apiKey: narrow } }])
      expect(await codesOf(t, who)).toEqual(['mail_held'])
    // Another relay carries it.
    const { id } = await t.post('/v1/relays', { name: 'Second', url: 'smtp://127.0.0.1:9' }, 201)
    expect(await codesOf(t)).toEqual(['relay_fails', ...everything.slice(1)])
    expect(await codesOf(t, { as: { apiKey } })).toEqual([])
    await t.delete(`/v1/relays/${id}`, undefined, 200)
    await t.settle()
    t.clock.advance(60_000)
    await put(t, (tx) => {
      const value = JSON.stringify({ because: 'older', since, servedUntil: null })
      return tx.db.insert(installation).values({ name: 'held', value, updatedAt: tx.now })
    })
    const stopped = await itemsOf(t, { as: { apiKey } })
    expect(stopped.map(({ code, since }) => [code, since])).toEqual(
      ['sending_held', 'dispatcher_stopped', 'mail_held'].map((code) => [code, since.toISOString()]),
    )
  },
)

test('domains are told as the DNS was at its last check', async () => {
  await using t = await testApp()
  const at = t.clock.now().toISOString()
  await illDomains(t)
  const found = (await itemsOf(t)).filter(({ area }) => area === 'domains')
  expect(found.map(({ code, thing, since, detail }) => [code, thing.name, since, detail]).sort()).toEqual([
    ['dmarc_missing', 'without-dmarc.example', at, null],
    ['domain_broken', 'broken.example', new Date(t.clock.now().getTime() - hours(2)).toISOString(), null],
    ['domain_spoofed', 'well.example', at, '12 messages'],
    ['domain_taken', 'taken.example', at, null],
    ['domain_unproven', 'kept.example', at, null],
    ['domain_unverified', 'unchecked.example', at, null],
    ['domain_unverified', 'unverified.example', at, 'no DKIM'],
    ['link_domain_pending', 'links.example', at, null],
    ['requirement_broken', 'well.example', at, 'google, ptr: 550 5.7.25 no PTR'],
  ])
  const missed = { provenAt: new Date(0), misses: 3, missedSince: t.clock.now() }
  await put(t, (tx) => tx.db.update(linkDomains).set(missed))
  expect(await codesOf(t)).toContain('link_domain_failing')
})

test('mail and jobs: what is late, failed for good, or ended nobody knows how; nothing is late while no server runs', async () => {
  await using t = await testApp()
  const [workspaceId, at] = [t.workspace.id, t.clock.now()]
  const hoursAgo = (n: number) => new Date(at.getTime() - hours(n))
  const job = { workspaceId, attemptsMax: 1, payload: {}, createdAt: hoursAgo(9) }
  const ended = { state: 'dead', lastCode: 'x', finishedAt: hoursAgo(3), dueAt: hoursAgo(9) } as const
  const mail = { workspaceId, kind: 'rule', email: 'a@example.net', subject: 'S', locale: 'en' } as const
  const failed = { ...mail, status: 'failed', fromEmail: 'f@acme.test', variables: {}, messageIdHeader: 'm' } as const
  await put(t, async (tx) => {
    await tx.db.insert(outboxJobs).values([
      { id: 'job_1', lane: 'import', kind: 'import-contacts', state: 'pending', dueAt: hoursAgo(2), ...job },
      {
        id: 'job_2',
        lane: 'import',
        kind: 'import-contacts',
        partitionKey: 'b',
        state: 'pending',
        dueAt: hoursAgo(4),
        ...job,
      },
      // Not late: soon, and of a lane in which nobody waits.
      { id: 'job_3', lane: 'maintenance', kind: 'retention', state: 'pending', dueAt: hoursAgo(0.5), ...job },
      { id: 'job_4', lane: 'template_job', kind: 'deliver-template', ...ended, ...job },
      // A webhook that nobody took is its receiver's matter.
      { id: 'job_5', lane: 'webhook', kind: 'deliver-webhook', ...ended, ...job },
      {
        id: 'job_6',
        lane: 'mail.campaign',
        kind: 'deliver-campaign-mail',
        state: 'ambiguous',
        dueAt: hoursAgo(9),
        ...job,
      },
    ])
    await tx.db.run(sql`INSERT INTO outbox_attempts (job_id, fence, started_at, ended_at)
      VALUES ('job_6', 0, ${hoursAgo(6).getTime()}, ${hoursAgo(5).getTime()})`)
    await tx.db.insert(messages).values([
      { id: 'msg_1', ...failed, createdAt: hoursAgo(90), updatedAt: hoursAgo(80) },
      { id: 'msg_2', ...failed, createdAt: hoursAgo(90), updatedAt: hoursAgo(8) },
      { id: 'msg_3', ...failed, createdAt: hoursAgo(1), updatedAt: hoursAgo(1) },
    ])
    const fault = { about: 'sender', refusals: 1, lastAt: at, heldUntil: null } as const
    await tx.db.insert(sendingFaults).values([
      { ...fault, scope: workspaceId, reply: '550 5.7.26 no', since: hoursAgo(7) },
      { ...fault, scope: 'relay', about: 'relay', reply: 'auth: no', since: hoursAgo(10) },
      { ...fault, scope: `${workspaceId} full.test`, reply: '552 full', since: hoursAgo(9) },
    ])
  })
  const found = (await itemsOf(t)).filter(({ code }) => code !== 'capture_mode')
  expect(found.map(({ code, severity, since, thing, detail }) => [code, severity, since, thing?.id, detail])).toEqual([
    ['mail_server_fails', 'urgent', hoursAgo(10).toISOString(), undefined, 'auth: no'],
    ['mail_refused', 'urgent', hoursAgo(7).toISOString(), undefined, '550 5.7.26 no'],
    [
      'mail_uncertain',
      'urgent',
      hoursAgo(5).toISOString(),
      undefined,
      '1, the first of them job_6 (deliver-campaign-mail)',
    ],
    ['jobs_dead', 'urgent', hoursAgo(3).toISOString(), undefined, '1, the first of them job_4 (deliver-template)'],
    ['receiver_refuses', 'warning', hoursAgo(9).toISOString(), 'full.test', '552 full'],
    ['mail_failed', 'warning', hoursAgo(8).toISOString(), undefined, '2'],
    ['jobs_late', 'warning', hoursAgo(4).toISOString(), 'import', null],
  ])
  const { apiKey } = await t.stranger()
  expect(await codesOf(t, { as: { apiKey } })).toEqual(['mail_server_fails', 'capture_mode'])
  const server = { bootId: 'former', pid: endedPid, host: 'a', version, startedAt: hoursAgo(9) }
  await put(t, (tx) => tx.db.insert(processes).values({ ...server, heartbeatAt: hoursAgo(5) }))
  const off = (await itemsOf(t)).filter(({ code }) => code === 'server_off' || code === 'jobs_late')
  expect(off).toMatchObject([{ code: 'server_off', severity: 'warning', since: hoursAgo(5).toISOString() }])
})

/** Endpoints, hooks, payments, mailboxes and imports: those that are well among those that are not. */
async function illThings(t: TestApp): Promise<void> {
  const [workspaceId, at] = [t.workspace.id, t.clock.now()]
  const times = { createdAt: at, updatedAt: at }
  const before = (n: number) => new Date(at.getTime() - hours(n))
  const made = { madeBy: 'operator', ...times }
  const endpoint = { workspaceId, url: 'https://a.test', description: '', eventFilters: ['*'], ...made }
  const hook = { workspaceId, verifyWith: 'sealed', madeBy: 'operator', createdAt: at }
  const imported = { workspaceId, dryRun: false, header: 'email', sizeBytes: 1, createdAt: at }
  const mailbox = { workspaceId, name: '', status: 'active', ...times } as const
  await put(t, async (tx) => {
    await tx.db.insert(webhookEndpoints).values([
      { id: 'whe_1', status: 'active', ...endpoint },
      { id: 'whe_2', status: 'active', failingSince: before(0.5), ...endpoint },
      { id: 'whe_3', status: 'active', failingSince: before(2), ...endpoint },
      { id: 'whe_4', status: 'disabled', disabledReason: 'manual', ...endpoint },
      { id: 'whe_5', status: 'disabled', disabledReason: 'gone', ...endpoint },
    ])
    await tx.db.insert(providerHooks).values([
      { provider: 'postmark', tokenHash: '1', ...hook, verifyWith: null },
      { provider: 'ses', tokenHash: '2', confirmUrl: 'https://sns.test', ...hook },
      { provider: 'mailgun', tokenHash: '3', ...hook, verifyWith: null },
    ])
    await tx.db.insert(paymentIntegrations).values({ id: 'int_1', workspaceId, enabled: false, ...times })
    await tx.db.insert(paymentEvents).values({
      ...{ integrationId: 'int_1', providerEventId: 'evt_1', workspaceId, type: 'x', status: 'ignored' },
      ...{ body: '{}', conflict: false, ...times },
    })
    await tx.db.insert(mailboxes).values([
      { id: 'mbx_1', address: 'a@in.test', addressKey: 'a@in.test', ...mailbox },
      { id: 'mbx_2', address: 'b@in.test', addressKey: 'b@in.test', inboundTokenHash: 't', ...mailbox },
    ])
    const about = {
      workspaceId,
      receivedId: 'rcv_1',
      threadId: 'thr_1',
      authorId: 'mtk_1',
      email: 'ada@example.net',
      waitsFor: 'mailbox',
    } as const
    const reply = { ...about, subject: 'Re: A', headers: {}, said: { text: 'B' }, first: { text: 'B' }, ...times }
    await tx.db.insert(mailboxDrafts).values([
      { id: 'msg_1', mailboxId: 'mbx_1', state: 'refused', ...reply },
      { id: 'msg_2', mailboxId: 'mbx_1', state: 'waiting', ...reply, createdAt: before(3) },
      { id: 'msg_3', mailboxId: 'mbx_2', state: 'waiting', ...reply },
    ])
    await tx.db.insert(contactImports).values([
      { id: 'imp_1', state: 'failed', detail: 'no column', updatedAt: before(300), ...imported },
      { id: 'imp_2', state: 'failed', detail: 'no column', updatedAt: before(3), ...imported },
      { id: 'imp_3', state: 'running', updatedAt: before(2), ...imported },
      { id: 'imp_4', state: 'running', updatedAt: at, ...imported },
    ])
  })
}

test('endpoints, reports, payments, mailboxes and imports: those that are ill, and no others', async () => {
  await using t = await testApp()
  await illThings(t)
  const found = (await itemsOf(t)).filter(({ scope }) => scope === 'workspace')
  expect(found.map(({ code, thing, detail }) => [code, thing?.id, detail]).sort()).toEqual([
    ['endpoint_disabled', 'whe_5', 'it answered 410'],
    ['endpoint_failing', 'whe_3', null],
    ['hook_unconfirmed', 'ses', null],
    ['hook_unsigned', 'mailgun', null],
    ['import_failed', 'imp_2', 'no column'],
    ['import_stuck', 'imp_3', null],
    ['mailbox_unreachable', 'mbx_1', null],
    ['maker_unknown', 'mbx_2', 'inbound address'],
    ['payments_closed', 'int_1', null],
    ['replies_waiting', undefined, '2'],
  ])
})

test('deliveries to an endpoint that are due for two minutes are late, and say how many wait', async () => {
  await using t = await testApp({ environment: sinkEnvironment })
  const asPerson = { as: 'session' } as const
  const endpoint = { url: 'https://hooks.example.com/1', status: 'active', maxPerSecond: 1 }
  const { id } = await t.endpoint(endpoint)
  const since = t.clock.now().toISOString()
  for (const n of [1, 2, 3]) await t.contact({ email: `a${n}@b.test` })
  t.clock.advance(119_000)
  expect(await codesOf(t)).not.toContain('endpoint_late')
  t.clock.advance(2_000)
  const [late] = (await itemsOf(t)).filter(({ code }) => code === 'endpoint_late')
  expect(late).toMatchObject({ severity: 'warning', since, thing: { id, name: endpoint.url }, detail: '3 wait' })
  const at = `/v1/webhook-endpoints/${id}/deliveries`
  const { data } = await t.get(`${at}?state=pending`, 200, asPerson)
  const why = (await t.get(`${at}/${data[0].id}/why`, 200, asPerson)).data
  expect(why.map(({ code }: Json) => code)).toContain('endpoint_full')
  await t.patch(`/v1/webhook-endpoints/${id}`, { status: 'disabled' }, 200, asPerson)
  expect(await codesOf(t)).not.toContain('endpoint_late')
})

test('campaigns that stand still, with who or what stopped them, and what bounces cost', async () => {
  await using t = await testApp()
  const { list } = await listOf(t, 1)
  const ids = [await draft(t, list), await draft(t, list)]
  for (const id of ids) {
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    await t.post(`/v1/campaigns/${id}/pause`, {}, 200)
  }
  const [workspaceId, changedAt] = [t.workspace.id, t.clock.now()]
  await put(t, async (tx) => {
    await tx.db.run(sql`UPDATE campaigns SET pause_reason = 'bounce_rate' WHERE id = ${ids[1] ?? ''}`)
    await tx.db.run(sql`UPDATE workspaces SET trust_level = 'M0' WHERE id = ${workspaceId}`)
    await tx.db.run(sql`DELETE FROM trust_changes`)
    const change = { workspaceId, changedAt, fromLevel: 'M1', toLevel: 'M0' } as const
    await tx.db.insert(trustChanges).values({ ...change, reason: 'bounce_rate', detail: '11 bounces' })
    await countSending(tx, { workspaceId, domain: 'a.example' }, { sent: 100, bounced: 11 })
  })
  const found = (await itemsOf(t)).filter(({ scope }) => scope === 'workspace')
  expect(found.map(({ code, thing, detail }) => [code, thing?.id, detail]).sort()).toEqual([
    ['campaign_paused', ids[0], null],
    ['campaign_stopped', ids[1], 'bounce_rate'],
    ['rates_high', undefined, '11 bounces and 0 complaints of 100 mails in 24 hours'],
    ['trust_dropped', undefined, '11 bounces'],
  ])
})

test('a sequence that was paused because its template is gone, and people who cannot go on', async () => {
  await using t = await testApp()
  await templates(t)
  await t.template({ id: 'named', subject: 'named', text: 'Dear {{event.name}}' })
  const send = (templateId: string) => ({
    start: { event: 'signup' },
    steps: [{ id: 'mail', type: 'send', templateId }],
  })
  const stuck = await publish(t, send('named'))
  const stopped = await publish(t, send('tips'))
  await t.put('/v1/transactional/update', { id: 'tips', status: 'archived' }, 200)
  await tell(t, 'signup')
  await t.settle()
  const found = (await itemsOf(t)).filter(({ code }) => code.startsWith('sequence_'))
  expect(found.map(({ code, thing }) => [code, thing?.id]).sort()).toEqual([
    ['sequence_stopped', stopped.id],
    ['sequence_stuck', stuck.id],
  ])
  await t.put('/v1/transactional/update', { id: 'tips', status: 'active' }, 200)
  await t.post(`/v1/sequences/${stopped.id}/resume`, {}, 200)
  await t.post(`/v1/sequences/${stuck.id}/stop`, {}, 200)
  await t.settle()
  expect((await codesOf(t)).filter((code) => code.startsWith('sequence_'))).toEqual([])
})

test('recurring campaigns whose feed failed three times, or of which no campaign can be made', async () => {
  await using t = await testApp()
  const { id: mailingListId } = await t.mailingList()
  await t.template()
  const body = { name: 'R', subject: 'S', templateId: 'hello', mailingListId, schedule: { every: 'day', at: '09:00' } }
  for (const feed of [{ url: 'https://blog.example/' }, null]) {
    const { id } = await t.post('/v1/recurring-campaigns', { ...body, feed }, 201)
    if (feed === null) await t.delete(`/v1/mailing-lists/${mailingListId}`, undefined, 200)
    for (let n = 0; n < 3; n++) await t.post(`/v1/recurring-campaigns/${id}/run`, {}, 200)
  }
  expect(await codesOf(t)).toEqual(expect.arrayContaining(['feed_failing', 'recurring_failing']))
})

test('what happened to somebody and could not be looked at, for a sequence or a segment', async () => {
  await using t = await testApp()
  const about = { workspaceId: t.workspace.id, contactId: 'con_1', failure: 'broken', againAt: t.clock.now() }
  await put(t, async (tx) => {
    await tx.db.insert(sequenceSignals).values({ ...about, id: 'sig_1', signal: 'event:a', createdAt: tx.now })
    await tx.db.insert(segmentMarks).values({ ...about, topic: '', at: tx.now })
  })
  const found = (await itemsOf(t)).filter(({ code }) => code.endsWith('_set_aside'))
  expect(found.map(({ detail }) => detail)).toEqual(Array(2).fill('1 contact, as con_1: broken'))
  await put(t, (tx) => tx.db.delete(sequenceSignals))
})

test('sign-ups that wait for a limit of their source, but not those of one address', async () => {
  await using t = await testApp()
  const { id: sourceId } = await t.post('/v1/subscription-sources', { name: 'Footer' }, 201)
  const sentAt = new Date(t.clock.now().getTime() + hours(2))
  const one = { workspaceId: t.workspace.id, mailboxHash: 'h', sourceId, heldAt: t.clock.now(), sentAt }
  await put(t, async (tx) => {
    await tx.db.insert(confirmationMails).values({ ...one, messageId: 'msg_1', heldBy: 'source' })
    await tx.db.insert(confirmationMails).values({ ...one, messageId: 'msg_2', heldBy: 'address' })
  })
  const found = (await itemsOf(t)).filter(({ code }) => code === 'sign_ups_held')
  expect(found).toMatchObject([
    {
      since: t.clock.now().toISOString(),
      thing: { id: sourceId, name: 'Footer' },
      detail: `1 through Footer; the last goes out at ${sentAt.toISOString()}`,
    },
  ])
})

test('a libSQL server whose commits checkpoint, when several processes share it, or are not synced', async () => {
  await using t = await testApp()
  const toldOn = async (sqld: Sqld) => {
    const database = await openDatabase({ url: await sqld.freshUrl(), clock: t.clock })
    const app = { ...t.app, db: database.reader, database }
    const begin = (bootId: string) =>
      database.writer.write(async (db, now) => {
        const process = { bootId, pid: 7, host: 'a', version, startedAt: now, heartbeatAt: now }
        await db.insert(processes).values(process)
      })
    const codesOf = async () => (await attentionOfInstallation(app)).map(({ code }) => code)
    const said: string[][] = []
    for (const bootId of ['one', 'other']) {
      await begin(bootId)
      said.push((await codesOf()).filter((code) => /^(checkpoints|commits)_/.test(code)))
    }
    await database.close()
    sqld.stop()
    for (const code of said.flat()) told.add(code)
    return said
  }
  const both = ['checkpoints_overtake', 'commits_not_synced']
  expect(await toldOn(await startSqld())).toEqual([both.slice(1), both])
  expect(await toldOn(await startStrongSqld(['--checkpoint-interval-s', '5']))).toEqual([[], []])
})

test('an archive that is behind, was interrupted, or has another writer', async () => {
  await using t = await testApp()
  const state = t.app.own(archiveState)
  const codesOf = async () => (await itemsOf(t)).map(({ code }) => code).filter((code) => code.startsWith('archive_'))
  expect(await codesOf()).toEqual([])
  Object.assign(state, { isOn: true, startedAt: t.clock.now(), coveredAt: t.clock.now() })
  expect(await codesOf()).toEqual([])
  await t.advance('6m')
  expect(await codesOf()).toEqual(['archive_late'])
  Object.assign(state, { coveredAt: t.clock.now(), lastGap: { at: t.clock.now(), why: 'the log was emptied' } })
  expect(await codesOf()).toEqual(['archive_gap'])
  state.isForeign = true
  expect(await codesOf()).toEqual(['archive_second_writer'])
})

test('a receiving domain for which the mail server does not answer, to the workspace whose mail waits, until it does', async () => {
  const answers = Promise.withResolvers<undefined>()
  await using sink = startSink({
    answer: (stage, _, { to }) => (stage === 'rcpt' && to.endsWith('@tar.test') ? answers.promise : undefined),
  })
  await using t = await testApp({ environment: { SMTP_URL: sink.url } })
  const { apiKey } = await t.stranger()
  await t.template()
  const send = async (email: string) => (await t.mail({ email })).messageId
  await t.dispatcher.start()
  const ids: string[] = []
  for (let n = 0; n < 12; n++) ids.push(await send(`a${n}@tar.test`))
  const slow = async (who?: RequestOptions) => (await itemsOf(t, who)).filter(({ code }) => code === 'receiver_slow')
  const item = { severity: 'warning', thing: { id: 'tar.test', name: 'tar.test' } }
  await eventually(() => slow()).toMatchObject([item])
  expect(await slow({ as: { apiKey } })).toEqual([])
  const whyOf = async (id: string) =>
    (await t.get(`/v1/activity/why?messageId=${id}`, 200)).data.map(({ code }: Json) => code)
  expect(await whyOf(ids.at(-1) ?? '')).toContain('receiver_slow')
  answers.resolve(undefined)
  // The mails that were put off are due by a clock that stands still.
  t.clock.advance(60_000)
  await sink.whenReceived(12)
  expect(await slow()).toEqual([])
  await t.dispatcher.stop(20_000)
})

test('a workspace that is suspended is told why, and no late jobs of it', async () => {
  await using t = await testApp()
  const { workspace } = await t.stranger()
  const { as } = await t.person('owner', { email: 'o@stranger.test', workspace })
  await t.post(`/v1/workspaces/${workspace.id}/suspend`, { reason: 'Not paid' }, 200)
  expect((await itemsOf(t, as)).map(({ code, detail }) => [code, detail])).toContainEqual([
    'workspace_suspended',
    'Not paid',
  ])
})

test.skipIf(remoteDatabase)('each kind of it was told by one of these tests', () => {
  expect(codes.filter((code) => !told.has(code))).toEqual([])
})
