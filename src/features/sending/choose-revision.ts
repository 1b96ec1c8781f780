// Which content of a template somebody gets, by their language.

import type { Reader } from '../../core/app.ts'
import { AppError, type Issue, invalidField } from '../../kit/error.ts'
import { canonicalLocale, localeChain } from '../../kit/locale.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { unionOfUses } from '../content/rendering/variables.ts'
import {
  getRevision,
  pickRevision,
  type ResolvedTemplate,
  type Revision,
  usesByLocale,
} from '../content/templates/resolve.ts'

interface TemplateOfWorkspace {
  workspace: Workspace
  template: ResolvedTemplate
}

/** exact -> base -> brand -> English. */
export function chooseRevision(
  reader: Reader,
  { workspace, template }: TemplateOfWorkspace,
  locale: string | undefined,
): Revision | Promise<Revision> {
  const requested = locale === undefined ? workspace.primaryLocale : canonicalLocale(locale)
  if (requested === null)
    throw invalidField('locale', 'must be a language tag like en or pt-BR (BCP 47)', 'invalid_locale')
  const exact = template.revisions.get(requested)
  if (exact !== undefined) return getRevision(reader, exact, workspace.brand)
  const chain = localeChain(requested, workspace.primaryLocale)
  const revisionId = pickRevision(template, chain)
  if (revisionId === null) throw noContent(`the template has no content for ${chain.join(', ')}`)
  return getRevision(reader, revisionId, workspace.brand)
}

function noContent(message: string): AppError {
  return new AppError('no_content', message, { errors: [{ path: 'locale', message, code: 'no_content' }] })
}

/** Of variables that the locale of a mail does not use: those that no other locale of the template uses, because a caller sends the same variables for all locales. */
export async function findUnused(
  reader: Reader,
  { workspace, template }: TemplateOfWorkspace,
  unused: Issue[],
): Promise<Issue[]> {
  if (template.revisions.size === 1) return unused
  const uses = unionOfUses(await usesByLocale(reader, template.revisions, workspace.brand))
  const used = new Set(uses.map(({ name }) => `dataVariables.${name}`))
  return unused.filter(({ path }) => !used.has(path))
}
