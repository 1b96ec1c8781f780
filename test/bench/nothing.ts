// The job of benches that measure the outbox and not its work: it does nothing.

import { defineJob } from '../../src/core/outbox/job.ts'

export const nothing = defineJob<{ n: number }>({
  kind: 'nothing',
  lane: 'mail.tx',
  timeoutMs: 1_000,
  attemptsMax: 1,
  retryDelaysMs: [1_000],
  run: async () => ({ outcome: 'done' }),
})
