// Pauses campaigns and sequences automatically, with the reason. They can be resumed.

import { and, eq, lte, or, type SQL, sql } from 'drizzle-orm'
import { campaigns } from '../../../db/tables/campaigns.ts'
import { sequences } from '../../../db/tables/sequences.ts'
import type { Tx } from '../../core/app.ts'
import { hold } from '../../core/outbox/waiting.ts'
import type { Campaign } from './campaign.ts'
import { publishCampaign } from './campaign-events.ts'
import { deliveryPartition, endSchedule } from './wake.ts'

/** Does nothing when it is no longer sending. */
export async function pauseSending(
  tx: Tx,
  campaign: Pick<Campaign, 'id' | 'workspaceId'>,
  pauseReason: string,
): Promise<void> {
  const paused = await tx.db
    .update(campaigns)
    .set({ status: 'paused', pauseReason, updatedAt: tx.now })
    .where(and(eq(campaigns.id, campaign.id), eq(campaigns.status, 'sending')))
    .returning()
  await hold(tx, deliveryPartition(campaign))
  for (const one of paused) await publishCampaign(tx, one, 'campaign.paused', { reason: pauseReason })
}

/** Pauses all marketing mail of the workspace. Returns how many campaigns that were. */
export async function pauseAll(tx: Tx, workspaceId: string, pauseReason: string): Promise<number> {
  const paused = await tx.db
    .update(campaigns)
    .set({ status: 'paused', pauseReason, updatedAt: tx.now })
    .where(sql`workspace_id = ${workspaceId} AND status = 'sending'`)
    .returning({ id: campaigns.id, name: campaigns.name })
  for (const { id, name } of paused) {
    await hold(tx, deliveryPartition({ id, workspaceId }))
    await publishCampaign(tx, { id, workspaceId, name }, 'campaign.paused', { reason: pauseReason })
  }
  const isMarketing = sql`(SELECT definition ->> '$.purpose' FROM sequence_versions AS one
    WHERE one.sequence_id = sequences.id AND one.version = sequences.version) = 'marketing'`
  await pauseSequences(tx, sql`workspace_id = ${workspaceId} AND ${isMarketing}`, pauseReason)
  return paused.length
}

async function pauseSequences(tx: Tx, which: SQL, pauseReason: string): Promise<void> {
  const paused = await tx.db
    .update(sequences)
    .set({ state: 'paused', pauseReason, updatedAt: tx.now })
    .where(sql`state = 'active' AND ${which}`)
    .returning({ id: sequences.id, workspaceId: sequences.workspaceId })
  for (const one of paused) await hold(tx, deliveryPartition(one))
}

/** Was sending, or due to start by then. */
export function begunBy(time: Date) {
  const { status, scheduledAt } = campaigns
  return or(eq(status, 'sending'), and(eq(status, 'scheduled'), lte(scheduledAt, time)))
}

/** In a database that was put back they may be further along than it knows. Returns how many. */
export async function pauseBegun(tx: Tx, time: Date): Promise<number> {
  const pauseReason = 'restored'
  const paused = await tx.db
    .update(campaigns)
    .set({ status: 'paused', pauseReason, nextSendAt: null, updatedAt: tx.now })
    .where(begunBy(time))
    .returning()
  for (const one of paused) {
    await endSchedule(tx, one)
    await hold(tx, deliveryPartition(one))
    await publishCampaign(tx, one, 'campaign.paused', { reason: pauseReason })
  }
  await pauseSequences(tx, sql`true`, pauseReason)
  return paused.length
}
