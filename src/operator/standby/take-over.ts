// What a database is told when another machine goes on with it. Without the end of what was committed, nobody knows which of the mails that
// were due had left: mail to one person is sent, with the same Message-ID; campaigns and sequences wait for a person.

import { type App, write } from '../../core/app.ts'
import { pauseBegun } from '../../features/campaigns/pause.ts'
import { expectMove } from '../quarantine/quarantine.ts'
import type { TakingOver } from './state.ts'

/** Returns how many campaigns were paused. Doing it twice changes nothing. */
export async function noteTakeOver(app: App, { isWhole }: TakingOver): Promise<number> {
  return await write(app, async (tx) => {
    await expectMove(tx)
    return isWhole ? 0 : await pauseBegun(tx, tx.now)
  })
}
