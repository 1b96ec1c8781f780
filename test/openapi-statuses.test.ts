// The other half of test/support/documented.ts: what the document says that a route may answer, the route does answer. Each status
// that follows from the kind of a route is provoked on each route of that kind, and each that a route names for itself on that route.

import { expect, test } from 'bun:test'
import { TOTP } from 'otpauth'
import { write } from '../src/core/app.ts'
import { setTrustLevel } from '../src/features/campaigns/reputation/trust-level.ts'
import { type As, type Json, type Reply, session, type TestApp, testApp } from './support/app.ts'
import { authenticator } from './support/authenticator.ts'
import { resumedWithoutContent, sendCampaign } from './support/campaign.ts'
import { remoteDatabase } from './support/database.ts'
import { askForTaken } from './support/link-domain.ts'
import { rawMail } from './support/mailbox.ts'
import { type Operation, operationsOf, pathWith, sampleOf } from './support/openapi.ts'
import { answerForAnotherList } from './support/passkey.ts'
import { connect, deliver, providerEvent, secret, signature } from './support/payment-provider.ts'
import { png } from './support/picture.ts'
import { onTheWire } from './support/wire.ts'
import { workspaceConflicts } from './support/workspace-conflicts.ts'

const content = [{ type: 'text', text: 'Hello' }]

function callerOf({ security }: Operation): As {
  if (security.some((scheme) => 'apiKey' in scheme)) return 'key'
  return security.length > 0 ? 'session' : 'nobody'
}

/** Statuses of any server, whatever the route: not provoked here, but for 508. */
const ofTheServer = [500, 503, 508]

/** A process makes 256 requests at once: ours and those to its database, some twenty for each route. */
const together = 8

/** `answered` for each route that names `status`; each must be that status. */
async function provoke(
  operations: Operation[],
  status: number,
  answered: (operation: Operation) => Promise<{ status: number; text: string }>,
): Promise<number> {
  const naming = operations.filter(({ responses }) => String(status) in responses)
  const replies: { status: number; text: string }[] = []
  for (let from = 0; from < naming.length; from += together)
    replies.push(...(await Promise.all(naming.slice(from, from + together).map(answered))))
  const wrong = naming.flatMap(({ id }, index) => {
    const { status: found = 0, text = '' } = replies[index] ?? {}
    return found === status ? [] : [`${id} does not answer ${status}, but ${found} ${text.slice(0, 200)}`]
  })
  expect(wrong).toEqual([])
  return naming.length
}

/** The beginning of a request whose head the test chooses. */
async function rawly(
  t: TestApp,
  { method, path, security }: Operation,
  headers: Record<string, string>,
  body = '',
  ids: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const { host } = new URL(t.url)
  const byKey = security.length === 0 || security.some((scheme) => 'apiKey' in scheme)
  const credential = byKey ? { Authorization: `Bearer ${t.apiKey}` } : { Cookie: t.sessionCookie, Origin: t.url }
  const lines = Object.entries({ Host: host, ...credential, ...headers }).map(([name, value]) => `${name}: ${value}`)
  const head = `${method} ${pathWith(path, ids)} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
  const text = await onTheWire(t, [head + body])
  return { status: Number(text.split(' ')[1]), text }
}

test('every route answers the statuses that follow from its kind', async () => {
  await using t = await testApp({ environment: { BODY_TIMEOUT_MS: '100' } })
  const operations = await operationsOf(t)
  const writes = operations.filter(({ method }) => method !== 'GET')
  for (const status of ofTheServer)
    for (const { id, responses } of operations) expect(Object.keys(responses), id).toContain(String(status))

  // A Host header that cannot be read.
  expect(await provoke(operations, 400, (one) => rawly(t, one, { Host: 'a b' }))).toBe(operations.length)
  // No credential.
  const closed = operations.filter(({ security }) => security.length > 0)
  await provoke(closed, 401, ({ method, path }) => t.request(method, pathWith(path, {}), undefined, { as: 'nobody' }))
  // One that opens something else.
  const headers = { authorization: 'Bearer mbtok_of_a_mailbox' }
  await provoke(closed, 403, ({ method, path }) =>
    t.request(method, pathWith(path, {}), undefined, { as: 'nobody', headers }),
  )
  // JSON that breaks off.
  const withJson = writes.filter(({ takesJson, id }) => takesJson && id !== 'receiveMail')
  await provoke(withJson, 400, (one) => t.request(one.method, pathWith(one.path, {}), '{"a', { as: callerOf(one) }))
  // A workspace that the user of a session may not enter.
  const bySession = operations.filter(({ security }) => security.some((scheme) => 'session' in scheme))
  const elsewhere = { as: 'session', headers: { 'x-workspace-id': 'ws_other' } } as const
  await provoke(bySession, 404, ({ method, path }) => t.request(method, pathWith(path, {}), undefined, elsewhere))
  // A body that does not arrive in time, is too large, or of another type. A file may take its time.
  const mailbox = await t.post('/v1/mailboxes', { address: 'm@paquebot.localhost' }, 201)
  const at = `/v1/mailboxes/${mailbox.id}/inbound-address`
  const { inboundUrl } = await t.post(at, undefined, 200, session)
  const ids = { token: inboundUrl.split('/').at(-1) }
  const late = {
    'Content-Type': 'application/json',
    'Content-Length': '100',
    'Payments-Signature': signature(t, '{'),
  }
  expect(await provoke(writes, 408, (one) => rawly(t, one, late, '{', ids))).toBe(writes.length - 6)
  const huge = { 'Content-Type': 'application/json', 'Content-Length': '1000000001' }
  expect(await provoke(writes, 413, (one) => rawly(t, one, huge))).toBe(writes.length)
  const packed = { 'Content-Type': 'application/json', 'Content-Length': '1', 'Content-Encoding': 'gzip' }
  expect(await provoke(writes, 415, (one) => rawly(t, one, packed, '{'))).toBe(writes.length)
  // What came of a webhook that came of such a request, three times over.
  await provoke(operations, 508, (one) => rawly(t, one, { 'Webhook-Hops': '3' }))
  // A session where only a key is taken is told so first, whatever workspace it names.
  for (const { method, path, id } of closed.filter((one) => !bySession.includes(one))) {
    const { status } = await t.request(method, pathWith(path, {}), undefined, elsewhere)
    expect(status, id).toBe(401)
  }
})

test('every route has a limit of requests', async () => {
  await using t = await testApp({ environment: { API_RATE_LIMIT: '1' } })
  const operations = await operationsOf(t)
  await t.get('/v1/api-key', 200)
  for (let asked = 0; asked < 200; asked++) await t.request('GET', '/u/nothing', undefined, { as: 'nobody' })
  const byKey = ({ method, path, security }: Operation) =>
    t.request(method, pathWith(path, {}), undefined, { as: security.length > 0 ? 'key' : 'nobody' })
  expect(await provoke(operations, 429, byKey)).toBe(operations.length)
})

/** Names that nothing has, in a body that is right otherwise. */
const unknownNames: Record<string, Json> = {
  updateTemplate: { id: 'none', name: 'A' },
  deleteTemplate: { id: 'none' },
  putContent: { content },
  send: { email: 'a@b.test', templateId: 'none' },
  updateSubscriptionSource: { id: 'src_none', name: 'A' },
  deleteSubscriptionSource: { id: 'src_none' },
  optIn: { email: 'a@b.test', sourceId: 'src_none' },
  deleteContact: { email: 'none@b.test' },
  recordConsent: { subscribed: true, statement: 'By letter.' },
  removeSuppression: { email: 'none@b.test' },
  compareTemplateDraft: { content },
  compareCampaignDraft: { content },
  tryRule: { eventId: 'evt_none' },
  previewTemplate: {},
  rescheduleMessage: { scheduledAt: '2027-01-01T00:00:00Z' },
  enrolInSequence: { emails: ['a@b.test'] },
  replyToReceived: { text: 'A' },
  previewCampaign: {},
  testTemplate: { emails: ['owner@acme.test'] },
  testCampaign: { emails: ['owner@acme.test'] },
  setCampaignContent: { content },
  scheduleCampaign: { scheduledAt: '2099-01-01T00:00:00Z' },
  approveCampaign: { contentHash: '0'.repeat(64) },
  editApproval: { contentHash: '0'.repeat(64), text: 'A' },
}

test('what a path or a body names and nobody has is 404, where 404 is documented', async () => {
  await using t = await testApp()
  const operations = await operationsOf(t)
  const inBody = ['updateTemplate', 'send', 'optIn', 'deleteContact', 'removeSuppression']
  const naming = operations.filter(
    ({ id, path, security, responses }) =>
      '404' in responses &&
      (path.includes('{') || !security.some((scheme) => 'session' in scheme) || inBody.includes(id)),
  )
  const asked = await provoke(naming, 404, async (operation) => {
    const { id, method, path, bodySchema } = operation
    const body = unknownNames[id] ?? (bodySchema ? sampleOf(bodySchema) : undefined)
    const signed = { 'payments-signature': signature(t, '{}') }
    const headers = id === 'receivePaymentEvent' ? signed : {}
    const sent = id === 'receivePaymentEvent' ? '{}' : method === 'GET' ? undefined : body
    return await t.request(method, pathWith(path, { locale: 'en' }), sent, { as: callerOf(operation), headers })
  })
  expect(asked).toBeGreaterThan(55)
})

/** What no field of any route takes. */
const wrongQueries = (name: string) => [`${name}=${'x'.repeat(5_000)}`, `${name}=x`, `${name}=0`, `${name}=a&${name}=b`]

test('a body or a query that is not valid is 422, where 422 is documented', async () => {
  await using t = await testApp()
  const operations = await operationsOf(t)
  const bodies = operations.filter(({ id, bodySchema }) => bodySchema !== undefined && id !== 'receiveMail')
  const withQuery = operations.filter(
    (one) => !bodies.includes(one) && one.parameters.some(({ in: at }) => at === 'query'),
  )
  const others = operations.filter((one) => !bodies.includes(one) && !withQuery.includes(one))
  expect(
    await provoke(bodies, 422, (one) => t.request(one.method, pathWith(one.path, {}), '5', { as: callerOf(one) })),
  ).toBe(bodies.length)
  const asked = await provoke(withQuery, 422, async (one) => {
    const queries = one.parameters.filter(({ in: at }) => at === 'query').flatMap(({ name }) => wrongQueries(name))
    const isUpload = one.method === 'POST'
    const options = { as: callerOf(one), headers: isUpload ? { 'content-type': 'text/csv' } : {} }
    const ask = (query: string) =>
      t.request(one.method, `${pathWith(one.path, {})}?${query}`, isUpload ? 'email\na@b.test\n' : undefined, options)
    const replies = await Promise.all(queries.map(ask))
    return replies.find(({ status }) => status === 422) ?? (replies[0] as Reply)
  })
  expect(asked).toBe(withQuery.length)
  // What is left says so itself, and is provoked below.
  expect(
    others
      .filter(({ responses }) => '422' in responses)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(['getBlockContent', 'getContent', 'receiveMail', 'resendMessage', 'resumeCampaign'])
})

interface Things {
  listId: string
  sourceId: string
  campaignId: string
  begunId: string
  endpointId: string
  mailboxId: string
  inboundPath: string
  integrationPath: string
  jobId: string
}

async function things(t: TestApp): Promise<Things> {
  await write(t.app, (tx) => setTrustLevel(tx, t.workspace, 'M1'))
  const template = { name: 'A', subject: 'A', content }
  await t.template({ ...template, id: 'hi' })
  await t.template({ ...template, id: 'used' })
  const { id: listId } = await t.mailingList()
  const { id: sourceId } = await t.post('/v1/subscription-sources', { name: 'Form', mailingListIds: [listId] }, 201)
  const draft = { name: 'C', subject: 'C', mailingListId: listId }
  await t.post('/v1/campaigns', { ...draft, templateId: 'used' }, 201)
  const { id: campaignId } = await t.post('/v1/campaigns', { ...draft, content }, 201)
  await t.post(`/v1/campaigns/${campaignId}/cancel`, undefined, 200)
  const { id: begunId } = await t.post('/v1/campaigns', { ...draft, content }, 201)
  await sendCampaign(t, begunId)
  const endpoint = await t.endpoint({ url: 'https://a.test/', status: 'active' })
  await t.contact({ email: 'a@b.test', userId: 'a' })
  await t.contact({ email: 'b@b.test', userId: 'b' })
  const { id: mailboxId } = await t.post('/v1/mailboxes', { address: 'm@paquebot.localhost' }, 201)
  const { inboundUrl } = await t.post(`/v1/mailboxes/${mailboxId}/inbound-address`, undefined, 200, session)
  const { jobs } = { jobs: (await t.get('/v1/jobs?state=done', 200)).data }
  return {
    listId,
    sourceId,
    campaignId,
    begunId,
    endpointId: endpoint.id,
    mailboxId,
    inboundPath: new URL(inboundUrl).pathname,
    integrationPath: await connect(t),
    jobId: jobs[0].jobId,
  }
}

type Ask = (t: TestApp, things: Things) => Promise<Reply>

const idOf = async (t: TestApp, email: string): Promise<string> =>
  (await t.get(`/v1/contacts/find?email=${email}`, 200))[0].id

const inCampaign =
  (action: string, body: Json = {}): Ask =>
  (t, { campaignId }) =>
    t.request('POST', `/v1/campaigns/${campaignId}/${action}`, body)
const again =
  (path: string, body: Json, as: As = 'key'): Ask =>
  async (t) => {
    await t.request('POST', path, body, { as })
    return await t.request('POST', path, body, { as })
  }
const withoutSecret = async (t: TestApp, method: string): Promise<Reply> => {
  const path = '/v1/settings/integrations/payments'
  await t.put(path, { signing_secret: null }, 200, session)
  const reply = await t.request(method, path, { enabled: true }, session)
  await t.put(path, { enabled: true, signing_secret: secret }, 200, session)
  return reply
}
const seen = { contentHash: '0'.repeat(64) }
const stale = { content, expectedRevisionId: 'rev_stale' }

const post =
  (path: string, body: Json, as: As = 'session'): Ask =>
  (t) =>
    t.request('POST', path, body, { as })
const passkeyAnswer = { credential: authenticator('http://localhost').get({ challenge: 'x' }) }

const sequence = { name: 'S', definition: { steps: [{ id: 'a', type: 'webhook' }] } }

/** In a sequence that was published. */
function inSequence(method: string, at: string, body?: Json): Ask {
  return async (t) => {
    const { id, contentHash } = await t.post('/v1/sequences', sequence, 201)
    await t.post(`/v1/sequences/${id}/publish`, { contentHash }, 200)
    return await t.request(method, `/v1/sequences/${id}${at}`, body)
  }
}

function inDraft(at: string, body: Json = {}): Ask {
  return async (t) => {
    const { id } = await t.post('/v1/sequences', sequence, 201)
    return await t.request('POST', `/v1/sequences/${id}${at}`, body)
  }
}

/** Of a run that is over. */
function inRun(act: string): Ask {
  return async (t) => {
    const { id, contentHash } = await t.post('/v1/sequences', sequence, 201)
    await t.post(`/v1/sequences/${id}/publish`, { contentHash }, 200)
    await t.post(`/v1/sequences/${id}/enrol`, { emails: ['a@b.test'] }, 200)
    await t.settle()
    const { data } = await t.get(`/v1/sequences/${id}/runs`, 200)
    return await t.request('POST', `/v1/sequences/${id}/runs/${data[0].id}/${act}`)
  }
}

const conflicts: Record<string, Ask> = {
  // BASE_URL is an address here; and no challenge was given.
  beginPasskey: post('/v1/auth/passkeys/options', {}),
  addPasskey: post('/v1/auth/passkeys', {
    credential: authenticator('http://localhost').create({ challenge: 'x', user: { id: '' } }),
  }),
  beginPasskeyLogin: post('/v1/auth/login/passkey/options', undefined, 'nobody'),
  loginWithPasskey: post('/v1/auth/login/passkey', passkeyAnswer, 'nobody'),
  beginSecondFactor: async (t) => {
    const { secret } = await t.post('/v1/auth/second-factor', {}, 201, { as: 'session' })
    const code = new TOTP({ secret }).generate({ timestamp: t.clock.now().getTime() })
    await t.post('/v1/auth/second-factor/confirm', { code }, 200, { as: 'session' })
    return await t.request('POST', '/v1/auth/second-factor', {}, { as: 'session' })
  },
  confirmSecondFactor: post('/v1/auth/second-factor/confirm', { code: '123456' }),
  updateMember: (t) => t.request('PATCH', `/v1/members/${t.user.id}`, { role: 'viewer' }, { as: 'session' }),
  removeMember: (t) => t.request('DELETE', `/v1/members/${t.user.id}`, undefined, { as: 'session' }),
  createInvitation: (t) =>
    t.request('POST', '/v1/invitations', { email: t.user.email, role: 'viewer' }, { as: 'session' }),
  createTemplate: (t) => t.request('POST', '/v1/transactional/create', { id: 'hi', name: 'A', subject: 'A' }),
  useTemplateStarter: (t) => t.request('POST', '/v1/template-starters/welcome/use', { id: 'hi' }),
  updateWorkspace: askForTaken,
  updateTemplate: (t) => t.request('PUT', '/v1/transactional/update', { id: 'hi', ...stale }),
  deleteTemplate: (t) => t.request('POST', '/v1/transactional/delete', { id: 'used' }),
  deleteMedia: async (t) => {
    const { id, url } = await t.post('/v1/media', new Uint8Array(png({ width: 3, height: 3 })), 201)
    await t.patch('/v1/workspace', { brand: { logoUrl: url } }, 200)
    return await t.request('DELETE', `/v1/media/${id}`)
  },
  putContent: (t) => t.request('PUT', '/v1/transactional/hi/content/en', stale),
  restoreTemplateRevision: async (t) => {
    const { data } = await t.get('/v1/transactional/hi/revisions', 200)
    const at = `/v1/transactional/hi/revisions/${data[0].id}/restore`
    return await t.request('POST', at, { expectedRevisionId: 'rev_stale' })
  },
  restoreCampaignRevision: async (t, { begunId }) => {
    const { data } = await t.get(`/v1/campaigns/${begunId}/revisions`, 200)
    return await t.request('POST', `/v1/campaigns/${begunId}/revisions/${data[0].id}/restore`, {})
  },
  send: whileTheFirstRuns,
  createWorkspace: again('/v1/workspaces', { slug: 'twice' }),
  ...workspaceConflicts,
  createDomain: again('/v1/sending-domains', { domain: 'acme.test' }),
  deleteRelay: async (t) => {
    const { id: workspaceId } = (await t.stranger('relayed')).workspace
    const { id } = await t.post('/v1/relays', { name: 'A', url: 'smtp://127.0.0.1:9', workspaceId }, 201)
    await t.put('/v1/relay-routes', { workspaceId, routes: [{ relays: [{ relayId: id, weight: 1 }] }] }, 200)
    return await t.request('DELETE', `/v1/relays/${id}`)
  },
  restoreBlockRevision: async (t) => {
    const { id } = await t.post('/v1/blocks', { name: 'B', content }, 201)
    const { data } = await t.get(`/v1/blocks/${id}/revisions`, 200)
    const at = `/v1/blocks/${id}/revisions/${data[0].id}/restore`
    return await t.request('POST', at, { expectedRevisionId: 'rev_stale' })
  },
  setBlockContent: async (t) => {
    const { id } = await t.post('/v1/blocks', { name: 'B', content }, 201)
    return await t.request('PUT', `/v1/blocks/${id}/content/en`, { content, expectedRevisionId: 'rev_other' })
  },
  deleteBlock: async (t) => {
    const { id } = await t.post('/v1/blocks', { name: 'B', content }, 201)
    await t.template({ id: 'uses-a-block', content: [{ type: 'block', blockId: id }] })
    return await t.request('DELETE', `/v1/blocks/${id}`)
  },
  deleteSegment: async (t, { listId }) => {
    const { id } = await t.post('/v1/segments', { name: 'S', filter: { field: 'plan', op: 'exists' } }, 201)
    await t.post('/v1/campaigns', { name: 'C', subject: 'C', mailingListId: listId, content, segmentId: id }, 201)
    return await t.request('DELETE', `/v1/segments/${id}`)
  },
  updateSequence: inSequence('PATCH', '', { revision: 9 }),
  deleteSequence: inSequence('DELETE', ''),
  publishSequence: inSequence('POST', '/publish', seen),
  chooseStepWinner: inSequence('POST', '/steps/a/winner', { variant: 'A' }),
  pauseSequence: inDraft('/pause'),
  resumeSequence: inDraft('/resume'),
  enrolInSequence: inDraft('/enrol', { emails: ['a@b.test'] }),
  exitSequenceRun: inRun('exit'),
  skipSequenceStep: inRun('skip'),
  retrySequenceStep: inRun('retry'),
  updateMailingList: async (t) => {
    const { id } = await t.mailingList({ name: 'Old' })
    await t.delete(`/v1/mailing-lists/${id}`, undefined, 200)
    return await t.request('PATCH', `/v1/mailing-lists/${id}`, { name: 'New' })
  },
  optIn: (t, { sourceId }) =>
    t.request('POST', '/v1/contact-subscriptions/opt-in', { email: 'a@b.test', userId: 'b', sourceId }),
  sendEvent: (t) => t.request('POST', '/v1/events/send', { eventName: 'e', email: 'a@b.test', userId: 'b' }),
  updatePaymentSettings: (t) => withoutSecret(t, 'PATCH'),
  putPaymentSettings: (t) => withoutSecret(t, 'PUT'),
  reprocessPaymentEvent: async (t, { integrationPath }) => {
    const event = providerEvent('customer.created', { id: 'cus_1', email: 'a@b.test' })
    expect((await deliver(t, integrationPath, event)).body).toMatchObject({ status: 'processed' })
    return await t.request('POST', `/v1/payment-events/${event.id}/reprocess`)
  },
  createMailbox: again('/v1/mailboxes', { address: 'again@paquebot.localhost' }),
  createWebhookEndpoint: async (t) => {
    const endpoint = { url: 'https://a.test/' }
    for (let made = 1; made < 100; made++) await t.endpoint(endpoint)
    return await t.request('POST', '/v1/webhook-endpoints', endpoint, session)
  },
  replayDelivery: async (t, { endpointId }) => {
    const at = `/v1/webhook-endpoints/${endpointId}/deliveries`
    await t.contact({ email: 'new@b.test' })
    const { data } = await t.get(`${at}?state=pending`, 200, session)
    return await t.request('POST', `${at}/${data[0].id}/replay`, undefined, session)
  },
  deliverNow: async (t, { endpointId }) => {
    const at = `/v1/webhook-endpoints/${endpointId}`
    await t.post(`${at}/send-test`, undefined, 200, session)
    const { data } = await t.get(`${at}/deliveries?type=testing.testEvent`, 200, session)
    return await t.request('POST', `${at}/deliveries/${data[0].id}/deliver-now`, undefined, session)
  },
  createContact: (t) => t.request('POST', '/v1/contacts/create', { email: 'a@b.test' }),
  updateContact: (t) => t.request('PUT', '/v1/contacts/update', { email: 'a@b.test', userId: 'b' }),
  changeContact: async (t) => t.request('PATCH', `/v1/contacts/${await idOf(t, 'a@b.test')}`, { userId: 'b' }),
  recordConsent: async (t, { listId }) => {
    const { id } = await t.contact({ email: 'd@b.test', mailingLists: { [listId]: true } })
    await t.post('/v1/suppressions', { email: 'd@b.test', reason: 'complaint' }, 201)
    const body = { mailingLists: { [listId]: true }, statement: 'By letter.' }
    return await t.request('POST', `/v1/contacts/${id}/consent`, body)
  },
  retryJob: (t, { jobId }) => t.request('POST', `/v1/jobs/${jobId}/retry`),
  cancelMessage: async (t) => {
    const { messageId } = await t.mail({ email: 'c@b.test', templateId: 'hi' })
    await t.settle()
    return await t.request('POST', `/v1/messages/${messageId}/cancel`)
  },
  rescheduleMessage: async (t) => {
    const { messageId } = await t.mail({ email: 'c@b.test', templateId: 'hi' })
    await t.settle()
    return await t.request('POST', `/v1/messages/${messageId}/reschedule`, { scheduledAt: '2027-01-01T00:00:00Z' })
  },
  resendMessage: async (t) => {
    const { messageId } = await t.mail({ email: 'c@b.test', templateId: 'hi' })
    return await t.request('POST', `/v1/messages/${messageId}/resend`)
  },
  cancelJob: (t, { jobId }) => t.request('POST', `/v1/jobs/${jobId}/cancel`),
  resolveJob: (t, { jobId }) => t.request('POST', `/v1/jobs/${jobId}/resolve`, { verdict: 'done' }),
  replyToReceived: async (t, { mailboxId, inboundPath }) => {
    const options = { as: 'nobody', headers: { 'content-type': 'message/rfc822' } } as const
    const { messageId } = await t.post(inboundPath, rawMail(), 200, options)
    const at = `/v1/mailboxes/${mailboxId}`
    await t.patch(at, { status: 'disabled' }, 200, session)
    const refused = await t.request('POST', `${at}/messages/${messageId}/reply`, { text: 'A' }, session)
    await t.patch(at, { status: 'active' }, 200, session)
    return refused
  },
  updateCampaign: (t, { campaignId }) => t.request('PATCH', `/v1/campaigns/${campaignId}`, { name: 'N' }),
  deleteCampaign: (t, { begunId }) => t.request('DELETE', `/v1/campaigns/${begunId}`),
  setCampaignContent: (t, { campaignId }) => t.request('PUT', `/v1/campaigns/${campaignId}/content/en`, { content }),
  grantApprovals: answerForAnotherList,
  editApproval: (t, { campaignId }) =>
    t.request('PATCH', `/v1/approvals/${campaignId}`, { ...seen, text: 'A' }, session),
  approveCampaign: (t, { campaignId }) => t.request('POST', `/v1/campaigns/${campaignId}/approve`, seen, session),
  scheduleCampaign: inCampaign('schedule', { scheduledAt: '2027-01-01T00:00:00Z' }),
  unscheduleCampaign: inCampaign('unschedule'),
  sendCampaign: inCampaign('send'),
  pauseCampaign: inCampaign('pause'),
  resumeCampaign: inCampaign('resume'),
  cancelCampaign: inCampaign('cancel'),
  rehearseCampaign: inCampaign('rehearse'),
  chooseWinner: inCampaign('winner', { variant: 'A' }),
  pauseRecurringCampaign: (t, made) => inRecurring(t, made, ['pause', 'pause']),
  resumeRecurringCampaign: (t, made) => inRecurring(t, made, ['resume']),
  runRecurringCampaign: runTwice,
}

async function newRecurring(t: TestApp, { listId: mailingListId }: Things): Promise<string> {
  const schedule = { every: 'day', at: '09:00' }
  const body = { name: 'R', subject: 'S', content, mailingListId, schedule }
  return `/v1/recurring-campaigns/${(await t.post('/v1/recurring-campaigns', body, 201)).id}`
}

async function inRecurring(t: TestApp, made: Things, acts: string[]): Promise<Reply> {
  const path = await newRecurring(t, made)
  const replies: Reply[] = []
  for (const act of acts) replies.push(await t.request('POST', `${path}/${act}`, {}))
  return replies.at(-1) as Reply
}

/** Both were prepared before the writer is free. */
async function runTwice(t: TestApp, made: Things): Promise<Reply> {
  const path = await newRecurring(t, made)
  const free = Promise.withResolvers<void>()
  const held = write(t.app, () => free.promise)
  const both = [t.request('POST', `${path}/run`, {}), t.request('POST', `${path}/run`, {})]
  // Ten answers later they have come as far as they can.
  for (let n = 0; n < 10; n++) await t.get('/v1/recurring-campaigns', 200)
  free.resolve()
  const [one, other] = await Promise.all([...both, held])
  return (one?.status === 409 ? one : other) as Reply
}

/** The writer is held until the second request was answered. */
async function whileTheFirstRuns(t: TestApp): Promise<Reply> {
  const answered = Promise.withResolvers<void>()
  const held = write(t.app, () => answered.promise)
  const ask = () =>
    t.request(
      'POST',
      '/v1/transactional/send',
      { email: 'a@b.test', templateId: 'hi' },
      { headers: { 'idempotency-key': 'k' } },
    )
  const both = [ask(), ask()]
  const second = await Promise.race(both)
  answered.resolve()
  await Promise.all([held, ...both])
  return second
}

/** What follows from what a route does, beside 409. */
const refusals: [string, number, Ask][] = [
  ['login', 401, (t) => t.request('POST', '/v1/auth/login', { email: 'a@b.test', password: 'x' }, { as: 'nobody' })],
  ['login', 403, fromElsewhere('/v1/auth/login', { email: 'a@b.test', password: 'x' })],
  ['beginPasskeyLogin', 403, fromElsewhere('/v1/auth/login/passkey/options')],
  ['loginWithPasskey', 403, fromElsewhere('/v1/auth/login/passkey', passkeyAnswer)],
  ['loginWithPasskey', 401, unknownPasskey],
  ['receiveMail', 422, (t, { inboundPath }) => t.request('POST', inboundPath, '', { as: 'nobody' })],
  [
    'receiveMail',
    403,
    async (t, { inboundPath, mailboxId }) => {
      await t.patch(`/v1/mailboxes/${mailboxId}`, { status: 'disabled' }, 200)
      return await t.request('POST', inboundPath, 'Subject: Hi\r\n\r\nHi', { as: 'nobody' })
    },
  ],
  [
    'getBlockContent',
    422,
    async (t) => {
      const { id } = await t.post('/v1/blocks', { name: 'B', content }, 201)
      return t.request('GET', `/v1/blocks/${id}/content/not%20a%20locale`)
    },
  ],
  ['getContent', 422, (t) => t.request('GET', '/v1/transactional/hi/content/not%20a%20locale')],
  ['resumeCampaign', 422, (t, { listId }) => resumedWithoutContent(t, listId)],
]

function fromElsewhere(path: string, body?: Json): Ask {
  return (t) => t.request('POST', path, body, { as: 'nobody', headers: { origin: 'https://elsewhere.test' } })
}

/** Under a name, so that there can be passkeys. */
async function unknownPasskey(t: TestApp): Promise<Reply> {
  const { baseUrl } = t.app.config
  t.app.config.baseUrl = baseUrl.replace('127.0.0.1', 'localhost')
  const begun = await t.request('POST', '/v1/auth/login/passkey/options', undefined, { as: 'nobody' })
  const headers = { cookie: begun.headers.get('set-cookie')?.split(';')[0] ?? '' }
  const reply = await t.request('POST', '/v1/auth/login/passkey', passkeyAnswer, { as: 'nobody', headers })
  t.app.config.baseUrl = baseUrl
  return reply
}

// One of them needs a writer that one unit holds up: that of a file.
test.skipIf(remoteDatabase)('a route answers each refusal that it names for itself', async () => {
  await using t = await testApp()
  const operations = await operationsOf(t)
  const made = await things(t)
  const naming = operations.filter(({ responses }) => '409' in responses).map(({ id }) => id)
  expect(naming.sort()).toEqual(Object.keys(conflicts).sort())
  const open = operations.filter(({ security }) => security.length === 0)
  const own = open.flatMap(({ id, responses }) =>
    [401, 403].filter((status) => status in responses).map((s) => `${id} ${s}`),
  )
  expect(refusals.map(([id, status]) => `${id} ${status}`)).toEqual(expect.arrayContaining(own))
  const cases = [...Object.entries(conflicts).map(([id, ask]) => [id, 409, ask] as const), ...refusals]
  for (const [id, status, ask] of cases) {
    const reply = await ask(t, made)
    expect(`${id} ${reply.status}${reply.status === status ? '' : ` ${reply.text}`}`).toBe(`${id} ${status}`)
  }
})
