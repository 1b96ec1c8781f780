// paquebot archive status, verify, copy: the archive of every commit. `paquebot restore --at` brings a database back from it.

import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { copyBytes } from '../../../db/copy-file.ts'
import { databasePath, enterInstallation, readSecrets, secretName } from '../../core/installation.ts'
import { privateFile } from '../../kit/private-file.ts'
import { systemRandom } from '../../kit/random.ts'
import { baseStatement, checkArchive, commitName, keyName, listArchive } from '../../operator/archive/restore.ts'
import { databaseName } from '../../operator/backup/backup.ts'
import { pack } from '../../operator/backup/pack.ts'
import { inTemporary } from '../../operator/backup/plain-copy.ts'
import { archiveAt, keysOf } from './backup.ts'
import { columns, defineCommand, UsageError } from './command.ts'

const from = { type: 'string', value: 'PLACE', says: 'a folder, or s3://bucket/prefix; default: ARCHIVE_URL' } as const

const status = defineCommand({
  name: 'archive status',
  says: 'Shows which points in time can be restored from the archive.',
  flags: { from },
  run: async ({ from }, config) => {
    const { bases, reached, baseless } = await listArchive(archiveAt(from, config()))
    const generations = [...Map.groupBy(bases, ({ generation }) => generation)].map(([generation, [first]]) => {
      const last = reached.find((one) => one.generation === generation)
      return {
        generation,
        from: { commit: first?.validFrom ?? 0, at: new Date(first?.time ?? 0) },
        until: { commit: last?.commit ?? 0, at: new Date(last?.time ?? 0) },
      }
    })
    const rows = generations.map(({ generation, from, until }) => [
      commitName(generation, from.commit),
      from.at.toISOString(),
      commitName(generation, until.commit),
      until.at.toISOString(),
    ])
    const shown = rows.length === 0 ? ['There is no base yet.'] : columns([['FROM', '', 'UNTIL AT LEAST', ''], ...rows])
    return { json: { generations, baseless }, lines: [...shown, ...linesOf(baseless)] }
  },
})

/** What cannot be restored for want of a base. */
function linesOf(baseless: number[]): string[] {
  return baseless.map((generation) => `Generation ${generation} has no base: nothing of it can be restored.`)
}

const verify = defineCommand({
  name: 'archive verify',
  says: 'Reads the whole archive, restores its last commit to a temporary place, and checks the result.',
  flags: {
    from,
    identity: { type: 'string', value: 'FILE', says: 'the secret key that decrypts it; default: BACKUP_PASSPHRASE' },
  },
  run: async ({ from, identity }, config) => {
    const settings = config()
    const checked = await checkArchive(archiveAt(from, settings), settings.dataDir, keysOf(settings, identity))
    const { bases, segments, baseless, latest } = checked
    const isWhole = baseless.length === 0
    const end = isWhole ? 'All checks passed.' : 'All other checks passed.'
    const lines = [
      ...linesOf(baseless),
      `${bases} bases and ${segments} segments are whole; ${commitName(latest.generation, latest.commit)}, of ${latest.asOf.toISOString()}, was restored. ${end}`,
    ]
    return { json: { ok: isWhole, ...checked }, lines }
  },
})

const copy = defineCommand({
  name: 'archive copy',
  says: 'Copies the database for the archive. Only for internal use: the server runs this.',
  flags: { to: { type: 'string', value: 'FILE', required: true, says: 'the copy' } },
  run: async ({ to }, config, progress) => {
    const settings = config()
    const { seal } = settings.backup
    if (seal === undefined) throw new UsageError('the archive is encrypted: set BACKUP_PASSPHRASE or BACKUP_RECIPIENT')
    const archived = databasePath(settings)
    if (archived === null) throw new UsageError('the archive is of a database in a file')
    enterInstallation(settings, { mayMake: false })
    const lines = readLines()
    const key = await lines()
    const secrets = readSecrets(settings, { mayMake: false }, systemRandom)
    const text = (target: string, content: string) => ({ type: 'content', target, content, mode: privateFile }) as const
    // Beside the one that is served, and gone when it is sealed.
    await inTemporary(settings.dataDir, async (work) => {
      const copied = join(work, databaseName)
      copyBytes(archived, copied)
      progress({ json: { copied: true }, lines: ['copied'] })
      // Only then it is known from which commit on it is whole.
      const base = await lines()
      await pack(
        [
          text(keyName, key),
          text(baseStatement, base),
          text(secretName, secrets.map((secret) => `${secret}\n`).join('')),
          { type: 'file', source: copied, target: databaseName, mode: privateFile },
        ],
        resolve(to),
        seal,
      )
    })
    return { json: { ok: true }, lines: [] }
  },
})

/** Each call returns the next line of what this process is told; '' at the end. */
function readLines(): () => Promise<string> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  return async () => (await lines.next()).value ?? ''
}

export const archiveCommands = [status, verify, copy]
