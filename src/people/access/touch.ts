// When a credential was used last: for people, so written outside the request and at most once a minute.

import { type App, type Tx, write } from '../../core/app.ts'
import { minute } from '../../kit/duration.ts'

const touchEveryMs = minute

interface Used {
  id: string
  lastUsedAt: Date | null
}

/** `touch(credential)`; `note` writes it. `what`: for the log. */
export function createTouch(app: App, what: string, note: (tx: Tx, id: string) => Promise<unknown>) {
  const none = () => new Map<string, number>()
  return ({ id, lastUsedAt }: Used): void => {
    const touched = app.own(none)
    const now = app.clock.now().getTime()
    if (now - (touched.get(id) ?? lastUsedAt?.getTime() ?? 0) < touchEveryMs) return
    touched.set(id, now)
    write(app, (tx) => note(tx, id)).catch((error) =>
      app.log.warn(`the last use of ${what} was not noted`, { id, error }),
    )
  }
}
