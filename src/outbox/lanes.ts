// The lanes: kinds of outside work that must not wait for each other. A lane limits how much runs at once and says what
// happens to work whose outcome a crash has hidden.

export interface LanePolicy {
  /** Jobs of the lane that this process runs at once. */
  concurrency: number
  /** Of these, at most so many of one workspace. */
  perWorkspace: number
  /** Of these, at most so many of one partition (a webhook endpoint, a campaign). */
  perPartition: number
  /** After a lost outcome: send again with the same Message-ID, or leave it to an operator (outbox.md, "Duplicate mail"). */
  whenAmbiguous: 'retry' | 'park'
}

const lane = (
  concurrency: number,
  whenAmbiguous: 'retry' | 'park' = 'retry',
  limits: Partial<LanePolicy> = {},
): LanePolicy => ({
  concurrency,
  perWorkspace: concurrency,
  perPartition: concurrency,
  whenAmbiguous,
  ...limits,
})

export const lanes = {
  'mail.tx': lane(20),
  'mail.optin': lane(4),
  'mail.campaign': lane(10, 'park'),
  webhook: lane(64, 'retry', { perWorkspace: 16, perPartition: 4 }),
  template_job: lane(8),
  'campaign.page': lane(8, 'retry', { perPartition: 1 }),
  import: lane(2, 'retry', { perWorkspace: 1 }),
  maintenance: lane(1),
} satisfies Record<string, LanePolicy>

export type Lane = keyof typeof lanes

/** Workspaces take turns inside a lane: at most so many jobs of one before the next has its turn. */
export const turnOfWorkspace = 8
