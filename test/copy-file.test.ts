// The copy of a database that another process writes to and checkpoints, without a pause: it is whole, and has what was committed before.

import { Database as SQLite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { copyDatabase } from '../db/copy-file.ts'
import { linesOf } from '../tools/process.ts'
import { freshDirectory } from './support/place.ts'

const copies = 60

/** Moves what two accounts have between them, page after page, and says which commit is done. */
const writer = `
import { Database } from 'bun:sqlite'
const db = new Database(process.argv.at(-1))
db.run('PRAGMA journal_mode = WAL')
db.run('PRAGMA wal_autocheckpoint = 40')
db.run('CREATE TABLE accounts (id INTEGER PRIMARY KEY, holds INTEGER, filler BLOB)')
db.run('CREATE TABLE commits (n INTEGER PRIMARY KEY)')
const add = db.query('INSERT INTO accounts VALUES (?, 1000, randomblob(1500))')
db.transaction(() => { for (let id = 0; id < 2000; id++) add.run(id) })()
const move = db.query('UPDATE accounts SET holds = holds + ?2, filler = randomblob(1500) WHERE id = ?1')
const any = () => Math.floor(Math.random() * 2000)
for (let n = 1; ; n++) {
  db.transaction(() => {
    for (let moved = Math.random() * 20; moved > 0; moved--) { const by = any(); move.run(any(), by); move.run(any(), -by) }
    db.run('INSERT INTO commits VALUES (?)', [n])
  })()
  const chance = Math.random()
  if (chance < 0.06) db.query('PRAGMA wal_checkpoint(' + (chance < 0.02 ? 'TRUNCATE' : chance < 0.04 ? 'RESTART' : 'PASSIVE') + ')').all()
  console.log(n)
}
`

test('a copy of a database that is written to is of one commit, not before the last one that was acknowledged', async () => {
  const directory = freshDirectory()
  const database = join(directory, 'written.db')
  const child = Bun.spawn([process.execPath, '-e', writer, database], { stdout: 'pipe', stderr: 'inherit' })
  try {
    const lines = linesOf(child.stdout)
    for (let made = 0; made < copies; made++) {
      const acknowledged = Number((await lines.next()).value)
      const copy = join(directory, `copy-${made}.db`)
      copyDatabase(database, copy)
      using copied = new SQLite(copy, { readwrite: true, create: false })
      const [check] = copied.query<{ integrity_check: string }, []>('PRAGMA integrity_check').all()
      const found = copied
        .query<{ held: number; last: number; commits: number }, []>(
          'SELECT sum(holds) AS held, (SELECT max(n) FROM commits) AS last, (SELECT count(*) FROM commits) AS commits FROM accounts',
        )
        .get()
      expect(check?.integrity_check).toBe('ok')
      expect(found?.held).toBe(2_000_000)
      expect(found?.commits).toBe(found?.last ?? -1)
      expect(found?.last).toBeGreaterThanOrEqual(acknowledged)
    }
  } finally {
    child.kill('SIGKILL')
    await child.exited
    rmSync(directory, { recursive: true })
  }
})
