// The lanes: kinds of outside work that must not wait for each other. A lane limits how much runs at once and says what
// happens to work whose outcome a crash has hidden.

export interface LanePolicy {
  /** Jobs of the lane that this process runs at once. */
  concurrency: number
  /** Of these, at most so many of one workspace. */
  perWorkspace: number
  /** A workspace has at most so many times what it leaves free for others (lib/fair-share.ts). */
  timesFree: number
  /** Of these, at most so many of one partition (a webhook endpoint, a campaign). */
  perPartition: number
  /** Somebody waits for each of its jobs: no slice of long work goes before them. */
  urgent: boolean
  /** After a lost outcome: send again with the same Message-ID, or leave it to an operator. */
  whenAmbiguous: 'retry' | 'park'
}

const lane = (
  concurrency: number,
  whenAmbiguous: 'retry' | 'park' = 'retry',
  limits: Partial<LanePolicy> = {},
): LanePolicy => ({
  concurrency,
  perWorkspace: concurrency,
  timesFree: Number.POSITIVE_INFINITY,
  perPartition: concurrency,
  urgent: false,
  whenAmbiguous,
  ...limits,
})

// In both lanes more mails than connections: what waits for one is composed already, and is claimed in larger lots.
const shared = { timesFree: 9 }
const urgent = true

export const lanes = {
  'mail.tx': lane(40, 'retry', { ...shared, urgent }),
  'mail.optin': lane(8, 'retry', { ...shared, urgent }),
  // What a visitor asked for is written by a job, so that the answer is the same for everybody.
  opt_in: lane(4, 'retry', { urgent }),
  'mail.campaign': lane(64, 'park', shared),
  webhook: lane(64, 'retry', { perWorkspace: 16, perPartition: 4 }),
  template_job: lane(8),
  'campaign.page': lane(8, 'retry', { perPartition: 1 }),
  import: lane(2, 'retry', { perWorkspace: 1 }),
  maintenance: lane(1),
} satisfies Record<string, LanePolicy>

export type Lane = keyof typeof lanes

export function isUrgent({ lane }: { lane: string }): boolean {
  return lane in lanes && lanes[lane as Lane].urgent
}

/** Workspaces take turns inside a lane: at most so many jobs of one before the next has its turn. */
export const turnOfWorkspace = 8
