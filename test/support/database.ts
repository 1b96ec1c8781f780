// Which database the suite runs on: a file by default; with DATABASE=remote a libSQL server started for the test run.

import { join } from 'node:path'

let server: Promise<{ freshUrl(): Promise<string> }> | undefined

/** The address of an empty database. */
export async function freshDatabaseUrl(directory: string): Promise<string> {
  if (process.env.DATABASE !== 'remote') return `file:${join(directory, 'paquebot.db')}`
  server ??= import('./sqld.ts').then(({ startSqld }) => startSqld())
  return (await server).freshUrl()
}

export const remoteDatabase = process.env.DATABASE === 'remote'
