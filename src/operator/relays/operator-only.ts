// Relays and receivers are of the installation: owners and full keys of the first workspace see and set them.

import type { App } from '../../core/app.ts'
import { AppError } from '../../kit/error.ts'
import type { Caller } from '../../people/access/auth.ts'
import { isOperator } from '../attention/attention.ts'
import { noSuchRelay } from './relays.ts'

export const rights = { scope: 'full', session: 'owner' } as const
export const whose = 'For owners and full keys of the first workspace.'

/** Who may not even know that there is one is told that there is none. */
export async function mustBeOperator(
  app: App,
  { workspace, credential }: Pick<Caller, 'workspace' | 'credential'>,
  code: 'forbidden' | 'not_found' = 'forbidden',
): Promise<void> {
  if (await isOperator(app, workspace, credential)) return
  throw new AppError(
    code,
    code === 'forbidden' ? 'Only owners and full keys of the first workspace see and set relays.' : noSuchRelay,
  )
}
