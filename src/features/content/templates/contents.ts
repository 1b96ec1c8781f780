// The content of a template, one per locale. Setting one creates a revision and makes it the locale's current one.

import { and, asc, eq } from 'drizzle-orm'
import { contentRevisions } from '../../../../db/tables/content-revisions.ts'
import { templateContents, templates } from '../../../../db/tables/templates.ts'
import type { Reader, Tx } from '../../../core/app.ts'
import { AppError, type Issue, invalidField } from '../../../kit/error.ts'
import { canonicalLocale } from '../../../kit/locale.ts'
import { compileContent } from '../rendering/compile.ts'
import type { Content } from '../rendering/content.ts'
import { addRevision } from './revisions.ts'

export interface LocaleContent {
  locale: string
  content: unknown
  subject: string
  previewText: string
  revisionId: string
  updatedAt: Date
}

/** Throws `validation_failed` for an invalid language tag. */
export function checkedLocale(path: string, locale: string): string {
  const canonical = canonicalLocale(locale)
  if (canonical === null) throw invalidField(path, 'must be a language tag like en or pt-BR (BCP 47)', 'invalid_locale')
  return canonical
}

/** Current revision by locale. */
export async function currentRevisions(reader: Reader, templateId: string): Promise<Map<string, string>> {
  const rows = await reader.db
    .select({ locale: templateContents.locale, revisionId: templateContents.revisionId })
    .from(templateContents)
    .where(eq(templateContents.templateId, templateId))
    .orderBy(asc(templateContents.locale))
  return new Map(rows.map(({ locale, revisionId }) => [locale, revisionId]))
}

/** The tree of exactly this locale: reading has no fallback. */
export async function findContent(reader: Reader, templateId: string, locale: string): Promise<LocaleContent | null> {
  const [row] = await reader.db
    .select({ revision: contentRevisions, updatedAt: templateContents.updatedAt })
    .from(templateContents)
    .innerJoin(contentRevisions, eq(contentRevisions.id, templateContents.revisionId))
    .where(and(eq(templateContents.templateId, templateId), eq(templateContents.locale, locale)))
  if (!row) return null
  const { id, content, subject, previewText } = row.revision
  return { locale, content, subject, previewText, revisionId: id, updatedAt: row.updatedAt }
}

export interface NewContent {
  locale: string
  content: Content
  subject: string
  previewText: string
}

/** The warnings of a compiled tree; nothing is stored. */
export function compileWarnings({ content, subject, previewText, locale }: NewContent): Issue[] {
  return compileContent({ content, subject, previewText, locale, kind: 'transactional' }).warnings
}

/** Adds a revision for one locale. With `activates`, a draft becomes active with the first content of its primary locale. */
export async function setContent(
  tx: Tx,
  template: typeof templates.$inferSelect,
  { locale, content, subject, previewText, activates }: NewContent & { activates: boolean },
): Promise<string> {
  const isPrimary = locale === template.primaryLocale
  const waits = activates && isPrimary && template.status === 'draft'
  const becomesActive = waits && !(await currentRevisions(tx, template.id)).has(locale)
  const { workspaceId, id: ownerId, fromName, fromEmail, replyTo } = template
  const said = { locale, subject, previewText, content, settings: { fromName, fromEmail, replyTo } }
  const id = await addRevision(tx, { workspaceId, ownerKind: 'template', ownerId, ...said })
  await tx.db
    .insert(templateContents)
    .values({ templateId: template.id, locale, revisionId: id, updatedAt: tx.now })
    .onConflictDoUpdate({
      target: [templateContents.templateId, templateContents.locale],
      set: { revisionId: id, updatedAt: tx.now },
    })
  await tx.db
    .update(templates)
    .set({
      revisionId: id,
      updatedAt: tx.now,
      ...(becomesActive ? { status: 'active' } : {}),
      ...(isPrimary ? { subject, previewText } : {}),
    })
    .where(eq(templates.id, template.id))
  return id
}

/** Throws `revision_mismatch` when somebody else changed it in the meantime. */
export function expectRevision(expected: string | undefined, actual: string | undefined): void {
  if (expected === undefined || expected === actual) return
  const message = `expectedRevisionId is not the current revision${actual === undefined ? '' : ` (${actual})`}`
  throw new AppError('revision_mismatch', message, {
    errors: [{ path: 'expectedRevisionId', message, code: 'revision_mismatch' }],
  })
}
