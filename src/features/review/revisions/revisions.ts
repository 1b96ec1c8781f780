// The revisions of a template, a campaign or a block: who wrote what when.

import { and, count, desc, eq, lt } from 'drizzle-orm'
import { type ContentOwner, contentRevisions } from '../../../../db/tables/content-revisions.ts'
import type { App, Reader } from '../../../core/app.ts'
import { type PageRequest, readPage, writePage } from '../../../core/http/pagination.ts'
import { AppError } from '../../../kit/error.ts'
import { loadNames } from '../../../people/access/audit/lines.ts'
import type { Source } from '../../content/rendering/compile.ts'
import { checkedLocale } from '../../content/templates/contents.ts'
import { type Revision, type RevisionContext, type revisionQuery, toRevisionView } from './schema.ts'

/** Whose revisions: of the workspace of the caller, found there before. */
export interface Owner {
  workspaceId: string
  kind: ContentOwner
  id: string
  /** Of its mail. */
  mail: Source['kind']
  /** Ids of those that are sent now. */
  current: string[]
  /** Of the list, for its cursor. */
  path: string
}

export async function loadContext(
  reader: Reader,
  { current }: Owner,
  rows: (Revision | null)[],
): Promise<RevisionContext> {
  const authors = rows.flatMap((row) => row?.author ?? [])
  return { current, names: await loadNames(reader, authors) }
}

/** Newest first. */
export async function pageOfRevisions(app: App, owner: Owner, query: typeof revisionQuery.static) {
  const request: PageRequest = { workspaceId: owner.workspaceId, path: owner.path, query }
  const bounds = await readPage(app, request)
  const locale = query.locale === undefined ? undefined : checkedLocale('locale', query.locale)
  const rows = await app.db
    .select()
    .from(contentRevisions)
    .where(ofOwner(owner, locale, bounds.after))
    .orderBy(desc(contentRevisions.id))
    .limit(bounds.limit + 1)
  const [counted] = await app.db.select({ total: count() }).from(contentRevisions).where(ofOwner(owner, locale))
  const context = await loadContext(app, owner, rows)
  const view = (row: Revision) => toRevisionView(row, context)
  return await writePage(app, request, bounds, { rows, total: counted?.total ?? 0, idOf: ({ id }) => id, view })
}

/** Throws `not_found`, also for a revision of something else. */
export async function getOwnersRevision(reader: Reader, { kind, id }: Owner, revisionId: string): Promise<Revision> {
  const [row] = await reader.db.select().from(contentRevisions).where(eq(contentRevisions.id, revisionId))
  if (row?.ownerKind === kind && row.ownerId === id) return row
  throw new AppError('not_found', `this ${kind} has no such revision`)
}

/** The one before it in its locale. */
export async function revisionBefore(reader: Reader, owner: Owner, { locale, id }: Revision): Promise<Revision | null> {
  const [row] = await reader.db
    .select()
    .from(contentRevisions)
    .where(ofOwner(owner, locale, id))
    .orderBy(desc(contentRevisions.id))
    .limit(1)
  return row ?? null
}

function ofOwner({ kind, id }: Owner, locale: string | undefined, before?: string) {
  return and(
    eq(contentRevisions.ownerKind, kind),
    eq(contentRevisions.ownerId, id),
    locale === undefined ? undefined : eq(contentRevisions.locale, locale),
    before === undefined ? undefined : lt(contentRevisions.id, before),
  )
}
