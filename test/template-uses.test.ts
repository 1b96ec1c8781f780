// What uses a template, and what that asks of it: a campaign, a rule and a confirmation have no caller who would supply a variable; and
// a template in use is not deleted by accident.

import { expect, test } from 'bun:test'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { content, draft, join, listOf, sendCampaign, statsOf, trust } from './support/campaign.ts'
import { mcpClient } from './support/mcp.ts'
import { path, publish, subjects, tell, templates, welcoming } from './support/sequences.ts'

const asks = [{ type: 'text', text: 'Dear {{contact.firstName|you}}, your code is {{code}}' }]
const plain = [{ type: 'text', text: 'Dear {{contact.firstName|you}}' }]

const connect = (t: TestApp) => mcpClient('2026-07-28 (stateless)', `${t.url}/mcp`, t.apiKey)
const problemOf = (result: Json) => JSON.parse(result.content[0].text)
const codesOf = ({ warnings = [] }: { warnings?: { code: string }[] }) => warnings.map(({ code }) => code)

test('a campaign from a template with a variable that nobody fills is refused, as one with such content is', async () => {
  await using t = await testApp()
  const { list } = await listOf(t, 2)
  await trust(t, 'M1')
  await t.template({ id: 'asks', content: asks })
  await t.template({ id: 'plain', content: plain })
  const body = { name: 'x', subject: 'x', mailingListId: list.id }
  const own = await t.unchanged(() => t.post('/v1/campaigns', { ...body, content: asks }, 422))
  const made = await t.unchanged(() => t.post('/v1/campaigns', { ...body, templateId: 'asks' }, 422))
  const code = 'missing_variable'
  expect(own).toMatchObject({ code, errors: [{ path: 'content', code }] })
  expect(made).toMatchObject({ code, errors: [{ path: 'templateId', code }] })
  expect(made.detail).toContain('code')
  const { id } = await t.post('/v1/campaigns', { ...body, templateId: 'plain' }, 201)
  await t.unchanged(() => t.patch(`/v1/campaigns/${id}`, { templateId: 'asks' }, 422))
  // The words beside the tree are part of the mail, also when they alone are changed.
  await t.unchanged(() => t.patch(`/v1/campaigns/${id}`, { subject: 'Code {{code}}' }, 422))
  const { id: withContent } = await t.post('/v1/campaigns', { ...body, content: plain }, 201)
  await t.unchanged(() => t.patch(`/v1/campaigns/${withContent}`, { previewText: 'Code {{code}}' }, 422))
  await using client = await connect(t)
  const created = await client.callTool({ name: 'create_campaign', arguments: { ...body, templateId: 'asks' } })
  expect(problemOf(created)).toMatchObject({ code, errors: [{ code }] })
  // The template is changed afterwards, in a language that some recipients read.
  const changed = await t.put('/v1/transactional/plain/content/de', { content: asks }, 200)
  expect(changed.warnings).toMatchObject([{ code: 'missing_variable' }])
  expect(changed.warnings[0].message).toContain(id)
  for (const send of [{ dryRun: true }, {}, { scheduledAt: '2026-01-15T13:00:00Z' }]) {
    const refused = await t.unchanged(() => t.post(`/v1/campaigns/${id}/send`, send, 422))
    expect(refused).toMatchObject({ code, errors: [{ path: 'templateId', code }] })
  }
  await t.unchanged(() => t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt: '2026-01-15T13:00:00Z' }, 422))
  const sent = await client.callTool({ name: 'send_campaign', arguments: { campaignId: id } })
  expect(problemOf(sent)).toMatchObject({ code, errors: [{ code }] })
})

test('a template that changes under a schedule stops the campaign instead of leaving blanks', async () => {
  await using t = await testApp()
  const { list } = await listOf(t, 2)
  await t.template({ id: 'news', content: plain })
  const id = await draft(t, list, { content: undefined, templateId: 'news' })
  await t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt: '2026-01-15T13:00:00Z' }, 200)
  expect(codesOf(await t.put('/v1/transactional/update', { id: 'news', content: asks }, 200))).toEqual([
    'missing_variable',
  ])
  await t.advance('61m')
  expect(await t.get(`/v1/campaigns/${id}`, 200)).toMatchObject({ status: 'paused', pauseReason: 'missing_variable' })
  expect(await t.sent()).toEqual([])
  expect(codesOf(await t.put('/v1/transactional/update', { id: 'news', content: plain }, 200))).toEqual([])
  await t.post(`/v1/campaigns/${id}/resume`, {}, 200)
  await t.settle()
  expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 2 })
})

test('rules and confirmations are told of when a template they send begins to ask for what they do not give', async () => {
  await using t = await testApp()
  await t.template({ id: 'ruled', content: plain })
  const rule = { eventName: 'signup', action: 'send_template', templateId: 'ruled' }
  const { id: ruleId } = await t.post('/v1/event-rules', rule, 201)
  const unfilled = { ...rule, templateId: 'asks' }
  await t.template({ id: 'asks', content: asks })
  expect(await t.unchanged(() => t.post('/v1/event-rules', unfilled, 422))).toMatchObject({ code: 'missing_variable' })
  const changed = await t.put('/v1/transactional/update', { id: 'ruled', content: asks }, 200)
  expect(changed.warnings).toMatchObject([{ code: 'missing_variable' }])
  expect(changed.warnings[0].message).toContain(ruleId)
  await t.patch(`/v1/event-rules/${ruleId}`, { variables: { code: '1234' } }, 200)
  expect(codesOf(await t.put('/v1/transactional/update', { id: 'ruled', name: 'Again' }, 200))).toEqual([])

  const link = { type: 'button', text: 'Yes', href: '{{confirm_url}}' }
  const source = { name: 'S', confirmationTemplateId: 'ruled' }
  for (const [tree, path] of [
    [[...asks, link], 'confirmationTemplateId'],
    [plain, 'confirmationTemplateId'],
  ] as const) {
    await t.put('/v1/transactional/update', { id: 'ruled', content: tree }, 200)
    const refused = await t.unchanged(() => t.post('/v1/subscription-sources/create', source, 422))
    expect(refused).toMatchObject({ code: 'missing_variable', errors: [{ path, code: 'missing_variable' }] })
  }
  await t.put('/v1/transactional/update', { id: 'ruled', content: [...plain, link] }, 200)
  const { id: sourceId } = await t.post('/v1/subscription-sources/create', source, 201)
  const broken = await t.put('/v1/transactional/update', { id: 'ruled', content: [...asks, link] }, 200)
  expect(broken.warnings).toMatchObject([{ code: 'missing_variable' }])
  expect(broken.warnings[0].message).toContain(sourceId)
})

test('a confirmation whose template has come to lack something is the built-in one, never one with blanks', async () => {
  await using t = await testApp()
  const link = { type: 'button', text: 'Yes', href: '{{confirm_url}}' }
  await t.template({ id: 'own', content: [...plain, link] })
  const list = await t.mailingList({ optIn: 'double' })
  const source = { name: 'S', mailingListIds: [list.id], confirmationTemplateId: 'own' }
  const { id: sourceId } = await t.post('/v1/subscription-sources/create', source, 201)
  const mailTo = async (email: string) => {
    await t.post('/v1/contact-subscriptions/opt-in', { email, sourceId }, 202)
    await t.settle()
    return (await t.sent()).find(({ to }) => to === email)?.raw.replaceAll('=\r\n', '') ?? ''
  }
  expect(await mailTo('a@example.net')).toContain('Dear you')
  await t.put('/v1/transactional/update', { id: 'own', content: [...asks, link] }, 200)
  const mail = await mailTo('b@example.net')
  expect(mail).not.toContain('your code is')
  expect(mail).toMatch(/\/confirm\//)
})

test('a template that a campaign sends is not deleted; forced, the campaigns are cancelled', async () => {
  await using t = await testApp()
  const { list } = await listOf(t, 1)
  await t.template({ id: 'news', content })
  const ids: string[] = []
  for (const schedule of [false, true]) {
    const id = await draft(t, list, { content: undefined, templateId: 'news' })
    if (schedule) await t.post(`/v1/campaigns/${id}/schedule`, { scheduledAt: '2026-01-15T13:00:00Z' }, 200)
    ids.push(id)
  }
  const variants = [{ name: 'A' }, { name: 'B', templateId: 'news' }]
  ids.push(await draft(t, list, { test: { variants, share: 50, holdOut: 0, winner: { by: 'hand' } } }))
  const done = await draft(t, list, { content: undefined, templateId: 'news' })
  await sendCampaign(t, done)
  const refused = await t.unchanged(() => t.post('/v1/transactional/delete', { id: 'news' }, 409))
  expect(refused).toMatchObject({ code: 'template_in_use', errors: [{ path: 'force' }] })
  for (const id of ids) expect(refused.detail).toContain(id)
  expect(refused.detail).not.toContain(done)
  await using client = await connect(t)
  expect(problemOf(await client.callTool({ name: 'delete_template', arguments: { id: 'news' } })).code).toBe(
    'template_in_use',
  )
  // What is no longer active cannot be sent either: said when it happens.
  const archived = await t.put('/v1/transactional/update', { id: 'news', status: 'archived' }, 200)
  expect(codesOf(archived)).toEqual(['template_in_use'])
  await t.post('/v1/transactional/delete', { id: 'news', force: true }, 200)
  for (const id of ids) expect(await t.get(`/v1/campaigns/${id}`, 200)).toMatchObject({ status: 'cancelled' })
  expect(await t.get(`/v1/campaigns/${done}`, 200)).toMatchObject({ status: 'sent' })
  await t.advance('61m')
  expect((await t.sent()).length).toBe(1)
})

test('force also ends a campaign that is being sent', async () => {
  await using t = await testApp()
  const { list } = await listOf(t, 5)
  await join(t, list, 5, { first: 10 })
  await t.template({ id: 'news', content })
  const id = await draft(t, list, { content: undefined, templateId: 'news' })
  await t.post(`/v1/campaigns/${id}/send`, {}, 200)
  await t.post('/v1/transactional/delete', { id: 'news' }, 409)
  await t.post('/v1/transactional/delete', { id: 'news', force: true }, 200)
  await t.settle()
  expect(await statsOf(t, id)).toMatchObject({ status: 'cancelled' })
  expect((await t.sent()).length).toBe(0)
})

test('a template that a sequence sends is not deleted; forced, the sequence is paused, and says why', async () => {
  await using t = await testApp()
  await templates(t)
  const { id } = await publish(t, welcoming)
  await tell(t, 'signup')
  await t.settle()
  // Those who are in the first version still get what it sends.
  const { revision } = await t.get(`${path}/${id}`, 200)
  const [hello] = welcoming.steps
  const changed = await t.patch(`${path}/${id}`, { definition: { ...welcoming, steps: [hello] }, revision }, 200)
  await t.post(`${path}/${id}/publish`, { contentHash: changed.contentHash }, 200)
  const refused = await t.unchanged(() => t.post('/v1/transactional/delete', { id: 'tips' }, 409))
  expect(refused.detail).toContain(`sequences (${id})`)
  const archived = await t.put('/v1/transactional/update', { id: 'tips', status: 'archived' }, 200)
  expect(archived.warnings).toMatchObject([{ code: 'template_in_use', message: expect.stringContaining(id) }])
  await t.post('/v1/transactional/delete', { id: 'tips', force: true }, 200)
  expect(await t.get(`${path}/${id}`, 200)).toMatchObject({ state: 'paused' })
  await t.advance('4d')
  expect(await subjects(t)).toEqual(['hello'])
})
