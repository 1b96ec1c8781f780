// Says a message in a language: with its numbers as the language writes them, and in the form that a number wants. What a message is made
// of was read before, where the dashboard is built or by the server, so that no browser loads a parser.

import { textDirection, withLatinDigits } from '../src/kit/locale.ts'
import { ownValue } from '../src/kit/own-value.ts'

/** A text, a value, a number, one of several by a word, or one of several by a number. */
type Part =
  | string
  | [name: string]
  | [name: string, as: 'number']
  | [name: string, by: 'select' | 'plural', cases: Record<string, Part[]>]

/** A text as it is, or the parts of one that takes values. */
export type Message = string | Part[]

export interface Tree<Leaf> {
  [key: string]: Leaf | Tree<Leaf>
}

/** Messages that say the words W. */
export type MessagesOf<W> = Tree<Message> & { [says]?: W }
declare const says: unique symbol

type Value = string | number | boolean
/** The one value that a message takes, or its values by name. */
type Values = Value | Record<string, Value>

/** Makes words of messages: a text, or a function of its values. */
export function createSpeaker(language: string): <W>(messages: MessagesOf<W>) => W {
  const numbers = new Intl.NumberFormat(withLatinDigits(language))
  const forms = new Intl.PluralRules(language)
  const isMirrored = textDirection(language) === 'rtl'
  const say = (parts: Part[], given: Values): string => parts.map((part) => sayOne(part, given)).join('')
  const sayOne = (part: Part, given: Values): string => {
    if (typeof part === 'string') return part
    const [name, how, cases] = part
    const value = typeof given === 'object' ? given[name] : given
    if (how === 'number') return numbers.format(Number(value))
    if (cases === undefined) return isMirrored ? isolated(String(value)) : String(value)
    const form = how === 'select' ? String(value) : formOf(Number(value), cases)
    return say(ownValue(cases, form) ?? cases['other'] ?? [], given)
  }
  const formOf = (n: number, cases: Record<string, Part[]>) =>
    Object.hasOwn(cases, `=${n}`) ? `=${n}` : forms.select(n)
  const told = (text: string) => (isMirrored ? fromTheRight(text) : text)
  const speak = (messages: Tree<Message>): object =>
    Object.fromEntries(
      Object.entries(messages).map(([key, one]) => {
        if (Array.isArray(one)) return [key, (given: Values) => told(say(one, given))]
        return [key, typeof one === 'string' ? told(one) : speak(one)]
      }),
    )
  return <W>(messages: MessagesOf<W>) => speak(messages) as W
}

/** What stands alone takes its direction from its first letter, and that may be one of a name: `SPF وDKIM`. A mark comes before it. */
export function fromTheRight(text: string): string {
  return latinFirst.test(text) ? rightToLeftMark + text : text
}

const latinFirst = /^\P{L}*\p{Script=Latin}.*[\p{Script=Arabic}\p{Script=Hebrew}]/su
const rightToLeftMark = '\u200F'

/** In its own direction (Unicode, UAX 9): else an address in Arabic pulls the words beside it to its other side. */
function isolated(text: string): string {
  return `\u2068${text}\u2069`
}
