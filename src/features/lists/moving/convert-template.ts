// Converts one template of another service: its HTML into a component tree, its placeholders into our names. It runs on the side thread,
// because the author of the HTML decides how long it takes.

import { defineSideWork } from '../../../kit/aside.ts'
import { AppError } from '../../../kit/error.ts'
import type { Node } from '../../content/rendering/nodes.ts'

export const dialects = ['listmonk', 'mailchimp', 'brevo'] as const
export type Dialect = (typeof dialects)[number]

export const maxSubjectChars = 500

const placeholders: Record<Dialect, RegExp> = {
  listmonk: /\{\{-?([^{}]{0,300}?)-?\}\}/g,
  mailchimp: /\*\|([^|*]{1,100})\|\*/g,
  brevo: /\{\{([^{}]{0,300}?)\}\}/g,
}

const ownNames: Record<Dialect, [RegExp, string][]> = {
  listmonk: [
    [/^\.Subscriber\.Email$/, 'contact.email'],
    [/^\.Subscriber\.(FirstName|Name)$/, 'contact.firstName'],
    [/^\.Subscriber\.LastName$/, 'contact.lastName'],
    [/^\.Subscriber\.Attribs\.([A-Za-z]\w*)$/, 'contact.$1'],
    [/^\.Tx\.Data\.([A-Za-z]\w*)$/, '$1'],
    [/^UnsubscribeURL( \.)?$/, 'unsubscribe_url'],
    [/^ManageURL( \.)?$/, 'preferences_url'],
    [/^MessageURL( \.)?$/, 'view_in_browser_url'],
    [/^TrackView( \.)?$/, ''],
  ],
  mailchimp: [
    [/^EMAIL$/, 'contact.email'],
    [/^FNAME$/, 'contact.firstName'],
    [/^LNAME$/, 'contact.lastName'],
    [/^UNSUB$/, 'unsubscribe_url'],
    [/^UPDATE_PROFILE$/, 'preferences_url'],
    [/^ARCHIVE$/, 'view_in_browser_url'],
    [/^(LIST:)?COMPANY$/, 'company_name'],
    [/^LIST:(ADDRESS|ADDRESSLINE)$/, 'company_address'],
    [/^CURRENT_YEAR$/, 'year'],
    [/^MC:SUBJECT$/, ''],
  ],
  brevo: [
    [/^contact\.EMAIL$/, 'contact.email'],
    [/^contact\.FIRSTNAME$/, 'contact.firstName'],
    [/^contact\.LASTNAME$/, 'contact.lastName'],
    [/^unsubscribe$/, 'unsubscribe_url'],
    [/^mirror$/, 'view_in_browser_url'],
    [/^params\.([A-Za-z]\w*)$/, '$1'],
  ],
}

/** Our placeholder for each of theirs. */
export function inOurWords(dialect: Dialect, text: string): { text: string; unknown: string[] } {
  const unknown: string[] = []
  // listmonk: `https://example.com@TrackLink` counts clicks, which is not for the address to say here.
  const plain =
    dialect === 'listmonk'
      ? text.replaceAll('@TrackLink', '').replace(/\{\{\s*TrackLink "([^"{}]{1,2000})"( \.)?\s*\}\}/g, '$1')
      : text
  const said = plain.replace(placeholders[dialect], (whole, inside: string) => {
    const name = inside.trim()
    const [pattern, mine] = ownNames[dialect].find(([one]) => one.test(name)) ?? []
    if (pattern === undefined || mine === undefined) unknown.push(whole.slice(0, 80))
    return pattern === undefined || !mine ? '' : `{{${name.replace(pattern, mine)}}}`
  })
  return { text: said, unknown }
}

interface Foreign {
  html: string
  subject: string
  /** Undefined: its placeholders are ours. */
  dialect: Dialect | undefined
}

type Converted = { content: Node[]; subject: string; notes: string[] } | { problems: string[] }

export const convertTemplate = defineSideWork({
  name: 'convert-template',
  whenStuck: () => ({ problems: ['takes too long to read'] }),
  async run({ html, subject, dialect }: Foreign): Promise<Converted> {
    const [{ treeOfHtml }, { parseTree }] = await Promise.all([
      import('./html-tree.ts'),
      import('../../content/rendering/tree.ts'),
    ])
    const inWords = (text: string) => (dialect === undefined ? { text, unknown: [] } : inOurWords(dialect, text))
    const { nodes, problems, notes } = treeOfHtml(html, inWords)
    const title = inWords(subject)
    const all = [...problems, ...title.unknown.map((one) => `${one} in its subject has no counterpart`)]
    if (all.length > 0) return { problems: all }
    try {
      parseTree(nodes)
      return { content: nodes, subject: title.text.slice(0, maxSubjectChars), notes }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { problems: [error.message] }
    }
  },
})
