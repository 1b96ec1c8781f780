// The templates of an export: one that converts to a faithful component tree becomes a draft; the report gives the reason for each of the
// others.

import type { ExportReport } from '../../../../db/tables/contacts.ts'
import type { App } from '../../../core/app.ts'
import { AppError } from '../../../kit/error.ts'
import { createPace } from '../../../kit/turn.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { draftTemplate } from '../../content/templates/draft.ts'
import { toSlug } from '../../content/templates/templates.ts'
import { convertTemplate, type Dialect } from './convert-template.ts'

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

async function moveTemplate(
  app: App,
  workspace: Workspace,
  { name, subject, html, dialect }: FoundTemplate,
  makes: boolean,
) {
  const leftOut = (...problems: string[]) => ({ name, converted: false, templateId: null, problems })
  if (html.length > maxHtmlLength) return leftOut(`is longer than ${maxHtmlLength} characters`)
  try {
    const made = await app.aside.run(convertTemplate, { html, subject, dialect }, html.length)
    if ('problems' in made) return leftOut(...made.problems)
    const { content, notes } = made
    if (!makes) return { name, converted: true, templateId: null, problems: notes }
    const fields = { id: toSlug(name), name: name.slice(0, 200), subject: made.subject }
    const { id } = await draftTemplate(app, workspace, { ...fields, content, status: 'draft' })
    return { name, converted: true, templateId: id, problems: notes }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'template_exists') return leftOut('a template of this name is there already; it was not changed')
    return leftOut(error.message)
  }
}
