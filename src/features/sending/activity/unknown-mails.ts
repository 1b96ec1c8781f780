// Mails that carry our seal but are not in this database, because it may be older than they are, for example after a machine was rolled
// back together with its disk. Callers must have checked the seal, so that nothing is concluded from forged mail.

import { eq, inArray } from 'drizzle-orm'
import { putInstallationValue } from '../../../../db/installation-value.ts'
import { messages } from '../../../../db/tables/messages.ts'
import { installation } from '../../../../db/tables/workspaces.ts'
import { type App, type Reader, type Tx, write } from '../../../core/app.ts'
import { day, hour } from '../../../kit/duration.ts'
import { firstId } from '../../../kit/id.ts'

const names = { unknown: 'unknown_mails', instance: 'instance' } as const
/** More than these say nothing new. */
const maxKept = 20
/** Once this many are stored, another one is noted at most this often, to show that it goes on. */
const againMs = hour
/** Reports about a mail arrive within days; older entries are dropped. */
const countsMs = 7 * day

interface Unknown {
  since: Date
  lastAt: Date
  ids: string[]
}

/** Remembers it, unless there is such a message. */
export async function noteIfUnknown(app: App, messageId: string): Promise<void> {
  const [known] = await app.db.select({ id: messages.id }).from(messages).where(eq(messages.id, messageId))
  if (!known) await write(app, (tx) => note(tx, messageId, app.config.messageRetentionDays))
}

/** Null when there are none, or none any more. */
export async function findUnknownMails(reader: Reader, now: Date): Promise<{ count: string; since: Date } | null> {
  const { unknown } = await readValues(reader)
  if (unknown === null || now.getTime() - unknown.lastAt.getTime() > countsMs) return null
  const { ids, since } = unknown
  return { count: ids.length < maxKept ? String(ids.length) : `${maxKept} or more`, since }
}

/** For a database about which a person has decided. */
export async function forgetUnknownMails(tx: Tx): Promise<void> {
  await tx.db.delete(installation).where(eq(installation.name, names.unknown))
}

async function note(tx: Tx, messageId: string, retentionDays: number): Promise<void> {
  const { unknown, knownSince } = await readValues(tx)
  const kept = retentionDays === 0 ? null : new Date(tx.now.getTime() - retentionDays * day)
  // Mail from before this database got its name, or past its retention, may be missing legitimately.
  if (knownSince === null || messageId < firstId('msg', knownSince)) return
  if (kept !== null && messageId < firstId('msg', kept)) return
  const ids = unknown?.ids ?? []
  const isTold = ids.length >= maxKept && unknown !== null && tx.now.getTime() - unknown.lastAt.getTime() < againMs
  if (isTold || ids.includes(messageId)) return
  const value = { since: unknown?.since ?? tx.now, ids: [...ids, messageId].slice(-maxKept) }
  await putInstallationValue(tx, names.unknown, JSON.stringify(value))
}

/** `knownSince`: since when this database has its name, which it gets when it is made and when it is resumed. */
async function readValues({ db }: Reader): Promise<{ unknown: Unknown | null; knownSince: Date | null }> {
  const rows = await db
    .select()
    .from(installation)
    .where(inArray(installation.name, Object.values(names)))
  const stored = (name: string) => rows.find((row) => row.name === name)
  const unknown = stored(names.unknown)
  return { unknown: unknown ? parse(unknown) : null, knownSince: stored(names.instance)?.updatedAt ?? null }
}

function parse({ value, updatedAt }: { value: string; updatedAt: Date }): Unknown {
  const { since, ids } = JSON.parse(value)
  return { since: new Date(since), ids, lastAt: updatedAt }
}
