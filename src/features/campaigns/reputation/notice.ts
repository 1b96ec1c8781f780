// A mail to the owners of a workspace about its campaigns: an ordinary transactional message, so Email Activity shows it. A job writes it,
// because the sender address is a setting that a transaction cannot read.

import { and, eq } from 'drizzle-orm'
import { members, users } from '../../../../db/tables/workspaces.ts'
import { type App, type Tx, write } from '../../../core/app.ts'
import { enqueue } from '../../../core/outbox/enqueue.ts'
import { defineJob } from '../../../core/outbox/job.ts'
import { minute } from '../../../kit/duration.ts'
import { newId } from '../../../kit/id.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { addRevision } from '../../content/templates/revisions.ts'
import { deliverMessage } from '../../sending/deliver-message.ts'
import { queueMessages } from '../../sending/queue.ts'

export interface Notice {
  subject: string
  paragraphs: string[]
}

export const writeNotice = defineJob<Notice>({
  kind: 'campaign-notice',
  lane: 'maintenance',
  timeoutMs: minute,
  attemptsMax: 5,
  retryDelaysMs: [minute],
  async run(app, { workspaceId, payload }) {
    await write(app, (tx) => mailOwners(tx, app, workspaceId, payload))
    return { outcome: 'done' }
  },
})

export async function noticeOfCampaigns(tx: Tx, { id }: Pick<Workspace, 'id'>, notice: Notice): Promise<void> {
  await enqueue(tx, writeNotice, { workspaceId: id, payload: notice })
}

async function mailOwners(tx: Tx, app: App, workspaceId: string, { subject, paragraphs }: Notice): Promise<void> {
  const content = paragraphs.map((text) => ({ type: 'text' as const, text }))
  const said = { locale: 'en', subject, previewText: '', content }
  const revisionId = await addRevision(tx, { workspaceId, ownerKind: 'workspace', ownerId: workspaceId, ...said })
  const { name: fromName, address: fromEmail } = app.config.mailFrom
  const notices = (await listOwners(tx, workspaceId)).map((email) => {
    const id = newId(tx, 'msg', tx.now)
    return {
      id,
      payload: { messageId: id },
      workspaceId,
      kind: 'transactional' as const,
      email,
      contactId: null,
      templateId: null,
      revisionId,
      subject,
      locale: 'en',
      fromName,
      fromEmail,
      replyTo: null,
    }
  })
  await queueMessages(tx, deliverMessage, notices)
}

async function listOwners(tx: Tx, workspaceId: string): Promise<string[]> {
  const rows = await tx.db
    .select({ email: users.email })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.workspaceId, workspaceId), eq(members.role, 'owner')))
  return rows.map(({ email }) => email)
}
