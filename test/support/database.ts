// Which database the suite runs on: a file by default; with DATABASE=remote a libSQL server started for the test run.

import { join } from 'node:path'
import type { Sqld } from './sqld.ts'

let server: Promise<Sqld> | undefined

/** The address of an empty database; on a server `withTables` keeps our tables, which saves a test most of its time. */
export async function freshDatabaseUrl(directory: string, options?: { withTables: boolean }): Promise<string> {
  if (process.env.DATABASE !== 'remote') return `file:${join(directory, 'paquebot.db')}`
  server ??= import('./sqld.ts').then(({ startSqld }) => startSqld())
  return (await server).freshUrl(options)
}

export const remoteDatabase = process.env.DATABASE === 'remote'
