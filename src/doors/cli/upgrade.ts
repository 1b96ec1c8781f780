// paquebot upgrade: brings the database to this version; with --check it says what that would do, and changes nothing.

import { statSync } from 'node:fs'
import { lockProcess } from '../../../db/lock.ts'
import { findSchemaGaps } from '../../../db/open.ts'
import { snapshotPath } from '../../../db/snapshot.ts'
import type { Config } from '../../core/config.ts'
import { databasePath, enterInstallation, freeBytes } from '../../core/installation.ts'
import { systemClock } from '../../kit/clock.ts'
import { sizeOf } from '../../kit/size.ts'
import { columns, defineCommand, type Output } from './command.ts'
import { withApp } from './with-app.ts'

/** Beyond the copy: what the migrations themselves may write. */
const spareBytes = 64_000_000

export const upgrade = defineCommand({
  name: 'upgrade',
  says: 'Brings the database to this version, and keeps a copy of it as it was. Stop the server first.',
  flags: {
    check: { type: 'boolean', says: 'changes nothing: says what would be done; exit 1 where it cannot' },
    'no-snapshot': { type: 'boolean', says: 'without the copy: you have a backup, and no room' },
  },
  run: async ({ check, 'no-snapshot': bare }, config) => {
    if (check) return await checkUpgrade(config())
    const { missing } = await findSchemaGaps(schemaOptions(config()))
    await withApp(config(), async () => {}, { mayMake: false, mayUpgrade: true, snapshot: !bare })
    const last = missing.at(-1)
    const line = last === undefined ? 'The database is of this version.' : `The database is at ${last}.`
    return { json: { ok: true, migrations: missing }, lines: [line] }
  },
})

function schemaOptions(config: Config) {
  enterInstallation(config, { mayMake: false })
  return { url: config.databaseUrl, authToken: config.databaseAuthToken, clock: systemClock }
}

async function checkUpgrade(config: Config): Promise<Output> {
  const { missing, unknown } = await findSchemaGaps(schemaOptions(config))
  const room = roomFor(config)
  const isServed = missing.length > 0 && isLocked(config)
  const faults = [
    ...(unknown === null ? [] : [`The database is of a newer version (${unknown}); use that one.`]),
    ...(missing.length > 0 && room?.isEnough === false ? ['There is too little room for the copy.'] : []),
    ...(isServed ? ['A server still runs: stop it first.'] : []),
  ]
  const ok = faults.length === 0
  const json = { ok, migrations: missing, snapshot: room, served: isServed, faults }
  if (unknown === null && missing.length === 0)
    return { json, lines: ['The database is of this version: nothing to do.'] }
  return { json, ok, lines: [...(unknown === null ? linesOf(missing, room) : []), ...faults] }
}

interface Room {
  path: string
  databaseBytes: number
  freeBytes: number | null
  isEnough: boolean
}

/** For the copy; null on a libSQL server, which is not copied. */
function roomFor(config: Config): Room | null {
  const database = databasePath(config)
  if (database === null) return null
  const databaseBytes = statSync(database).size
  const free = freeBytes(config)
  const isEnough = free === null || free > databaseBytes + spareBytes
  return { path: snapshotPath(database), databaseBytes, freeBytes: free, isEnough }
}

function isLocked(config: Config): boolean {
  const database = databasePath(config)
  if (database === null) return false
  const lock = lockProcess(database)
  lock?.release()
  return lock === null
}

function linesOf(missing: string[], room: Room | null): string[] {
  const migrations = ['migrations', `${missing.length}: ${missing.join(' ')}`]
  if (room === null)
    return [
      ...columns([migrations]),
      'A libSQL server is not copied: back it up there. An older binary refuses it afterwards.',
    ]
  const rows = [
    migrations,
    ['database', `${sizeOf(room.databaseBytes)}, of which a copy is made first: ${room.path}`],
    ['free', room.freeBytes === null ? 'unknown' : sizeOf(room.freeBytes)],
  ]
  return [...columns(rows), 'The way back is that copy: an older binary refuses the database afterwards.']
}
