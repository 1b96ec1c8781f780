// What the archive knows about the database it belongs to. The archive is stored elsewhere, so it alone shows that a machine was rolled
// back with its disk, or that a copy of the database was served meanwhile: then the archive has gone on without this database.

import { findInstallationValue, putInstallationValue } from '../../../db/installation-value.ts'
import { type App, type Reader, write } from '../../core/app.ts'
import { withDeadline } from '../../kit/deadline.ts'
import { second } from '../../kit/duration.ts'
import { failureText } from '../../kit/error.ts'
import { openStore } from '../../kit/store/open.ts'
import { readWhole, type Store } from '../../kit/store/store.ts'
import { headPrefix, parseReached, reachedName, startName, startPrefix } from './segment.ts'

/** The marks of generations that this database has begun, or was about to. */
const name = 'archive'
const marksMost = 100
/** A store that is away does not keep a server from starting. */
const patienceMs = 10 * second

/** Before the generation of that mark begins: a kill in between must not make it a stranger. */
export async function addMark(app: App, mark: string): Promise<void> {
  await write(app, async (tx) => {
    const marks = (await listMarks(tx)).filter((one) => one !== mark)
    await putInstallationValue(tx, name, JSON.stringify([...marks.slice(-marksMost), mark]))
  })
}

/** After it has begun: it is the newest that the archive has. */
export async function keepMark(app: App, mark: string): Promise<void> {
  await write(app, (tx) => putInstallationValue(tx, name, JSON.stringify([mark])))
}

async function listMarks(reader: Reader): Promise<string[]> {
  return JSON.parse((await findInstallationValue(reader, name)) ?? '[]')
}

/** How far the database is: it grows while it is served. */
export async function servedEpoch(reader: Reader): Promise<number> {
  return Number((await findInstallationValue(reader, 'epoch')) ?? 0)
}

/** Whether the archive went on without this database. False when it cannot be asked. */
export async function askArchive(app: App): Promise<boolean> {
  const { archive, s3, dataDir } = app.config
  if (archive.to === undefined) return false
  try {
    const asked = await withDeadline(ask(app, openStore(archive.to, s3, dataDir)), patienceMs, 'late' as const)
    if (asked !== 'late') return asked
    app.log.warn('the archive did not say in time whether it went on without this database')
  } catch (error) {
    app.log.warn('the archive could not say whether it went on without this database', { why: failureText(error) })
  }
  return false
}

async function ask(app: App, store: Store): Promise<boolean> {
  const marks = await listMarks(app)
  const [starts, heads] = await Promise.all([store.list(startPrefix), store.list(headPrefix)])
  const start = starts.at(-1)
  // Never archived: it may be given the place of another on purpose.
  if (marks.length === 0 || start === undefined) return false
  const reached = parseReached(heads.at(-1) ?? '')
  if (!marks.includes(await readText(store, start))) return true
  if (reached === null || startName(reached.generation) !== start) return false
  return Number(await readText(store, reachedName(reached))) > (await servedEpoch(app))
}

async function readText(store: Store, name: string): Promise<string> {
  return (await readWhole(store, name)).toString()
}
