// paquebot verify: checks everything that is stored, in the database that is served, or in a backup.

import { existsSync } from 'node:fs'
import { checkInvariants } from '../../core/outbox/invariants.ts'
import { checkBackup } from '../../operator/backup/backup.ts'
import { contained, findSource, from, keysOf } from './backup.ts'
import { defineCommand } from './command.ts'
import { withApp } from './with-app.ts'

export const verify = defineCommand({
  name: 'verify',
  says: 'Checks the invariants of the outbox or, given a backup, that it can be restored. Exit 1 if a check fails.',
  flags: {
    file: {
      type: 'string',
      value: 'FILE',
      operand: true,
      says: 'a backup, also s3://bucket/prefix/FILE; default: the database that is served',
    },
    from,
    identity: {
      type: 'string',
      value: 'FILE',
      says: 'the secret key that decrypts the backup; default: BACKUP_PASSPHRASE',
    },
  },
  run: async ({ file, from, identity }, config) => {
    const settings = config()
    const source = await findSource(file, from, settings)
    if (source !== null) {
      // What is unpacked is not sealed: it belongs where the database is, if there is one on this machine.
      const beside = existsSync(settings.dataDir) ? settings.dataDir : source.store.workFolder
      const contents = await checkBackup(source, beside, keysOf(settings, identity))
      const line = `${source.store.where}/${source.name}: ${contained(contents)}, as of ${contents.takenAt.toISOString()}. All checks passed.`
      return { json: { ok: true, ...contents }, lines: [line] }
    }
    return await withApp(settings, async (app) => {
      const violations = await checkInvariants(app)
      const ok = violations.length === 0
      return { json: { ok, violations }, lines: ok ? ['All invariants hold.'] : violations, ok }
    })
  },
})
