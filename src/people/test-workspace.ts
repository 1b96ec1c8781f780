// The test workspace of a workspace: where test keys (pqk_test_…) are at home. It is a workspace like any other, so nothing in it meets what is
// real, and three things tell it apart: its mail goes to the captured mail (createMailer() in app.ts), its people, sender domains and
// templates are also those of its workspace, and it can claim no address and no domain (auth.ts).

import { workspaces } from '../../db/tables/workspaces.ts'
import type { Tx } from '../core/app.ts'
import { isTestWorkspace, testIdOf } from '../kit/id.ts'
import { changeSettings } from './campaign-settings.ts'
import { getWorkspace, testNameOf, type Workspace } from './workspaces.ts'

/** At the level of these, no record in the DNS is asked for; the number is more than anybody tests with. */
const reach = { trustLevel: 'M1', dailyCap: 1_000_000_000 } as const

/** Made with the first key of it. A test workspace is its own. */
export async function ensureTestWorkspace(tx: Tx, workspace: Workspace): Promise<Workspace> {
  if (isTestWorkspace(workspace.id)) return workspace
  const { trustLevel, dailyCap } = reach
  const id = testIdOf(workspace.id)
  const names = { slug: testSlugOf(workspace.slug), name: testNameOf(workspace.name) }
  // What it is given to try costs nothing, and its mail, which leaves nowhere, has the links of BASE_URL.
  const row = {
    ...workspace,
    id,
    ...names,
    trustLevel,
    limits: null,
    linkHost: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  const made = await tx.db.insert(workspaces).values(row).onConflictDoNothing().returning({ id: workspaces.id })
  if (made.length > 0) await changeSettings(tx, id, { dailyCap })
  return await getWorkspace(tx, id)
}

/** No slug that anybody chooses has a dot. */
export const testSlugOf = (slug: string) => `${slug}.test`
