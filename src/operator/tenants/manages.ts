// Who may manage the workspaces of the installation: an owner of the first one, or a key of it with this right.

import type { App } from '../../core/app.ts'
import { AppError } from '../../kit/error.ts'
import type { Caller } from '../../people/access/auth.ts'
import { ofInstallation } from '../../people/access/scopes.ts'
import { isOperator } from '../attention/attention.ts'

export const rights = { scope: ofInstallation, session: 'owner' } as const
/** For descriptions. */
export const whose = 'For owners of the first workspace, and its keys with the scope `workspaces.manage` (or `full`).'

/** Whoever may not even know that there is one is told that there is none. */
export async function mustManage(
  app: App,
  { workspace, credential }: Pick<Caller, 'workspace' | 'credential'>,
  code: 'forbidden' | 'not_found' = 'not_found',
): Promise<void> {
  if (await isOperator(app, workspace, credential, ofInstallation)) return
  throw new AppError(
    code,
    code === 'forbidden'
      ? 'Only owners and keys of the first workspace manage workspaces.'
      : 'There is no such workspace.',
  )
}
