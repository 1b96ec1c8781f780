// Commands that work on the database open it as the server does, and may run next to it.

import { type App, createApp } from '../../core/app.ts'
import type { Config } from '../../core/config.ts'
import type { Opening } from '../../core/installation.ts'
import { followRelays } from '../../core/relays.ts'
import { systemClock } from '../../kit/clock.ts'
import { createLog } from '../../kit/log.ts'
import { startSideThread } from '../../operator/side-thread.ts'

/** Opens the database, runs `work`, closes it. Creates no installation, and changes none of an earlier version, unless `opening` allows it. */
export async function withApp<T>(
  config: Config,
  work: (app: App) => Promise<T>,
  opening: Opening = { mayMake: false },
): Promise<T> {
  const app = await createApp(config, { log: quietLog(config), opening, startSideThread })
  try {
    await followRelays(app)
    return await work(app)
  } finally {
    await app.close()
  }
}

/** Logs only errors: a command's own lines are its output. */
function quietLog(config: Config) {
  const write = (line: string) => void process.stderr.write(line)
  return createLog({ level: 'warn', format: config.logFormat, now: systemClock.now, write })
}
