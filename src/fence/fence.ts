// The fence around a database that is not where it was, or not as new as it was, when it was last served: a backup that was put back, a
// copy of the folder, another installation's file. Nothing leaves it before a person says what may (resume.ts), for what waits in it may
// have left already.

import { eq, inArray, sql } from 'drizzle-orm'
import { installation } from '../../db/tables/workspaces.ts'
import { type App, type Reader, type Tx, write } from '../app.ts'
import { inodeOf, type Opening, type Place, readPlace, writePlace } from '../installation.ts'
import { second } from '../lib/duration.ts'

const accidents = {
  older: 'the database is older than what was last served here: a backup was put back',
  moved: 'the database was copied, moved or put back: it is not the file that was last served here',
  other: 'the database is not the one that was last served here',
} as const
export type Accident = keyof typeof accidents

export interface Held {
  because: Accident
  since: Date
  /** When this installation was last known to be served: what was due by then may have left. Null when nothing here knows. */
  servedUntil: Date | null
}

const names = { instance: 'instance', epoch: 'epoch', held: 'held' } as const

/** What the database says of itself. `epoch` grows while it is served; 0 stands for one that was not served yet, or was copied on purpose. */
interface Self {
  instance: string | null
  epoch: number
  held: Held | null
}

export function words({ because }: Held): string {
  return accidents[because]
}

export async function heldState(reader: Reader): Promise<Held | null> {
  return (await readSelf(reader)).held
}

/** At the start of a server, which has the lock. Says whether it is held, and leaves word of this start in both places. */
export async function passFence(app: App, { newDatabase = false }: Opening): Promise<Held | null> {
  const place = newDatabase ? null : readPlace(app.config)
  const inode = inodeOf(app.config)
  const held = await write(app, async (tx) => {
    const self = await readSelf(tx)
    if (self.instance === null) await put(tx, names.instance, tx.random.uuidv7(tx.now))
    const because = accident(self, place, inode)
    if (self.held !== null || because === null) return self.held
    const servedUntil = place === null ? null : new Date(place.servedUntil)
    await put(tx, names.held, JSON.stringify({ because, since: tx.now, servedUntil }))
    return { because, since: tx.now, servedUntil }
  })
  await keepPlace(app)
  return held
}

const keepEveryMs = 10 * second
const askEveryMs = second

/**
 * Leaves word every ten seconds while it is served; while it is held, asks every second whether it still is. `onChange` is called once,
 * when it is held or is not any more. Returns how to stop.
 */
export function watchFence(app: App, isHeld: boolean, onChange: () => void): () => void {
  const look = async () => {
    if (!isHeld) await keepPlace(app)
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

/** One more sign of life, in the database and then beside it: what is beside it is never ahead, but of a database that went back. */
export async function keepPlace(app: App): Promise<void> {
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
  writePlace(app.config, { instance, inode: inodeOf(app.config), ...place })
}

/** What waits may leave. The database has another name from now on: so each of two copies knows that the other is not itself. */
export async function lowerFence(app: App, unit: (tx: Tx) => Promise<void> = async () => {}): Promise<void> {
  await write(app, async (tx) => {
    await unit(tx)
    await tx.db.delete(installation).where(eq(installation.name, names.held))
    await put(tx, names.instance, tx.random.uuidv7(tx.now))
  })
  await keepPlace(app)
}

/** A copy that was made on purpose, and is the only one that will be served, is at home wherever it is. */
export async function expectMove(tx: Pick<Tx, 'db' | 'now'>): Promise<void> {
  await put(tx, names.epoch, '0')
}

function accident({ instance, epoch }: Self, place: Place | null, inode: number | null): Accident | null {
  // A process that joins a server of databases has nothing of its own to compare with.
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

function parseHeld(value: string | undefined): Held | null {
  if (value === undefined) return null
  const { because, since, servedUntil } = JSON.parse(value)
  return { because, since: new Date(since), servedUntil: servedUntil === null ? null : new Date(servedUntil) }
}

async function put(tx: Pick<Tx, 'db' | 'now'>, name: string, value: string): Promise<void> {
  const updatedAt = tx.now
  await tx.db
    .insert(installation)
    .values({ name, value, updatedAt })
    .onConflictDoUpdate({ target: installation.name, set: { value, updatedAt } })
}
