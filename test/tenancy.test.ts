// Who may touch what, on every route that the OpenAPI document lists: another workspace's things, another scope's routes, fields
// that nobody may set, and what is stored or logged of a secret. A new route is in these tests as soon as it is in the document;
// one that they do not know how to call fails them.

import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DrizzleQueryError, eq, sql } from 'drizzle-orm'
import { TOTP } from 'otpauth'
import { putInstallationValue } from '../db/installation-value.ts'
import { sendingDomains } from '../db/tables/messages.ts'
import { apiKeys, passkeys, sessions, workspaces } from '../db/tables/workspaces.ts'
import { write } from '../src/core/app.ts'
import { buildServer } from '../src/doors/server.ts'
import { setTrustLevel } from '../src/features/campaigns/reputation/trust-level.ts'
import { replyTo } from '../src/features/mailboxes/reply.ts'
import { findToken } from '../src/features/mailboxes/tokens.ts'
import { sha256Hex } from '../src/kit/digest.ts'
import { failureText } from '../src/kit/error.ts'
import { createLog } from '../src/kit/log.ts'
import { systemRandom } from '../src/kit/random.ts'
import { newApiKey } from '../src/kit/token.ts'
import { noVitals } from '../src/operator/health/vitals.ts'
import { createApiKey } from '../src/people/access/api-keys.ts'
import { writeCounts } from '../src/people/access/audit/leave-line.ts'
import { type Scope, scopes } from '../src/people/access/scopes.ts'
import { createLoginLink, createSession, sessionId } from '../src/people/access/sessions.ts'
import { createUser, setPassword } from '../src/people/access/users.ts'
import { type Json, type Reply, type RequestOptions, type TestApp, testApp } from './support/app.ts'
import { authenticator } from './support/authenticator.ts'
import { ranOnFile, remoteDatabase } from './support/database.ts'
import { connect, deliver, providerEvent } from './support/payment-provider.ts'
import { countWrites, snapshot } from './support/snapshot.ts'
import { onTheWire } from './support/wire.ts'

const methods = ['get', 'put', 'post', 'patch', 'delete']
const password = 'correct horse battery'

interface Schema {
  properties?: Record<string, Schema>
  anyOf?: Schema[]
}

interface Operation {
  id: string
  /** `PUT /v1/transactional/update` */
  route: string
  method: string
  path: string
  parameters: { name: string; in: string }[]
  fields: string[]
  hasBody: boolean
  /** What a key needs; null when no key is taken. `any` = whatever key is valid. */
  scope: string | null
  session: boolean
  open: boolean
}

async function operationsOf(t: TestApp): Promise<Operation[]> {
  const { paths, components }: Json = await t.get('/openapi.json', 200, { as: 'nobody' })
  return Object.entries<Json>(paths).flatMap(([path, item]) =>
    methods.flatMap((method) =>
      item[method] && path.startsWith('/v1/') ? [operationOf(path, method, item[method], components.schemas)] : [],
    ),
  )
}

function operationOf(path: string, method: string, operation: Json, schemas: Json): Operation {
  const { parameters = [], requestBody, security } = operation
  const schema = requestBody?.content['application/json']?.schema
  const key = security.find((one: object) => 'apiKey' in one)
  return {
    id: operation.operationId,
    route: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    parameters,
    fields: fieldsOf(schema?.$ref ? schemas[schema.$ref.split('/').at(-1)] : schema),
    hasBody: requestBody !== undefined,
    scope: key ? (key.apiKey[0] ?? 'any') : null,
    session: security.some((one: object) => 'session' in one),
    open: security.length === 0,
  }
}

function fieldsOf(schema: Schema | undefined): string[] {
  if (!schema) return []
  return [...Object.keys(schema.properties ?? {}), ...(schema.anyOf ?? []).flatMap(fieldsOf)]
}

/** Things of workspace A, by the name of the path parameter or body field that takes their id. */
interface Things {
  ids: Record<string, string>
  /** Of a contact, and on the suppression list. */
  email: string
  suppressed: string
}

let made = 0

/** Made side by side: what takes the longest is to wait for the database. */
async function thingsOf(t: TestApp): Promise<Things> {
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
  const captured = await capturedThings(t)
  const ids = { ...template, ...people, ...webhooks, ...mailbox, ...events, ...jobs, ...members, ...captured, domainId }
  return { ids, email, suppressed }
}

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
  const [{ id: sourceId }, { id: campaignId, contentHash }, { id: segmentId }] = await Promise.all([
    t.post('/v1/subscription-sources/create', { name: `Source ${n}`, mailingListIds: [list.id] }, 201),
    t.post('/v1/campaigns', campaign, 201),
    t.post('/v1/segments', { name: `Segment ${n}`, filter: { field: 'plan', op: 'exists' } }, 201),
  ])
  const { data } = await t.get(`/v1/campaigns/${campaignId}/revisions`, 200)
  const ofCampaign = ['GET', 'GET /diff', 'POST /diff', 'POST /restore'].map((one) => {
    const [method, end = ''] = one.split(' ')
    return [`${method} /v1/campaigns/{campaignId}/revisions/{revisionId}${end} revisionId`, data[0].id]
  })
  return {
    ...Object.fromEntries(ofCampaign),
    userId,
    contactId,
    importId,
    campaignId,
    contentHash,
    listId: list.id,
    segmentId,
    mailingListId: list.id,
    sourceId,
    'PUT /v1/subscription-sources/update id': sourceId,
    'POST /v1/subscription-sources/delete id': sourceId,
  }
}

async function webhookThings(t: TestApp, n: number) {
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
  return {
    approvalId: held.messageId,
    approvalHash: contentHash,
    mailboxId: mailbox.id,
    tokenId,
    token,
    [`${messages} messageId`]: received.messageId,
    [`${messages.replace('GET', 'PATCH')} messageId`]: received.messageId,
    [`${messages}/source messageId`]: received.messageId,
    [`${messages}/thread messageId`]: received.messageId,
    [`${messages.replace('GET', 'POST')}/reply messageId`]: received.messageId,
    [`${messages}/attachments/{number} messageId`]: received.messageId,
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

/** A rule, and a payment event that found nobody. */
async function eventThings(t: TestApp, n: number) {
  const rule = { eventName: `e-${n}`, action: 'update_contact', contactProperties: { plan: 'x' } }
  const { id: ruleId } = await t.post('/v1/event-rules', rule, 201)
  const event = providerEvent('customer.created', { id: `cus_${n}` })
  expect((await deliver(t, await connect(t), event)).body).toMatchObject({ status: 'ignored' })
  const { eventId } = await t.post('/v1/events/send', { eventName: `e-${n}`, email: `v${n}@example.net` }, 200)
  return { ruleId, eventId, paymentEventId: String(event.id) }
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

/** Not the id of anything. */
const plainParameters: Record<string, string> = { locale: 'en', number: '1' }
/** Of a template, which a test workspace has from its own. */
const isOfTemplate = /^(id|slug|templateId|transactionalId|\w*[rR]evisionId)$/
/** A number is nothing that could be told. */
const numbered = { capturedId: 1 }
const idLike = /^(id|slug)$|(Id|Ids|Slug)$/

/** What else a request needs so that only the foreign id can be what is wrong with it. */
const content = [{ type: 'text', text: 'Stolen' }]
const bodies: Record<string, object | ((ids: Things['ids']) => object)> = {
  'PATCH /v1/members/{userId}': { role: 'viewer' },
  'PATCH /v1/auth/passkeys/{passkeyId}': { name: 'Stolen' },
  'PUT /v1/transactional/update': { name: 'Stolen' },
  'POST /v1/transactional/delete': {},
  'PUT /v1/transactional/{templateId}/content/{locale}': { content },
  'POST /v1/transactional/send': { email: 'eve@example.net' },
  'POST /v1/messages/{messageId}/cancel': {},
  'POST /v1/messages/{messageId}/reschedule': { scheduledAt: '2026-12-01T00:00:00Z' },
  'POST /v1/messages/{messageId}/resend': {},
  'PATCH /v1/contacts/{contactId}': { firstName: 'Stolen' },
  'POST /v1/contacts/{contactId}/consent': { subscribed: false, statement: 'Stolen' },
  'PATCH /v1/mailing-lists/{listId}': { name: 'Stolen' },
  'PATCH /v1/segments/{segmentId}': { name: 'Stolen' },
  'PATCH /v1/webhook-endpoints/{endpointId}': { description: 'Stolen' },
  'POST /v1/webhook-endpoints/{endpointId}/signing-secret': {},
  'POST /v1/webhook-endpoints/{endpointId}/replay': {},
  'PUT /v1/subscription-sources/update': { name: 'Stolen' },
  'PATCH /v1/subscription-sources/{sourceId}': { name: 'Stolen' },
  'PUT /v1/subscription-sources/{sourceId}': { name: 'Stolen' },
  'POST /v1/subscription-sources/delete': {},
  'PATCH /v1/mailboxes/{mailboxId}': { name: 'Stolen' },
  'PATCH /v1/mailboxes/{mailboxId}/messages/{messageId}': { read: true },
  'POST /v1/mailboxes/{mailboxId}/messages/{messageId}/reply': { text: 'A' },
  'POST /v1/mailboxes/{mailboxId}/tokens': {},
  'POST /v1/contact-subscriptions/opt-in': { email: 'eve@example.net' },
  'POST /v1/contact-subscriptions/resend-confirmation': { email: 'eve@example.net' },
  'POST /v1/contact-subscriptions/cancel-held': { network: '203.0.113.0/24' },
  'POST /v1/contacts/create': { email: 'eve@example.net' },
  'PUT /v1/contacts/update': { email: 'eve@example.net' },
  'POST /v1/contacts/delete': {},
  'DELETE /v1/contacts/suppression': {},
  'POST /v1/events/send': {},
  'POST /v1/event-rules': {},
  'PATCH /v1/event-rules/{ruleId}': { name: 'Stolen' },
  'POST /v1/event-rules/{ruleId}/try': ({ eventId }) => ({ eventId }),
  'POST /v1/jobs/retry': {},
  'POST /v1/jobs/cancel': {},
  'POST /v1/jobs/resolve': {},
  'POST /v1/test/clock': { advance: '1d' },
  'POST /v1/jobs/{jobId}/resolve': { verdict: 'done' },
  'POST /v1/campaigns': { name: 'Stolen', subject: 'Stolen' },
  'PATCH /v1/campaigns/{campaignId}': { name: 'Stolen' },
  'PUT /v1/campaigns/{campaignId}/content/{locale}': { content },
  'POST /v1/transactional/{templateId}/preview': {},
  'POST /v1/transactional/{templateId}/test': { emails: ['owner@acme.test'] },
  'POST /v1/transactional/{templateId}/revisions/{revisionId}/diff': { content },
  'POST /v1/transactional/{templateId}/revisions/{revisionId}/restore': {},
  'POST /v1/campaigns/{campaignId}/revisions/{revisionId}/diff': { content },
  'POST /v1/campaigns/{campaignId}/revisions/{revisionId}/restore': {},
  'POST /v1/campaigns/{campaignId}/preview': {},
  'POST /v1/campaigns/{campaignId}/test': { emails: ['owner@acme.test'] },
  'POST /v1/campaigns/{campaignId}/approve': ({ contentHash }) => ({ contentHash }),
  'PATCH /v1/approvals/{approvalId}': ({ approvalHash }) => ({ contentHash: approvalHash, text: 'Stolen' }),
  'POST /v1/approvals/{approvalId}/approve': ({ approvalHash }) => ({ contentHash: approvalHash }),
  'POST /v1/approvals/{approvalId}/refuse': ({ approvalHash }) => ({ contentHash: approvalHash }),
  'POST /v1/campaigns/{campaignId}/send': {},
  'POST /v1/campaigns/{campaignId}/schedule': { scheduledAt: '2026-03-01T12:00:00Z' },
}

/** What must have happened to A's things before a request of A makes sense. */
const before: Record<string, (t: TestApp, things: Things) => Promise<unknown>> = {
  'POST /v1/campaigns/{campaignId}/unschedule': (t, { ids }) =>
    t.post(`/v1/campaigns/${ids.campaignId}/schedule`, { scheduledAt: '2026-03-01T12:00:00Z' }, 200),
  'POST /v1/campaigns/{campaignId}/pause': (t, { ids }) => t.post(`/v1/campaigns/${ids.campaignId}/send`, {}, 200),
  'POST /v1/campaigns/{campaignId}/resume': async (t, { ids }) => {
    await t.post(`/v1/campaigns/${ids.campaignId}/send`, {}, 200)
    await t.post(`/v1/campaigns/${ids.campaignId}/pause`, {}, 200)
  },
}

/** Id-like fields that are no reference to what exists, or are refused otherwise; each with its own test below. */
const exceptions: Record<string, string> = {
  'POST /v1/transactional/create id': 'the caller chooses it',
  'POST /v1/transactional/create slug': 'the caller chooses it',
  'PUT /v1/transactional/update expectedRevisionId': 'a condition on the template that id names',
  'PUT /v1/transactional/{templateId}/content/{locale} expectedRevisionId': 'a condition on the template of the path',
  'PUT /v1/campaigns/{campaignId}/content/{locale} expectedRevisionId': 'a condition on the campaign of the path',
  'POST /v1/transactional/{templateId}/revisions/{revisionId}/restore expectedRevisionId':
    'a condition on the template of the path',
  'POST /v1/campaigns/{campaignId}/revisions/{revisionId}/restore expectedRevisionId':
    'a condition on the campaign of the path',
  'POST /v1/contact-subscriptions/resend-confirmation sourceId': 'always 202, whether there is one or not',
  'POST /v1/contact-subscriptions/resend-confirmation mailingListId': 'always 202, whether there is one or not',
  'POST /v1/transactional/send userId': 'a wrong recipient is 422, whoever it would have been',
  ...Object.fromEntries(
    ['POST /v1/subscription-sources/create', 'POST /v1/subscription-sources', 'PUT /v1/subscription-sources/update']
      .concat('PATCH /v1/subscription-sources/{sourceId}', 'PUT /v1/subscription-sources/{sourceId}')
      .flatMap((route) => [
        [`${route} mailingListIds`, 'an unknown list is 422, whoever has one of that id'],
        [`${route} confirmationTemplateId`, 'an unknown template is 422, whoever has one of that slug'],
      ]),
  ),
  'PATCH /v1/subscription-sources/{sourceId} id': 'the path names the source',
  'PUT /v1/subscription-sources/{sourceId} id': 'the path names the source',
  'POST /v1/contact-subscriptions/opt-in userId': 'the caller chooses it',
  'POST /v1/contact-subscriptions/opt-in mailingListIds': 'an unknown list is 422, whoever has one of that id',
  'POST /v1/contacts/create userId': 'the caller chooses it',
  'PATCH /v1/contacts/{contactId} userId': 'the caller chooses it',
  'PUT /v1/contacts/update userId': 'the caller chooses it: an unknown one makes a contact',
  'DELETE /v1/contacts/suppression userId': 'A’s contact is not suppressed; its address is tried below',
  'POST /v1/events/send userId': 'names a contact of the caller’s own, or a new one (events.test.ts)',
  'POST /v1/events/send eventId': 'the caller chooses it',
  'POST /v1/event-rules templateId': 'what a rule cannot use is 422, whoever has it (event-rules.test.ts)',
  'POST /v1/event-rules mailingListId': 'what a rule cannot use is 422, whoever has it (event-rules.test.ts)',
  'PATCH /v1/event-rules/{ruleId} templateId': 'what a rule cannot use is 422, whoever has it (event-rules.test.ts)',
  'PATCH /v1/event-rules/{ruleId} mailingListId': 'what a rule cannot use is 422, whoever has it (event-rules.test.ts)',
  'POST /v1/jobs/retry jobIds': 'told one by one (jobs.test.ts)',
  'POST /v1/jobs/cancel jobIds': 'told one by one (jobs.test.ts)',
  'POST /v1/jobs/resolve jobIds': 'told one by one (jobs.test.ts)',
  'POST /v1/campaigns mailingListId': 'a wrong list is 422, whoever has it',
  'POST /v1/campaigns segmentId': 'an unknown segment is 422, whoever has one of that id',
  'PATCH /v1/campaigns/{campaignId} segmentId': 'an unknown segment is 422, whoever has one of that id',
  'POST /v1/campaigns templateId': 'a slug is free for everybody; an unknown one is 422',
  'PATCH /v1/campaigns/{campaignId} mailingListId': 'a wrong list is 422, whoever has it',
  'PATCH /v1/campaigns/{campaignId} templateId': 'a slug is free for everybody; an unknown one is 422',
}

interface Attempt {
  what: string
  operation: Operation
  request(things: Things): { path: string; body: unknown }
}

function attemptsOn(operation: Operation): Attempt[] {
  const { route, path, parameters, fields, hasBody } = operation
  // What it takes is a credential itself, and belongs to nobody else.
  if (route === 'POST /v1/inbound/{token}') return []
  const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name)
  const references = inPath.filter((name) => !Object.hasOwn(plainParameters, name))
  const members = fields.filter((name) => idLike.test(name) && !Object.hasOwn(exceptions, `${route} ${name}`))
  if (references.length + members.length === 0) return []
  const rest = bodies[route]
  if (hasBody && !rest) throw new Error(`${route} takes ids: say in "bodies" what else a request needs`)
  const address = ({ ids }: Things) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => plainParameters[name] ?? known(ids, name, route))
  const restOf = ({ ids }: Things) => (typeof rest === 'function' ? rest(ids) : rest)
  const attempts = members.map(
    (name): Attempt => ({
      what: `${route} with ${name}`,
      operation,
      request: (things) => ({
        path: address(things),
        body: { ...restOf(things), [name]: known(things.ids, name, route) },
      }),
    }),
  )
  if (references.length === 0) return attempts
  return [
    { what: route, operation, request: (things) => ({ path: address(things), body: restOf(things) }) },
    ...attempts,
  ]
}

function known(ids: Record<string, string>, name: string, route: string): string {
  const id = ids[`${route} ${name}`] ?? ids[name]
  if (id === undefined) throw new Error(`${route} takes ${name}: give workspace A one in thingsOf()`)
  return id
}

/** Workspace B, whose owner also has a session. */
async function strangerOf(t: TestApp) {
  const { workspace, apiKey } = await t.stranger()
  const byKey: RequestOptions = { as: { apiKey } }
  const { as: bySession } = await t.person('owner', { email: 'eve@stranger.test', workspace })
  return { workspace, byKey, bySession }
}

async function allOperations(): Promise<Operation[]> {
  await using t = await testApp()
  return await operationsOf(t)
}

const turnsOfAnApp = 40

/**
 * One after the other, each with two workspaces; a fresh app now and then keeps what has to be compared small. A turn tells why the
 * things of A were not good for it, or nothing: what an earlier turn used up is made again.
 */
async function inTurns<T>(
  all: T[],
  turn: (t: TestApp, stranger: Awaited<ReturnType<typeof strangerOf>>, one: T, things: Things) => Promise<string>,
): Promise<void> {
  for (let first = 0; first < all.length; first += turnsOfAnApp) {
    await using t = await testApp()
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

describe('between workspaces', () => {
  test.skipIf(ranOnFile)(
    'an id of A is 404 for B on every route that takes one, and nothing changes',
    async () => {
      // Open ones have no workspace of the caller's: what stands in the path is their credential.
      const attempts = (await allOperations()).filter(({ open }) => !open).flatMap(attemptsOn)
      expect(attempts.length).toBeGreaterThan(8)
      await inTurns(attempts, async (t, { byKey, bySession }, { what, operation, request }, given) => {
        const prepare = before[operation.route]
        const things = prepare ? await thingsOf(t) : given
        await prepare?.(t, things)
        const { path, body } = request(things)
        const asked: [who: string, path: string, options: RequestOptions][] = [
          ...(operation.scope === null
            ? []
            : [['key', path, byKey] as const, ['key by the alias', `/api${path}`, byKey] as const]),
          ...(operation.session ? [['session', path, bySession] as const] : []),
        ].map(([who, path, options]) => [who, path, options])
        expect(asked.length, what).toBeGreaterThan(0)
        for (const [who, at, options] of asked) {
          const reply = await t.unchanged(() => t.request(operation.method, at, body, options))
          expect([reply.status, reply.body.code], `${what}, ${who} of B`).toEqual([404, 'not_found'])
        }
        // The very same request is good for A: nothing else was wrong with it.
        const own = await t.request(operation.method, path, body, { as: operation.scope === null ? 'session' : 'key' })
        return own.status < 300 ? '' : `${what}, key of A: ${own.text}`
      })
    },
    240_000,
  )

  test('what is no reference: a slug of A is free for B, its revision is no condition, its userId is nobody', async () => {
    await using t = await testApp()
    const { byKey } = await strangerOf(t)
    const { ids } = await thingsOf(t)
    const mine = await t.get(`/v1/transactional/${ids.id}`, 200)
    for (const [name, slug] of [
      ['id', ids.id],
      ['slug', (await thingsOf(t)).ids.id],
    ] as const) {
      await t.post('/v1/transactional/create', { name: 'T', subject: 'T', content, [name]: slug }, 201, byKey)
    }
    expect(await t.get(`/v1/transactional/${ids.id}`, 200)).toEqual(mine)
    const expectedRevisionId = ids.expectedRevisionId
    const update = { id: ids.id, name: 'x', expectedRevisionId }
    await t.unchanged(() => t.put('/v1/transactional/update', update, 409, byKey))
    const put = { content, expectedRevisionId }
    await t.unchanged(() => t.put(`/v1/transactional/${ids.id}/content/en`, put, 409, byKey))
    const send = { templateId: ids.id, userId: ids.userId }
    const refused = await t.unchanged(() => t.post('/v1/transactional/send', send, 422, byKey))
    expect(refused.errors).toMatchObject([{ path: 'userId' }])
    await t.post('/v1/transactional/send', send, 200)
  })

  test('lists hold nothing of A, and its cursors are not B’s', async () => {
    await using t = await testApp()
    const { byKey, bySession, workspace } = await strangerOf(t)
    const things = await thingsOf(t)
    await thingsOf(t)
    await t.post('/v1/sending-domains', { domain: 'mine.example' }, 201)
    const held = JSON.stringify({ because: 'older', since: t.clock.now(), servedUntil: null })
    await write(t.app, (tx) => putInstallationValue(tx, 'held', held))
    // A number is nothing that could be told.
    const { capturedId: _, ...ids } = things.ids
    const secrets = [...Object.values(ids), t.workspace.id, t.user.id, t.user.email, 'mine.example', 'ada@example.net']
    const reads = (await operationsOf(t)).filter(({ method, path }) => method === 'GET' && !path.includes('{'))
    let pages = 0
    for (const { route, path, parameters, scope, session } of reads) {
      for (const options of [...(scope === null ? [] : [byKey]), ...(session ? [bySession] : [])]) {
        const { text } = await t.request('GET', path, undefined, options)
        for (const secret of secrets) expect(text, `${route} tells ${secret}`).not.toContain(secret)
      }
      if (!parameters.some(({ name }) => name === 'cursor')) continue
      pages++
      const [mine, theirs]: RequestOptions[] = scope === null ? [{ as: 'session' }, bySession] : [{}, byKey]
      const { pagination } = await t.get(`${path}?perPage=1`, 200, mine)
      expect(pagination.nextCursor, route).toBeString()
      await t.get(`${path}?perPage=1&cursor=${pagination.nextCursor}`, 400, theirs)
    }
    expect(pages).toBeGreaterThan(1)
    expect((await t.get('/v1/workspace', 200, byKey)).id).toBe(workspace.id)
  })

  test.skipIf(ranOnFile)('a test key reads nothing of its workspace but the templates', async () => {
    await using t = await testApp()
    const { ids, email, suppressed } = await thingsOf(t)
    await t.post('/v1/sending-domains', { domain: 'mine.example' }, 201)
    const { apiKey } = await t.post('/v1/api-keys', { name: 'CI', test: true }, 201)
    const real = [
      ...Object.entries(ids).flatMap(([name, id]) => (isOfTemplate.test(name) || name in numbered ? [] : [id])),
      ...[email, suppressed, 'member', 'invited', t.workspace.id, t.user.id, t.user.email, 'mine.example'],
      ...(await t.get('/v1/members', 200)).data.map(({ email }: Json) => email),
      ...(await t.get('/v1/api-keys', 200)).data.flatMap(({ id, test }: Json) => (test ? [] : [id])),
      ...(await t.get('/v1/audit', 200, { as: 'session' })).data.map(({ id }: Json) => id),
      (await t.get('/v1/settings/integrations/payments', 200, { as: 'session' })).webhook_url,
    ]
    const reads = (await operationsOf(t)).filter(({ method, open }) => method === 'GET' && !open)
    let answered = 0
    for (const { route, path, scope } of reads) {
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => plainParameters[name] ?? known(ids, name, route))
      const { status, text } = await t.request('GET', address, undefined, { as: { apiKey } })
      if (scope === null) expect(status, route).toBe(401)
      else if (address !== path && !path.startsWith('/v1/transactional')) expect([403, 404], route).toContain(status)
      for (const one of real) if (!address.includes(one)) expect(text, `${route} tells ${one}`).not.toContain(one)
      answered += Number(status === 200)
    }
    expect(answered).toBeGreaterThan(25)
  })

  test.skipIf(ranOnFile)('a session of B cannot name the workspace of A, on any route', async () => {
    await using t = await testApp()
    const { bySession } = await strangerOf(t)
    const headers = { ...bySession.headers, 'x-workspace-id': t.workspace.id }
    const routes = (await operationsOf(t)).filter(({ session }) => session)
    expect(routes.length).toBeGreaterThan(5)
    for (const { route, method, path } of routes) {
      const body = method === 'GET' ? undefined : {}
      const reply = await t.unchanged(() => t.request(method, path, body, { as: 'nobody', headers }))
      expect(reply.status, route).toBe(404)
    }
  })
})

const device = authenticator('http://localhost')

/** A body that is accepted, for every route that takes one. */
function validBodies({
  ids,
  email,
  suppressed,
}: Things): Record<string, { body: object; as?: RequestOptions['as']; refused?: number }> {
  const fresh = `fresh-${++made}`
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
    'POST /v1/mailboxes/{mailboxId}/tokens': { body: { name: fresh }, as: 'session' },
    'POST /v1/inbound/{token}': { body: { From: 'ada@example.net', TextBody: fresh }, as: 'nobody' },
    'POST /v1/mailing-lists': { body: { name: fresh } },
    'POST /v1/webhook-endpoints': { body: { url: `https://${fresh}.example.com/` }, as: 'session' },
    'PATCH /v1/webhook-endpoints/{endpointId}': { body: { description: fresh }, as: 'session' },
    'POST /v1/webhook-endpoints/{endpointId}/signing-secret': { body: { overlapSeconds: 60 }, as: 'session' },
    'POST /v1/webhook-endpoints/{endpointId}/replay': { body: { states: ['skipped'] }, as: 'session' },
    'PATCH /v1/mailing-lists/{listId}': { body: { name: fresh } },
    'POST /v1/segments': { body: { name: fresh, filter: { field: 'plan', op: 'exists' } } },
    'POST /v1/segments/preview': { body: { filter: { field: 'plan', op: 'exists' } } },
    'PATCH /v1/segments/{segmentId}': { body: { name: fresh } },
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
    'POST /v1/contacts/import': { body: {}, refused: 415 },
    'POST /v1/contacts/import/preview': { body: {}, refused: 415 },
    'POST /v1/imports': { body: {}, refused: 422 },
    'POST /v1/imports/preview': { body: {}, refused: 422 },
    'POST /v1/events/send': { body: { eventName: fresh, email: 'ada@example.net' } },
    'POST /v1/event-rules': { body: { eventName: fresh, action: 'send_template', templateId: ids.id } },
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
    'PATCH /v1/campaigns/{campaignId}': { body: { name: fresh } },
    'PUT /v1/campaigns/{campaignId}/content/{locale}': { body: { content } },
    'POST /v1/transactional/preview': { body: { content, subject: fresh } },
    'POST /v1/transactional/{templateId}/preview': { body: { subject: fresh } },
    'POST /v1/transactional/{templateId}/test': { body: { emails: ['owner@acme.test'] } },
    'POST /v1/campaigns/{campaignId}/preview': { body: { subject: fresh } },
    'POST /v1/transactional/{templateId}/revisions/{revisionId}/diff': { body: { content, subject: fresh } },
    'POST /v1/transactional/{templateId}/revisions/{revisionId}/restore': { body: {} },
    'POST /v1/campaigns/{campaignId}/revisions/{revisionId}/diff': { body: { content, subject: fresh } },
    'POST /v1/campaigns/{campaignId}/revisions/{revisionId}/restore': { body: {} },
    'POST /v1/campaigns/{campaignId}/test': { body: { emails: ['owner@acme.test'] } },
    'POST /v1/campaigns/{campaignId}/approve': { body: { contentHash: ids.contentHash }, as: 'session' },
    'PATCH /v1/approvals/{approvalId}': { body: { contentHash: ids.approvalHash, text: fresh }, as: 'session' },
    'POST /v1/approvals/{approvalId}/approve': { body: { contentHash: ids.approvalHash }, as: 'session' },
    'POST /v1/approvals/{approvalId}/refuse': { body: { contentHash: ids.approvalHash }, as: 'session' },
    'POST /v1/campaigns/{campaignId}/send': { body: {} },
    'POST /v1/campaigns/{campaignId}/schedule': { body: { scheduledAt: '2026-03-01T12:00:00Z' } },
    'PUT /v1/provider-hooks': { body: { provider: 'postmark' }, as: 'session' },
    'PATCH /v1/campaign-settings': { body: { mailsPerWeek: 5 }, as: 'session' },
  }
}

async function withPassword(t: TestApp): Promise<void> {
  const hash = await t.app.passwords.hash(password)
  await write(t.app, async (tx) => {
    await setPassword(tx, t.user.id, hash)
    // Setting it ends the sessions; the ready one is to go on.
    const token = t.sessionCookie.slice('session='.length)
    const row = { tokenHash: sha256Hex(token), userId: t.user.id, createdAt: tx.now, lastSeenAt: tx.now }
    await tx.db.insert(sessions).values({ ...row, expiresAt: new Date(tx.now.getTime() + 86_400_000) })
  })
}

/** Here every unknown field is a custom property of the contact, and the caller's own. */
const takesProperties = new Set([
  'POST /v1/contact-subscriptions/opt-in',
  'POST /v1/contacts/create',
  'PUT /v1/contacts/update',
  'PATCH /v1/contacts/{contactId}',
  'POST /v1/events/send',
])
const neverProperties = ['id', 'workspaceId', 'workspace_id', 'createdAt', 'created_at']

// What a server could do otherwise, every route once, is below (the audit log) and above (the lists).
describe.skipIf(ranOnFile)('fields that nobody may set', () => {
  test('are refused or ignored on every route with a body', async () => {
    const injected: Record<string, unknown> = {
      id: 'evil_id',
      createdAt: '1999-01-01T00:00:00.000Z',
      created_at: 915_148_800_000,
      trustLevel: 'M4',
      trust_level: 'M4',
      role: 'evil_owner',
      status: 'evil_status',
      keyHash: 'evil_hash',
      messageId: 'evil_message',
      isAdmin: 'evil_admin',
      passwordHash: 'evil_password',
    }
    const traces = /evil_|1999-01-01|915148800000|"M4"/
    const withBody = (await allOperations()).filter(({ hasBody }) => hasBody)
    await inTurns(withBody, async (t, { workspace }, { route, method, path, fields }, things) => {
      await withPassword(t)
      const valid = validBodies(things)[route]
      if (!valid) throw new Error(`${route} takes a body: say in validBodies() what a valid one is`)
      const strange = (name: string) =>
        !fields.includes(name) && (!takesProperties.has(route) || neverProperties.includes(name))
      const all = { workspaceId: workspace.id, workspace_id: workspace.id, ...injected }
      const extra = Object.fromEntries(Object.entries(all).filter(([name]) => strange(name)))
      const address = path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => plainParameters[name] ?? things.ids[`${route} ${name}`] ?? things.ids[name] ?? '',
      )
      const before = await snapshot(t.app)
      const reply = await t.request(method, address, { ...valid.body, ...extra }, { as: valid.as ?? 'key' })
      if (![200, 201, 202, valid.refused ?? 422].includes(reply.status)) return `${route}: ${reply.text}`
      const changes = (await snapshot(t.app)).differencesFrom(before)
      if (reply.status >= 400) expect(changes, route).toEqual([])
      for (const change of changes) {
        expect(change, route).not.toMatch(traces)
        expect(change, `${route} wrote to B`).not.toContain(workspace.id)
      }
      expect(await t.app.db.select().from(workspaces).where(eq(workspaces.trustLevel, 'M4')).all()).toEqual([])
      return ''
    })
  }, 240_000)

  test('nested ones too', async () => {
    await using t = await testApp()
    const brand = { companyName: 'Acme', trustLevel: 'M4', constructor: 'x', toString: 'x' }
    const reply = await t.unchanged(() => t.patch('/v1/workspace', { brand }, 422))
    const refused = ['brand.trustLevel', 'brand.constructor', 'brand.toString']
    expect(reply.errors.map(({ path }: Json) => path)).toEqual(refused)
  })
})

const pathOf = ({ path }: Operation) => path.replaceAll(/\{(\w+)\}/g, 'x')
const bodyOf = ({ method }: Operation) => (method === 'GET' ? undefined : {})

// Neither is about the database; what is above and in between calls every route.
describe.skipIf(remoteDatabase)('credentials', () => {
  test('a key with any other scope is 403 on every route, before its body is looked at', async () => {
    await using t = await testApp()
    const single = new Map<string, string>()
    for (const scope of scopes) {
      const { apiKey } = await write(t.app, (tx) => createApiKey(tx, t.workspace.id, { scopes: [scope] }))
      single.set(scope, apiKey)
    }
    const operations = (await operationsOf(t)).filter(({ scope }) => scope !== null && scope !== 'any')
    expect(operations.length).toBeGreaterThan(12)
    for (const operation of operations) {
      const { route, method, scope } = operation
      expect(scopes, route).toContain(scope as Scope)
      await t.unchanged(async () => {
        const others = [...single].filter(([granted]) => granted !== scope && granted !== 'full')
        for (const [n, [granted, apiKey]] of others.entries()) {
          const path = pathOf(operation)
          // The alias leads to the same route: one key asks there too.
          for (const at of n === 0 ? [path, `/api${path}`] : [path]) {
            const reply = await t.request(method, at, method === 'GET' ? undefined : { wrong: 1 }, { as: { apiKey } })
            expect([reply.status, reply.body.code], `${method} ${at} with ${granted}`).toEqual([
              403,
              'insufficient_scope',
            ])
            expect(reply.headers.get('www-authenticate'), route).toContain(`scope="${scope}"`)
          }
        }
      })
      for (const granted of [scope ?? '', 'full']) {
        const body = method === 'GET' ? undefined : { scopes: [scope] }
        const reply = await t.request(method, pathOf(operation), body, {
          as: { apiKey: single.get(granted) ?? '' },
        })
        expect([401, 403], `${route} with ${granted}`).not.toContain(reply.status)
      }
    }
  })

  test('routes outside the document ask for a scope too', async () => {
    await using t = await testApp()
    const { apiKey } = await write(t.app, (tx) => createApiKey(tx, t.workspace.id, { scopes: ['mcp'] }))
    const { server } = buildServer(t.app, noVitals)
    const aliases = server.routes.filter(({ path }) => /^\/(api\/v1|compat)\//.test(path))
    expect(aliases.length).toBeGreaterThan(0)
    for (const { method, path } of aliases) {
      await t.unchanged(async () => {
        const headers = { 'x-postmark-server-token': apiKey }
        const reply = await t.request(method, path, method === 'GET' ? undefined : {}, { as: { apiKey }, headers })
        const isForeign = path.startsWith('/compat/')
        expect([401, 403], `${method} ${path}`).toContain(reply.status)
        if (!isForeign) expect([reply.status, reply.body.code], path).toEqual([403, 'insufficient_scope'])
      })
    }
  })

  test('a route takes the credentials that it names, and no other', async () => {
    await using t = await testApp()
    for (const operation of await operationsOf(t)) {
      const { route, method, scope, session, open } = operation
      if (open) continue
      if (scope === null) {
        const reply = await t.unchanged(() => t.request(method, pathOf(operation), bodyOf(operation)))
        expect(reply.status, `${route} with a key`).toBe(401)
      }
      if (!session) {
        const asked = () => t.request(method, pathOf(operation), bodyOf(operation), { as: 'session' })
        expect((await t.unchanged(asked)).status, `${route} with a session`).toBe(401)
      }
    }
  })

  test('without a valid credential every route is 401, wherever the key is put', async () => {
    await using t = await testApp()
    const bearer = `Bearer ${t.apiKey}`
    const revoked = await t.post('/v1/api-keys', {}, 201)
    await t.delete(`/v1/api-keys/${revoked.id}`, undefined, 200)
    const wrong: [what: string, query: string, headers: Record<string, string>, body: object][] = [
      ['nothing', '', {}, {}],
      ['Basic', '', { authorization: `Basic ${btoa(`${t.apiKey}:`)}` }, {}],
      ['no scheme', '', { authorization: t.apiKey }, {}],
      ['two keys', '', { authorization: `${bearer}, ${bearer}` }, {}],
      ['an unknown key', '', { authorization: `Bearer ${newApiKey({ random: systemRandom })}` }, {}],
      ['a revoked key', '', { authorization: `Bearer ${revoked.apiKey}` }, {}],
      ['a session as a key', '', { authorization: `Bearer ${t.sessionCookie.slice('session='.length)}` }, {}],
      ['a key as a session', '', { cookie: `session=${t.apiKey}`, origin: t.url }, {}],
      ['a wrong key beside a session', '', { authorization: 'Bearer x', cookie: t.sessionCookie, origin: t.url }, {}],
      ['the key in the query', `?api_key=${t.apiKey}&apiKey=${t.apiKey}&access_token=${t.apiKey}`, {}, {}],
      ['the key in the body', '', {}, { api_key: t.apiKey, apiKey: t.apiKey }],
      ['the key in another header', '', { 'x-api-key': t.apiKey, 'proxy-authorization': bearer }, {}],
    ]
    for (const operation of (await operationsOf(t)).filter(({ open }) => !open)) {
      await t.unchanged(async () => {
        for (const [what, query, headers, body] of wrong) {
          const sent = operation.method === 'GET' ? undefined : body
          const reply = await t.request(operation.method, pathOf(operation) + query, sent, { as: 'nobody', headers })
          expect(reply.status, `${operation.route} with ${what}`).toBe(401)
          expect(reply.headers.get('www-authenticate'), operation.route).toMatch(/^(Bearer|Session)/)
          expect(reply.text, `${operation.route} with ${what}`).not.toContain(t.apiKey)
        }
      })
    }
    expect(t.logged.join()).not.toContain(t.apiKey)
  })

  test('a credential is found by its hash alone, so that no comparison can be timed', async () => {
    await using t = await testApp()
    const token = t.sessionCookie.slice('session='.length)
    const [key] = await t.app.db.select().from(apiKeys).all()
    const [session] = await t.app.db.select().from(sessions).all()
    expect(key?.keyHash).toBe(sha256Hex(t.apiKey))
    expect(session?.tokenHash).toBe(sha256Hex(token))
    const status = async (as: RequestOptions['as'] = 'key') =>
      (await t.request('GET', '/v1/workspace', undefined, { as })).status
    await write(t.app, (tx) => tx.db.update(apiKeys).set({ prefix: 'pqk_other0' }))
    expect(await status()).toBe(200)
    const other = newApiKey({ random: systemRandom })
    await write(t.app, (tx) => tx.db.update(apiKeys).set({ keyHash: sha256Hex(other), prefix: t.apiKey.slice(0, 10) }))
    await write(t.app, (tx) => tx.db.update(sessions).set({ tokenHash: sha256Hex('other') }))
    expect([await status(), await status('session'), await status({ apiKey: other })]).toEqual([401, 401, 200])
    // The hash itself opens nothing.
    await write(t.app, (tx) => tx.db.update(apiKeys).set({ keyHash: sha256Hex(t.apiKey) }))
    expect(await status({ apiKey: sha256Hex(t.apiKey) })).toBe(401)
  })
})

describe('secrets', () => {
  async function everySecret(t: TestApp): Promise<Record<string, string>> {
    await withPassword(t)
    const { apiKey } = await t.post('/v1/api-keys', {}, 201)
    const signIn = await t.request('POST', '/v1/auth/login', { email: t.user.email, password }, { as: 'nobody' })
    const session = /^session=([^;]+)/.exec(signIn.headers.get('set-cookie') ?? '')?.[1]
    const link = await write(t.app, (tx) => createLoginLink(tx, t.user.id))
    const mailbox = await t.post('/v1/mailboxes', { address: 'secret@paquebot.localhost' }, 201)
    const at = `/v1/mailboxes/${mailbox.id}`
    const { token } = await t.post(`${at}/tokens`, {}, 201, { as: 'session' })
    const { inboundUrl } = await t.post(`${at}/inbound-address`, undefined, 200, { as: 'session' })
    if (!session) throw new Error('signing in gave no session')
    return {
      'the first key': t.apiKey,
      'a key': apiKey,
      'a key without its prefix': apiKey.slice('pqk_'.length),
      'a session': session,
      'the first session': t.sessionCookie.slice('session='.length),
      'a sign-in link': link.slice('/login/'.length),
      'a mailbox token': token,
      'a mailbox token without its prefix': token.slice('mbtok_'.length),
      'an inbound address': inboundUrl.split('/').at(-1),
      'a password': password,
      'the secret key': t.app.config.secretKey ?? '',
      'a DKIM key': 'PRIVATE KEY',
    }
  }

  test('none of them is in the database', async () => {
    await using t = await testApp()
    const secrets = await everySecret(t)
    await t.post('/v1/sending-domains', { domain: 'mine.example' }, 201)
    // Proof that the dump holds what is stored in the open.
    const marker = 'stored in the open'
    await t.patch('/v1/workspace', { name: marker }, 200)
    const dump = await databaseDump(t)
    expect(dump).toContain(marker)
    for (const [what, secret] of Object.entries(secrets)) {
      expect(secret.length, what).toBeGreaterThan(8)
      for (const form of [
        secret,
        Buffer.from(secret).toString('base64').replace(/=+$/, ''),
        Buffer.from(secret).toString('hex'),
      ])
        expect(dump.includes(form), what).toBe(false)
    }
  })

  /** Of a file, all its bytes and those of its log; of a server, all rows. */
  async function databaseDump(t: TestApp): Promise<string> {
    const { tables } = await snapshot(t.app)
    const rows = [...tables.values()].flatMap((set) => [...set]).join('\n')
    if (remoteDatabase) return rows
    const { dataDir } = t.app.config
    const files = readdirSync(dataDir).filter((name) => /\.db/.test(name))
    expect(files.length).toBeGreaterThan(0)
    return rows + files.map((name) => readFileSync(join(dataDir, name)).toString('latin1')).join('\n')
  }

  const confidential = {
    email: 'private-person@example.net',
    dataVariables: { name: 'a very private value' },
    metadata: { note: 'a private note' },
    attachments: [{ filename: 'a.txt', contentType: 'text/plain', data: btoa('a private attachment') }],
  }
  const private_ = /private-person|a very private value|a private note|a private attachment|YSBwcml2YXRlIGF0dGFjaG1lbnQ/

  async function withTemplate(t: TestApp): Promise<void> {
    await t.template({ subject: 'Hi {{name}}', text: '{{name}}' })
  }

  test('a failure inside tells and logs neither secrets nor mail', async () => {
    await using t = await testApp()
    await withTemplate(t)
    const refuse = (table: string) =>
      sql.raw(`CREATE TRIGGER broken BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'broken'); END`)
    await write(t.app, (tx) => tx.db.run(refuse('messages')))
    const failed: Reply = await t.unchanged(() =>
      t.request('POST', '/v1/transactional/send', { ...confidential, templateId: 'hello' }),
    )
    expect([failed.status, failed.body.code, failed.body.errors]).toEqual([500, 'internal_error', []])
    expect(failed.text).not.toMatch(private_)
    expect(failed.text).not.toMatch(/insert into|sqlite|\.ts:|broken/i)
    expect(t.logged.join()).toContain('broken')
    await write(t.app, (tx) => tx.db.run(sql`DROP TRIGGER broken`))

    await write(t.app, (tx) => tx.db.run(refuse('captured_mails')))
    const { messageId } = await t.mail({ ...confidential, templateId: 'hello' })
    await t.settle()
    const { status, events }: Json = await t.get(`/v1/activity/${messageId}`, 200)
    expect([status, events.at(-1).code]).toEqual(['delayed', 'exception'])
    expect(JSON.stringify(events)).not.toMatch(private_)
    const log = t.logged.join()
    expect(log).toContain('a job threw')
    expect(log).not.toMatch(private_)
    expect(log).not.toContain(t.apiKey)
    await write(t.app, (tx) => tx.db.run(sql`DROP TRIGGER broken`))
    await t.advance('2m')
    expect(await t.sent()).toHaveLength(1)
  })

  test('an error of a query is logged without its parameters, whichever driver threw it', () => {
    const lines: string[] = []
    const log = createLog({ level: 'debug', format: 'json', now: () => new Date(0), write: (line) => lines.push(line) })
    const query = "insert into mails values ('a very private value', ?)"
    const error = new DrizzleQueryError(query, ['a very private value'], new Error('disk full'))
    log.error('failed', { error })
    expect(failureText(error)).toBe('a query failed: disk full')
    expect(lines.join()).toContain('disk full')
    expect(lines.join()).toContain('tenancy.test.ts')
    expect(lines.join()).not.toMatch(private_)
  })

  test('the log of a busy day holds no secret and one line per line', async () => {
    await using t = await testApp()
    const secrets = await everySecret(t)
    await withTemplate(t)
    await t.mail({ ...confidential, templateId: 'hello' })
    await t.settle()
    const headers = { 'x-request-id': 'forged {"level":"error"}', 'user-agent': 'x"}' }
    for (const path of [
      '/v1/nothing',
      `/v1/activity/${encodeURIComponent('a\r\n{"level":"error"}')}`,
      '/v1/api-keys/%0d%0a',
    ]) {
      await t.request('GET', path, undefined, { headers })
      await t.request('POST', path, `{"password":"${password}`, { headers })
    }
    await t.post('/v1/auth/login', { email: t.user.email, password: 'a wrong password' }, 401, { as: 'nobody' })
    await write(t.app, (tx) => tx.db.run(sql`ALTER TABLE members RENAME TO elsewhere`))
    await t.get('/v1/members', 500)
    await write(t.app, (tx) => tx.db.run(sql`ALTER TABLE elsewhere RENAME TO members`))
    const log = t.logged.join('')
    expect(log.length).toBeGreaterThan(100)
    for (const line of t.logged) {
      expect(line.indexOf('\n')).toBe(line.length - 1)
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), message: expect.any(String) })
    }
    for (const [what, secret] of Object.entries(secrets)) expect(log.includes(secret), what).toBe(false)
    expect(log).not.toMatch(private_)
    expect(log).not.toContain('a wrong password')
  })
})

describe.skipIf(remoteDatabase)('the server', () => {
  test('a body over 25 MB, or over what a file may have, is 413 on every route, after the credential and before it is read', async () => {
    await using t = await testApp()
    const { table } = buildServer(t.app, noVitals)
    const routes = (await operationsOf(t)).filter(({ hasBody, open }) => hasBody && !open)
    for (const operation of routes) {
      const head = (authorization: string) =>
        `${operation.method} ${pathOf(operation)} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${authorization}Content-Length: ${table.surfaceOf(pathOf(operation)).body.maxBytes + 1}\r\n\r\n`
      const credential =
        operation.scope === null
          ? `Cookie: ${t.sessionCookie}\r\nOrigin: ${t.url}\r\n`
          : `Authorization: Bearer ${t.apiKey}\r\n`
      expect(await onTheWire(t, [head(credential)]), operation.route).toStartWith('HTTP/1.1 413')
      expect(await onTheWire(t, [head('')]), operation.route).toStartWith('HTTP/1.1 401')
    }
  })

  test('a request that two servers would read differently sends nothing', async () => {
    await using t = await testApp()
    await t.template({ content })
    const body = JSON.stringify({ email: 'eve@example.net', templateId: 'hello' })
    const inner = `POST /v1/transactional/send HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${t.apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const head = `POST /v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`
    const attempts = [
      `${head}Content-Length: 2\r\nContent-Length: ${2 + inner.length}\r\n\r\n{}${inner}`,
      `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
      `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${inner}`,
      `${head}Content-Length: +2\r\n\r\n{}${inner}`,
      `${head}Content-Length : 2\r\n\r\n{}${inner}`,
      `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\n Transfer-Encoding: chunked\r\n\r\n${inner}`,
    ]
    for (const attempt of attempts) {
      await t.unchanged(async () => {
        const reply = await onTheWire(t, [attempt])
        expect(reply.slice(0, 12), attempt.slice(0, 160)).toMatch(/^(HTTP\/1\.1 (4|5)|$)/)
      })
    }
  })

  test('no way of writing a path opens a route without a credential', async () => {
    await using t = await testApp()
    const ways = (path: string) => [
      `/${path}`,
      path.replace('/v1/', '/V1/'),
      path.replace('/v1/', '/v1//'),
      path.replace('/v1/', '/v1/./'),
      path.replace('/v1/', '/v1/%2e%2e/v1/'),
      path.replace('/v1/', '/%76%31/'),
      path.replace('/v1/', '/v1%2f'),
      path.replace('/v1/', '/v1\\'),
      path.replace('/v1/', '/healthz/../v1/'),
      path.replace('/v1/', '/v1/auth/login/../../'),
      path.replace('/v1/', '/api/api/v1/'),
      path.replace('/v1/', '/api//v1/'),
      `${path}/`,
      `${path}.`,
      `${path}%00`,
      `${path};x`,
      `${path}%3f`,
      `${path}#x`,
    ]
    for (const operation of (await operationsOf(t)).filter(({ open }) => !open)) {
      // What finds no route is limited by network, and nobody asks so much in a second.
      t.clock.advance(1_000)
      await t.unchanged(async () => {
        for (const way of ways(pathOf(operation))) {
          const request = `${operation.method} ${way} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`
          const reply = await onTheWire(t, [request])
          expect(reply.slice(0, 12), `${operation.method} ${way}`).toMatch(/^(HTTP\/1\.1 (400|401|404|405)|$)/)
        }
      })
    }
  })

  test('no route is for other sites, says what it is made of, or may be cached or sniffed', async () => {
    await using t = await testApp()
    for (const operation of await operationsOf(t)) {
      const origin = { origin: 'https://evil.example' }
      const preflight = { ...origin, 'access-control-request-method': operation.method }
      const replies = await t.unchanged(() =>
        Promise.all([
          t.request('OPTIONS', pathOf(operation), undefined, { as: 'nobody', headers: preflight }),
          t.request('GET', pathOf(operation), undefined, { headers: origin }),
          t.request('GET', pathOf(operation), undefined, { as: 'nobody', headers: origin }),
        ]),
      )
      for (const { headers } of replies) {
        // One call is for other sites; test/opt-in.test.ts says what it lets them do.
        const open = operation.route === 'POST /v1/contact-subscriptions/opt-in'
        const names = [...headers.keys()].filter((name) => /^access-control|^server$|powered/.test(name))
        if (!open) expect(names, operation.route).toEqual([])
        expect(names, operation.route).not.toContain('access-control-allow-credentials')
        expect(headers.get('x-content-type-options'), operation.route).toBe('nosniff')
        expect(headers.get('cache-control'), operation.route).toBe('no-store')
      }
    }
    for (const page of ['/login/x', '/captured', '/docs', '/']) {
      const { headers } = await t.request('GET', page, undefined, { as: 'session' })
      const isPage = /html/.test(headers.get('content-type') ?? '')
      if (isPage) expect(headers.get('content-security-policy'), page).toContain('frame-ancestors')
    }
  })

  test('a request that fails leaves the next one alone', async () => {
    await using t = await testApp()
    await write(t.app, (tx) => tx.db.run(sql`ALTER TABLE segments RENAME TO elsewhere`))
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, i) => t.request('GET', i % 2 ? '/v1/segments' : '/v1/api-key')),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, (_, i) => (i % 2 ? 500 : 200)))
    await write(t.app, (tx) => tx.db.run(sql`ALTER TABLE elsewhere RENAME TO segments`))
    await t.get('/v1/segments', 200)
  })
})

describe('the audit log', () => {
  const csv = { headers: { 'content-type': 'text/csv' } }
  const file = 'email,subscribed\nx@example.net,true'
  /** POST, and yet they change nothing. */
  const looking = [
    'tryRule',
    'compareCampaignDraft',
    'compareTemplateDraft',
    'previewContent',
    'previewTemplate',
    'previewCampaign',
    'previewImport',
    'previewExportImport',
  ]
  /** They need a host name, and have a test of their own in audit.test.ts. */
  const withHostName = ['beginPasskey', 'addPasskey', 'beginPasskeyLogin', 'loginWithPasskey']

  /** Somebody else with an app beside their password. */
  async function withFactor(t: TestApp) {
    const as = await newcomer(t)
    const { secret } = await t.post('/v1/auth/second-factor', {}, 201, as)
    const code = () => new TOTP({ secret }).generate({ timestamp: t.clock.now().getTime() })
    return { as, body: () => ({ code: code() }) }
  }

  async function newcomer(t: TestApp, word?: string): Promise<RequestOptions> {
    const passwordHash = word === undefined ? null : await t.app.passwords.hash(word)
    return (await t.person('member', { email: `newcomer${++made}@acme.test`, passwordHash })).as
  }

  async function signedIn(t: TestApp, { id }: { id: string }): Promise<RequestOptions> {
    const cookie = `session=${await write(t.app, (tx) => createSession(tx, id))}`
    return { as: 'nobody', headers: { cookie, origin: t.url } }
  }

  /** What takes more than a body that validBodies() can say. */
  const apart: Record<string, (t: TestApp) => Promise<Reply>> = {
    importContacts: (t) => t.request('POST', '/v1/contacts/import', file, csv),
    previewImport: (t) => t.request('POST', '/v1/contacts/import/preview', file, csv),
    importExport: (t) => t.request('POST', '/v1/imports?format=sendy', file, csv),
    previewExportImport: (t) => t.request('POST', '/v1/imports/preview?format=sendy', file, csv),
    receivePaymentEvent: async (t) =>
      deliver(t, await connect(t), providerEvent('customer.created', { id: `cus_${++made}` })),
    confirmSecondFactor: async (t) => {
      const { as, body } = await withFactor(t)
      return await t.request('POST', '/v1/auth/second-factor/confirm', body(), as)
    },
    // Both end the session by which things are made.
    endOtherSessions: async (t) => await t.request('DELETE', '/v1/auth/sessions', undefined, await newcomer(t)),
    changePassword: async (t) => {
      const change = { currentPassword: password, newPassword: password }
      return await t.request('POST', '/v1/auth/password', change, await newcomer(t, password))
    },
    removeSecondFactor: async (t) => {
      const { as, body } = await withFactor(t)
      await t.post('/v1/auth/second-factor/confirm', body(), 200, as)
      t.clock.advance(60_000)
      return await t.request('DELETE', '/v1/auth/second-factor', body(), as)
    },
  }

  async function succeed(t: TestApp, operation: Operation, things: Things): Promise<Reply> {
    const { id, route, method, path, scope, hasBody, open } = operation
    const own = apart[id]
    if (own) return await own(t)
    await before[route]?.(t, things)
    const valid = validBodies(things)[route]
    if (hasBody && !valid) throw new Error(`${route} takes a body: say in validBodies() what a valid one is`)
    const address = path.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => plainParameters[name] ?? known(things.ids, name, route),
    )
    const bySession = scope === null || valid?.as === 'session'
    // It ends all sessions but the one that asks.
    const session = id === 'removePasskey' ? ({ as: 'session' } as const) : bySession ? await signedIn(t, t.user) : {}
    const options = open ? ({ as: 'nobody' } as const) : session
    return await t.request(method, address, valid?.body, options)
  }

  /** Of all lines of one operation. */
  async function countOf(t: TestApp, id: string): Promise<number> {
    await writeCounts(t.app)
    const [row] = await t.app.db.all<{ n: number }>(
      sql`SELECT coalesce(sum(count), 0) AS n FROM audit_log WHERE operation = ${id} AND workspace_id = ${t.workspace.id}`,
    )
    return row?.n ?? 0
  }

  test('every route that writes leaves one line: whose it was, what it was, and its request; one that is refused leaves none', async () => {
    await using t = await testApp()
    await withPassword(t)
    const kinds = { key: 'api_key', session: 'person', open: 'visitor' }
    const writes = (await operationsOf(t)).filter(({ id, method }) => method !== 'GET' && !withHostName.includes(id))
    let things = await thingsOf(t)
    for (const operation of writes) {
      const { id, route, open, method } = operation
      const none = await countOf(t, id)
      const refused = await t.request(method, pathOf(operation), { wrong: 1 }, { as: 'nobody' })
      expect(refused.status, route).toBeGreaterThanOrEqual(400)
      expect(await countOf(t, id), `${route}, refused`).toBe(none)
      if (before[route]) things = await thingsOf(t)
      let earlier = await countOf(t, id)
      let reply = await succeed(t, operation, things)
      // What was made may have been used up by the routes before.
      if (reply.status >= 300) {
        things = await thingsOf(t)
        earlier = await countOf(t, id)
        reply = await succeed(t, operation, things)
      }
      expect(reply.status, `${route}: ${reply.text}`).toBeLessThan(300)
      expect(await countOf(t, id), route).toBe(earlier + (looking.includes(id) ? 0 : 1))
      if (looking.includes(id)) continue
      const rows = await t.app.db.all<Json>(
        sql`SELECT * FROM audit_log WHERE operation = ${id} AND workspace_id = ${t.workspace.id} ORDER BY at DESC, id DESC`,
      )
      // What programs do is counted by the hour, under its first request.
      const row = rows.find((one) => one.request_id === reply.headers.get('x-request-id') || one.count > 1)
      expect(row, route).toBeDefined()
      const expected = id === 'login' ? ['person'] : open ? [kinds.open] : [kinds.key, kinds.session]
      expect(expected, route).toContain(row.actor_kind)
    }
    expect(writes.length).toBeGreaterThan(80)
  }, 240_000)
})
