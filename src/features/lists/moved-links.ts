// Links of mails that a workspace sent before it moved to another installation. Pages lead there. A one-click request (RFC 8058) is no page and
// its sender follows no redirect: it is taken here, so that it is never lost, and a job hands it on until the other side has it.

import { type App, type Tx, write } from '../../core/app.ts'
import { enqueue } from '../../core/outbox/enqueue.ts'
import { defineJob } from '../../core/outbox/job.ts'
import { hour, minute, second } from '../../kit/duration.ts'
import { createOperatorDialer } from '../../kit/outbound/dialer.ts'
import { findMove, redirectTo } from '../../people/moves.ts'
import { openUnsubscribe, sealUnsubscribe } from '../contacts/consent/unsubscribe-link.ts'
import { findConfirmation } from './confirm.ts'

/** Where this path of a person's link is now; null where the workspace is here, and for a link that is not ours. */
async function findMovedLink(app: App, path: 'u' | 'preferences', token: string): Promise<string | null> {
  const claim = await openUnsubscribe(app, token)
  const move = claim && (await findMove(app, claim.workspaceId))
  return move && `${move.to}/${path}/${await sealUnsubscribe(move, claim)}`
}

/** The answer for a page of a workspace that has moved; null where it is here. */
export async function toMoved(app: App, path: 'u' | 'preferences', token: string): Promise<Response | null> {
  const url = await findMovedLink(app, path, token)
  return url === null ? null : redirectTo(url)
}

/** The same for a confirmation, whose token is known by its hash at both. */
export async function toMovedConfirmation(app: App, token: string, rest = ''): Promise<Response | null> {
  const found = await findConfirmation(app, token, app.clock.now())
  const move = found && (await findMove(app, found.workspace.id))
  return move && redirectTo(`${move.to}/confirm/${token}${rest}`)
}

const oneClick = 'List-Unsubscribe=One-Click'

/** Tried for about two weeks: the other installation may not have it yet. */
export const forwardLeave = defineJob<{ url: string }>({
  kind: 'forward-unsubscribe',
  lane: 'webhook',
  timeoutMs: 30 * second,
  attemptsMax: 60,
  retryDelaysMs: [10 * second, minute, 10 * minute, hour, 6 * hour],
  async run(app, { payload: { url } }, { signal }) {
    const dialer = createOperatorDialer(app.config)
    const headers: [string, string][] = [['content-type', 'application/x-www-form-urlencoded']]
    const dialed = await dialer.exchange({ url, headers, body: oneClick, signal })
    dialer.close()
    if (dialed.outcome === 'failed') return { outcome: 'retry', code: dialed.code, detail: 'no answer' }
    const { status } = dialed.head
    if (status === 200) return { outcome: 'done' }
    return { outcome: 'retry', code: `http_${status}`, detail: 'not taken yet' }
  },
})

/** Hands on what was taken here. */
export async function forwardOneClick(app: App, token: string): Promise<void> {
  const url = await findMovedLink(app, 'u', token)
  if (url === null) return
  await write(app, (tx: Tx) => enqueue(tx, forwardLeave, { workspaceId: '', payload: { url }, partitionKey: 'moved' }))
}
