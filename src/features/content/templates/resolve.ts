// Templates for sending: found by slug, locale chosen, revision compiled. One query, and a cache that cannot be stale: a revision never
// changes, and the brand whose colours it uses is part of the key.

import { and, eq, isNull, sql } from 'drizzle-orm'
import type { ReadDb } from '../../../../db/handle.ts'
import { prepared } from '../../../../db/prepared.ts'
import { contentRevisions } from '../../../../db/tables/content-revisions.ts'
import { templateContents, templates } from '../../../../db/tables/templates.ts'
import type { Brand } from '../../../../db/tables/workspaces.ts'
import type { Reader } from '../../../core/app.ts'
import { isTestWorkspace, realIdOf } from '../../../kit/id.ts'
import { withoutUndefined } from '../../../kit/without-undefined.ts'
import { type Compiled, compileContent, type Source } from '../rendering/compile.ts'
import { toContent } from '../rendering/content.ts'
import type { VariableUse } from '../rendering/variables.ts'
import { type BuiltIn, builtInRevision } from './built-in.ts'

export interface ResolvedTemplate {
  slug: string
  fromName: string | null
  fromEmail: string | null
  replyTo: string | null
  /** Current revision by locale. */
  revisions: Map<string, string>
}

const findActive = prepared((db: ReadDb) =>
  db
    .select({
      slug: templates.slug,
      fromName: templates.fromName,
      fromEmail: templates.fromEmail,
      replyTo: templates.replyTo,
      locale: templateContents.locale,
      revisionId: templateContents.revisionId,
    })
    .from(templates)
    .innerJoin(templateContents, eq(templateContents.templateId, templates.id))
    .where(
      and(
        eq(templates.workspaceId, sql.placeholder('workspaceId')),
        eq(templates.slug, sql.placeholder('slug')),
        isNull(templates.deletedAt),
        eq(templates.status, 'active'),
      ),
    )
    .prepare(),
)

/** An active template by its slug; null for a draft, an archived or a deleted one. What a test workspace has not, is its workspace's. */
export async function resolveTemplate(
  reader: Reader,
  workspaceId: string,
  slug: string,
): Promise<ResolvedTemplate | null> {
  const rows = await findActive(reader.db).all({ workspaceId, slug })
  const [first] = rows
  if (!first) return isTestWorkspace(workspaceId) ? await resolveTemplate(reader, realIdOf(workspaceId), slug) : null
  const { fromName, fromEmail, replyTo } = first
  return {
    slug,
    fromName,
    fromEmail,
    replyTo,
    revisions: new Map(rows.map(({ locale, revisionId }) => [locale, revisionId])),
  }
}

/** The revision of the first locale of `chain` that the template has. */
export function pickRevision(template: ResolvedTemplate, chain: string[]): string | null {
  for (const locale of chain) {
    const revisionId = template.revisions.get(locale)
    if (revisionId !== undefined) return revisionId
  }
  return null
}

export interface Revision {
  id: string
  locale: string
  subject: string
  previewText: string
  compiled: Compiled
}

const maxCached = 1_000
/** Two apps in one process share nothing. */
const compiledRevisions = prepared((_: ReadDb) => new Map<string, Revision>())

const findRevision = prepared((db: ReadDb) =>
  db
    .select()
    .from(contentRevisions)
    .where(eq(contentRevisions.id, sql.placeholder('revisionId')))
    .prepare(),
)

/** Throws when there is no such revision: revisions are never deleted while something refers to them. */
export function getRevision(
  reader: Reader,
  revisionId: string,
  brand: Brand,
  kind: Source['kind'] = 'transactional',
): Revision | Promise<Revision> {
  const cache = compiledRevisions(reader.db)
  const key = `${revisionId} ${kind} ${JSON.stringify(brandLook(brand))}`
  return cache.get(key) ?? readRevision()

  async function readRevision(): Promise<Revision> {
    const row = builtInRevision(revisionId) ?? (await findRevision(reader.db).get({ revisionId }))
    if (!row) throw new Error(`there is no content revision ${revisionId}`)
    const revision = compileRevision(row, brand, kind)
    cache.set(key, revision)
    const [oldest] = cache.keys()
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest)
    return revision
  }
}

/** The variables of each locale, in the order of `revisions` (revision by locale). */
export async function usesByLocale(
  reader: Reader,
  revisions: Map<string, string>,
  brand: Brand,
): Promise<[locale: string, uses: VariableUse[]][]> {
  const uses: [string, VariableUse[]][] = []
  for (const [locale, revisionId] of revisions)
    uses.push([locale, (await getRevision(reader, revisionId, brand)).compiled.uses])
  return uses
}

/** It was read by readContent() when it was stored. */
function compileRevision(
  row: BuiltIn | typeof contentRevisions.$inferSelect,
  brand: Brand,
  kind: Source['kind'],
): Revision {
  const { id, locale, subject, previewText, content } = row
  const compiled = compileContent({
    content: toContent(content),
    subject,
    previewText,
    locale,
    kind,
    brand: brandLook(brand),
  })
  return { id, locale, subject, previewText, compiled }
}

/** The part of a brand that is compiled into a mail; its texts are filled in. */
export function brandLook(brand: Brand): NonNullable<Source['brand']> {
  const { primaryColor: accentColor, logoUrl, darkLogoUrl, backgroundColor, fontFamily, borderRadius } = brand
  return withoutUndefined({ accentColor, logoUrl, darkLogoUrl, backgroundColor, fontFamily, borderRadius })
}
