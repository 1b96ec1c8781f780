// Creates, changes, deletes and lists templates. The public id is the slug; deleting a template frees it, and messages accepted before are
// still rendered from their revision.

import { and, count, eq, isNull, sql } from 'drizzle-orm'
import { isUniqueViolation } from '../../../../db/faults.ts'
import { nameOrder } from '../../../../db/tables/columns.ts'
import { type TemplateStatus, templates } from '../../../../db/tables/templates.ts'
import type { Reader, Tx } from '../../../core/app.ts'
import { type Sort, sortingOf } from '../../../core/http/sorting.ts'
import { AppError, invalidField } from '../../../kit/error.ts'
import { newId } from '../../../kit/id.ts'
import { withoutEnd } from '../../../kit/text.ts'
import { type Content, toContent } from '../rendering/content.ts'
import { currentRevisions, expectRevision, findContent, setContent } from './contents.ts'
import { refuseInUse } from './uses.ts'

export type Template = typeof templates.$inferSelect

const slugPattern = /^[a-z0-9][a-z0-9_-]{0,63}$/
const maxSlugLength = 64
/** Reserved: names of routes, and of other things in a path. */
const reservedSlugs = ['create', 'update', 'delete', 'send', 'list', 'constructor', 'prototype']

export interface NewTemplate {
  name: string
  slug: string | undefined
  subject: string
  previewText: string
  fromName: string | null
  fromEmail: string | null
  replyTo: string | null
  primaryLocale: string
  status: TemplateStatus | undefined
  content: Content | undefined
}

/** Throws `template_exists` when the given slug is taken; a slug derived from the name gets a number instead. */
export async function createTemplate(tx: Tx, workspaceId: string, input: NewTemplate): Promise<Template> {
  const { content, slug, status, ...fields } = input
  if (status === 'active' && content === undefined)
    throw invalidField('status', 'a template without content is a draft', 'no_content')
  const row: Template = {
    ...fields,
    id: newId(tx, 'tpl', tx.now),
    workspaceId,
    slug: slug === undefined ? await freeSlug(tx, workspaceId, input.name) : checkedSlug(slug),
    status: status ?? (content === undefined ? 'draft' : 'active'),
    revisionId: newId(tx, 'rev', tx.now),
    createdAt: tx.now,
    updatedAt: tx.now,
    deletedAt: null,
  }
  try {
    // Reads the result, because a statement without one may be refused only at the end of the transaction.
    await tx.db.insert(templates).values(row).returning({ id: templates.id })
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('template_exists', `there is already a template ${row.slug}`)
    throw error
  }
  if (content !== undefined) {
    const { primaryLocale: locale, subject, previewText } = row
    row.revisionId = await setContent(tx, row, { locale, content, subject, previewText, activates: false })
  }
  return row
}

export type TemplateChange = Partial<Omit<NewTemplate, 'slug'>> & { expectedRevisionId?: string | undefined }

/** Changes what is given. `subject`, `previewText` and `content` are those of the primary locale. */
export async function updateTemplate(
  tx: Tx,
  workspaceId: string,
  slug: string,
  change: TemplateChange,
): Promise<Template> {
  const current = await getTemplate(tx, workspaceId, slug)
  expectRevision(change.expectedRevisionId, current.revisionId)
  const { content, expectedRevisionId: _, ...fields } = change
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const row: Template = { ...current, ...given, revisionId: newId(tx, 'rev', tx.now), updatedAt: tx.now }
  const primary = await findContent(tx, current.id, row.primaryLocale)
  const kept = content ?? (primary ? toContent(primary.content) : undefined)
  if (kept === undefined && row.status === 'active') {
    throw invalidField(
      'primaryLocale',
      `the template has no content in ${row.primaryLocale}; send content with it`,
      'no_content',
    )
  }
  if (change.status === undefined && (await turnsToContent(tx, current, row))) row.status = 'active'
  await tx.db.update(templates).set(row).where(eq(templates.id, row.id))
  if (kept === undefined) return row
  const changed = content !== undefined || primary?.subject !== row.subject || primary.previewText !== row.previewText
  if (changed) {
    const { primaryLocale: locale, subject, previewText } = row
    const activates = change.status === undefined
    await setContent(tx, row, { locale, content: kept, subject, previewText, activates })
  }
  return getTemplate(tx, workspaceId, slug)
}

/** A draft that waited for content in its primary locale and now gets some. */
async function turnsToContent(tx: Tx, before: Template, after: Template): Promise<boolean> {
  if (before.status !== 'draft' || before.primaryLocale === after.primaryLocale) return false
  const revisions = await currentRevisions(tx, before.id)
  return !revisions.has(before.primaryLocale) && revisions.has(after.primaryLocale)
}

/** Throws `not_found`, and `template_in_use` while a campaign or a pending job will send it. */
export async function deleteTemplate(tx: Tx, workspaceId: string, slug: string): Promise<void> {
  const { id } = await getTemplate(tx, workspaceId, slug)
  await refuseInUse(tx, workspaceId, slug)
  await tx.db
    .update(templates)
    .set({ deletedAt: tx.now, status: 'archived', updatedAt: tx.now })
    .where(eq(templates.id, id))
}

/** Throws `not_found`, also for another workspace's. */
export async function getTemplate(reader: Reader, workspaceId: string, slug: string): Promise<Template> {
  const [row] = await reader.db
    .select()
    .from(templates)
    .where(and(eq(templates.workspaceId, workspaceId), eq(templates.slug, slug), isNull(templates.deletedAt)))
  if (!row) throw new AppError('not_found', `there is no template ${JSON.stringify(slug.slice(0, 80))}`)
  return row
}

interface TemplateFilter {
  /** Default: `active`. */
  status?: TemplateStatus | 'all' | undefined
  /** A part of the name or of the slug. */
  q?: string | undefined
}

const byId = { column: templates.id, of: ({ id }: Template) => id }
export const templateOrders = {
  first: '-createdAt',
  named: {
    createdAt: { key: byId },
    updatedAt: { by: { column: sql`updated_at`, of: ({ updatedAt }: Template) => updatedAt.getTime() }, key: byId },
    name: { by: { column: nameOrder, of: ({ name }: Template) => name }, key: byId },
  },
} as const
type TemplateSort = Sort<keyof typeof templateOrders.named>

interface TemplatePage extends TemplateFilter {
  sort?: TemplateSort | undefined
  after: string | undefined
  limit: number
}

/** Newest first, unless asked otherwise; one more than `limit`. */
export async function listTemplates(
  reader: Reader,
  workspaceId: string,
  { limit, after, sort, status = 'active', q = '' }: TemplatePage,
): Promise<{ rows: Template[]; total: number }> {
  const { name, slug } = templates
  const { order, beyond } = sortingOf(templateOrders, sort)
  const wanted = and(
    eq(templates.workspaceId, workspaceId),
    isNull(templates.deletedAt),
    status === 'all' ? undefined : eq(templates.status, status),
    q === '' ? undefined : sql`instr(lower(${name} || ' ' || ${slug}), lower(${q})) > 0`,
  )
  const rows = await reader.db
    .select()
    .from(templates)
    .where(and(wanted, beyond(after)))
    .orderBy(order)
    .limit(limit + 1)
  const [counted] = await reader.db.select({ total: count() }).from(templates).where(wanted)
  return { rows, total: counted?.total ?? 0 }
}

function checkedSlug(slug: string): string {
  if (!slugPattern.test(slug)) {
    throw invalidField(
      'id',
      'must be 1 to 64 characters of a-z, 0-9, "_" and "-", beginning with a letter or digit',
      'invalid_slug',
    )
  }
  if (reservedSlugs.includes(slug)) throw invalidField('id', `${slug} is reserved`, 'reserved_slug')
  return slug
}

/** The name as a slug, with -2, -3 … while that is taken. */
async function freeSlug(tx: Tx, workspaceId: string, name: string): Promise<string> {
  const base = toSlug(name)
  const mine = and(eq(templates.workspaceId, workspaceId), isNull(templates.deletedAt))
  const rows = await tx.db.select({ slug: templates.slug }).from(templates).where(mine)
  const taken = new Set([...rows.map(({ slug }) => slug), ...reservedSlugs])
  return taken.has(base) ? nextFree(base, taken) : base
}

function nextFree(base: string, taken: Set<string>): string {
  let number = 2
  while (taken.has(numbered(base, number))) number++
  return numbered(base, number)
}

function numbered(base: string, number: number): string {
  const suffix = `-${number}`
  return base.slice(0, maxSlugLength - suffix.length) + suffix
}

/** A name as a slug: the same name gives the same. */
export function toSlug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  const begin = plain.replace(/[^a-z0-9_-]+/g, '-').replace(/^[-_]+/, '')
  const slug = withoutEnd(begin, '-').slice(0, maxSlugLength)
  return slug === '' ? 'template' : slug
}
