// Quarantines a database that is not the one this installation served last: a backup that was put back, a copy of the folder, another
// installation's file. Nothing is sent from it until an operator chooses what may be (resume.ts), because what waits in it may already have
// been sent.

import { inArray, sql } from 'drizzle-orm'
import { putInstallationValue } from '../../../db/installation-value.ts'
import { installation } from '../../../db/tables/workspaces.ts'
import { type App, type Reader, type Tx, write } from '../../core/app.ts'
import {
  commitsPath,
  type Opening,
  readInode,
  readPlace,
  type ServedDatabase,
  writePlace,
} from '../../core/installation.ts'
import { idName } from '../../core/installation-id.ts'
import { forgetUnknownMails } from '../../features/sending/activity/unknown-mails.ts'
import { second } from '../../kit/duration.ts'

const accidents = {
  older: 'the database is older than the one last served here: a backup was restored',
  moved: 'the database was copied, moved or put back: it is not the file that was last served here',
  other: 'the database is not the one that was last served here',
  behind:
    'its archive went on without this database: the machine was rolled back with its disk, or a copy of it was served',
  short:
    'the last commits that were acknowledged are not in the database: its log was removed after the server was killed. They are lost, and what was sent in them may be sent again',
} as const
type Accident = keyof typeof accidents

export interface QuarantineState {
  because: Accident
  since: Date
  /** When what was put back here was last served. Null when unknown: a copy's source may still be served elsewhere. */
  servedUntil: Date | null
}

const names = { instance: 'instance', epoch: 'epoch', held: 'held' } as const

/** What the database stores about itself. `epoch` grows while it is served; 0 means that it was never served, or was copied on purpose. */
interface Self {
  instance: string | null
  epoch: number
  held: QuarantineState | null
}

export function describeHeld({ because }: QuarantineState): string {
  return accidents[because]
}

export async function heldState(reader: Reader): Promise<QuarantineState | null> {
  return (await readSelf(reader)).held
}

/** What speaks against a database that cannot be seen in it alone. */
export interface Witnesses {
  /** Its archive went on without it. */
  isBehind?: boolean
  /** How many commits were acknowledged when it was served last, as it was read before it was opened. */
  acknowledged?: number | null
}

/** Called when a server starts, with the lock. Returns whether the database is held, and records this start in the database and beside it. */
export async function checkQuarantine(
  app: App,
  { newDatabase = false }: Opening,
  { isBehind = false, acknowledged = null }: Witnesses = {},
): Promise<QuarantineState | null> {
  const place = newDatabase ? null : readPlace(app.config)
  const inode = readInode(app.config)
  const held = await write(app, async (tx) => {
    const self = await readSelf(tx)
    if (self.instance === null) await putInstallationValue(tx, names.instance, tx.random.uuidv7(tx.now))
    const isShort = place !== null && self.epoch > 0 && app.database.commits?.lacks(acknowledged)
    const because = accident(self, place, inode) ?? (isShort ? 'short' : isBehind ? 'behind' : null)
    if (self.held !== null || because === null) return self.held
    const servedUntil = place === null ? null : lastServed(place, because)
    await putInstallationValue(tx, names.held, JSON.stringify({ because, since: tx.now, servedUntil }))
    return { because, since: tx.now, servedUntil }
  })
  const path = commitsPath(app.config)
  if (path !== null) app.database.commits?.countBeside(path)
  await recordPlace(app)
  return held
}

const keepEveryMs = 10 * second
const askEveryMs = second

/** Null if it may have been served elsewhere since. A killed process served it at most until its next record would have been due. */
function lastServed({ servedUntil }: ServedDatabase, because: Accident): Date | null {
  if (because === 'older') return new Date(servedUntil)
  return because === 'short' ? new Date(Date.parse(servedUntil) + 2 * keepEveryMs) : null
}

/**
 * Records every ten seconds that the database is being served; while it is held, checks every second whether it still is. Calls `onChange`
 * once, when that changes. Returns a function to stop.
 */
export function watchQuarantine(app: App, isHeld: boolean, onChange: () => void): () => void {
  const look = async () => {
    if (!isHeld) await recordPlace(app)
    if (((await heldState(app)) !== null) === isHeld) return
    clearInterval(timer)
    onChange()
  }
  const timer = setInterval(
    () => void look().catch((error) => app.log.warn('the place of the database could not be kept', { error })),
    isHeld ? askEveryMs : keepEveryMs,
  )
  return () => clearInterval(timer)
}

/**
 * Records the time in the database first and then beside it, so the record beside it is never ahead, except of a database that was put
 * back.
 */
export async function recordPlace(app: App): Promise<void> {
  const { instance } = await readSelf(app)
  if (instance === null) return
  const place = await write(app, async (tx) => {
    const updatedAt = tx.now
    const [row] = await tx.db
      .insert(installation)
      .values({ name: names.epoch, value: '1', updatedAt })
      .onConflictDoUpdate({
        target: installation.name,
        set: { value: sql`CAST(value AS INTEGER) + 1`, updatedAt },
      })
      .returning()
    return { epoch: Number(row?.value), servedUntil: updatedAt.toISOString() }
  })
  writePlace(app.config, { instance, inode: readInode(app.config), ...place })
}

/** Releases the database. It gets new ids, so that each of two copies knows that it is not the other. */
export async function endQuarantine(app: App, unit: (tx: Tx) => Promise<void> = async () => {}): Promise<void> {
  await write(app, async (tx) => {
    await unit(tx)
    await tx.db.delete(installation).where(inArray(installation.name, [names.held, idName]))
    await putInstallationValue(tx, names.instance, tx.random.uuidv7(tx.now))
    await forgetUnknownMails(tx)
  })
  await recordPlace(app)
}

/** A copy made on purpose is expected at its new place, because it is the only one that will be served. */
export async function expectMove(tx: Pick<Tx, 'db' | 'now'>): Promise<void> {
  await putInstallationValue(tx, names.epoch, '0')
}

/** What is restored is held wherever it is served, unless it was never served before. */
export async function holdRestored(tx: Pick<Tx, 'db' | 'now'>): Promise<void> {
  const { epoch, held } = await readSelf(tx)
  if (epoch === 0 || held !== null) return
  await putInstallationValue(tx, names.held, JSON.stringify({ because: 'moved', since: tx.now, servedUntil: null }))
}

function accident({ instance, epoch }: Self, place: ServedDatabase | null, inode: number | null): Accident | null {
  // A process that joins a libSQL server has no earlier record to compare with.
  if (place === null) return epoch > 0 && inode !== null ? 'moved' : null
  if (place.instance !== instance) return inode === null ? null : 'other'
  if (epoch === 0) return null
  if (place.epoch > epoch) return 'older'
  return inode !== null && place.inode !== null && place.inode !== inode ? 'moved' : null
}

async function readSelf({ db }: Reader): Promise<Self> {
  const rows = await db
    .select()
    .from(installation)
    .where(inArray(installation.name, Object.values(names)))
  const stored = (name: string) => rows.find((row) => row.name === name)?.value
  return {
    instance: stored(names.instance) ?? null,
    epoch: Number(stored(names.epoch) ?? 0),
    held: parseHeld(stored(names.held)),
  }
}

function parseHeld(value: string | undefined): QuarantineState | null {
  if (value === undefined) return null
  const { because, since, servedUntil } = JSON.parse(value)
  return { because, since: new Date(since), servedUntil: servedUntil === null ? null : new Date(servedUntil) }
}
