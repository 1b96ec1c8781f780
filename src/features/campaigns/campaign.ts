// A campaign as it is stored.

import type { campaigns } from '../../../db/tables/campaigns.ts'

export type Campaign = typeof campaigns.$inferSelect
