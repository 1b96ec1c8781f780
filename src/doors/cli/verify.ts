// paquebot verify: checks everything that is stored, in the database that is served, or in a backup.

import { existsSync } from 'node:fs'
import { checkInvariants } from '../../core/outbox/invariants.ts'
import { checkBackup } from '../../operator/backup/backup.ts'
import { contained, findSource, from, keysOf } from './backup.ts'
import { defineCommand } from './command.ts'
import { withApp } from './with-app.ts'

export const verify = defineCommand({
  name: 'verify',
  says: 'Checks the invariants of the outbox; of a backup, all that restoring it needs. Exit 1 if one is broken.',
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
      says: 'the secret key that opens the backup; else BACKUP_PASSPHRASE does',
    },
  },
  run: async ({ file, from, identity }, config) => {
    const settings = config()
    const source = await findSource(file, from, settings)
    if (source !== null) {
      // What is unpacked is not sealed: it belongs where the database is, if there is one on this machine.
      const beside = existsSync(settings.dataDir) ? settings.dataDir : source.store.workFolder
      const contents = await checkBackup(source, beside, keysOf(settings, identity))
      const line = `${source.store.where}/${source.name}: ${contained(contents)}, as of ${contents.takenAt.toISOString()}. All checks are right.`
      return { json: { ok: true, ...contents }, lines: [line] }
    }
    return await withApp(settings, async (app) => {
      const violations = await checkInvariants(app)
      const ok = violations.length === 0
      return { json: { ok, violations }, lines: ok ? ['All invariants hold.'] : violations, ok }
    })
  },
})
