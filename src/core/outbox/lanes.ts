// The lanes: kinds of outside work that must not wait for each other. A lane limits how much runs at once, and says what happens to work
// whose outcome a crash has hidden.

export interface LanePolicy {
  /** Jobs of the lane that this process runs at once. */
  concurrency: number
  /** At most this many of one workspace. */
  perWorkspace: number
  /** A workspace gets at most this many times what it leaves free for others (kit/fair-share.ts). */
  timesFree: number
  /** At most this many of one partition (a webhook endpoint, a campaign). */
  perPartition: number
  /** A partition gets no more before half of its share is free, because its jobs are claimed, read and signed in batches. */
  inBatches: boolean
  /** Somebody waits for each of its jobs, so no slice of long work goes before them. */
  urgent: boolean
  /** On a database server, this many times as many, also per workspace, because more of them are in transit. */
  remoteTimes: number
  /** As many for each relay that carries mail, up to `mostRelays`. */
  byRelay: boolean
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
  inBatches: false,
  urgent: false,
  remoteTimes: 1,
  byRelay: false,
  whenAmbiguous,
  ...limits,
})

// These run more mails than there are connections: a waiting mail is already composed, and jobs are claimed in larger batches. So many,
// that mails for domains that do not answer (mail/places.ts) leave some for others.
const shared = { timesFree: 9, remoteTimes: 2, byRelay: true }
const urgent = true

export const lanes = {
  'mail.tx': lane(64, 'retry', { ...shared, urgent }),
  'mail.optin': lane(64, 'retry', { ...shared, urgent }),
  // A visitor's request is written by a job, so that the answer is the same for everybody.
  opt_in: lane(4, 'retry', { urgent }),
  'mail.campaign': lane(64, 'park', { ...shared, inBatches: true }),
  // A place is empty while an end is written and the next job is claimed, so there are more of them than one group takes.
  webhook: lane(128, 'retry', { perWorkspace: 64, perPartition: 16 }),
  // What an event writes for many endpoints: one after the other, for each holds the database.
  fan_out: lane(4, 'retry', { perWorkspace: 1 }),
  template_job: lane(8),
  'campaign.page': lane(8, 'retry', { perPartition: 1 }),
  // Each may wait for the server of a feed.
  recurring: lane(8, 'retry', { perWorkspace: 4, perPartition: 1 }),
  sequence: lane(8, 'retry', { perPartition: 1 }),
  import: lane(2, 'retry', { perWorkspace: 1 }),
  segments: lane(4, 'retry', { perWorkspace: 1 }),
  maintenance: lane(1),
} satisfies Record<string, LanePolicy>

export type Lane = keyof typeof lanes

/** Lanes whose jobs have effects outside: mail and webhooks, and jobs that cause mail. */
export const leavingLanes: Lane[] = [
  'mail.tx',
  'mail.optin',
  'opt_in',
  'mail.campaign',
  'webhook',
  'template_job',
  'recurring',
  'sequence',
]

export type Lanes = Record<Lane, LanePolicy>

/** A mail in its lane is composed, and takes memory. */
const mostRelays = 4
const chosen = new Map<string, Lanes>()

/** The lanes of a process whose database is a file or a server, and whose mail so many relays carry. */
export function chooseLanes(kind: 'local' | 'remote', relays: number): Lanes {
  const most = Math.min(Math.max(relays, 1), mostRelays)
  return chosen.getOrInsertComputed(`${kind} ${most}`, () => stretch(kind, most))
}

function stretch(kind: 'local' | 'remote', relays: number): Lanes {
  const stretched = Object.entries<LanePolicy>(lanes).map(([name, policy]) => {
    const { concurrency, perWorkspace, perPartition, remoteTimes, byRelay } = policy
    const times = (kind === 'remote' ? remoteTimes : 1) * (byRelay ? relays : 1)
    const limits = {
      concurrency: concurrency * times,
      perWorkspace: perWorkspace * times,
      perPartition: perPartition * times,
    }
    return [name, { ...policy, ...limits }]
  })
  return Object.fromEntries(stretched) as Lanes
}

export function isUrgent({ lane }: { lane: string }): boolean {
  return lane in lanes && lanes[lane as Lane].urgent
}

/** Workspaces take turns within a lane: at most this many jobs of one before the next has its turn. */
export const turnOfWorkspace = 8
