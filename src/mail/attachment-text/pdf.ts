// PDFs (ISO 32000) with pdf.js, whose instructions for drawing a page say what is written where, and how. Nothing is drawn, no script runs,
// and nothing that the file points at is loaded. It knows no memory limit of its own: whoever runs this watches over it.

import { getDocument, type PDFDocumentProxy, type PDFPageProxy, VerbosityLevel } from 'unpdf/pdfjs'
import { writeLines } from './pdf-lines.ts'
import { readRuns } from './pdf-runs.ts'
import { maxPages, type ShownWriter, UnreadableFile } from './reading.ts'

/** Pictures are not decoded: larger ones than this, in pixels, are left out. */
const maxImageSize = 1
const settings = {
  maxImageSize,
  verbosity: VerbosityLevel.ERRORS,
  disableAutoFetch: true,
  disableStream: true,
  enableXfa: false,
  useSystemFonts: false,
  useWasm: false,
  useWorkerFetch: false,
  isImageDecoderSupported: false,
  isOffscreenCanvasSupported: false,
}

/** Throws UnreadableFile, and WriterFull. */
export async function readPdf(bytes: Buffer, writer: ShownWriter): Promise<void> {
  const task = getDocument({ ...settings, data: new Uint8Array(bytes) })
  try {
    await readDocument(await task.promise, writer)
  } catch (error) {
    throw toRefusal(error)
  } finally {
    await task.destroy()
  }
}

async function readDocument(document: PDFDocumentProxy, writer: ShownWriter): Promise<void> {
  const layers = await document.getOptionalContentConfig()
  if (document.numPages > maxPages) writer.cut()
  for (let number = 1; number <= Math.min(document.numPages, maxPages); number++) {
    const page = await document.getPage(number)
    await readPage(page, { writer, isLayerShown: (layer) => layers.isVisible(layer) === true })
    page.cleanup()
  }
}

interface Target {
  writer: ShownWriter
  isLayerShown(layer: unknown): boolean
}

async function readPage(page: PDFPageProxy, { writer, isLayerShown }: Target): Promise<void> {
  const { fnArray, argsArray } = await page.getOperatorList()
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view
  const { runs, isComplete } = readRuns(fnArray, argsArray, { view: { left, bottom, right, top }, isLayerShown })
  if (!isComplete) writer.cut()
  writeLines(runs, writer)
}

/** By its name: the class may be another where the library is bundled. */
function toRefusal(error: unknown): unknown {
  const { name } = error instanceof Error ? error : { name: '' }
  if (name === 'PasswordException') return new UnreadableFile('It is encrypted with a password.')
  if (name === 'InvalidPDFException' || name === 'FormatError' || name === 'UnknownErrorException')
    return new UnreadableFile('It is damaged: it cannot be read as PDF.')
  return error
}
