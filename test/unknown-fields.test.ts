import { expect, test } from 'bun:test'
import { nearest } from '../src/kit/nearest.ts'
import { type As, type Json, type Reply, testApp } from './support/app.ts'
import { type Operation, operationsOf, pathWith, sampleOf } from './support/openapi.ts'

const unknown = 'zzzQqq'
/** These take custom properties of a contact beside their fields. */
const takeProperties = ['createContact', 'updateContact', 'changeContact', 'sendEvent', 'optIn']
/** What a mail provider posts is its own. */
const takeAnything = ['receiveMail']
/** Settings, endpoints, keys and tokens, and what acts on many things at once. */
const refuse = [
  'changePassword',
  'chooseStepWinner',
  'confirmSecondFactor',
  'createApiKey',
  'createBlock',
  'createDomain',
  'createInvitation',
  'createMailbox',
  'createRelay',
  'createWorkspace',
  'createWorkspaceKey',
  'changeWorkspace',
  'eraseWorkspace',
  'exportWorkspace',
  'suspendWorkspace',
  'setPreference',
  'setReceiverRules',
  'setRelayRoutes',
  'testRelay',
  'tryReceiverRules',
  'updateRelay',
  'createSegment',
  'createSequence',
  'enrolInSequence',
  'importContent',
  'planSequenceMoves',
  'publishSequence',
  'rehearseSequence',
  'rehearseCampaign',
  'updateSequence',
  'previewSegment',
  'recordConsent',
  'updateSegment',
  'createMailboxToken',
  'createWebhookEndpoint',
  'putPaymentSettings',
  'removeSecondFactor',
  'renamePasskey',
  'replayDeliveries',
  'rotateSigningSecret',
  'setBlockContent',
  'setProviderHook',
  'updateBlock',
  'updateCampaignSettings',
  'updateMailbox',
  'updateMedia',
  'updateMember',
  'updatePaymentSettings',
  'updateWebhookEndpoint',
  'updateWorkspace',
  'advanceTestClock',
  'beginPasskey',
  'beginSecondFactor',
  'cancelHeldConfirmations',
  'updateRecurringCampaign',
  'cancelJobs',
  'labelReceived',
  'replyToReceived',
  'rescheduleMessage',
  'resolveJob',
  'resolveJobs',
  'retryJobs',
].sort()

/** Whoever the document says may call it. */
function callerOf({ security }: Operation): As {
  if (security.some((scheme) => 'apiKey' in scheme)) return 'key'
  return security.length > 0 ? 'session' : 'nobody'
}

function told({ body }: Reply): Json[] {
  return [...(body.warnings ?? []), ...(body.errors ?? [])].filter(({ code }: Json) => code === 'unknown_field')
}

test('no write of the document drops a name that it does not know without a word', async () => {
  await using t = await testApp()
  const operations = (await operationsOf(t)).filter(({ method, takesJson }) => method !== 'GET' && takesJson)
  // The session is needed to the end.
  const writes = operations.sort((a, b) => Number(a.id === 'logout') - Number(b.id === 'logout'))
  expect(writes.length).toBeGreaterThan(60)
  const silent: string[] = []
  const refused: string[] = []
  for (const operation of writes) {
    const { method, path, id, bodySchema } = operation
    if ([...takeProperties, ...takeAnything].includes(id)) continue
    const body = { ...sampleOf(bodySchema), [unknown]: 1 }
    const reply = await t.request(method, pathWith(path, {}), body, { as: callerOf(operation) })
    if (!told(reply).some((issue) => issue.path === unknown)) silent.push(`${id}: ${reply.status} ${reply.text}`)
    if (reply.body.code === 'unknown_field') refused.push(id)
  }
  expect(silent).toEqual([])
  expect(refused.sort()).toEqual(refuse)
})

test('a misspelt name in settings is refused and the nearest one named, deep inside as well', async () => {
  await using t = await testApp()
  const session = { as: 'session' } as const
  const cases = [
    ['POST', '/v1/webhook-endpoints', { url: 'https://a.test', events: ['*'] }, 'events', 'eventFilters'],
    ['PUT', '/v1/settings/integrations/payments', { signingSecret: 'whsec_x' }, 'signingSecret', 'signing_secret'],
    ['PATCH', '/v1/workspace', { brand: { companyname: 'Acme' } }, 'brand.companyname', 'companyName'],
  ] as const
  for (const [method, path, body, field, meant] of cases) {
    const reply = await t.unchanged(() => t.request(method, path, body, session))
    expect([reply.status, reply.body.code]).toEqual([422, 'unknown_field'])
    const message = `${field} is not a field of this request; did you mean ${meant}?`
    expect(reply.body.errors).toEqual([{ path: field, code: 'unknown_field', message }])
  }
})

test('what is ignored is named with its place, also beside what is refused', async () => {
  await using t = await testApp()
  await t.post(
    '/v1/transactional/create',
    { id: 'hi', name: 'Hi', subject: 'Hi', content: [{ type: 'text', text: 'x' }] },
    201,
  )
  const attachments = [{ filename: 'a.txt', contentType: 'text/plain', data: 'eA==', charset: 'utf-8' }]
  const sent = await t.post('/v1/transactional/send', { email: 'a@b.test', templateId: 'hi', attachments }, 200)
  expect(sent.warnings).toMatchObject([{ path: 'attachments[0].charset', code: 'unknown_field' }])
  const typo = await t.post('/v1/transactional/send', { email: 7, templateID: 'hi' }, 422)
  expect(typo.errors).toMatchObject([{ path: 'email' }, { path: 'templateID', code: 'unknown_field' }])
  expect(typo.errors[1].message).toEndWith('did you mean templateId?')
  const missing = await t.post('/v1/transactional/delete', { id: 'nothing', forced: true }, 404)
  expect(missing.warnings[0].message).toBe('forced is not a field of this request and was ignored; did you mean force?')
})

test('a write answers with its warnings when there are none', async () => {
  await using t = await testApp()
  const template = { id: 'hi', name: 'Hi', subject: 'Hi', content: [{ type: 'text', text: 'x' }] }
  expect(await t.post('/v1/transactional/create', template, 201)).toMatchObject({ warnings: [] })
  expect(await t.post('/v1/contacts/create', { email: 'a@b.test', city: 'Ulm' }, 200)).toMatchObject({ warnings: [] })
  expect(await t.post('/v1/events/send', { email: 'a@b.test', eventName: 'e' }, 200)).toMatchObject({ warnings: [] })
  expect(await t.post('/v1/transactional/delete', { id: 'hi' }, 200)).toMatchObject({ warnings: [] })
})

test('a name and a body that the caller may not use are not discussed', async () => {
  await using t = await testApp()
  const reply = await t.request('POST', '/v1/webhook-endpoints', { events: [] })
  expect([reply.status, reply.body.errors]).toEqual([401, []])
})

test('the nearest word is the one with the most letters in common, and none when they share too few', () => {
  const words = ['url', 'status', 'description', 'eventFilters', 'maxPerSecond']
  expect(nearest('events', words)).toBe('eventFilters')
  expect(nearest('max_per_seconds', words)).toBe('maxPerSecond')
  expect(nearest('URL', words)).toBe('url')
  expect(nearest('secret', words)).toBeNull()
  expect(nearest('', words)).toBeNull()
})
