// A copy that was killed (a backup of a libSQL server, a move) leaves triggers that go on noting changes for it. Each start, each hour and
// the next copy clears that away.

import { openEnd } from '../../../db/copy-ends.ts'
import { clearAbandoned } from '../../../db/copy-live.ts'
import { trackName } from '../../../db/copy-mark.ts'
import { findInstallationValue } from '../../../db/installation-value.ts'
import type { App } from '../../core/app.ts'

export async function clearAbandonedCopy(app: App): Promise<void> {
  if ((await findInstallationValue(app, trackName)) === null) return
  const { databaseUrl, databaseAuthToken: authToken } = app.config
  const end = await openEnd(databaseUrl, { authToken })
  try {
    await clearAbandoned(end)
  } finally {
    end.close()
  }
}
