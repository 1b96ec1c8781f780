// Reads ICU MessageFormat: https://unicode-org.github.io/icu/userguide/format_parse/messages/. Of it we speak values, numbers, plural and
// select; dates and times are written by the code, in the form that their place wants.

import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import type { Message, Tree } from './message.ts'

/** What a message does with a value. */
export type Use = 'text' | 'number' | 'select'

type Part = Exclude<Message, string>[number]

/** Throws for what is no message, or says what we do not speak. */
export function parseMessage(text: string): Message {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const parts = toParts(parse(text, { ignoreTag: true }), null)
  const [only = ''] = parts
  const message = parts.length < 2 && typeof only === 'string' ? only : parts
  parsed.set(text, message)
  return message
}

/** A cache: each message is looked at to see whether its language is whole, and then to say it. */
const parsed = new Map<string, Message>()

export function parseTree(tree: Tree<string>): Tree<Message> {
  return Object.fromEntries(
    Object.entries(tree).map(([key, one]) => [key, typeof one === 'string' ? parseMessage(one) : parseTree(one)]),
  )
}

/** `counted`: the number that a # stands for. */
function toParts(elements: MessageFormatElement[], counted: string | null): Part[] {
  return elements.map((element): Part => {
    switch (element.type) {
      case TYPE.literal:
        return element.value
      case TYPE.argument:
        return [element.value]
      case TYPE.pound:
        return [counted ?? '', 'number']
      case TYPE.number:
        if (element.style) throw new Error(`{${element.value}, number} takes no style`)
        return [element.value, 'number']
      case TYPE.select:
        return [element.value, 'select', casesOf(element.options, counted)]
      case TYPE.plural:
        if (element.offset !== 0 || element.pluralType !== 'cardinal')
          throw new Error(`{${element.value}}: neither offset nor selectordinal`)
        return [element.value, 'plural', casesOf(element.options, element.value)]
      default:
        throw new Error('dates, times and tags are no part of a message')
    }
  })
}

function casesOf(options: Record<string, { value: MessageFormatElement[] }>, counted: string | null) {
  return Object.fromEntries(Object.entries(options).map(([name, { value }]) => [name, toParts(value, counted)]))
}

/** The values that a message takes, in the order of the text. A number that is also written as it is remains a number. */
export function usesIn(message: Message): Map<string, Use> {
  const uses = new Map<string, Use>()
  for (const part of branchesOf(message)) {
    if (typeof part === 'string') continue
    const [name, how = 'text'] = part
    const use = how === 'plural' ? 'number' : how
    if (use !== 'text' || !uses.has(name)) uses.set(name, use)
  }
  return uses
}

/** The cases of each place that chooses by a word or a number. */
export function choicesIn(message: Message): { by: 'select' | 'plural'; names: string[] }[] {
  return branchesOf(message).flatMap((part) =>
    typeof part !== 'string' && part.length === 3 ? [{ by: part[1], names: Object.keys(part[2]) }] : [],
  )
}

/** All its parts, with those of its cases. */
function branchesOf(message: Message): Part[] {
  if (typeof message === 'string') return [message]
  return message.flatMap((part) =>
    typeof part !== 'string' && part.length === 3 ? [part, ...Object.values(part[2]).flatMap(branchesOf)] : [part],
  )
}
