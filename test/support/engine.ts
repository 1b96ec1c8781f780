// The App and a dispatcher over a fresh database, without the HTTP server: for tests of the writer and the outbox.

import { rmSync } from 'node:fs'
import { type App, createApp, type Overrides } from '../../src/core/app.ts'
import { readConfig } from '../../src/core/config.ts'
import { Dispatcher } from '../../src/core/outbox/dispatcher.ts'
import { checkInvariants } from '../../src/core/outbox/invariants.ts'
import type { JobKind } from '../../src/core/outbox/job.ts'
import { createLog } from '../../src/kit/log.ts'
import { type TestClock, testClock } from './clock.ts'
import { migratedDatabaseUrl } from './database.ts'
import { freshDirectory } from './place.ts'

export interface Engine extends AsyncDisposable {
  app: App
  clock: TestClock
  directory: string
  logged: string[]
  dispatcher(kinds: JobKind<never>[]): Dispatcher
}

export async function engine(overrides: Overrides = {}): Promise<Engine> {
  const directory = freshDirectory()
  const clock = testClock()
  const logged: string[] = []
  const log = createLog({ level: 'info', format: 'json', now: clock.now, write: (line) => logged.push(line) })
  const DATABASE_URL = await migratedDatabaseUrl(directory)
  const config = readConfig({ DATA_DIR: directory, DATABASE_URL, SECRET_KEY: 'a secret of the tests' }, directory)
  const app = await createApp(config, { clock, log, ...overrides })
  return {
    app,
    clock,
    directory,
    logged,
    dispatcher: (kinds) => new Dispatcher(app, { kinds, alone: true, version: 'test' }),
    async [Symbol.asyncDispose]() {
      const broken = await checkInvariants(app)
      await app.close()
      rmSync(directory, { recursive: true, force: true })
      if (broken.length > 0) throw new Error(`invariants are broken:\n${broken.join('\n')}`)
    },
  }
}
