// What each kind of mail says is a revision that names its owner, and never changes.

import { expect, test } from 'bun:test'
import { contentRevisions } from '../db/tables/content-revisions.ts'
import { write } from '../src/core/app.ts'
import { noticeOfCampaigns } from '../src/features/campaigns/reputation/notice.ts'
import { testApp } from './support/app.ts'
import { draft, drafted } from './support/campaign.ts'
import { rawMail, testMailbox } from './support/mailbox.ts'
import { mcpClient } from './support/mcp.ts'

test('templates, campaigns, tests of both, answers and notices each add a revision of their own', async () => {
  await using t = await testApp()
  await t.template()
  const { id: campaignId, list } = await drafted(t, 1)
  const fromTemplate = await draft(t, list, { content: undefined, templateId: 'hello' })
  await t.post('/v1/transactional/hello/test', { emails: ['owner@acme.test'] }, 200)
  await t.post(`/v1/campaigns/${campaignId}/test`, { emails: ['owner@acme.test'] }, 200)
  await t.post(`/v1/campaigns/${fromTemplate}/send`, {}, 200)
  const mailbox = await testMailbox(t)
  const received = await mailbox.receive(rawMail())
  await using client = await mcpClient('2026-07-28 (stateless)', `${t.url}/mailbox/mcp`, mailbox.token)
  await client.callTool({ name: 'reply_to_email', arguments: { messageId: received, text: 'Thanks.' } })
  await write(t.app, (tx) => noticeOfCampaigns(tx, t.workspace, { subject: 'Note', paragraphs: ['It did.'] }))
  await t.settle()
  const rows = await t.app.db.select().from(contentRevisions).orderBy(contentRevisions.id)
  const templateId = rows[0]?.ownerId ?? ''
  expect(templateId).toMatch(/^tpl_/)
  expect(rows.map(({ ownerKind, ownerId, subject }) => [ownerKind, ownerId, subject])).toEqual([
    ['template', templateId, 'Hello'],
    ['campaign', campaignId, 'News for {{contact.firstName}}'],
    ['test', templateId, '[Test] Hello'],
    ['test', campaignId, '[Test] News for {{contact.firstName}}'],
    ['campaign', fromTemplate, 'News for {{contact.firstName}}'],
    ['mailbox', mailbox.id, '{{reply_subject}}'],
    ['workspace', t.workspace.id, 'Note'],
  ])
  expect(rows.every(({ workspaceId }) => workspaceId === t.workspace.id)).toBe(true)
  expect((await t.sent()).length).toBe(5)
})
