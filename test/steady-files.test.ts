// Whoever writes gigabytes beside a server brings them to the disk piece by piece: a commit of the server waits for one piece at most.

import { Database as SQLite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { pieceBytes } from '../src/kit/steady-file.ts'
import { cli } from './support/cli.ts'
import { remoteDatabase } from './support/database.ts'
import { freshDirectory } from './support/place.ts'
import { powerCutLibrary, type Sync, syncsIn } from './support/power-cut.ts'

const library = powerCutLibrary()
/** Some pieces, and too few bytes for another. */
const bytes = 5 * pieceBytes
/** A write that completes a piece may begin the next one; what is unpacked is synced where it stands. */
const mostBytes = 2 * pieceBytes

/** The longest step between two syncs of a file, and how long it was at the last. */
function stepsOf(syncs: Sync[], path: RegExp): { longest: number; size: number; count: number } {
  const sizes = [0, ...syncs.filter((sync) => path.test(sync.path)).map(({ size }) => size)]
  const steps = sizes.slice(1).map((size, index) => size - (sizes[index] ?? 0))
  return { longest: Math.max(...steps), size: Math.max(...sizes), count: steps.length }
}

test.skipIf(library === null || remoteDatabase)(
  'a backup, its check and a restore sync what they write in pieces',
  async () => {
    using paquebot = await cli()
    expect((await paquebot.run(['init', '--workspace', 'acme', '--email', 'ada@example.net'])).code).toBe(0)
    {
      using database = new SQLite(join(paquebot.directory, 'paquebot.db'))
      database.run('CREATE TABLE ballast (data BLOB)')
      const random = database.query('INSERT INTO ballast VALUES (randomblob(65536))')
      for (let filled = 0; filled < bytes; filled += 65_536) random.run()
    }
    const identity = await generateX25519Identity()
    const folder = freshDirectory()
    const [backups, keyFile, log] = ['backups', 'key', 'syncs'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    writeFileSync(keyFile, identity)
    const environment = {
      LD_PRELOAD: library ?? '',
      POWER_CUT_SYNCS: log,
      BACKUP_RECIPIENT: await identityToRecipient(identity),
    }
    const syncsOf = async (...args: string[]): Promise<Sync[]> => {
      writeFileSync(log, '')
      const { code, err } = await paquebot.spawn(args, { environment })
      expect(code, err).toBe(0)
      return syncsIn(log)
    }
    const expectSteady = (syncs: Sync[], path: RegExp) => {
      const { longest, size } = stepsOf(syncs, path)
      expect(size).toBeGreaterThan(bytes - pieceBytes)
      expect(longest).toBeLessThanOrEqual(mostBytes)
    }

    const taken = await syncsOf('backup', backups)
    expectSteady(taken, /\/copied\.db$/)
    expectSteady(taken, /\/packed$/)
    // What SQLite writes another thread syncs, as fast as the disk is.
    expect(stepsOf(taken, /^(?!.*\.paquebot.*\.paquebot).*\/\.paquebot-\w+\/paquebot\.db$/).count).toBeGreaterThan(1)
    expectSteady(taken, /\/\.paquebot-\w+\/\.paquebot-\w+\/paquebot\.db$/)

    const file = join(backups, basename(readdirSync(backups)[0] ?? ''))
    expectSteady(await syncsOf('verify', file, '--identity', keyFile), /\/paquebot\.db$/)
    const to = join(folder, 'restored')
    expectSteady(await syncsOf('restore', file, '--to', to, '--identity', keyFile), /\/paquebot\.db$/)
  },
)
