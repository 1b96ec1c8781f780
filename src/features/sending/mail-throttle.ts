// Holds back the jobs of a mail lane while the mail server refuses mail in general: they wait, and a single one is tried.

import type { App } from '../../core/app.ts'
import { isUrgent } from '../../core/outbox/lanes.ts'
import type { Throttle } from '../../core/outbox/throttle.ts'
import { isTestWorkspace } from '../../kit/id.ts'

export function mailThrottle({ mailer }: App): Throttle {
  return {
    allowance() {
      let againAt = Number.POSITIVE_INFINITY
      const again = (at: number) => {
        againAt = Math.min(againAt, at)
      }
      return {
        // Mail of a test workspace never meets the server.
        capacity: (job) =>
          isTestWorkspace(job.workspaceId)
            ? Number.POSITIVE_INFINITY
            : mailer.capacity({ workspaceId: job.workspaceId, isUrgent: isUrgent(job) }, again),
        granted({ workspaceId }) {
          if (!isTestWorkspace(workspaceId)) mailer.started(workspaceId)
        },
        get againAt() {
          return againAt
        },
      }
    },
  }
}
