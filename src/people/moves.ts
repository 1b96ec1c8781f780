// Workspaces between installations. Links in mails that one sent before it moved are those of its former installation, signed with a secret that
// stays there. So that one recognizes its links, and forwards each under a secret that both know, made for this one workspace.

import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { workspaceMoves } from '../../db/tables/moves.ts'
import type { App } from '../core/app.ts'
import { createSealer, type Sealer } from '../kit/seal.ts'

export const linkContext = (workspaceId: string) => `links of ${workspaceId}`

export interface Moved {
  /** Where it is: BASE_URL of that installation. */
  to: string
  /** What makes links that are recognized there. */
  sealer: Sealer
}

/** Whether any workspace has moved, as shared reads tell it: for what may be answered here for a moment after one did. */
export function hasAnyMoved(app: App): Promise<boolean> {
  return app.share('moved', async () => {
    const rows = await app.db.all(sql`SELECT 1 FROM workspace_moves WHERE moved_to IS NOT NULL LIMIT 1`)
    return rows.length > 0
  })
}

/** Where a workspace has moved; null for one that is here. */
export async function findMove(app: App, workspaceId: string): Promise<Moved | null> {
  const isIt = and(eq(workspaceMoves.workspaceId, workspaceId), isNotNull(workspaceMoves.movedTo))
  const [row] = await app.db.select().from(workspaceMoves).where(isIt)
  if (!row?.movedTo || row.linkSecretSealed === null) return null
  return { to: row.movedTo, sealer: await openLinks(app, workspaceId, row.linkSecretSealed) }
}

/** Those that came from elsewhere, with what recognizes links that were forwarded. Only asked for links that are not our own. */
export async function listArrived(app: App): Promise<{ workspaceId: string; sealer: Sealer }[]> {
  const hasCome = and(
    isNull(workspaceMoves.movedTo),
    isNull(workspaceMoves.absent),
    isNotNull(workspaceMoves.linkSecretSealed),
  )
  const rows = await app.db.select().from(workspaceMoves).where(hasCome)
  return await Promise.all(
    rows.map(async ({ workspaceId, linkSecretSealed }) => {
      return { workspaceId, sealer: await openLinks(app, workspaceId, linkSecretSealed ?? '') }
    }),
  )
}

async function openLinks(app: App, workspaceId: string, sealed: string): Promise<Sealer> {
  return await createSealer([await app.sealer.open(sealed, linkContext(workspaceId))], app.random)
}

/** The same request, there: its method and body too. */
export function redirectTo(url: string): Response {
  return new Response(null, {
    status: 307,
    headers: { location: url, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  })
}
