// paquebot secret rotate

import { lockProcess } from '../../../db/lock.ts'
import type { Config } from '../../core/config.ts'
import { addSecret, databasePath, secretPath, storedSecrets } from '../../core/installation.ts'
import { AppError } from '../../kit/error.ts'
import { systemRandom } from '../../kit/random.ts'
import { resealAll } from '../../operator/secrets.ts'
import { columns, defineCommand, UsageError } from './command.ts'
import { withApp } from './with-app.ts'

const rotate = defineCommand({
  name: 'secret rotate',
  says: 'Encrypts every stored secret with a new SECRET_KEY. Links and tokens that the previous key signed stay valid as long as SECRET_KEY_PREVIOUS is set.',
  flags: {},
  run: async (_, config) => {
    const lock = config().secretKey === undefined ? addStoredSecret(config()) : checkedKeys(config())
    try {
      const resealed = await withApp(config(), resealAll)
      const lines = columns(
        resealed.map(({ what, stored, resealed }) => [what, `${resealed} of ${stored} encrypted again`]),
      )
      return { json: { resealed }, lines }
    } finally {
      lock?.release()
    }
  },
})

export const secretCommands = [rotate]

/** The operator sets both secrets; they must be known here and to the server. */
function checkedKeys({ secretKeysPrevious }: Config): null {
  if (secretKeysPrevious.length > 0) return null
  throw new UsageError(
    'set SECRET_KEY to the new secret and SECRET_KEY_PREVIOUS to the previous one, restart the server with both, then run this',
  )
}

/** For an installation with a generated secret. The server must be stopped, because it read the file at its start. */
function addStoredSecret(config: Config) {
  const database = databasePath(config)
  if (database === null) {
    throw new UsageError(
      `with a libSQL server set SECRET_KEY (new) and SECRET_KEY_PREVIOUS (what is in ${secretPath(config)}), restart the server with both, then run this`,
    )
  }
  if (storedSecrets(config).length === 0)
    throw new AppError('not_found', `${secretPath(config)} does not exist: there is no secret to rotate`)
  const lock = lockProcess(database)
  if (!lock) throw new AppError('conflict', 'stop the server first: it would not read the new secret')
  addSecret(config, systemRandom)
  return lock
}
