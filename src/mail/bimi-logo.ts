// Looks through the logo of a sending domain (BIMI) as far as that can be told from the file: SVG Tiny Portable/Secure
// (draft-svg-tiny-ps-abrotman). Whether it is drawn as it is meant is not.

import { UnpackFault, unpacked } from '../kit/unpack.ts'

/** Larger ones are not shown. */
export const maxLogoBytes = 32 * 1024

const profile = { version: '1.2', baseProfile: 'tiny-ps' }
/** What moves, runs, is pressed, or comes from elsewhere. */
const forbidden =
  /^(script|handler|listener|style|a|image|foreignObject|iframe|audio|video|animation|animate\w*|set|mpath|discard|prefetch)$/i
const mostFaults = 5

/** What receivers would refuse it for, in words; empty when nothing was found. */
export async function logoFaults(bytes: Buffer): Promise<string[]> {
  const text = await readText(bytes)
  if (typeof text !== 'string') return [text.fault]
  const { Parser } = await import('htmlparser2')
  const look = new LogoLook()
  const parser = new Parser(look, { xmlMode: true })
  parser.end(text)
  return look.faults()
}

async function readText(bytes: Buffer): Promise<string | { fault: string }> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of unpacked(bytes, maxLogoBytes)) chunks.push(chunk)
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (error) {
    if (error instanceof UnpackFault) return { fault: error.message }
    return { fault: 'it is no text in UTF-8' }
  }
}

type Attributes = Record<string, string>

/** The handler of a parser. */
class LogoLook {
  readonly #faults = new Set<string>()
  readonly #path: string[] = []
  #isSvg = false
  #title = ''

  onprocessinginstruction(name: string): void {
    if (name.startsWith('!')) this.#faults.add('it has a document type')
  }

  onopentag(name: string, attributes: Attributes): void {
    const plain = withoutPrefix(name)
    if (this.#path.length === 0) {
      this.#isSvg = plain === 'svg'
      for (const fault of rootFaults(attributes)) this.#faults.add(fault)
    }
    this.#path.push(plain)
    if (forbidden.test(plain)) this.#faults.add(`it has <${plain}>`)
    for (const [attribute, value] of Object.entries(attributes)) {
      if (/^on/i.test(attribute)) this.#faults.add('it has a script')
      if (leadsElsewhere(withoutPrefix(attribute), value)) this.#faults.add('it refers to something outside of it')
    }
  }

  ontext(text: string): void {
    if (this.#path.length === 2 && this.#path[1] === 'title') this.#title += text
  }

  onclosetag(_name: string, isImplied: boolean): void {
    // Also of an element without content.
    if (isImplied && this.#path.length === 1) this.#faults.add('it ends in the middle')
    this.#path.pop()
  }

  faults(): string[] {
    if (!this.#isSvg) return ['it is no SVG']
    const title = this.#title.trim() === '' ? ['it has no <title>'] : []
    return [...this.#faults, ...title].slice(0, mostFaults)
  }
}

function rootFaults(attributes: Attributes): string[] {
  const { version, baseProfile, viewBox = '', x, y } = attributes
  const [, , width = 0, height = 0] = viewBox
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  return [
    ...(baseProfile === profile.baseProfile ? [] : ['its baseProfile is not tiny-ps']),
    ...(version === profile.version ? [] : ['its version is not 1.2']),
    ...(width > 0 && width === height ? [] : ['its viewBox is no square']),
    ...(x === undefined && y === undefined ? [] : ['its <svg> has x or y']),
  ]
}

function leadsElsewhere(attribute: string, value: string): boolean {
  if (attribute === 'href' || attribute === 'src') return !value.trim().startsWith('#')
  return /url\(\s*["']?(?!#)[^"'\s#]/i.test(value)
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
