// Which database the suite runs on: a file by default; with DATABASE=remote a libSQL server started for the test run.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../db/open.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { freshDirectory } from './place.ts'
import type { Sqld } from './sqld.ts'

let server: Promise<Sqld> | undefined

/** The address of an empty database; on a server `withTables` keeps our tables, which saves a test most of its time. */
export async function freshDatabaseUrl(directory: string, options?: { withTables: boolean }): Promise<string> {
  if (process.env.DATABASE !== 'remote') return `file:${join(directory, 'paquebot.db')}`
  server ??= import('./sqld.ts').then(({ startStrongSqld }) => startStrongSqld())
  return (await server).freshUrl(options)
}

let migrated: Promise<Uint8Array> | undefined

/** The address of a database with our tables and nothing in them: a file is a copy of one that was migrated once. */
export async function migratedDatabaseUrl(directory: string): Promise<string> {
  const url = await freshDatabaseUrl(directory, { withTables: true })
  if (remoteDatabase) return url
  migrated ??= migrateOnce()
  writeFileSync(url.slice('file:'.length), await migrated)
  return url
}

async function migrateOnce(): Promise<Uint8Array> {
  const directory = freshDirectory()
  const path = join(directory, 'migrated.db')
  const { close } = await openDatabase({ url: `file:${path}`, clock: systemClock })
  await close()
  const bytes = readFileSync(path)
  rmSync(directory, { recursive: true, force: true })
  return bytes
}

export const remoteDatabase = process.env.DATABASE === 'remote'

/** On a server in a run that has the tests on a file as well: for tests whose outcome no database changes. `bun run test:remote` runs all. */
export const ranOnFile = remoteDatabase && process.env.RAN_ON_FILE === 'true'
