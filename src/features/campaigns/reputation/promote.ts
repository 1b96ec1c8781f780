// Once a day, workspaces that have sent well for long enough rise one level. M4, and the way back from M0, are up to an operator.

import { type App, write } from '../../../core/app.ts'
import { defineJob } from '../../../core/outbox/job.ts'
import { minute } from '../../../kit/duration.ts'
import { listWorkspaces, type Workspace } from '../../../people/workspaces.ts'
import { checkStanding } from '../../sending/domains/checks.ts'
import { listDomains } from '../../sending/domains/keys.ts'
import { earnedLevel } from './reputation.ts'
import { setTrustLevel } from './trust-level.ts'

export const promoteWorkspaces = defineJob<Record<string, never>>({
  kind: 'promote-workspaces',
  lane: 'maintenance',
  timeoutMs: 30 * minute,
  attemptsMax: 2,
  retryDelaysMs: [10 * minute],
  async run(app, _job, { signal }) {
    for (const workspace of await listWorkspaces(app)) {
      if (signal.aborted) return { outcome: 'defer', code: 'stopped', detail: 'the process ended', delayMs: 0 }
      await promote(app, workspace)
    }
    return { outcome: 'done' }
  },
})

/** The new level, or null. */
export async function promote(app: App, workspace: Workspace): Promise<string | null> {
  const hasDmarc = await anyDomainStands(app, workspace.id)
  const now = app.clock.now()
  const earned = await earnedLevel(app, workspace, { hasDmarc, now })
  if (earned === null) return null
  return await write(app, async (tx) => {
    if ((await earnedLevel(tx, workspace, { hasDmarc, now })) !== earned) return null
    await setTrustLevel(tx, workspace, earned, { reason: 'promotion' })
    return earned
  })
}

/** From M2 on a campaign needs a domain with DKIM and DMARC; a promotion without one would stop the workspace from sending. */
async function anyDomainStands(app: App, workspaceId: string): Promise<boolean> {
  for (const domain of await listDomains(app, workspaceId)) {
    const { dkim, dmarc } = await checkStanding(app, domain)
    if (dkim && dmarc) return true
  }
  return false
}
