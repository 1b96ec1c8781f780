// Word documents (ECMA-376, WordprocessingML): the text of their parts in the order of a reader. Only the few files of the archive that hold
// text are unpacked. Nothing that they point at is followed.

import { Parser } from 'htmlparser2'
import { AppError } from '../../kit/error.ts'
import { readZip } from '../../kit/zip.ts'
import { isReadable, type Look, type Looks, plainLook, readLooks, setLook } from './docx-looks.ts'
import { maxUnpackedBytes, type ShownWriter, UnreadableFile } from './reading.ts'

/** The parts that hold text, with what is written above each. */
const parts: [name: RegExp, title: string | null][] = [
  [/^word\/header\d*\.xml$/, 'header'],
  [/^word\/document\d*\.xml$/, null],
  [/^word\/footer\d*\.xml$/, 'footer'],
  [/^word\/footnotes\d*\.xml$/, 'footnotes'],
  [/^word\/endnotes\d*\.xml$/, 'endnotes'],
  [/^word\/comments\d*\.xml$/, 'comments'],
]
const styles = /^word\/styles\d*\.xml$/
const maxDepth = 256

/** Throws UnreadableFile, and WriterFull. */
export async function readDocx(bytes: Buffer, writer: ShownWriter): Promise<void> {
  const isWanted = (name: string) => styles.test(name) || parts.some(([pattern]) => pattern.test(name))
  const files = await readZip(bytes, maxUnpackedBytes, isWanted).catch(orUnreadable)
  if (!files.some(({ name }) => /^word\/document\d*\.xml$/.test(name)))
    throw new UnreadableFile('It is an archive, or of a kind that is not read: only of DOCX is the text read.')
  const found = files.find(({ name }) => styles.test(name))
  const looks = readLooks((handler) => (found === undefined ? undefined : walkXml(found.bytes, handler)))
  for (const [pattern, title] of parts) {
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

/** Names are without their prefix, which an author chooses. */
export interface XmlHandler {
  open(name: string, attributes: Map<string, string>): void
  close(name: string): void
  text(text: string): void
}

/** Throws UnreadableFile for a document type: with one come entities, which may grow without end or name other files. */
function walkXml(bytes: Buffer, handler: XmlHandler): void {
  let depth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > maxDepth) throw new UnreadableFile(`Its elements are more than ${maxDepth} deep.`)
        const own = Object.entries(attributes).map(([key, value]): [string, string] => [localName(key), value])
        handler.open(localName(name), new Map(own))
      },
      onclosetag(name) {
        depth--
        handler.close(localName(name))
      },
      ontext: (text) => handler.text(text),
      onprocessinginstruction(name) {
        if (name.startsWith('!')) throw new UnreadableFile('Its XML has a document type, which is never read.')
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  const decoder = new TextDecoder('utf-8')
  for (let at = 0; at < bytes.length; at += chunkBytes)
    parser.write(decoder.decode(bytes.subarray(at, at + chunkBytes), { stream: true }))
  parser.end(decoder.decode())
}

const chunkBytes = 64 * 1024

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

interface Part {
  title: string | null
  looks: Looks
  writer: ShownWriter
}

/** What an element changes for everything in it. */
interface Scope {
  name: string
  look: Look
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
