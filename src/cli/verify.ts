// paquebot verify: checks everything that is stored, in the database that is served, or in a backup.

import { checkBackup } from '../backup/backup.ts'
import { checkInvariants } from '../outbox/invariants.ts'
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
    const source = await findSource(file, from, config())
    if (source !== null) {
      const contents = await checkBackup(source, keysOf(config(), identity))
      const line = `${source.store.where}/${source.name}: ${contained(contents)}, as of ${contents.takenAt.toISOString()}. All checks are right.`
      return { json: { ok: true, ...contents }, lines: [line] }
    }
    return await withApp(config(), async (app) => {
      const violations = await checkInvariants(app)
      const ok = violations.length === 0
      return { json: { ok, violations }, lines: ok ? ['All invariants hold.'] : violations, ok }
    })
  },
})
