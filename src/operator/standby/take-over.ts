// What a database is told when another machine goes on with it. Without the end of what was committed, nobody knows which of the mails that
// were due had left: mail to one person is sent, with the same Message-ID; campaigns and sequences wait for a person.

import { type App, write } from '../../core/app.ts'
import { pauseBegun } from '../../features/campaigns/pause.ts'
import { recordPlace } from '../quarantine/quarantine.ts'
import type { TakingOver } from './state.ts'

/** Called before the quarantine is asked, for which this is the place of the database now. Returns how many campaigns were paused. */
export async function noteTakeOver(app: App, { isWhole }: TakingOver): Promise<number> {
  const paused = isWhole ? 0 : await write(app, (tx) => pauseBegun(tx, tx.now))
  await recordPlace(app)
  return paused
}
