// Imports a file of contacts. The upload is stored in pieces of 1 MiB; a job then reads it, a few hundred rows per transaction. The
// position in the file is updated in the same transaction, so a crash repeats nothing, and pieces that were read are deleted there: all of
// 1 GB at the end would hold the database for seconds.

import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { insertRows } from '../../../../db/bulk.ts'
import { contactImports, type ExportReport, importFaults, importPieces } from '../../../../db/tables/contacts.ts'
import { type App, type Reader, Steps, type Tx, write, writeInTurn } from '../../../core/app.ts'
import { enqueue } from '../../../core/outbox/enqueue.ts'
import { defineJob, type Ending } from '../../../core/outbox/job.ts'
import { findDelimiter } from '../../../kit/csv.ts'
import { day, hour, minute } from '../../../kit/duration.ts'
import { AppError, invalidField } from '../../../kit/error.ts'
import { firstId, newId } from '../../../kit/id.ts'
import { noRoom } from '../../../people/limits.ts'
import { tellFull } from '../../webhooks/limit-events.ts'
import type { Evidence } from '../consent/ledger.ts'
import { activeListNamed } from '../consent/named-lists.ts'
import { declareProperties } from '../properties.ts'
import { columnProperties, expectClear, unclearIn } from './columns.ts'
import {
  type Batch,
  batchesOf,
  chooseColumns,
  chooseNewColumns,
  expectConsent,
  expectWho,
  type FileOptions,
  pieceBytes,
  piecesOf,
  readHeader,
  readRows,
} from './file.ts'
import { importRows, planRows, type RowFault } from './rows.ts'

export type ContactImport = typeof contactImports.$inferSelect

/** The export that holds suppressions, and no contacts. */
export const suppressionsFormat = 'ses-suppression'

/** How many bad rows are stored; all of them are counted. */
export const maxFaultsKept = 100_000
const maxFaultText = 10_000
const timeoutMs = 12 * hour
const rowsPerStep = { least: 20, most: 250 }

export interface ImportOptions extends FileOptions {
  dryRun: boolean
  /** The export of another service. */
  format?: string
  report?: ExportReport
  /** The API key or user that asks. */
  actorId: string | null
}

/**
 * Stores a file and enqueues its import. Throws 422 for an invalid header or list, and when nobody says what people agreed to; 413 for a
 * file over 1 GB.
 */
export async function acceptImport(
  app: App,
  workspaceId: string,
  body: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ContactImport> {
  const id = newId(app, 'imp', app.clock.now())
  if (options.mailingListId !== null) await activeListNamed(app, workspaceId, options.mailingListId, 'mailingListId')
  let header: string | null = null
  let sizeBytes = 0
  let number = 0
  for await (const data of piecesOf(body)) {
    header ??= await checkedHeader(app, workspaceId, data, options)
    sizeBytes += data.length
    const piece = { importId: id, number: number++, data }
    await writeInTurn(app, workspaceId, (tx) => tx.db.insert(importPieces).values(piece))
  }
  if (header === null) throw invalidField('', 'the file is empty', 'empty')
  return await startImport(app, { id, workspaceId, ...options, header, sizeBytes })
}

type NewImport = Pick<ContactImport, 'id' | 'workspaceId' | 'header' | 'sizeBytes'> & ImportOptions

async function startImport(app: App, given: NewImport): Promise<ContactImport> {
  return await write(app, async (tx) => {
    const row: ContactImport = {
      format: null,
      report: null,
      ...given,
      ...atTheStart,
      bad: given.report?.refused.length ?? 0,
      createdAt: tx.now,
      updatedAt: tx.now,
    }
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
}

async function checkedHeader(
  reader: Reader,
  workspaceId: string,
  data: Buffer,
  { columns, consent, format }: ImportOptions,
): Promise<string> {
  const header = readHeader(data)
  const read = await chooseNewColumns(reader, workspaceId, header, columns)
  expectWho(read)
  expectClear(unclearIn(read).map(({ column }) => column))
  if (format === undefined) expectConsent(read, consent)
  return header
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

/** Few enough to count: imports are deleted after 30 days. */
export async function countImports(reader: Reader, workspaceId: string): Promise<number> {
  const [row] = await reader.db.all<{ total: number }>(
    sql`SELECT count(*) AS total FROM contact_imports WHERE workspace_id = ${workspaceId}`,
  )
  return row?.total ?? 0
}

/** Bad rows in file order. */
export async function listFaults(reader: Reader, importId: string, { after, limit }: { after: number; limit: number }) {
  return await reader.db
    .select()
    .from(importFaults)
    .where(and(eq(importFaults.importId, importId), sql`line > ${after}`))
    .orderBy(asc(importFaults.line))
    .limit(limit)
}

/** Reads the file from where it stopped. */
export const importContacts = defineJob<{ importId: string }>({
  kind: 'import-contacts',
  lane: 'import',
  timeoutMs,
  attemptsMax: 5,
  retryDelaysMs: [minute, 5 * minute, 15 * minute, hour],

  async run(app, { payload: { importId } }, { signal, progressed }) {
    const found = await findImport(app, importId)
    if (!found) return { outcome: 'dead', code: 'import_gone', detail: 'the import no longer exists' }
    const { header, readBytes, readLines } = found
    const pieces = storedPieces(app, importId, readBytes)
    const steps = new Steps(app, found.workspaceId, rowsPerStep)
    const from = { bytes: readBytes, lines: readLines }
    for await (const batch of batchesOf(pieces, header, from, () => steps.size())) {
      if (signal.aborted) return { outcome: 'defer', code: 'stopped', detail: 'the process ends', delayMs: 0 }
      await steps.write((tx) => importBatch(tx, importId, batch), batch.rows.length)
      await progressed()
    }
    return { outcome: 'done' }
  },

  async ended(tx, ended) {
    for (const { job, ending } of ended) await endImport(tx, job.payload.importId, ending)
  },
})

async function endImport(tx: Tx, importId: string, { state, detail }: Ending): Promise<void> {
  if (state === 'pending' || state === 'ambiguous') return
  const end =
    state === 'done' ? { state: 'done' as const, readBytes: sql`size_bytes` } : { state: 'failed' as const, detail }
  await tx.db
    .update(contactImports)
    .set({ ...end, updatedAt: tx.now })
    .where(eq(contactImports.id, importId))
  await tx.db.delete(importPieces).where(eq(importPieces.importId, importId))
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
  const { workspaceId, dryRun, header } = found
  const columns = await chooseColumns(tx, workspaceId, header, found.columns)
  const { rows, faults } = readRows(batch, columns, { delimiter: findDelimiter(header), ...found })
  if (!dryRun) await declareProperties(tx, workspaceId, columnProperties(columns))
  const into = { workspaceId, suppressOnly: found.format === suppressionsFormat }
  const result = dryRun
    ? (await planRows(tx, into, rows)).result
    : await importRows(tx, { ...into, evidence: toEvidence(found) }, rows)
  if (!dryRun && result.faults.some(({ reason }) => reason === noRoom)) await tellFull(tx, workspaceId)
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
      subscribed: found.subscribed + result.subscribed,
      unsubscribed: found.unsubscribed + result.unsubscribed,
      suppressed: found.suppressed + result.suppressed,
      withoutConsent: found.withoutConsent + result.withoutConsent,
      bad: found.bad + bad.length,
      updatedAt: tx.now,
    })
    .where(eq(contactImports.id, importId))
  const read = Math.floor(batch.endBytes / pieceBytes)
  if (read > Math.floor(batch.fromBytes / pieceBytes))
    await tx.db.delete(importPieces).where(and(eq(importPieces.importId, importId), lt(importPieces.number, read)))
}

/** The caller's statement is recorded in the ledger with each consent from the file. */
function toEvidence({ consent, actorId, format }: ContactImport): Evidence {
  const route = format === null ? 'POST /v1/contacts/import' : 'POST /v1/imports'
  return { method: 'import', route, actorId, consentText: consent?.statement ?? null }
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
const faultsAtOnce = 200

/** Deletes imports from before `horizon`, and pieces of uploads that were aborted a day ago. Returns how many; call until 0. */
export async function deleteOldImports(tx: Tx, horizon: Date): Promise<number> {
  const old = await tx.db
    .select({ id: contactImports.id })
    .from(contactImports)
    .where(and(lt(contactImports.id, firstId('imp', horizon)), sql`state IN ('done', 'failed')`))
    .limit(deletedAtOnce)
  const ids = old.map(({ id }) => id)
  const faults = await tx.db
    .delete(importFaults)
    .where(
      sql`rowid IN (SELECT rowid FROM import_faults WHERE import_id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) LIMIT ${faultsAtOnce})`,
    )
    .returning({ line: importFaults.line })
  if (faults.length > 0) return faults.length
  if (ids.length > 0) await tx.db.delete(contactImports).where(inArray(contactImports.id, ids))
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
