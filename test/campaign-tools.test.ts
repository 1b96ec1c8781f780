// The campaign tools as functions, and the campaign commands of the command line.

import { expect, test } from 'bun:test'
import { write } from '../src/core/app.ts'
import { createCampaignTool, listCampaignsTool, sendCampaignTool } from '../src/doors/mcp/campaign-calls.ts'
import { outlineCampaign } from '../src/doors/mcp/campaign-outline.ts'
import { loadCampaignView } from '../src/features/campaigns/campaign-view.ts'
import { changeSettings } from '../src/people/campaign-settings.ts'
import { getWorkspace } from '../src/people/workspaces.ts'
import { testApp } from './support/app.ts'
import { content, listOf, trust } from './support/campaign.ts'
import { cli } from './support/cli.ts'

test('create, send, list and get answer as the interface says', async () => {
  await using t = await testApp()
  const { list } = await listOf(t, 4)
  await trust(t, 'M1')
  const workspace = await getWorkspace(t.app, t.workspace.id)
  const input = { name: 'July', subject: 'Hello', mailingListId: list.id, content }
  const created = await createCampaignTool(t.app, workspace, input)
  expect(created).toMatchObject({ status: 'draft', estimatedRecipients: 4, skipped: {} })
  const { campaignId } = created
  const dry = await t.unchanged(() => sendCampaignTool(t.app, workspace, { campaignId, dryRun: true }))
  expect(dry).toMatchObject({
    campaignId,
    status: 'draft',
    recipients: 4,
    skipped: {},
    capRemaining: 2_000,
    nextSendAt: null,
  })
  const key = { campaignId, idempotencyKey: 'agent-1' }
  const sent = await sendCampaignTool(t.app, workspace, key)
  expect(sent.status).toBe('sending')
  expect(await sendCampaignTool(t.app, workspace, key)).toEqual(sent)
  await expect(sendCampaignTool(t.app, workspace, { campaignId })).rejects.toMatchObject({
    code: 'invalid_state_transition',
  })
  await t.settle()
  expect(await loadCampaignView(t.app, workspace, campaignId)).toMatchObject({
    status: 'sent',
    stats: { audience: 4, sent: 4 },
  })
  await createCampaignTool(t.app, workspace, input)
  const first = await listCampaignsTool(t.app, workspace, { limit: 1 })
  expect(first.campaigns).toHaveLength(1)
  const second = await listCampaignsTool(t.app, workspace, { limit: 1, cursor: first.nextCursor ?? '' })
  expect([second.campaigns[0]?.id, second.nextCursor]).toEqual([campaignId, null])
  await expect(listCampaignsTool(t.app, workspace, { cursor: 'made-up' })).rejects.toMatchObject({
    code: 'validation_failed',
  })
})

test('an agent waits for the approval of a member where the workspace asks for one', async () => {
  await using t = await testApp()
  const { list } = await listOf(t, 1)
  await trust(t, 'M1')
  const workspace = await getWorkspace(t.app, t.workspace.id)
  await write(t.app, (tx) => changeSettings(tx, workspace.id, { agentsNeedApproval: true }))
  const { campaignId } = await createCampaignTool(t.app, workspace, {
    name: 'J',
    subject: 'J',
    mailingListId: list.id,
    content,
  })
  await expect(sendCampaignTool(t.app, workspace, { campaignId })).rejects.toMatchObject({ code: 'forbidden' })
  const { contentHash } = await loadCampaignView(t.app, workspace, campaignId)
  await t.post(`/v1/campaigns/${campaignId}/approve`, { contentHash }, 200, { as: 'session' })
  expect((await sendCampaignTool(t.app, workspace, { campaignId })).status).toBe('sending')
})

test('an outline is the same for the same prompt, is marked as one, and can be made into a draft', async () => {
  await using t = await testApp()
  const { list } = await listOf(t, 1)
  await trust(t, 'M1')
  const workspace = await getWorkspace(t.app, t.workspace.id)
  const prompt = 'Summer sale\r\nBcc: x@y {{contact.secret}} 20 % off'
  const outline = outlineCampaign(workspace, { prompt, tone: 'warm' })
  expect(outlineCampaign(workspace, { prompt, tone: 'warm' })).toEqual(outline)
  expect(outline).toMatchObject({ placeholder: true, locale: 'en', mailingListId: null })
  expect(JSON.stringify(outline.content)).not.toContain('contact.secret}}')
  expect(outline.subject).not.toMatch(/[\r\n]/)
  const { name, subject, previewText, content: tree } = outline
  await t.post('/v1/campaigns', { name, subject, previewText, content: tree, mailingListId: list.id }, 201)
  expect(() => outlineCampaign(workspace, { prompt: ' \n ' })).toThrow()
})

test('the command line checks, explains, and sets a cap', async () => {
  using machine = await cli()
  await machine.run(['init', '--workspace', 'acme', '--email', 'a@acme.test', '--json'])
  const cap = ['workspace', 'set-trust', '--workspace', 'acme', '--level', 'M1', '--cap', '7', '--json']
  expect((await machine.run(cap)).json).toMatchObject({ trustLevel: 'M1', dailyCap: 7 })
  expect((await machine.run([...cap.slice(0, -2), 'many', '--json'])).code).toBe(2)
  expect((await machine.run(['campaign', 'list', '--workspace', 'acme', '--json'])).json.data).toEqual([])
  const check = await machine.run(['campaign', 'check', '--workspace', 'acme', '--campaign', 'cmp_none', '--json'])
  expect([check.code, check.json.code]).toEqual([1, 'not_found'])
})
