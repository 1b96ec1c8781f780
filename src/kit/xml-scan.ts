// Reads XML of strangers as a stream of elements, in bounded memory whatever its size: nothing is kept but the names of the open elements and
// the text since the last tag. No document type is accepted, so no entity can be declared, and none can name a file or grow.

/** Of a tag, a comment or a section: in one piece. */
const maxMarkup = 64 * 1024
const maxDepth = 32
/** What is longer is cut: no value that anybody reads has more. */
const maxText = 2_000

/** The XML is not accepted; the message says why, as a clause. */
export class XmlFault extends Error {}

export interface XmlHandlers {
  open(name: string): void
  /** An element ended: its name without a prefix, the text since the last tag, and the name of the element that it is in. */
  close(name: string, text: string, inside: string): void
}

export class XmlScanner {
  readonly #handlers: XmlHandlers
  readonly #names: string[] = []
  #rest = ''
  #text = ''
  #hasRoot = false

  constructor(handlers: XmlHandlers) {
    this.#handlers = handlers
  }

  /** Throws XmlFault. */
  write(chunk: string): void {
    const source = this.#rest + chunk
    let at = 0
    for (;;) {
      const begins = source.indexOf('<', at)
      this.#addText(begins === -1 ? source.slice(at) : source.slice(at, begins))
      if (begins === -1) break
      const end = this.#markup(source, begins)
      if (end === -1) {
        if (source.length - begins > maxMarkup) throw new XmlFault(`a tag of it has more than ${maxMarkup} characters`)
        this.#rest = source.slice(begins)
        return
      }
      at = end
    }
    this.#rest = ''
  }

  /** Throws XmlFault when something is missing. */
  end(): void {
    if (this.#rest !== '' || this.#names.length > 0 || !this.#hasRoot) throw new XmlFault('it is cut off')
  }

  /** Where the markup that begins here ends; -1 when that is not there yet. */
  #markup(source: string, at: number): number {
    const kind = source.charCodeAt(at + 1)
    if (kind === exclamation) return this.#special(source, at)
    if (kind === question) return after(source, at, '?>')
    const end = source.indexOf('>', at)
    if (end === -1) return -1
    if (kind === slash) this.#close(source.slice(at + 2, end).trimEnd())
    else this.#open(source.slice(at + 1, end))
    return end + 1
  }

  #special(source: string, at: number): number {
    if (source.startsWith('<!--', at)) return after(source, at + 4, '-->')
    if (source.startsWith('<![CDATA[', at)) {
      const end = after(source, at, ']]>')
      if (end !== -1) this.#addText(source.slice(at + 9, end - 3))
      return end
    }
    if (source.length - at < 9 && ('<!--'.startsWith(source.slice(at)) || '<![CDATA['.startsWith(source.slice(at))))
      return -1
    throw new XmlFault('it has a document type, which is never read')
  }

  #open(tag: string): void {
    const isEmpty = tag.endsWith('/')
    const name = /^[^\s/]+/.exec(tag)?.[0] ?? ''
    if (name === '') throw new XmlFault('it is not well-formed')
    if (this.#names.length >= maxDepth) throw new XmlFault(`its elements are more than ${maxDepth} deep`)
    this.#names.push(name)
    this.#hasRoot = true
    this.#text = ''
    this.#handlers.open(localName(name))
    if (isEmpty) this.#close(name)
  }

  #close(name: string): void {
    if (this.#names.pop() !== name) throw new XmlFault('it is not well-formed')
    this.#handlers.close(localName(name), decoded(this.#text.trim()), localName(this.#names.at(-1) ?? ''))
    this.#text = ''
  }

  #addText(text: string): void {
    if (this.#text.length < maxText) this.#text += text.slice(0, maxText - this.#text.length)
  }
}

const [exclamation, question, slash] = [0x21, 0x3f, 0x2f]

function after(source: string, at: number, end: string): number {
  const found = source.indexOf(end, at)
  return found === -1 ? -1 : found + end.length
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

const predefined = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

/** The five entities that XML itself has; any other stays as it is written. */
function decoded(text: string): string {
  return text.includes('&')
    ? text.replace(/&(\w{1,8});/g, (whole, name: string) => predefined.get(name) ?? whole)
    : text
}
