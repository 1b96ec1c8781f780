// The npm SDK of the family, with only its base address changed: the calls that sending answers.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { APIError, LoopsClient } from 'loops'
import { testApp } from './support/app.ts'
import { makeList } from './support/lists.ts'

test('the loops SDK tests its key and sends a transactional mail', async () => {
  await using t = await testApp()
  await t.template({ subject: 'Hi {{name}}', text: 'Hello {{name}}' })
  const loops = new LoopsClient(t.apiKey)
  loops.apiRoot = `${t.url}/api/`
  expect(await loops.testApiKey()).toEqual({ success: true, teamName: 'Acme' })

  const mail = {
    transactionalId: 'hello',
    email: 'ada@example.net',
    dataVariables: { name: 'Ada' },
    addToAudience: true,
  }
  const attachments = [{ filename: 'a.txt', contentType: 'text/plain', data: 'aGk=' }]
  const headers = { 'Idempotency-Key': 'k-1' }
  for (let i = 0; i < 2; i++) {
    expect(await loops.sendTransactionalEmail({ ...mail, attachments, headers })).toMatchObject({ success: true })
  }
  await t.settle()
  expect(await t.sent()).toHaveLength(1)

  const refused = loops.sendTransactionalEmail({ ...mail, transactionalId: 'unknown' })
  const error = await refused.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(APIError)
  expect(error).toMatchObject({ statusCode: 404, json: { success: false } })

  const wrong = new LoopsClient('pqk_wrong')
  wrong.apiRoot = loops.apiRoot
  await expect(wrong.testApiKey()).rejects.toMatchObject({ statusCode: 401 })
})

test('the loops SDK makes, finds, changes and deletes contacts, declares properties, and asks about suppression', async () => {
  await using t = await testApp()
  const listId = await makeList(t)
  const loops = new LoopsClient(t.apiKey)
  loops.apiRoot = `${t.url}/api/`
  const email = 'ada@example.net'
  expect(await loops.createContactProperty('renewsAt', 'date')).toMatchObject({ success: true })
  const properties = { firstName: 'Ada', userId: 'u-1', plan: 'pro', renewsAt: Date.parse('2026-03-01') }
  const made = await loops.createContact({ email, properties, mailingLists: { [listId]: true } })
  expect(made).toMatchObject({ success: true, id: expect.stringMatching(/^con_/) })
  expect(await loops.findContact({ userId: 'u-1' })).toMatchObject([
    { id: made.id, email, plan: 'pro', renewsAt: '2026-03-01T00:00:00.000Z', mailingLists: { [listId]: true } },
  ])
  const changed = await loops.updateContact({
    email,
    properties: { plan: null, seats: 3 },
    mailingLists: { [listId]: false },
  })
  expect(changed).toEqual(made)
  expect(await loops.findContact({ email })).toMatchObject([{ seats: 3, mailingLists: {} }])
  expect(await loops.listContactProperties('custom')).toContainEqual({ key: 'seats', label: 'Seats', type: 'number' })
  expect(await loops.listContactProperties()).toContainEqual({ key: 'firstName', label: 'First name', type: 'string' })

  const again = await loops.createContact({ email }).catch((thrown: unknown) => thrown)
  expect(again).toMatchObject({ statusCode: 409, json: { success: false, message: expect.any(String) } })

  await t.post('/v1/suppressions', { email }, 201)
  const contact = { id: made.id, email, userId: 'u-1' }
  expect(await loops.checkContactSuppression({ userId: 'u-1' })).toMatchObject({ contact, isSuppressed: true })
  expect(await loops.removeContactSuppression({ email })).toMatchObject({ success: true, removalQuota: {} })
  expect(await loops.checkContactSuppression({ email })).toMatchObject({ contact, isSuppressed: false })

  expect(await loops.deleteContact({ email })).toMatchObject({ success: true, message: 'Contact deleted.' })
  expect(await loops.findContact({ email })).toEqual([])
})

test('names as callers have them: properties in snake_case, events with spaces', async () => {
  await using t = await testApp()
  const loops = new LoopsClient(t.apiKey)
  loops.apiRoot = `${t.url}/api/`
  const email = 'ada@example.net'
  await loops.createContactProperty('renews_at', 'date')
  await loops.createContact({ email, properties: { plan_name: 'pro', renews_at: Date.parse('2026-03-01') } })
  expect(await loops.findContact({ email })).toMatchObject([
    { plan_name: 'pro', renews_at: '2026-03-01T00:00:00.000Z' },
  ])
  expect(await loops.listContactProperties('custom')).toContainEqual({
    key: 'plan_name',
    label: 'Plan name',
    type: 'string',
  })
  expect((await t.get('/v1/contacts?property=plan_name&value=pro', 200)).data).toHaveLength(1)
  await t.template({ id: 'plan', name: 'Plan', subject: 'Plan', text: 'Your plan: {{contact.plan_name}}.' })
  const rule = { eventName: 'Trial Started', action: 'send_template', templateId: 'plan' }
  await t.post('/v1/event-rules', rule, 201)
  expect(await loops.sendEvent({ email, eventName: 'Trial Started' })).toMatchObject({ success: true })
  await t.settle()
  expect((await t.sent()).map(({ raw }) => raw.replaceAll('=\r\n', '').includes('Your plan: pro.'))).toEqual([true])
  for (const eventName of [' Trial', 'Trial ', ' ', 'Trial\tstarted'])
    await t.unchanged(() => t.post('/v1/events/send', { email, eventName }, 422))
  for (const name of ['first_name', 'created_at', 'user_id'])
    await t.unchanged(() => t.post('/api/v1/contacts/properties', { name, type: 'string' }, 422))
})

test('the loops SDK lists and fetches transactional mails', async () => {
  await using t = await testApp()
  const loops = new LoopsClient(t.apiKey)
  loops.apiRoot = `${t.url}/api/`
  for (const id of ['hello', 'bye']) await t.template({ id, name: id, text: 'Hello {{name}}' })
  const listed = await loops.listTransactionalEmails({ perPage: 10 })
  expect(listed).toMatchObject({ pagination: { totalResults: 2 }, data: [{ id: 'bye' }, { id: 'hello' }] })
  const { revisionId } = await t.get('/v1/transactional/hello', 200)
  const one = await loops.getTransactionalEmail('hello')
  expect(one).toEqual({
    id: 'hello',
    name: 'hello',
    url: `${t.url}/v1/transactional/hello`,
    draftEmailMessageId: null,
    publishedEmailMessageId: revisionId,
    transactionalGroupId: null,
    createdAt: '2026-01-15T12:00:00.000Z',
    updatedAt: '2026-01-15T12:00:00.000Z',
    dataVariables: ['name'],
  })
  expect(listed.data[1]).toEqual(one)
  await expect(loops.getTransactionalEmail('nothing')).rejects.toMatchObject({ statusCode: 404 })
})

/** What each method of the SDK does here: its outcome, or 501 for what is not part of this product. */
const methods: Record<string, (loops: LoopsClient, have: { listId: string; segmentId: string }) => Promise<unknown>> = {
  testApiKey: (loops) => loops.testApiKey(),
  createContact: (loops) => loops.createContact({ email: 'bob@example.net' }),
  updateContact: (loops) => loops.updateContact({ email: 'bob@example.net', properties: { plan: 'pro' } }),
  findContact: (loops) => loops.findContact({ email: 'bob@example.net' }),
  deleteContact: (loops) => loops.deleteContact({ email: 'bob@example.net' }),
  checkContactSuppression: (loops) => loops.checkContactSuppression({ email: 'eve@example.net' }),
  removeContactSuppression: (loops) => loops.removeContactSuppression({ email: 'eve@example.net' }),
  createContactProperty: (loops) => loops.createContactProperty('seats', 'number'),
  listContactProperties: (loops) => loops.listContactProperties(),
  listMailingLists: (loops) => loops.listMailingLists(),
  sendEvent: (loops) => loops.sendEvent({ email: 'ada@example.net', eventName: 'Trial Started' }),
  sendTransactionalEmail: (loops) =>
    loops.sendTransactionalEmail({
      transactionalId: 'hello',
      email: 'ada@example.net',
      dataVariables: { name: 'Ada' },
    }),
  listTransactionalEmails: (loops) => loops.listTransactionalEmails(),
  getTransactionalEmail: (loops) => loops.getTransactionalEmail('hello'),
  createTransactionalEmail: (loops) => loops.createTransactionalEmail({ name: 'Receipt' }),
  updateTransactionalEmail: (loops) => loops.updateTransactionalEmail('receipt', { name: 'Your receipt' }),
  publishTransactionalEmail: (loops) => loops.publishTransactionalEmail('hello'),
  listAudienceSegments: (loops) => loops.listAudienceSegments(),
  getAudienceSegment: (loops, { segmentId }) => loops.getAudienceSegment(segmentId),
  createAudienceSegment: (loops) => loops.createAudienceSegment({ name: 'Pro', filter: isPro }),
  listCampaigns: (loops) => loops.listCampaigns(),
  createCampaign: (loops, { listId, segmentId }) =>
    loops.createCampaign({ name: 'May', mailingListId: listId, audienceSegmentId: segmentId }),
  getCampaign: async (loops) => loops.getCampaign((await loops.listCampaigns()).data[0]?.id ?? ''),
  updateCampaign: async (loops) =>
    loops.updateCampaign((await loops.listCampaigns()).data[0]?.id ?? '', {
      name: 'June',
      scheduling: { method: 'now' },
    }),
  listEventPatterns: (loops) => loops.listEventPatterns(),
}

const absent: Record<string, (loops: LoopsClient) => Promise<unknown>> = {
  ensureTransactionalEmailDraft: (loops) => loops.ensureTransactionalEmailDraft('hello'),
  listDedicatedSendingIps: (loops) => loops.listDedicatedSendingIps(),
  listThemes: (loops) => loops.listThemes(),
  getTheme: (loops) => loops.getTheme('x'),
  createTheme: (loops) => loops.createTheme({ name: 'x' }),
  updateTheme: (loops) => loops.updateTheme('x', { name: 'y' }),
  listComponents: (loops) => loops.listComponents(),
  getComponent: (loops) => loops.getComponent('x'),
  createComponent: (loops) => loops.createComponent({ name: 'x', lmx: '' }),
  updateComponent: (loops) => loops.updateComponent('x', { name: 'y' }),
  getEmailMessage: (loops) => loops.getEmailMessage('x'),
  updateEmailMessage: (loops) => loops.updateEmailMessage('x', { subject: 'y' }),
  sendEmailMessagePreview: (loops) => loops.sendEmailMessagePreview('x', { emails: ['ada@example.net'] }),
  runEmailMessageGuardian: (loops) => loops.runEmailMessageGuardian('x'),
  getEventPattern: (loops) => loops.getEventPattern('x'),
  getEventPatternByName: (loops) => loops.getEventPatternByName('Trial Started'),
  listWorkflows: (loops) => loops.listWorkflows(),
  createWorkflow: (loops) => loops.createWorkflow({ name: 'x' }),
  getWorkflow: (loops) => loops.getWorkflow('x'),
  updateWorkflow: (loops) => loops.updateWorkflow('x', at),
  deleteWorkflow: (loops) => loops.deleteWorkflow('x', at),
  changeWorkflowMailingList: (loops) => loops.changeWorkflowMailingList('x', { ...at, mailingListId: null }),
  createWorkflowNode: (loops) =>
    loops.createWorkflowNode('x', { ...at, insertMode: 'after', nodeTypeName: 'TimerAction', fromNodeId: 'y' }),
  getWorkflowNode: (loops) => loops.getWorkflowNode('x', 'y'),
  updateWorkflowNode: (loops) => loops.updateWorkflowNode('x', 'y', { ...at, payload: { amount: 1, unit: 'd' } }),
  deleteWorkflowNode: (loops) => loops.deleteWorkflowNode('x', 'y', at),
  addWorkflowBranch: (loops) => loops.addWorkflowBranch('x', 'y', at),
  rerouteWorkflowNode: (loops) => loops.rerouteWorkflowNode('x', 'y', { ...at, newTargetNodeId: 'z' }),
  deleteWorkflowNodesRecursive: (loops) => loops.deleteWorkflowNodesRecursive('x', 'y', at),
  listCampaignGroups: (loops) => loops.listCampaignGroups(),
  createCampaignGroup: (loops) => loops.createCampaignGroup({ name: 'x' }),
  getCampaignGroup: (loops) => loops.getCampaignGroup('x'),
  updateCampaignGroup: (loops) => loops.updateCampaignGroup('x', { name: 'y' }),
  listTransactionalGroups: (loops) => loops.listTransactionalGroups(),
  createTransactionalGroup: (loops) => loops.createTransactionalGroup({ name: 'x' }),
  getTransactionalGroup: (loops) => loops.getTransactionalGroup('x'),
  updateTransactionalGroup: (loops) => loops.updateTransactionalGroup('x', { name: 'y' }),
  createUpload: (loops) => loops.createUpload({ contentType: 'image/png', contentLength: 1 }),
  completeUpload: (loops) => loops.completeUpload('x'),
}

const at = { expectedRevisionId: null }
const isPro = {
  match: 'all' as const,
  conditions: [{ type: 'property' as const, key: 'plan', operator: 'equals' as const, value: 'pro' }],
}

test('every method of the loops SDK works, or is 501 with what to use instead', async () => {
  await using t = await testApp()
  const own = Object.getOwnPropertyNames(LoopsClient.prototype).filter((name) => !/^(constructor|_)/.test(name))
  expect([...Object.keys(methods), ...Object.keys(absent)].sort()).toEqual(own.sort())
  const loops = new LoopsClient(t.apiKey)
  loops.apiRoot = `${t.url}/api/`
  const listId = await makeList(t)
  await t.template({ text: 'Hello {{name}}' })
  await t.post('/v1/suppressions', { email: 'eve@example.net' }, 201)
  const segment = await t.post('/v1/segments', { name: 'Old', filter: { field: 'plan', op: 'eq', value: 'old' } }, 201)
  for (const [name, call] of Object.entries(methods)) {
    const outcome = await call(loops, { listId, segmentId: segment.id }).catch((thrown: unknown) => thrown)
    expect(outcome, name).not.toBeInstanceOf(Error)
  }
  for (const [name, call] of Object.entries(absent)) {
    const refused = await t.unchanged(() => call(loops).catch((thrown: unknown) => thrown))
    expect(refused, name).toMatchObject({
      statusCode: 501,
      json: { code: 'not_implemented', success: false, message: expect.stringContaining('Use ') },
    })
  }
  const text = await Bun.file(join(import.meta.dir, '../docs/moving-in.md')).text()
  const paragraph = /Of its methods these work: ([\s\S]*?)\n\n/.exec(text)?.[1] ?? ''
  const named = [...paragraph.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(named.sort()).toEqual(Object.keys(methods).sort())
})

test('campaigns, templates and segments have the shapes of the loops SDK; what they cannot say is refused by name', async () => {
  await using t = await testApp()
  const loops = new LoopsClient(t.apiKey)
  loops.apiRoot = `${t.url}/api/`
  const mailingListId = await makeList(t)
  const made = await loops.createAudienceSegment({
    name: 'Pro or new',
    filter: {
      match: 'any',
      conditions: [
        ...isPro.conditions,
        { type: 'property', key: 'city', operator: 'notContains', value: 'Ulm' },
        { type: 'property', key: 'subscribed', operator: 'isTrue' },
        { type: 'activity', action: 'opened', negate: true, target: 'campaign', id: 'cmp_x' },
      ],
    },
  })
  expect((await t.get(`/v1/segments/${made.id}`, 200)).filter).toEqual({
    any: [
      { field: 'plan', op: 'eq', value: 'pro' },
      { not: { field: 'city', op: 'contains', value: 'Ulm' } },
      { field: 'subscribed', op: 'eq', value: true },
      { not: { campaign: 'opened', campaignId: 'cmp_x' } },
    ],
  })
  const { filter } = await loops.getAudienceSegment(made.id)
  expect(filter?.conditions).toHaveLength(4)
  expect(await loops.createAudienceSegment({ name: 'The same', filter: filter ?? isPro })).toMatchObject({ filter })

  const campaign = await loops.createCampaign({ name: 'May', mailingListId, audienceSegmentId: made.id })
  expect(campaign).toMatchObject({
    status: 'Draft',
    mailingListId,
    audienceSegmentId: made.id,
    scheduling: { method: 'now', timestamp: null },
  })
  expect(await loops.updateCampaign(campaign.id, { name: 'June' })).toMatchObject({ id: campaign.id, name: 'June' })
  expect(await t.get(`/v1/campaigns/${campaign.id}`, 200)).toMatchObject({ name: 'June', segmentId: made.id })

  const draft = await loops.createTransactionalEmail({ name: 'Receipt' })
  expect(draft).toMatchObject({
    id: 'receipt',
    publishedEmailMessageId: null,
    draftEmailMessageContentRevisionId: null,
  })
  const refusals = {
    mailingListId: () => loops.createCampaign({ name: 'May' }),
    audienceFilter: () => loops.createCampaign({ name: 'May', mailingListId, audienceFilter: isPro }),
    campaignGroupId: () => loops.updateCampaign(campaign.id, { campaignGroupId: 'x' }),
    scheduling: () =>
      loops.updateCampaign(campaign.id, { scheduling: { method: 'schedule', timestamp: '2026-05-01T00:00:00Z' } }),
    transactionalGroupId: () => loops.createTransactionalEmail({ name: 'x', transactionalGroupId: 'y' }),
    description: () => loops.createAudienceSegment({ name: 'x', description: 'y', filter: isPro }),
    'filter.conditions[0].type': () =>
      loops.createAudienceSegment({
        name: 'x',
        filter: { match: 'all', conditions: [{ type: 'optIn', status: 'accepted' }] },
      }),
    content: () => loops.publishTransactionalEmail('receipt'),
  }
  for (const [field, call] of Object.entries(refusals)) {
    const refused = await t.unchanged(() => call().catch((thrown: unknown) => thrown))
    expect(refused, field).toMatchObject({ statusCode: 422, json: { message: expect.stringContaining(field) } })
  }
})
