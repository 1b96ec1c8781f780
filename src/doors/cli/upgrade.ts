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
  says: 'Upgrades the database to this version, and keeps a copy of the previous state. Stop the server first.',
  flags: {
    check: { type: 'boolean', says: 'change nothing: show what would be done; exit 1 if it cannot be done' },
    'no-snapshot': { type: 'boolean', says: 'make no copy: for when you have a backup and too little disk space' },
  },
  run: async ({ check, 'no-snapshot': bare }, config) => {
    if (check) return await checkUpgrade(config())
    const { missing } = await findSchemaGaps(schemaOptions(config()))
    await withApp(config(), async () => {}, { mayMake: false, mayUpgrade: true, snapshot: !bare })
    const last = missing.at(-1)
    const line = last === undefined ? 'The database is at this version.' : `The database is at ${last}.`
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
    ...(unknown === null ? [] : [`The database was upgraded by a newer version (${unknown}); use that version.`]),
    ...(missing.length > 0 && room?.isEnough === false ? ['There is too little disk space for the copy.'] : []),
    ...(isServed ? ['A server is still running: stop it first.'] : []),
  ]
  const ok = faults.length === 0
  const json = { ok, migrations: missing, snapshot: room, served: isServed, faults }
  if (unknown === null && missing.length === 0)
    return { json, lines: ['The database is at this version: nothing to do.'] }
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
      'A libSQL server is not copied: take a backup first. Older versions refuse the database afterwards.',
    ]
  const rows = [
    migrations,
    ['database', `${sizeOf(room.databaseBytes)}, of which a copy is made first: ${room.path}`],
    ['free', room.freeBytes === null ? 'unknown' : sizeOf(room.freeBytes)],
  ]
  return [...columns(rows), 'To go back, use that copy: older versions refuse the database afterwards.']
}
