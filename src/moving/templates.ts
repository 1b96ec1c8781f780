// The templates of an export: what has a faithful component tree becomes a draft here; of the others the report says why not.

import type { ExportReport } from '../../db/tables/contacts.ts'
import type { App } from '../app.ts'
import { AppError } from '../lib/error.ts'
import { createPace } from '../lib/turn.ts'
import { parseTree } from '../rendering/tree.ts'
import { draftTemplate } from '../templates/draft.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import { treeOfHtml } from './html-tree.ts'

type Dialect = 'listmonk' | 'mailchimp' | 'brevo'

export interface FoundTemplate {
  name: string
  subject: string
  html: string
  dialect: Dialect
}

const maxTemplates = 500
const maxHtmlLength = 500_000

const placeholders: Record<Dialect, RegExp> = {
  listmonk: /\{\{-?([^{}]{0,300}?)-?\}\}/g,
  mailchimp: /\*\|([^|*]{1,100})\|\*/g,
  brevo: /\{\{([^{}]{0,300}?)\}\}/g,
}

const ours: Record<Dialect, [RegExp, string][]> = {
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
    const [pattern, mine] = ours[dialect].find(([one]) => one.test(name)) ?? []
    if (pattern === undefined || mine === undefined) unknown.push(whole.slice(0, 80))
    return pattern === undefined || !mine ? '' : `{{${name.replace(pattern, mine)}}}`
  })
  return { text: said, unknown }
}

/** Makes drafts of those that can be converted, unless it is for show. The same name again is the same template. */
export async function moveTemplates(
  app: App,
  workspace: Workspace,
  found: FoundTemplate[],
  makes: boolean,
): Promise<ExportReport['templates']> {
  const pace = createPace(workspace.id)
  const report: ExportReport['templates'] = []
  for (const template of found.slice(0, maxTemplates)) {
    await pace()
    report.push(await moveTemplate(app, workspace, template, makes))
  }
  for (const { name } of found.slice(maxTemplates))
    report.push({ name, converted: false, templateId: null, problems: [`is beyond the first ${maxTemplates}`] })
  return report
}

async function moveTemplate(
  app: App,
  workspace: Workspace,
  { name, subject, html, dialect }: FoundTemplate,
  makes: boolean,
) {
  const leftOut = (...problems: string[]) => ({ name, converted: false, templateId: null, problems })
  if (html.length > maxHtmlLength) return leftOut(`is longer than ${maxHtmlLength} characters`)
  const { nodes, problems, notes } = treeOfHtml(html, (text) => inOurWords(dialect, text))
  const said = inOurWords(dialect, subject)
  const all = [...problems, ...said.unknown.map((one) => `${one} in its subject has no counterpart`)]
  if (all.length > 0) return leftOut(...all)
  try {
    parseTree(nodes)
    if (!makes) return { name, converted: true, templateId: null, problems: notes }
    const fields = { id: slugOf(name), name: name.slice(0, 200), subject: said.text.slice(0, 500) }
    const { id } = await draftTemplate(app, workspace, { ...fields, content: nodes, status: 'draft' })
    return { name, converted: true, templateId: id, problems: notes }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'template_exists') return leftOut('a template of this name is there already; it was not changed')
    return leftOut(error.message)
  }
}

/** The same name gives the same slug, so that an export which comes twice makes no second template. */
function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return slug.slice(0, 64) || 'template'
}
