// The airlock (rule of two): whoever has read what people outside the workspace wrote may be doing what they said, so from then on nothing that
// they do outside happens without a person's yes to exactly that. A connection (OAuth) is always behind it, a key or token if it was made so,
// and so is every tool that the specification does not let act at once.

import { and, eq, inArray } from 'drizzle-orm'
import { agentReads } from '../../../db/tables/agents.ts'
import { type App, type Reader, write } from '../../core/app.ts'
import { approvalsUrl } from '../../people/members/approval-mail.ts'
import type { Caller } from './surface.ts'
import type { Tool } from './tool.ts'

/**
 * Who has read: the credential, and the person who gave it. One program has a credential for each address, and a new one after each sign-in:
 * what it read with one, it knows with the others.
 */
function readersOf({ presented }: Caller): string[] {
  return presented.madeBy === null ? [presented.id] : [presented.id, presented.madeBy]
}

/** Whom this process knows to be noted. */
const noticed = () => new Set<string>()

/** Done before the caller gets the first byte; it lasts. */
export async function noteRead(app: App, caller: Caller): Promise<void> {
  const noted = app.own(noticed)
  const { workspaceId } = caller
  const readers = readersOf(caller)
  const key = [workspaceId, ...readers].join(' ')
  if (noted.has(key)) return
  if ((await countRead(app, workspaceId, readers)) < readers.length)
    await write(app, (tx) => {
      const rows = readers.map((reader) => ({ workspaceId, reader, createdAt: tx.now }))
      return tx.db.insert(agentReads).values(rows).onConflictDoNothing()
    })
  remember(noted, key)
}

/** Whether this call has to wait for a person. */
export async function mustAsk<C extends Caller>(reader: Reader, caller: C, { touches, actsAtOnce }: Tool<C>) {
  if (touches.acts !== 'outside') return false
  const isBehind = caller.airlock || !actsAtOnce
  return isBehind && (await countRead(reader, caller.workspaceId, readersOf(caller))) > 0
}

/** How many of these have read. */
async function countRead({ db }: Reader, workspaceId: string, readers: string[]): Promise<number> {
  const rows = await db
    .select({ reader: agentReads.reader })
    .from(agentReads)
    .where(and(eq(agentReads.workspaceId, workspaceId), inArray(agentReads.reader, readers)))
  return rows.length
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
