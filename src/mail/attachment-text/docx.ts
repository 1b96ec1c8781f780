// Word documents (ECMA-376, WordprocessingML): the text of their parts in the order of a reader. Only the few files of the archive that hold
// text are unpacked. Nothing that they point at is followed.

import { AppError } from '../../kit/error.ts'
import { readZip } from '../../kit/zip.ts'
import { isReadable, plainLook, readLooks, setLook, type WordLook, type WordLooks } from './docx-looks.ts'
import { walkXml } from './docx-xml.ts'
import { maxUnpackedBytes, type ShownWriter, UnreadableFile } from './reading.ts'

/** The parts that hold text, with what is written above each. */
const textParts: [name: RegExp, title: string | null][] = [
  [/^word\/header\d*\.xml$/, 'header'],
  [/^word\/document\d*\.xml$/, null],
  [/^word\/footer\d*\.xml$/, 'footer'],
  [/^word\/footnotes\d*\.xml$/, 'footnotes'],
  [/^word\/endnotes\d*\.xml$/, 'endnotes'],
  [/^word\/comments\d*\.xml$/, 'comments'],
]
const styles = /^word\/styles\d*\.xml$/

/** Throws UnreadableFile, and WriterFull. */
export async function readDocx(bytes: Buffer, writer: ShownWriter): Promise<void> {
  const isWanted = (name: string) => styles.test(name) || textParts.some(([pattern]) => pattern.test(name))
  const files = await readZip(bytes, maxUnpackedBytes, isWanted).catch(orUnreadable)
  if (!files.some(({ name }) => /^word\/document\d*\.xml$/.test(name)))
    throw new UnreadableFile('It is an archive, or of a kind that is not read: only of DOCX is the text read.')
  const found = files.find(({ name }) => styles.test(name))
  const looks = readLooks((handler) => (found === undefined ? undefined : walkXml(found.bytes, handler)))
  for (const [pattern, title] of textParts) {
    for (const file of files.filter(({ name }) => pattern.test(name))) readPart(file.bytes, { title, looks, writer })
  }
}

function orUnreadable(error: unknown): never {
  if (!(error instanceof AppError)) throw error
  const isTooLarge = error.code === 'payload_too_large'
  throw new UnreadableFile(
    isTooLarge ? `It has more than ${maxUnpackedBytes} bytes of text when it is unpacked.` : error.message,
  )
}

interface Part {
  title: string | null
  looks: WordLooks
  writer: ShownWriter
}

/** What an element changes for everything in it. */
interface Scope {
  name: string
  look: WordLook
}

/** Its text is for programs, or is there once more. */
const notText = new Set([
  'Fallback',
  'instrText',
  'pPrChange',
  'rPrChange',
  'tblPrChange',
  'tcPrChange',
  'sectPrChange',
])
const deleted = new Set(['del', 'moveFrom'])

function readPart(bytes: Buffer, { title, looks, writer }: Part): void {
  const scopes: Scope[] = [{ name: '', look: looks.start }]
  let skipped = 0
  let hasTitle = title === null
  const add = (text: string, isShown = true) => {
    if (!hasTitle && text.trim() !== '') {
      hasTitle = true
      writer.add(`\n[${title}]\n`)
    }
    writer.add(text, isShown)
  }
  /** What holds for the run, the paragraph or the cell that the properties are of. */
  const inside = (name: string) => scopes.findLast((one) => one.name === name)
  walkXml(bytes, {
    open(name, attributes) {
      if (skipped > 0 || notText.has(name)) {
        skipped++
        return
      }
      const outer = scopes.at(-1)?.look ?? plainLook
      const look = deleted.has(name)
        ? { ...outer, isGone: true }
        : name === 'txbxContent'
          ? { ...outer, ground: null }
          : outer
      scopes.push({ name, look })
      const [parent] = scopes.slice(-2)
      const owner = ownerOf(parent?.name, scopes)
      const target = owner === null ? undefined : inside(owner)
      if (target) target.look = setLook(target.look, { name, attributes, looks })
      if (name === 'tab' && parent?.name === 'r') add('\t')
      else if (name === 'br' || name === 'cr') add('\n')
      else if (name === 'noBreakHyphen') add('-')
    },
    text(text) {
      if (skipped > 0) return
      const { name, look } = scopes.at(-1) ?? { name: '', look: plainLook }
      if (name === 't' || name === 'delText') add(text, isReadable(look))
    },
    close(name) {
      if (skipped > 0) {
        skipped--
        return
      }
      scopes.pop()
      if (name === 'p') add(inside('tc') ? ' ' : '\n')
      else if (name === 'tc') add('\t')
      else if (name === 'tr') add('\n')
    },
  })
}

/** `rPr` of a paragraph's own properties is about its mark only, which nobody sees. */
function ownerOf(parent: string | undefined, scopes: Scope[]): string | null {
  const grandparent = scopes.at(-3)?.name
  if (parent === 'rPr') return grandparent === 'r' ? 'r' : null
  if (parent === 'pPr') return 'p'
  if (parent === 'tcPr') return 'tc'
  return parent === 'tblPr' ? 'tbl' : null
}
