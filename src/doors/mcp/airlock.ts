// The airlock (rule of two): whoever has read what people outside the workspace wrote may be doing what they said, so from then on nothing that
// they do outside happens without a person's yes to exactly that. A connection (OAuth) is always behind it, a key or token if it was made so,
// and so is every tool that the specification does not let act at once.

import { and, eq } from 'drizzle-orm'
import { agentReads } from '../../../db/tables/agents.ts'
import { type App, type Reader, write } from '../../core/app.ts'
import { approvalsUrl } from '../../people/members/approval-mail.ts'
import type { Caller } from './surface.ts'
import type { Tool } from './tool.ts'

/**
 * Who has read: a key or token; of connections the person who allowed them, because one program has a connection for each address, and a new
 * one after each sign-in.
 */
function readerOf({ presented }: Caller): string {
  return presented.kind === 'oauth_grant' ? (presented.madeBy ?? presented.id) : presented.id
}

/** Whom this process knows to be noted. */
const readers = () => new Set<string>()

/** `note(caller)` is done before the caller gets the first byte; it lasts. */
export function createReadNote(app: App): (caller: Caller) => Promise<void> {
  return async (caller) => {
    const noted = app.own(readers)
    const row = { workspaceId: caller.workspaceId, reader: readerOf(caller) }
    const key = `${row.workspaceId} ${row.reader}`
    if (noted.has(key) || (await hasRead(app, caller))) {
      remember(noted, key)
      return
    }
    await write(app, (tx) =>
      tx.db
        .insert(agentReads)
        .values({ ...row, createdAt: tx.now })
        .onConflictDoNothing(),
    )
    remember(noted, key)
  }
}

/** Whether this call has to wait for a person. */
export async function mustAsk<C extends Caller>(reader: Reader, caller: C, { touches, actsAtOnce }: Tool<C>) {
  if (touches.acts !== 'outside') return false
  const isBehind = caller.airlock || !actsAtOnce
  return isBehind && (await hasRead(reader, caller))
}

async function hasRead({ db }: Reader, caller: Caller): Promise<boolean> {
  const [row] = await db
    .select({ at: agentReads.createdAt })
    .from(agentReads)
    .where(and(eq(agentReads.workspaceId, caller.workspaceId), eq(agentReads.reader, readerOf(caller))))
  return row !== undefined
}

const mostNoted = 10_000

function remember(noted: Set<string>, key: string): void {
  if (noted.size >= mostNoted) noted.clear()
  noted.add(key)
}

/** In the answer of a tool that was not done. */
export function waitingText(
  { config }: Pick<App, 'config'>,
  { slug, id, what = 'Nothing has left' }: { slug: string; id: string; what?: string | undefined },
): string {
  return `${what}. You have read text by people outside this workspace, so what you do outside is decided by a person: they see exactly this, and approve or refuse it at ${approvalsUrl(config, slug)}/${id}. Tell your user so. Do not call this again for the same thing: you cannot approve it yourself.`
}
