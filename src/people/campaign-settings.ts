// A workspace's settings for its campaigns. By default: at most one mail per recipient in 16 hours and four in seven days, no approval, no
// warm-up, no tracking, no quiet hours.

import { eq } from 'drizzle-orm'
import { campaignSettings } from '../../db/tables/campaigns.ts'
import type { Reader, Tx } from '../core/app.ts'

export type CampaignSettings = Omit<typeof campaignSettings.$inferSelect, 'workspaceId' | 'updatedAt'>

/** The settings of a workspace that has changed none. */
export const defaultSettings: CampaignSettings = {
  hoursBetween: 16,
  mailsPerWeek: 4,
  agentsNeedApproval: false,
  warmUp: false,
  trackOpens: false,
  trackClicks: false,
  dailyCap: null,
  quietHours: null,
}

export async function loadCampaignSettings(reader: Reader, workspaceId: string): Promise<CampaignSettings> {
  const [row] = await reader.db.select().from(campaignSettings).where(eq(campaignSettings.workspaceId, workspaceId))
  if (!row) return defaultSettings
  const { workspaceId: _, updatedAt: __, ...settings } = row
  return settings
}

/** Changes what is given. */
export async function changeSettings(
  tx: Tx,
  workspaceId: string,
  change: Partial<CampaignSettings>,
): Promise<CampaignSettings> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const settings: CampaignSettings = { ...(await loadCampaignSettings(tx, workspaceId)), ...given }
  await tx.db
    .insert(campaignSettings)
    .values({ workspaceId, ...settings, updatedAt: tx.now })
    .onConflictDoUpdate({ target: campaignSettings.workspaceId, set: { ...settings, updatedAt: tx.now } })
  return settings
}
