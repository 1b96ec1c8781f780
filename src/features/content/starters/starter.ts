// What a template may start from: a whole mail in each language, with what fills it while it is looked at. A starter is data, made of its
// tree and its words, so that both languages are the same mail.

import type { Node } from '../rendering/nodes.ts'

export const starterLanguages = ['en', 'de'] as const
export type StarterLanguage = (typeof starterLanguages)[number]

/** What every starter says of itself. */
interface Heading {
  /** Of the template that is made of it. */
  name: string
  /** What it is for, in a line. */
  purpose: string
  subject: string
  previewText: string
}

export interface StarterMail extends Heading {
  content: Node[]
  /** Fills what a send would bring. */
  dataVariables: Record<string, unknown>
}

export interface Starter {
  id: string
  kind: 'transactional' | 'marketing'
  mails: Record<StarterLanguage, StarterMail>
}

interface WrittenStarter<W> {
  id: string
  kind: Starter['kind']
  words: Record<StarterLanguage, W>
  mail: (words: W) => Omit<StarterMail, keyof Heading>
}

export function starter<W extends Heading>({ id, kind, words, mail }: WrittenStarter<W>): Starter {
  const inLanguage = (said: W): StarterMail => {
    const { name, purpose, subject, previewText } = said
    return { name, purpose, subject, previewText, ...mail(said) }
  }
  return { id, kind, mails: { en: inLanguage(words.en), de: inLanguage(words.de) } }
}

/** A ground that goes dark with the reader, for what is to be found at a glance. */
export function panel(children: Node[]): Node {
  return { type: 'section', backgroundColor: '#f5f6f8', padding: 24, children }
}

/** Names and values, one below the other. */
export function facts(rows: [name: string, value: string][]): Node {
  return { type: 'list', items: rows, cellAlign: ['left', 'right'] }
}

/** Said beside the matter. */
export function aside(text: string): Node {
  return { type: 'text', text, format: 'markdown', fontSize: 14 }
}

export function copy(text: string): Node {
  return { type: 'text', text, format: 'markdown' }
}

/** Where its own pictures stand until it is used: nothing is ever asked there. */
const pictureHost = 'https://starter.invalid/'

export function pictureAddress(name: string): string {
  return `${pictureHost}${name}.png`
}
