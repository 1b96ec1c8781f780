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
  /** A partition takes no more before half of what it may have is free: its jobs are claimed, read and signed in lots. */
  inLots: boolean
  /** Somebody waits for each of its jobs: no slice of long work goes before them. */
  urgent: boolean
  /** Where the database is a server, so many times as many, also of one workspace: more of them are on their way to it and back. */
  remoteTimes: number
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
  inLots: false,
  urgent: false,
  remoteTimes: 1,
  whenAmbiguous,
  ...limits,
})

// In both lanes more mails than connections: what waits for one is composed already, and is claimed in larger lots.
const shared = { timesFree: 9, remoteTimes: 2 }
const urgent = true

export const lanes = {
  'mail.tx': lane(40, 'retry', { ...shared, urgent }),
  'mail.optin': lane(8, 'retry', { ...shared, urgent }),
  // What a visitor asked for is written by a job, so that the answer is the same for everybody.
  opt_in: lane(4, 'retry', { urgent }),
  'mail.campaign': lane(64, 'park', { ...shared, inLots: true }),
  webhook: lane(64, 'retry', { perWorkspace: 16, perPartition: 4 }),
  template_job: lane(8),
  'campaign.page': lane(8, 'retry', { perPartition: 1 }),
  import: lane(2, 'retry', { perWorkspace: 1 }),
  maintenance: lane(1),
} satisfies Record<string, LanePolicy>

export type Lane = keyof typeof lanes

/** What their jobs do is seen by somebody else: mail and webhooks, and what asks for a mail. */
export const leavingLanes: Lane[] = ['mail.tx', 'mail.optin', 'opt_in', 'mail.campaign', 'webhook', 'template_job']

export type Lanes = Record<Lane, LanePolicy>

const stretched = Object.fromEntries(
  Object.entries<LanePolicy>(lanes).map(([name, policy]) => {
    const { concurrency, perWorkspace, perPartition, remoteTimes: times } = policy
    const limits = {
      concurrency: concurrency * times,
      perWorkspace: perWorkspace * times,
      perPartition: perPartition * times,
    }
    return [name, { ...policy, ...limits }]
  }),
) as Lanes

/** The lanes of a process whose database is a file, or a server. */
export function lanesOf({ kind }: { kind: 'local' | 'remote' }): Lanes {
  return kind === 'local' ? lanes : stretched
}

export function isUrgent({ lane }: { lane: string }): boolean {
  return lane in lanes && lanes[lane as Lane].urgent
}

/** Workspaces take turns inside a lane: at most so many jobs of one before the next has its turn. */
export const turnOfWorkspace = 8
