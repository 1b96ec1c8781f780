// The language in which mails give orders to the obedient agent, and how it finds them: in the text as it is, and in every other text that a
// clever reader could make of it.
//
//   DO TOOL {json}          calls a tool, of whichever endpoint has it
//   OPEN METHOD PATH {json} asks an address of the installation, with each credential that it has, and with none
//   WAIT 31d                does nothing for that long
//   AGAIN                   connects anew, as the same person
//   BOTH DO TOOL {json}     calls the tool while it reads the inbox
//
// In the JSON `$message`, `$draft`, `$template`, `$campaign`, `$list`, `$approval` stand for the last of which the agent knows, `$secrets` for
// all that it has read.

import { visible } from '../../src/kit/visible.ts'

export type Order =
  | { kind: 'do'; tool: string; input: Record<string, unknown>; whileReading: boolean }
  | { kind: 'open'; method: string; path: string; body: unknown }
  | { kind: 'wait'; duration: string }
  | { kind: 'again' }

const verbs = /(BOTH )?\bDO ([a-z_]{1,60}) (?=\{)|\bOPEN ([A-Z]{3,6}) (\/\S{0,300})|\bWAIT (\d+[smhd])\b|\bAGAIN\b/g
const tagStart = 0xe0000

/** In the order in which they stand, each once. */
export function ordersIn(text: string): Order[] {
  const found = new Map<string, Order>()
  for (const reading of readingsOf(text))
    for (const order of plainOrders(reading)) found.set(JSON.stringify(order), order)
  return [...found.values()]
}

function plainOrders(text: string): Order[] {
  return [...text.matchAll(verbs)].flatMap((match): Order[] => {
    const [whole, both, tool, method, path, duration] = match
    const rest = text.slice(match.index + whole.length)
    if (tool !== undefined) {
      const input = objectAt(rest)
      return input === null ? [] : [{ kind: 'do', tool, input, whileReading: both !== undefined }]
    }
    if (method !== undefined && path !== undefined)
      return [{ kind: 'open', method, path, body: objectAt(rest.trimStart()) ?? undefined }]
    return duration === undefined ? [{ kind: 'again' }] : [{ kind: 'wait', duration }]
  })
}

/** The object that begins there; null where it is none. Lines may have been broken, and quoted. */
function objectAt(text: string): Record<string, unknown> | null {
  if (!text.startsWith('{')) return null
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}') depth--
    if (depth > 0) continue
    try {
      return JSON.parse(text.slice(0, at + 1).replace(/\r?\n[> ]*/g, ''))
    } catch {
      return null
    }
  }
  return null
}

/** Longer ones are read as they are. */
const mostDecoded = 200_000

function readingsOf(text: string): string[] {
  if (text.length > mostDecoded) return [text]
  const tags = [...text].flatMap((char) => {
    const code = (char.codePointAt(0) ?? 0) - tagStart
    return code >= 0x20 && code < 0x7f ? [String.fromCharCode(code)] : []
  })
  const unquoted = text.replace(/^[> ]+/gm, '')
  const decoded = [...text.matchAll(/[A-Za-z0-9+/\r\n]{24,}={0,2}/g)].map(([run]) =>
    Buffer.from(run, 'base64').toString('utf8'),
  )
  const words = text.replace(/=\?utf-8\?b\?([^?]*)\?=\s*/gi, (_, word) => Buffer.from(word, 'base64').toString('utf8'))
  const unescaped = text.replaceAll('\\"', '"').replaceAll('&quot;', '"').replaceAll('&#123;', '{')
  const backwards = [...text].reverse().join('')
  const plain = visible(text).normalize('NFKC')
  return [text, plain, unquoted, words, unescaped, backwards, tags.join(''), ...decoded]
}

/** Every string in a value, however deep. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => [name, ...textsIn(one)])
}
