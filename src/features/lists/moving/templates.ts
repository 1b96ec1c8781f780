// The templates of an export: each becomes a draft, as a component tree where it converts to a faithful one, else as the HTML that it is. The
// report gives the reason where neither is possible.

import type { ExportReport } from '../../../../db/tables/contacts.ts'
import type { App } from '../../../core/app.ts'
import { AppError } from '../../../kit/error.ts'
import { createPace } from '../../../kit/turn.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { type EmbeddedPicture, takeOutPictures } from '../../content/media/embedded.ts'
import type { Content } from '../../content/rendering/content.ts'
import { draftTemplate } from '../../content/templates/draft.ts'
import { readSource } from '../../content/templates/read-content.ts'
import { toSlug } from '../../content/templates/templates.ts'
import { convertTemplate, type Dialect, inOurWords, maxSubjectChars } from './convert-template.ts'

export interface FoundTemplate {
  name: string
  subject: string
  html: string
  dialect: Dialect
}

const maxTemplates = 500
export const maxHtmlLength = 500_000

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

interface ConvertedTemplate {
  content: Content
  /** That it shows by the addresses that they will have. */
  pictures: EmbeddedPicture[]
  subject: string
  /** What was not taken over. */
  notes: string[]
}

async function moveTemplate(app: App, workspace: Workspace, template: FoundTemplate, makes: boolean) {
  const { name } = template
  const leftOut = (...problems: string[]) => ({ name, converted: false, templateId: null, problems })
  if (template.html.length > maxHtmlLength) return leftOut(`is longer than ${maxHtmlLength} characters`)
  try {
    const made = await convert(app, workspace, template)
    if ('problems' in made) return leftOut(...made.problems)
    const { content, pictures, subject, notes } = made
    if (!makes) return { name, converted: true, templateId: null, problems: notes }
    const fields = { id: toSlug(name), name: name.slice(0, 200), subject }
    const { id } = await draftTemplate(app, workspace, { ...fields, content, status: 'draft' }, pictures)
    return { name, converted: true, templateId: id, problems: notes }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'template_exists') return leftOut('a template of this name is there already; it was not changed')
    return leftOut(error.message)
  }
}

/** HTML can be kept as it is, but not with placeholders that nothing would fill. */
async function convert(
  app: App,
  workspace: Workspace,
  { html: given, subject, dialect }: FoundTemplate,
): Promise<ConvertedTemplate | { problems: string[] }> {
  const { source: html, pictures, issues } = takeOutPictures(app, workspace.id, given)
  const refused = issues.map(({ message }) => message)
  const made = await app.aside.run(convertTemplate, { html, subject, dialect }, html.length)
  if (!('problems' in made)) return { ...made, pictures, notes: [...refused, ...made.notes] }
  const [source, title] = [inOurWords(dialect, html), inOurWords(dialect, subject)]
  if (source.unknown.length + title.unknown.length > 0) return made
  const { content } = await readSource(app, workspace.id, { kind: 'html', source: source.text, at: '' })
  const notes = [...made.problems.map((one) => `${one}: kept as HTML`), ...content.issues.map(({ message }) => message)]
  return { content, pictures, subject: title.text.slice(0, maxSubjectChars), notes }
}
