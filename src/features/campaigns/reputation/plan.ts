// A campaign that waits for the plan of its workspace tells it, as a refused request does.

import { limitNames } from '../../../../db/tables/workspaces.ts'
import type { Tx } from '../../../core/app.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { tellMet } from '../../webhooks/limit-events.ts'
import type { Allowance } from './caps.ts'

/** Nothing where something else than the plan has used up the allowance. */
export async function tellAllowance(
  tx: Tx,
  workspace: Workspace,
  { by: what, cap: most, remaining: left, nextAt: until }: Allowance,
): Promise<void> {
  const by = limitNames.find((name) => name === what)
  if (by !== undefined && until !== null) await tellMet(tx, workspace, { by, most, left, until })
}
