// A change of a template, or of its words in one locale, by one call: what agents have for both (PATCH and PUT of the routes).

import type { App } from '../../../core/app.ts'
import type { Issue } from '../../../kit/error.ts'
import { canonicalLocale } from '../../../kit/locale.ts'
import { withoutUndefined } from '../../../kit/without-undefined.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { changeTemplate, putLocale } from './draft.ts'
import { getTemplate } from './templates.ts'

export interface TemplateChange {
  /** The slug. */
  id: string
  name?: string
  subject?: string
  /** Of `locale`. */
  content?: unknown
  /** BCP 47; default: the primary locale. */
  locale?: string
  status?: 'draft'
  expectedRevisionId?: string
}

/** Returns the template after the change, with warnings. Throws `not_found`, `validation_failed`, 409 `revision_mismatch`. */
export async function writeTemplate(app: App, workspace: Workspace, { locale, ...input }: TemplateChange) {
  const { id, name, content, subject, expectedRevisionId } = input
  if (locale === undefined || content === undefined || (await isPrimary(app, workspace, id, locale)))
    return await changeTemplate(app, workspace, input)
  const words = { content, ...withoutUndefined({ subject, expectedRevisionId }) }
  const { warnings = [] }: { warnings?: Issue[] } = await putLocale(app, workspace, { templateId: id, locale }, words)
  const view = await changeTemplate(app, workspace, { id, ...withoutUndefined({ name }) })
  return { ...view, warnings }
}

async function isPrimary(app: App, workspace: Workspace, id: string, locale: string): Promise<boolean> {
  const { primaryLocale } = await getTemplate(app, workspace.id, id)
  return canonicalLocale(locale) === primaryLocale
}
