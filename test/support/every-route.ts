// Things of a workspace that every route can be asked for, and a body that each of them takes.

import { expect } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import { sendingDomains } from '../../db/tables/messages.ts'
import { sequencePeople, sequenceRuns } from '../../db/tables/sequences.ts'
import { passkeys, sessions } from '../../db/tables/workspaces.ts'
import { write } from '../../src/core/app.ts'
import { setTrustLevel } from '../../src/features/campaigns/reputation/trust-level.ts'
import { replyTo } from '../../src/features/mailboxes/reply.ts'
import { findToken } from '../../src/features/mailboxes/tokens.ts'
import { sha256Hex } from '../../src/kit/digest.ts'
import { createSession, sessionId } from '../../src/people/access/sessions.ts'
import { createUser, setPassword } from '../../src/people/access/users.ts'
import { type RequestOptions, type TestApp, testApp } from './app.ts'
import { authenticator } from './authenticator.ts'
import { storedGrant } from './oauth.ts'
import { connect, deliver, providerEvent } from './payment-provider.ts'
import { png } from './picture.ts'
import { countWrites } from './snapshot.ts'
import { putExport, putImport } from './workspace-export.ts'

export const password = 'correct horse battery'

/** Things of workspace A, by the name of the path parameter or body field that takes their id. */
export interface Things {
  ids: Record<string, string>
  /** Of a contact, and on the suppression list. */
  email: string
  suppressed: string
}

let made = 0

/** Made side by side: what takes the longest is to wait for the database. */
export async function thingsOf(t: TestApp): Promise<Things> {
  await t.patch('/v1/workspace', { linkDomain: 'links.example.com' }, 200)
  const n = ++made
  const email = `c${n}@example.net`
  const suppressed = `s${n}@example.net`
  const broken = await brokenRule(t, n)
  const [template, people, webhooks, mailbox, events] = await Promise.all([
    templateThings(t, n),
    peopleThings(t, n, { email, suppressed }),
    webhookThings(t, n),
    mailboxThings(t, n),
    eventThings(t, n),
    broken.fail(),
  ])
  await t.settle()
  const [domainId, jobs, members] = await Promise.all([domainOf(t, n), broken.jobs(), memberThings(t, n)])
  const relays = await relayThings(t)
  const tenant = await tenantThings(t)
  const captured = await capturedThings(t)
  const mediaId = await pictureOf(t, n)
  const ids = {
    ...template,
    ...people,
    ...webhooks,
    ...mailbox,
    ...events,
    ...jobs,
    ...members,
    ...captured,
    domainId,
    ...relays,
    ...tenant,
    mediaId,
    starterId: 'welcome',
  }
  return { ids, email, suppressed }
}

/** Of another workspace, so that mail here is captured. */
async function relayThings(t: TestApp) {
  const { workspace } = await t.stranger(`relay-${++made}`)
  const { id: relayId } = await t.post('/v1/relays', { ...relay, workspaceId: workspace.id }, 201)
  return { relayId, withRelays: workspace.id }
}

/** One that was just made, without a key, and suspended. */
async function tenantThings(t: TestApp) {
  const tenantSlug = `tenant-${++made}`
  const { id: workspaceId } = await t.post('/v1/workspaces', { slug: tenantSlug }, 201)
  await t.post(`/v1/workspaces/${workspaceId}/suspend`, { reason: 'Not paid' }, 200)
  await putExport(t, workspaceId)
  return { workspaceId, tenantSlug, workspaceImportId: await putImport(t) }
}

async function pictureOf(t: TestApp, n: number): Promise<string> {
  const bytes = new Uint8Array(png({ width: n, height: 1 }))
  const headers = { 'content-type': 'application/octet-stream' }
  return (await t.request('POST', '/v1/media', bytes, { headers })).body.id
}

const relay = { name: 'Spare', url: 'smtp://127.0.0.1:9', state: 'off' }

/** A mail with an attachment. */
async function capturedThings(t: TestApp) {
  const data = Buffer.from('mine').toString('base64')
  const attachments = [{ filename: 'mine.txt', contentType: 'text/plain', data }]
  const template = { id: 'kept', name: 'K', subject: 'K', content: [{ type: 'text', text: 'Kept' }] }
  await t.request('POST', '/v1/transactional/create', template)
  await t.mail({ email: 'kept@example.net', templateId: 'kept', attachments })
  await t.settle()
  const { data: mails } = await t.get('/v1/activity/captured?to=kept@example.net&perPage=1', 200)
  return { capturedId: mails[0].capturedId }
}

async function templateThings(t: TestApp, n: number) {
  const slug = `mine-${n}`
  const { revisionId } = await t.template({ id: slug })
  const { data } = await t.get(`/v1/transactional/${slug}/revisions`, 200)
  const { messageId } = await t.mail({ templateId: slug })
  const { id: keyId } = await t.post('/v1/api-keys', { name: 'mine' }, 201)
  const slugs = { templateId: slug, transactionalId: slug, id: slug, slug }
  const waiting = { email: 'ada@example.net', templateId: slug, scheduledAt: '2026-12-01T00:00:00Z' }
  const [toCancel, toMove] = [await t.mail(waiting), await t.mail(waiting)]
  const own = { from: 'Shop <shop@example.com>', to: 'ada@example.net', subject: 'Own', text: 'Own' }
  const { id: ofOwn } = await t.post('/compat/resend/emails', own, 200)
  const waits = {
    'GET /v1/messages/{messageId}/content messageId': ofOwn,
    'POST /v1/messages/{messageId}/cancel messageId': toCancel.messageId,
    'POST /v1/messages/{messageId}/reschedule messageId': toMove.messageId,
  }
  return { ...slugs, ...waits, messageId, keyId, expectedRevisionId: revisionId, revisionId: data[0].id }
}

/** A contact on a list, an import, and a campaign to the list. */
async function peopleThings(t: TestApp, n: number, { email, suppressed }: { email: string; suppressed: string }) {
  const userId = `user-${n}`
  const csv = { headers: { 'content-type': 'text/csv' } }
  const [list, { id: contactId }, { id: importId }] = await Promise.all([
    t.post('/v1/mailing-lists', { name: `List ${n}` }, 201),
    t.contact({ email, userId, plan: `mine-${n}` }),
    t.post('/v1/contacts/import', `email,subscribed\ni${n}@example.net,true\nbad,`, 202, csv),
    t.post('/v1/suppressions', { email: suppressed }, 201),
    // Level M1: campaigns need no DNS there.
    write(t.app, (tx) => setTrustLevel(tx, t.workspace, 'M1')),
  ])
  // Before the campaign is looked at: an approval holds for the audience of that moment.
  await t.put('/v1/contacts/update', { email, mailingLists: { [list.id]: true } }, 200)
  const campaign = { name: 'C', subject: 'C', content: [{ type: 'text', text: 'Hello' }], mailingListId: list.id }
  const [{ id: sourceId }, { id: campaignId, contentHash }, { id: segmentId }, { id: blockId }] = await Promise.all([
    t.post('/v1/subscription-sources/create', { name: `Source ${n}`, mailingListIds: [list.id] }, 201),
    t.post('/v1/campaigns', campaign, 201),
    t.post('/v1/segments', { name: `Segment ${n}`, filter: { field: 'plan', op: 'exists' } }, 201),
    t.post('/v1/blocks', { name: `Block ${n}`, content: campaign.content }, 201),
  ])
  const schedule = { every: 'day', at: '09:00' }
  const { id: recurringCampaignId } = await t.post('/v1/recurring-campaigns', { ...campaign, schedule }, 201)
  return {
    ...(await revisionsOf(t, '/v1/campaigns/{campaignId}', campaignId)),
    ...(await revisionsOf(t, '/v1/blocks/{blockId}', blockId)),
    userId,
    contactId,
    importId,
    campaignId,
    recurringCampaignId,
    contentHash,
    listId: list.id,
    segmentId,
    blockId,
    mailingListId: list.id,
    sourceId,
    'PUT /v1/subscription-sources/update id': sourceId,
    'POST /v1/subscription-sources/delete id': sourceId,
  }
}

/** The last revision of something, for the routes of its revisions: `revisionId` alone is that of a template. */
async function revisionsOf(t: TestApp, path: string, id: string): Promise<Record<string, string>> {
  const { data } = await t.get(`${path.replace(/\{\w+\}/, id)}/revisions`, 200)
  const at = `${path}/revisions/{revisionId}`
  const routes = [`GET ${at}`, `GET ${at}/diff`, `POST ${at}/diff`, `POST ${at}/restore`]
  return Object.fromEntries(routes.map((route) => [`${route} revisionId`, data[0].id]))
}

/** With more endpoints than these a job would write their deliveries, and none runs here. */
const endpointsMost = 12

async function webhookThings(t: TestApp, n: number) {
  const { data: earlier } = await t.get('/v1/webhook-endpoints?perPage=50', 200, { as: 'session' })
  for (const { id } of earlier.length < endpointsMost ? [] : earlier)
    await t.request('DELETE', `/v1/webhook-endpoints/${id}`, undefined, { as: 'session' })
  const { id: endpointId } = await t.endpoint({ url: `https://hooks${n}.example.com/`, status: 'active' })
  const at = `/v1/webhook-endpoints/${endpointId}`
  await t.post(`${at}/signing-secret`, {}, 200, { as: 'session' })
  await t.post(`${at}/send-test`, undefined, 200, { as: 'session' })
  const tested = await t.get(`${at}/deliveries?type=testing.testEvent`, 200, { as: 'session' })
  // Every endpoint is told of it, and nothing is delivered before somebody lets the dispatcher run.
  await t.contact({ email: `told-of-${n}@example.net` })
  const waiting = await t.get(`${at}/deliveries?state=pending`, 200, { as: 'session' })
  return {
    endpointId,
    deliveryId: tested.data[0].id,
    'POST /v1/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/deliver-now deliveryId': waiting.data[0].id,
  }
}

/** A mailbox with a token and a message, and a call of a tool. */
async function mailboxThings(t: TestApp, n: number) {
  const mailbox = await t.post('/v1/mailboxes', { address: `m${n}@paquebot.localhost` }, 201)
  const at = `/v1/mailboxes/${mailbox.id}`
  const { id: tokenId } = await t.post(`${at}/tokens`, {}, 201, { as: 'session' })
  const { inboundUrl } = await t.post(`${at}/inbound-address`, undefined, 200, { as: 'session' })
  const token = inboundUrl.split('/').at(-1)
  const attached = [{ Name: 'a.txt', Content: 'aGk=', ContentType: 'text/plain' }]
  const mail = { From: 'ada@example.net', TextBody: 'A private question', Attachments: attached }
  const received = await t.post(`/v1/inbound/${token}`, mail, 200, { as: 'nobody' })
  await t.patch(at, { holdReplies: true }, 200, { as: 'session' })
  const { token: secret } = await t.post(`${at}/tokens`, {}, 201, { as: 'session' })
  const open = await findToken(t.app, secret, t.clock.now())
  if (!open) throw new Error('the token opens nothing')
  const held = await replyTo(t.app, open, { messageId: received.messageId, text: 'Held' })
  const { contentHash } = await t.get(`/v1/approvals/${held.messageId}`, 200, { as: 'session' })
  const called = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_mailboxes' } }
  await t.post('/mcp', called, 200, { headers: { accept: 'application/json, text/event-stream' } })
  const messages = 'GET /v1/mailboxes/{mailboxId}/messages/{messageId}'
  const gets = ['', '/source', '/thread', '/attachments/{number}', '/attachments/{number}/text']
  return {
    approvalId: held.messageId,
    approvalHash: contentHash,
    mailboxId: mailbox.id,
    receivedId: received.messageId,
    tokenId,
    grantId: await storedGrant(t),
    token,
    [`${messages.replace('GET', 'PATCH')} messageId`]: received.messageId,
    [`${messages.replace('GET', 'POST')}/reply messageId`]: received.messageId,
    ...Object.fromEntries(gets.map((end) => [`${messages}${end} messageId`, received.messageId])),
  }
}

/** Somebody else of the workspace, somebody who is invited, and a second session of the owner. */
async function memberThings(t: TestApp, n: number) {
  const invited = { email: `invited${n}@example.net`, role: 'viewer' }
  const { id: invitationId } = await t.post('/v1/invitations', invited, 201, { as: 'session' })
  const passkeyId = `psk_${n}`
  const { memberId, token } = await write(t.app, async (tx) => {
    const person = { email: `member${n}@example.net`, passwordHash: null, role: 'member' } as const
    const { id: memberId } = await createUser(tx, t.workspace, person)
    const key = { publicKey: {}, counter: 0, isBackupEligible: false, isBackedUp: false, transports: [] }
    const passkey = { id: passkeyId, userId: t.user.id, name: 'P', credentialId: passkeyId, createdAt: tx.now, ...key }
    await tx.db.insert(passkeys).values(passkey)
    return { memberId, token: await createSession(tx, t.user.id) }
  })
  const member = '/v1/members/{userId}'
  const ofMember = [`PATCH ${member}`, `DELETE ${member}`, `GET ${member}/grants`].map((route) => [
    `${route} userId`,
    memberId,
  ])
  return { invitationId, passkeyId, sessionId: sessionId(sha256Hex(token)), ...Object.fromEntries(ofMember) }
}

/** Written as it stands: making keys for each would take longer than all the rest. */
async function domainOf(t: TestApp, n: number): Promise<string> {
  const keys = { selector: 's', rsaKeySealed: '', rsaPublicKey: 'r', ed25519KeySealed: '', ed25519PublicKey: 'e' }
  const row = { id: `dom_${n}`, workspaceId: t.workspace.id, domain: `d${n}.example`, ...keys }
  await write(t.app, (tx) => tx.db.insert(sendingDomains).values({ ...row, createdAt: tx.now, updatedAt: tx.now }))
  return row.id
}

/** A rule, a sequence with somebody in it, and a payment event that found nobody. */
async function eventThings(t: TestApp, n: number) {
  const rule = { eventName: `e-${n}`, action: 'update_contact', contactProperties: { plan: 'x' } }
  const { id: ruleId } = await t.post('/v1/event-rules', rule, 201)
  const definition = { steps: [{ id: 'a', type: 'wait', for: { amount: 1, unit: 'd' } }] }
  const sequence = await t.post('/v1/sequences', { name: `Sequence ${n}`, definition }, 201)
  const at = `/v1/sequences/${sequence.id}`
  await t.post(`${at}/publish`, { contentHash: sequence.contentHash }, 200)
  const emails = [`in${n}@example.net`, `failed${n}@example.net`]
  for (const email of emails) await t.contact({ email })
  await t.post(`${at}/enrol`, { emails }, 200)
  const runs = await t.get(`${at}/runs`, 200)
  const [failed, waiting] = runs.data
  await write(t.app, async (tx) => {
    await tx.db.update(sequenceRuns).set({ state: 'failed', dueAt: null }).where(eq(sequenceRuns.id, failed.id))
    await tx.db.insert(sequencePeople).values({ sequenceId: sequence.id, state: 'failed', people: 1 })
    const others = and(eq(sequencePeople.sequenceId, sequence.id), eq(sequencePeople.state, 'waiting'))
    await tx.db.update(sequencePeople).set({ people: 1 }).where(others)
  })
  const { id: draftId } = await t.post('/v1/sequences', { name: `Draft ${n}`, definition }, 201)
  const stepId = `tested-${n}`
  const testedId = await testedSequence(t, stepId)
  const event = providerEvent('customer.created', { id: `cus_${n}` })
  expect((await deliver(t, await connect(t), event)).body).toMatchObject({ status: 'ignored' })
  const { eventId } = await t.post('/v1/events/send', { eventName: `e-${n}`, email: `v${n}@example.net` }, 200)
  return {
    ruleId,
    eventId,
    paymentEventId: String(event.id),
    sequenceId: sequence.id,
    'DELETE /v1/sequences/{sequenceId} sequenceId': draftId,
    sequenceHash: sequence.contentHash,
    stepId,
    'POST /v1/sequences/{sequenceId}/steps/{stepId}/winner sequenceId': testedId,
    enrolled: `in${n}@example.net`,
    runId: waiting.id,
    'POST /v1/sequences/{sequenceId}/runs/{runId}/retry runId': failed.id,
  }
}

/** Of one step, with a test of which nobody has had a mail. */
async function testedSequence(t: TestApp, id: string): Promise<string> {
  await t.template({ id, subject: 'T', content })
  const test = { variants: [{ name: 'A' }, { name: 'B', subject: 'D' }], winner: { by: 'hand' } }
  const definition = { steps: [{ id, type: 'send', templateId: id, test }] }
  const tested = await t.post('/v1/sequences', { name: id, definition }, 201)
  await t.post(`/v1/sequences/${tested.id}/publish`, { contentHash: tested.contentHash }, 200)
  return tested.id
}

/** A rule whose mail cannot be filled: for a job that fails, then one that waits, and one whose outcome was lost. */
async function brokenRule(t: TestApp, n: number) {
  const id = `broken-${n}`
  await t.template({ id, subject: 'Hi {{event.name}}', content })
  const rule = { eventName: id, action: 'send_template', templateId: id, reEligible: true }
  const { id: ruleId } = await t.post('/v1/event-rules', rule, 201)
  const jobOf = async () => {
    const { jobs } = await t.post('/v1/events/send', { eventName: id, email: `j${n}@example.net` }, 200)
    return String(jobs[0].jobId)
  }
  let deadJobId = ''
  return {
    async fail() {
      deadJobId = await jobOf()
    },
    async jobs() {
      await t.patch(`/v1/event-rules/${ruleId}`, { delay: { amount: 1, unit: 'd' } }, 200)
      const ambiguousJobId = await jobOf()
      await write(t.app, (tx) =>
        tx.db.run(sql`UPDATE outbox_jobs SET state = 'ambiguous' WHERE id = ${ambiguousJobId}`),
      )
      return {
        jobId: await jobOf(),
        'POST /v1/jobs/{jobId}/retry jobId': deadJobId,
        'POST /v1/jobs/{jobId}/resolve jobId': ambiguousJobId,
      }
    },
  }
}

/** What else a request needs so that only the foreign id can be what is wrong with it. */
export const content = [{ type: 'text', text: 'Stolen' }]

/** What must have happened to A's things before a request of A makes sense. */
export const before: Record<string, (t: TestApp, things: Things) => Promise<unknown>> = {
  'POST /v1/campaigns/{campaignId}/unschedule': (t, { ids }) =>
    t.post(`/v1/campaigns/${ids.campaignId}/schedule`, { scheduledAt: '2026-03-01T12:00:00Z' }, 200),
  'POST /v1/campaigns/{campaignId}/winner': async (t, { ids }) => {
    const variants = [{ name: 'A' }, { name: 'B', subject: 'D' }]
    const test = { variants, share: 50, holdOut: 0, winner: { by: 'hand' } }
    await t.patch(`/v1/campaigns/${ids.campaignId}`, { test }, 200)
    await t.post(`/v1/campaigns/${ids.campaignId}/send`, {}, 200)
  },
  'POST /v1/recurring-campaigns/{recurringCampaignId}/resume': (t, { ids }) =>
    t.post(`/v1/recurring-campaigns/${ids.recurringCampaignId}/pause`, {}, 200),
  'POST /v1/campaigns/{campaignId}/pause': (t, { ids }) => t.post(`/v1/campaigns/${ids.campaignId}/send`, {}, 200),
  'POST /v1/campaigns/{campaignId}/resume': async (t, { ids }) => {
    await t.post(`/v1/campaigns/${ids.campaignId}/send`, {}, 200)
    await t.post(`/v1/campaigns/${ids.campaignId}/pause`, {}, 200)
  },
}

export function known(ids: Record<string, string>, name: string, route: string): string {
  const id = ids[`${route} ${name}`] ?? ids[name]
  if (id === undefined) throw new Error(`${route} takes ${name}: give workspace A one in thingsOf()`)
  return id
}

/** Workspace B, whose owner also has a session. */
export async function strangerOf(t: TestApp) {
  const { workspace, apiKey } = await t.stranger()
  const byKey: RequestOptions = { as: { apiKey } }
  const { as: bySession } = await t.person('owner', { email: 'eve@stranger.test', workspace })
  return { workspace, byKey, bySession }
}

/** Of an app in which every route can come to its end: something seals exports. */
export const complete = { environment: { BACKUP_PASSPHRASE: 'what seals an export' } }

const turnsOfAnApp = 40

/**
 * One after the other, each with two workspaces; a fresh app now and then keeps what has to be compared small. A turn tells why the
 * things of A were not good for it, or nothing: what an earlier turn used up is made again.
 */
export async function inTurns<T>(
  all: T[],
  turn: (t: TestApp, stranger: Awaited<ReturnType<typeof strangerOf>>, one: T, things: Things) => Promise<string>,
): Promise<void> {
  for (let first = 0; first < all.length; first += turnsOfAnApp) {
    await using t = await testApp(complete)
    await countWrites(t.app)
    const stranger = await strangerOf(t)
    let things = await thingsOf(t)
    for (const one of all.slice(first, first + turnsOfAnApp)) {
      if ((await turn(t, stranger, one, things)) === '') continue
      things = await thingsOf(t)
      expect(await turn(t, stranger, one, things)).toBe('')
    }
  }
}

const device = authenticator('http://localhost')

/** A body that is accepted, for every route that takes one. */
export function validBodies({
  ids,
  email,
  suppressed,
}: Things): Record<string, { body: object; as?: RequestOptions['as']; refused?: number }> {
  const fresh = `fresh-${++made}`
  const seen = { id: ids.approvalId, contentHash: ids.approvalHash }
  const challenge = 'x'
  return {
    'POST /v1/auth/login': { body: { email: 'owner@acme.test', password }, as: 'nobody' },
    'POST /v1/auth/password': { body: { currentPassword: password, newPassword: password }, as: 'session' },
    'POST /v1/auth/second-factor': { body: { currentPassword: password }, as: 'session' },
    'POST /v1/auth/second-factor/confirm': { body: { code: '123456' }, as: 'session' },
    'DELETE /v1/auth/second-factor': { body: { code: '123456' }, as: 'session' },
    'POST /v1/auth/passkeys/options': { body: { currentPassword: password }, as: 'session' },
    'POST /v1/auth/passkeys': {
      body: { credential: device.create({ challenge, user: { id: '' } }) },
      as: 'session',
      refused: 409,
    },
    'PATCH /v1/auth/passkeys/{passkeyId}': { body: { name: fresh }, as: 'session' },
    'POST /v1/auth/login/passkey': { body: { credential: device.get({ challenge }) }, as: 'nobody', refused: 409 },
    'PUT /v1/auth/preferences': { body: { key: 'views', value: fresh }, as: 'session' },
    'PATCH /v1/members/{userId}': { body: { role: 'viewer' }, as: 'session' },
    'POST /v1/invitations': { body: { email: `${fresh}@example.net`, role: 'viewer' }, as: 'session' },
    'POST /v1/api-keys': { body: { name: fresh, scopes: ['mcp'] } },
    'PATCH /v1/workspace': { body: { name: fresh, brand: { companyName: fresh } } },
    'POST /v1/transactional/create': { body: { id: fresh, name: fresh, subject: fresh, content } },
    'PUT /v1/transactional/update': { body: { id: ids.id, name: fresh } },
    'POST /v1/transactional/delete': { body: { id: ids.id } },
    'PUT /v1/transactional/{templateId}/content/{locale}': { body: { content } },
    'POST /v1/transactional/send': { body: { email: 'ada@example.net', templateId: ids.id, addToContact: true } },
    'POST /v1/messages/{messageId}/reschedule': { body: { scheduledAt: '2026-12-01T00:00:00Z' } },
    'POST /v1/transactional/send-batch': { body: { messages: [{ email: 'ada@example.net', templateId: ids.id }] } },
    'POST /v1/sending-domains': { body: { domain: `${fresh}.example` } },
    'POST /v1/mailboxes': { body: { address: `${fresh}@paquebot.localhost`, name: fresh } },
    'PATCH /v1/mailboxes/{mailboxId}': { body: { name: fresh } },
    'PATCH /v1/mailboxes/{mailboxId}/messages/{messageId}': { body: { read: true }, as: 'session' },
    'POST /v1/mailboxes/{mailboxId}/messages/{messageId}/reply': { body: { text: 'A' }, as: 'session' },
    'POST /v1/mailboxes/{mailboxId}/labels': { body: { messageIds: [ids['receivedId']], add: ['A'] }, as: 'session' },
    'POST /v1/mailboxes/{mailboxId}/tokens': { body: { name: fresh }, as: 'session' },
    'POST /v1/inbound/{token}': { body: { From: 'ada@example.net', TextBody: fresh }, as: 'nobody' },
    'POST /v1/mailing-lists': { body: { name: fresh } },
    'POST /v1/webhook-endpoints': { body: { url: `https://${fresh}.example.com/` }, as: 'session' },
    'PATCH /v1/webhook-endpoints/{endpointId}': { body: { description: fresh }, as: 'session' },
    'POST /v1/webhook-endpoints/{endpointId}/signing-secret': { body: { overlapSeconds: 60 }, as: 'session' },
    'POST /v1/webhook-endpoints/{endpointId}/replay': { body: { states: ['skipped'] }, as: 'session' },
    'PATCH /v1/mailing-lists/{listId}': { body: { name: fresh } },
    'POST /v1/blocks': { body: { name: fresh, content: [{ type: 'text', text: 'Hi' }] } },
    'PATCH /v1/blocks/{blockId}': { body: { name: fresh } },
    'POST /v1/template-starters/{starterId}/use': { body: { name: fresh } },
    'PUT /v1/blocks/{blockId}/content/{locale}': { body: { content: [{ type: 'text', text: 'Hi' }] } },
    'POST /v1/segments': { body: { name: fresh, filter: { field: 'plan', op: 'exists' } } },
    'POST /v1/segments/preview': { body: { filter: { field: 'plan', op: 'exists' } } },
    'PATCH /v1/segments/{segmentId}': { body: { name: fresh } },
    'POST /v1/relays': { body: { ...relay, workspaceId: ids['withRelays'] } },
    'PATCH /v1/relays/{relayId}': { body: { name: fresh } },
    'POST /v1/relays/{relayId}/test': { body: { to: 'ada@example.net' } },
    'PUT /v1/relay-routes': {
      body: { routes: [{ domains: [`${fresh}.example`], relays: [{ relayId: 'smtp_url', weight: 1 }] }] },
    },
    'POST /v1/workspaces': { body: { slug: fresh } },
    'PATCH /v1/workspaces/{workspaceId}': { body: { name: fresh } },
    'POST /v1/workspaces/{workspaceId}/api-keys': { body: { name: fresh } },
    'DELETE /v1/workspaces/{workspaceId}': { body: { confirm: ids['tenantSlug'] } },
    'POST /v1/workspaces/{workspaceId}/suspend': { body: { reason: fresh } },
    'POST /v1/workspaces/{workspaceId}/export': { body: {} },
    'POST /v1/receivers/resume': { body: { relayId: 'smtp_url', receiver: 'google' } },
    'PUT /v1/receiver-rules': { body: { rules: [{ codes: ['450'], contains: [fresh], action: 'ignore' }] } },
    'POST /v1/receiver-rules/try': { body: { rules: [{ codes: ['450'], action: 'suspend' }] } },
    'POST /v1/subscription-sources/create': { body: { name: fresh } },
    'POST /v1/subscription-sources': { body: { name: fresh } },
    'PUT /v1/subscription-sources/update': { body: { id: ids.sourceId, name: fresh } },
    'PATCH /v1/subscription-sources/{sourceId}': { body: { name: fresh } },
    'PUT /v1/subscription-sources/{sourceId}': { body: { name: fresh } },
    'POST /v1/subscription-sources/delete': { body: { id: ids.sourceId } },
    'POST /v1/contact-subscriptions/opt-in': { body: { email: `${fresh}@example.net`, sourceId: ids.sourceId } },
    'POST /v1/contact-subscriptions/resend-confirmation': { body: { email: `${fresh}@example.net` } },
    'POST /v1/contact-subscriptions/cancel-held': { body: { network: '203.0.113.0/24' } },
    'POST /v1/contacts/create': {
      body: { email: `${fresh}@example.net`, mailingLists: { [known(ids, 'listId', '')]: true } },
    },
    'PUT /v1/contacts/update': { body: { email, firstName: fresh } },
    'PATCH /v1/contacts/{contactId}': { body: { lastName: fresh } },
    'POST /v1/contacts/{contactId}/consent': { body: { subscribed: false, statement: fresh } },
    'POST /v1/contacts/delete': { body: { email } },
    'DELETE /v1/contacts/suppression': { body: { email: suppressed } },
    'POST /v1/suppressions': { body: { email: `${fresh}@example.net` } },
    'POST /v1/suppressions/bulk': { body: { emails: [`${fresh}@example.net`] } },
    'POST /v1/media': { body: {}, refused: 415 },
    'PATCH /v1/media/{mediaId}': { body: { alt: fresh } },
    'POST /v1/contacts/import': { body: {}, refused: 415 },
    'POST /v1/contacts/import/preview': { body: {}, refused: 415 },
    'POST /v1/workspace-imports': { body: {}, refused: 415 },
    'POST /v1/imports': { body: {}, refused: 422 },
    'POST /v1/imports/preview': { body: {}, refused: 422 },
    'POST /v1/events/send': { body: { eventName: fresh, email: 'ada@example.net' } },
    'POST /v1/event-rules': { body: { eventName: fresh, action: 'send_template', templateId: ids.id } },
    'POST /v1/sequences': { body: { name: fresh, definition: { steps: [{ id: 'a', type: 'webhook' }] } } },
    'PATCH /v1/sequences/{sequenceId}': { body: { name: fresh } },
    'POST /v1/sequences/{sequenceId}/moves': { body: {} },
    'POST /v1/sequences/{sequenceId}/publish': { body: { contentHash: ids.sequenceHash } },
    'POST /v1/sequences/{sequenceId}/enrol': { body: { emails: [email] } },
    'POST /v1/sequences/{sequenceId}/rehearse': { body: { emails: [email] } },
    'POST /v1/sequences/{sequenceId}/steps/{stepId}/winner': { body: { variant: 'A' } },
    'PATCH /v1/event-rules/{ruleId}': { body: { name: fresh } },
    'POST /v1/event-rules/{ruleId}/try': { body: { eventId: ids.eventId } },
    'PATCH /v1/settings/integrations/payments': { body: { enabled: false }, as: 'session' },
    'PUT /v1/settings/integrations/payments': { body: { enabled: false }, as: 'session' },
    'POST /v1/jobs/retry': { body: { jobIds: [ids['POST /v1/jobs/{jobId}/retry jobId']] } },
    'POST /v1/jobs/cancel': { body: { jobIds: [ids.jobId] } },
    'POST /v1/jobs/resolve': { body: { verdict: 'done', jobIds: [ids.jobId] } },
    'POST /v1/jobs/{jobId}/resolve': { body: { verdict: 'done' } },
    'POST /v1/test/clock': { body: { advance: '1d' } },
    'POST /v1/campaigns': { body: { name: fresh, subject: fresh, mailingListId: ids.mailingListId, content } },
    'POST /v1/recurring-campaigns': {
      body: {
        name: fresh,
        subject: fresh,
        mailingListId: ids.mailingListId,
        content,
        schedule: { every: 'day', at: '09:00' },
      },
    },
    'PATCH /v1/recurring-campaigns/{recurringCampaignId}': { body: { name: fresh } },
    'POST /v1/recurring-campaigns/plan': { body: { schedule: { every: 'day', at: '09:00' } } },
    'POST /v1/recurring-campaigns/{recurringCampaignId}/preview': { body: {} },
    'PATCH /v1/campaigns/{campaignId}': { body: { name: fresh } },
    'PUT /v1/campaigns/{campaignId}/content/{locale}': { body: { content } },
    'POST /v1/transactional/import': { body: { kind: 'html', source: '<p>Hello</p>' } },
    'POST /v1/transactional/preview': { body: { content, subject: fresh } },
    'POST /v1/transactional/{templateId}/preview': { body: { subject: fresh } },
    'POST /v1/transactional/{templateId}/test': { body: { emails: ['owner@acme.test'] } },
    'POST /v1/campaigns/{campaignId}/rehearse': { body: { days: 2 } },
    'POST /v1/campaigns/{campaignId}/preview': { body: { subject: fresh } },
    'POST /v1/transactional/{templateId}/revisions/{revisionId}/diff': { body: { content, subject: fresh } },
    'POST /v1/transactional/{templateId}/revisions/{revisionId}/restore': { body: {} },
    'POST /v1/campaigns/{campaignId}/revisions/{revisionId}/diff': { body: { content, subject: fresh } },
    'POST /v1/campaigns/{campaignId}/revisions/{revisionId}/restore': { body: {} },
    'POST /v1/blocks/{blockId}/revisions/{revisionId}/diff': { body: { content, subject: fresh } },
    'POST /v1/blocks/{blockId}/revisions/{revisionId}/restore': { body: {} },
    'POST /v1/campaigns/{campaignId}/test': { body: { emails: ['owner@acme.test'] } },
    'POST /v1/campaigns/{campaignId}/approve': { body: { contentHash: ids.contentHash }, as: 'session' },
    'PATCH /v1/approvals/{approvalId}': { body: { contentHash: ids.approvalHash, text: fresh }, as: 'session' },
    'POST /v1/approvals/options': { body: { approvals: [seen] }, as: 'session' },
    'POST /v1/approvals/approve': { body: { approvals: [seen] }, as: 'session' },
    'POST /v1/approvals/refuse': { body: { approvals: [seen] }, as: 'session' },
    'POST /v1/campaigns/{campaignId}/send': { body: {} },
    'POST /v1/campaigns/{campaignId}/winner': { body: { variant: 'A' }, refused: 409 },
    'POST /v1/campaigns/{campaignId}/schedule': { body: { scheduledAt: '2026-03-01T12:00:00Z' } },
    'PUT /v1/provider-hooks': { body: { provider: 'postmark' }, as: 'session' },
    'PATCH /v1/campaign-settings': { body: { mailsPerWeek: 5 }, as: 'session' },
  }
}

export async function withPassword(t: TestApp): Promise<void> {
  const hash = await t.app.passwords.hash(password)
  await write(t.app, async (tx) => {
    await setPassword(tx, t.user.id, hash)
    // Setting it ends the sessions; the ready one is to go on.
    const token = t.sessionCookie.slice('session='.length)
    const row = { tokenHash: sha256Hex(token), userId: t.user.id, createdAt: tx.now, lastSeenAt: tx.now }
    await tx.db.insert(sessions).values({ ...row, expiresAt: new Date(tx.now.getTime() + 86_400_000) })
  })
}
