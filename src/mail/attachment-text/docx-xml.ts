// Walks through the XML of a part of a Word document, which may be built to exhaust whoever does.

import { Parser } from 'htmlparser2'
import { UnreadableFile } from './reading.ts'

const maxDepth = 256
const chunkBytes = 64 * 1024

/** Names are without their prefix, which an author chooses. */
export interface XmlHandler {
  open(name: string, attributes: Map<string, string>): void
  close(name: string): void
  text(text: string): void
}

/** Throws UnreadableFile for a document type: with one come entities, which may grow without end or name other files. */
export function walkXml(bytes: Buffer, handler: XmlHandler): void {
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

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
