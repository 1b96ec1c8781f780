// Importing a file of contacts. The file is taken in as fast as it comes, in pieces of 1 MiB, and read by a job afterwards, a few
// hundred rows in each transaction; where the reading is moves in that transaction too, so that a crash repeats nothing.

import { and, asc, desc, eq, lt, sql } from 'drizzle-orm'
import { insertRows } from '../../db/bulk.ts'
import { contactImports, importFaults, importPieces } from '../../db/tables/contacts.ts'
import { type App, type Reader, type Tx, write } from '../app.ts'
import { maxUploadBytes } from '../http/body.ts'
import { csvCells, csvRecords, delimiterOf } from '../lib/csv.ts'
import { day, hour, minute } from '../lib/duration.ts'
import { AppError, invalidField } from '../lib/error.ts'
import { firstId, newId } from '../lib/id.ts'
import { defineJob } from '../outbox/job.ts'
import { enqueue } from '../outbox/outbox.ts'
import { type Columns, declareColumns, expectRoom, fieldsOfRow, readColumns, typedColumns } from './import-columns.ts'
import { type ImportRow, importRows, type RowFault } from './import-rows.ts'
import { getList } from './subscriptions.ts'

export type ContactImport = typeof contactImports.$inferSelect

const pieceBytes = 1024 * 1024
/** Few enough that a request beside it waits for some 30 ms at most. */
const rowsPerBatch = 500
/** So many bad rows are kept; all are counted. */
export const maxFaultsKept = 100_000
const maxFaultText = 10_000
const maxHeaderLength = 20_000
const timeoutMs = 12 * hour

export interface ImportOptions {
  dryRun: boolean
  mailingListId: string | null
}

/** Takes a file in and enqueues its reading. Throws 422 for a header or a list that cannot be, 413 for a file over 1 GB. */
export async function acceptImport(
  app: App,
  workspaceId: string,
  body: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ContactImport> {
  const id = newId(app, 'imp', app.clock.now())
  if (options.mailingListId !== null) await expectList(app, workspaceId, options.mailingListId)
  let header: string | null = null
  let sizeBytes = 0
  let number = 0
  for await (const data of piecesOf(body)) {
    header ??= await checkedHeader(app, workspaceId, data)
    sizeBytes += data.length
    const piece = { importId: id, number: number++, data }
    await write(app, (tx) => tx.db.insert(importPieces).values(piece))
  }
  if (header === null) throw invalidField('', 'the file is empty', 'empty')
  return await startImport(app, { id, workspaceId, ...options, header, sizeBytes })
}

type NewImport = Pick<ContactImport, 'id' | 'workspaceId' | 'header' | 'sizeBytes'> & ImportOptions

async function startImport(app: App, given: NewImport): Promise<ContactImport> {
  return await write(app, async (tx) => {
    const row: ContactImport = { ...given, ...atTheStart, createdAt: tx.now, updatedAt: tx.now }
    await tx.db.insert(contactImports).values(row)
    await enqueue(tx, importContacts, { workspaceId: given.workspaceId, payload: { importId: given.id } })
    return row
  })
}

const atTheStart = {
  state: 'waiting' as const,
  detail: null,
  readBytes: 0,
  readLines: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  consentKept: 0,
  bad: 0,
  subscribed: 0,
  unsubscribed: 0,
  suppressed: 0,
  withoutConsent: 0,
  columns: null,
  consent: null,
  actorId: null,
}

async function expectList(reader: Reader, workspaceId: string, listId: string): Promise<void> {
  const list = await getList(reader, workspaceId, listId, 'mailingListId')
  if (list.status === 'archived') throw invalidField('mailingListId', 'this mailing list is archived', 'archived_list')
}

/** The body in pieces of the same length. Throws 413. */
async function* piecesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = []
  let length = 0
  let total = 0
  for await (const chunk of body) {
    parts.push(chunk)
    length += chunk.length
    total += chunk.length
    if (total > maxUploadBytes)
      throw new AppError('payload_too_large', `A file may have at most ${maxUploadBytes} bytes.`)
    if (length < pieceBytes) continue
    const bytes = Buffer.concat(parts)
    let at = 0
    for (; bytes.length - at >= pieceBytes; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
    parts = [bytes.subarray(at)]
    length = bytes.length - at
  }
  if (length > 0) yield Buffer.concat(parts)
}

/** The first line, which names the columns. Throws 422. */
async function checkedHeader(reader: Reader, workspaceId: string, data: Buffer): Promise<string> {
  const end = data.indexOf('\n')
  const header = data
    .toString('utf8', 0, end === -1 ? data.length : end)
    .replace(/^\ufeff/, '')
    .replace(/\r$/, '')
  if (header.length > maxHeaderLength || header.includes('\0'))
    throw invalidField('columns', 'the first line must name the columns', 'column')
  await expectRoom(reader, workspaceId, columnsOf(header))
  return header
}

function columnsOf(header: string): Columns {
  const cells = csvCells(header, delimiterOf(header))
  if ('fault' in cells) throw invalidField('columns', `the first line ${cells.fault}`, 'column')
  return readColumns(cells)
}

async function findImport(reader: Reader, id: string): Promise<ContactImport | null> {
  const [row] = await reader.db.select().from(contactImports).where(eq(contactImports.id, id))
  return row ?? null
}

/** Throws not_found, also for another workspace's. */
export async function getImport(reader: Reader, workspaceId: string, id: string): Promise<ContactImport> {
  const row = await findImport(reader, id)
  if (row?.workspaceId !== workspaceId)
    throw new AppError('not_found', `no import ${JSON.stringify(id.slice(0, 80))} in this workspace`)
  return row
}

/** Newest first. */
export async function listImports(
  reader: Reader,
  workspaceId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<ContactImport[]> {
  return await reader.db
    .select()
    .from(contactImports)
    .where(
      and(
        eq(contactImports.workspaceId, workspaceId),
        before === undefined ? undefined : lt(contactImports.id, before),
      ),
    )
    .orderBy(desc(contactImports.id))
    .limit(limit)
}

/** Few enough to be counted: they go after 30 days. */
export async function countImports(reader: Reader, workspaceId: string): Promise<number> {
  const [row] = await reader.db.all<{ total: number }>(
    sql`SELECT count(*) AS total FROM contact_imports WHERE workspace_id = ${workspaceId}`,
  )
  return row?.total ?? 0
}

/** Bad rows in the order of the file. */
export async function listFaults(reader: Reader, importId: string, { after, limit }: { after: number; limit: number }) {
  return await reader.db
    .select()
    .from(importFaults)
    .where(and(eq(importFaults.importId, importId), sql`line > ${after}`))
    .orderBy(asc(importFaults.line))
    .limit(limit)
}

/** Reads the file from where it was left. */
export const importContacts = defineJob<{ importId: string }>({
  kind: 'import-contacts',
  lane: 'import',
  timeoutMs,
  attemptsMax: 5,
  retryDelaysMs: [minute, 5 * minute, 15 * minute, hour],

  async run(app, { payload: { importId } }, { signal }) {
    const found = await findImport(app, importId)
    if (!found) return { outcome: 'dead', code: 'import_gone', detail: 'the import no longer exists' }
    for await (const batch of batchesOf(app, found)) {
      if (signal.aborted) return { outcome: 'defer', code: 'stopped', detail: 'the process ends', delayMs: 0 }
      await write(app, (tx) => importBatch(tx, importId, batch))
    }
    return { outcome: 'done' }
  },

  async settle(tx, { payload: { importId } }, { state, detail }) {
    if (state === 'pending' || state === 'ambiguous') return
    const end =
      state === 'done' ? { state: 'done' as const, readBytes: sql`size_bytes` } : { state: 'failed' as const, detail }
    await tx.db
      .update(contactImports)
      .set({ ...end, updatedAt: tx.now })
      .where(eq(contactImports.id, importId))
    await tx.db.delete(importPieces).where(eq(importPieces.importId, importId))
  },
})

interface Batch {
  /** Where the reading was before it, and is after it. */
  fromBytes: number
  endBytes: number
  endLines: number
  rows: { line: number; text: string }[]
}

async function* batchesOf(app: App, { id, header, readBytes, readLines }: ContactImport): AsyncGenerator<Batch> {
  const place = { bytes: readBytes, lines: readLines }
  let batch: Batch = { fromBytes: readBytes, endBytes: readBytes, endLines: readLines, rows: [] }
  for await (const records of csvRecords(storedPieces(app, id, readBytes), place)) {
    for (const { line, text, endBytes, endLines } of records) {
      Object.assign(batch, { endBytes, endLines })
      // The header is the first line that is not empty.
      if (line > 1 || text.replace(/^\ufeff/, '') !== header) batch.rows.push({ line, text })
      if (batch.rows.length < rowsPerBatch) continue
      yield batch
      batch = { fromBytes: endBytes, endBytes, endLines, rows: [] }
    }
  }
  if (batch.rows.length > 0) yield batch
}

/** The rest of the file, one piece in memory at a time. */
async function* storedPieces(reader: Reader, importId: string, from: number): AsyncGenerator<Uint8Array> {
  for (let number = Math.floor(from / pieceBytes); ; number++) {
    const [piece] = await reader.db
      .select({ data: importPieces.data })
      .from(importPieces)
      .where(and(eq(importPieces.importId, importId), eq(importPieces.number, number)))
    if (!piece) return
    yield piece.data.subarray(Math.max(0, from - number * pieceBytes))
  }
}

async function importBatch(tx: Tx, importId: string, batch: Batch): Promise<void> {
  const found = await findImport(tx, importId)
  if (!found || found.readBytes !== batch.fromBytes)
    throw new Error('this part of the file was read by another process')
  const { workspaceId, dryRun, mailingListId, header } = found
  const columns = await typedColumns(tx, workspaceId, columnsOf(header))
  if (!dryRun) await declareColumns(tx, workspaceId, columns)
  const { rows, faults } = readRows(batch, columns, { delimiter: delimiterOf(header), mailingListId })
  const result = await importRows(tx, { workspaceId, dryRun }, rows)
  const bad = [...faults, ...result.faults]
  await keepFaults(tx, found, batch, bad)
  await tx.db
    .update(contactImports)
    .set({
      state: 'running',
      readBytes: batch.endBytes,
      readLines: batch.endLines,
      created: found.created + result.created,
      updated: found.updated + result.updated,
      unchanged: found.unchanged + result.unchanged,
      consentKept: found.consentKept + result.consentKept,
      bad: found.bad + bad.length,
      updatedAt: tx.now,
    })
    .where(eq(contactImports.id, importId))
}

function readRows(
  batch: Batch,
  columns: Columns,
  { delimiter, mailingListId }: { delimiter: string; mailingListId: string | null },
): { rows: ImportRow[]; faults: RowFault[] } {
  const rows: ImportRow[] = []
  const faults: RowFault[] = []
  for (const { line, text } of batch.rows) {
    const cells = csvCells(text, delimiter)
    const fields = 'fault' in cells ? cells : fieldsOfRow(columns, cells)
    if ('fault' in fields) faults.push({ line, reason: fields.fault })
    else rows.push({ line, fields: mailingListId === null ? fields : onList(fields, mailingListId) })
  }
  return { rows, faults }
}

function onList(fields: ImportRow['fields'], listId: string): ImportRow['fields'] {
  return { ...fields, mailingLists: { ...fields.mailingLists, [listId]: true } }
}

async function keepFaults(tx: Tx, { id, bad }: ContactImport, batch: Batch, faults: RowFault[]): Promise<void> {
  const texts = new Map(batch.rows.map(({ line, text }) => [line, text]))
  const kept = faults
    .sort((one, other) => one.line - other.line)
    .slice(0, Math.max(0, maxFaultsKept - bad))
    .map(({ line, reason }) => ({
      importId: id,
      line,
      reason: reason.slice(0, maxFaultText),
      row: (texts.get(line) ?? '').slice(0, maxFaultText),
    }))
  await insertRows(tx.db, importFaults, kept)
}

const deletedAtOnce = 20

/** Deletes imports from before `horizon`, and what uploads left that broke off a day ago. Returns how many; call until 0. */
export async function deleteOldImports(tx: Tx, horizon: Date): Promise<number> {
  const old = await tx.db
    .select({ id: contactImports.id })
    .from(contactImports)
    .where(and(lt(contactImports.id, firstId('imp', horizon)), sql`state IN ('done', 'failed')`))
    .limit(deletedAtOnce)
  for (const { id } of old) {
    await tx.db.delete(importFaults).where(eq(importFaults.importId, id))
    await tx.db.delete(contactImports).where(eq(contactImports.id, id))
  }
  const stray = await tx.db
    .select({ importId: importPieces.importId, number: importPieces.number })
    .from(importPieces)
    .where(
      and(
        lt(importPieces.importId, firstId('imp', new Date(tx.now.getTime() - day))),
        sql`NOT EXISTS (SELECT 1 FROM contact_imports i WHERE i.id = import_id)`,
      ),
    )
    .limit(deletedAtOnce)
  for (const { importId, number } of stray)
    await tx.db.delete(importPieces).where(and(eq(importPieces.importId, importId), eq(importPieces.number, number)))
  return old.length + stray.length
}
