// Workspaces are tenants: every row of a feature carries the id of one, and nothing is ever read without it.

import { asc, eq, sql } from 'drizzle-orm'
import { isUniqueViolation } from '../../db/faults.ts'
import type { ReadDb } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { type Limits, type TrustLevel, workspaces } from '../../db/tables/workspaces.ts'
import type { Reader, Tx } from '../core/app.ts'
import { AppError, invalidField } from '../kit/error.ts'
import { newId, testIdOf } from '../kit/id.ts'
import { isOneLine } from '../kit/text.ts'
import { checkedAttachmentTypes } from './attachment-types.ts'
import { type BrandChange, mergeBrand } from './brand.ts'
import { noteMediaUses } from './media-uses.ts'

export type Workspace = typeof workspaces.$inferSelect

export const trustLevels: TrustLevel[] = ['M0', 'M1', 'M2', 'M3', 'M4']

const slugPattern = /^[a-z0-9][a-z0-9_-]{0,63}$/
const maxNameChars = 200

export interface NewWorkspace {
  slug: string
  name?: string | undefined
  trustLevel: TrustLevel
  /** Default: none, and none counted. */
  limits?: Limits | null
}

/** Throws `validation_failed` for an invalid slug, `conflict` for one that is taken. */
export async function createWorkspace(tx: Tx, input: NewWorkspace): Promise<Workspace> {
  const row = {
    id: newId(tx, 'ws', tx.now),
    slug: checkedSlug(input.slug),
    name: checkedName(input.name ?? input.slug),
    trustLevel: input.trustLevel,
    primaryLocale: 'en',
    timeZone: 'UTC',
    brand: {},
    attachmentTypes: null,
    maxAttachments: null,
    limits: input.limits ?? null,
    linkHost: null,
    suspendedAt: null,
    suspendedReason: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  try {
    // Reads the result, because a statement without one may be refused only at the end of the transaction.
    await tx.db.insert(workspaces).values(row).returning({ id: workspaces.id })
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('conflict', `There is already a workspace ${row.slug}.`)
    throw error
  }
  return row
}

/** All of them, oldest first. */
export async function listWorkspaces(reader: Reader): Promise<Workspace[]> {
  return await reader.db.select().from(workspaces).orderBy(asc(workspaces.id)).all()
}

/**
 * The one with which the installation was created, whose owners keep it: its row is the first one. One that moves here is not, however old:
 * when it was created is what its file says.
 */
export async function findFirstWorkspace(reader: Reader): Promise<Workspace | null> {
  const [first] = await reader.db.select().from(workspaces).orderBy(sql`rowid`).limit(1)
  return first ?? null
}

/** Throws `not_found`. */
export async function getWorkspaceBySlug(reader: Reader, slug: string): Promise<Workspace> {
  const row = await reader.db.select().from(workspaces).where(eq(workspaces.slug, slug)).get()
  if (!row) throw new AppError('not_found', `There is no workspace ${slug}.`)
  return row
}

const findWorkspace = prepared((db: ReadDb) =>
  db
    .select()
    .from(workspaces)
    .where(eq(workspaces.id, sql.placeholder('workspaceId')))
    .prepare(),
)

/** Throws `not_found`. */
export async function getWorkspace(reader: Reader, workspaceId: string): Promise<Workspace> {
  const row = await findWorkspace(reader.db).get({ workspaceId })
  if (!row) throw new AppError('not_found', 'There is no such workspace.')
  return row
}

/** What holds everything of it that would leave; null: nothing. */
export function holdsAll({ suspendedAt }: Pick<Workspace, 'suspendedAt'>): 'workspace_suspended' | null {
  return suspendedAt === null ? null : 'workspace_suspended'
}

export interface WorkspaceChange {
  name?: string
  primaryLocale?: string
  timeZone?: string
  /** Given members replace the stored ones; null clears one. */
  brand?: BrandChange
  /** Beside what everybody may attach; null: nothing more. */
  attachmentTypes?: string[] | null
  /** null: as many as everybody may. */
  maxAttachments?: number | null
}

/** Changes what is given and returns the new row. Throws `validation_failed`. */
export async function updateWorkspace(tx: Tx, workspaceId: string, change: WorkspaceChange): Promise<Workspace> {
  const current = await getWorkspace(tx, workspaceId)
  const row = {
    ...current,
    name: change.name === undefined ? current.name : checkedName(change.name),
    primaryLocale: change.primaryLocale === undefined ? current.primaryLocale : checkedLocale(change.primaryLocale),
    timeZone: change.timeZone === undefined ? current.timeZone : checkedTimeZone(change.timeZone),
    brand: mergeBrand(current.brand, change.brand ?? {}),
    attachmentTypes:
      change.attachmentTypes === undefined ? current.attachmentTypes : checkedAttachmentTypes(change.attachmentTypes),
    maxAttachments: change.maxAttachments === undefined ? current.maxAttachments : change.maxAttachments,
    updatedAt: tx.now,
  }
  await tx.db.update(workspaces).set(row).where(eq(workspaces.id, workspaceId))
  await noteMediaUses(tx, workspaceId, [row.brand.logoUrl, row.brand.darkLogoUrl].join(' '))
  // Its test workspace shows the same mail.
  const { primaryLocale, timeZone, brand, attachmentTypes, maxAttachments } = row
  const looks = { name: testNameOf(row.name), primaryLocale, timeZone, brand }
  const shown = { ...looks, attachmentTypes, maxAttachments, updatedAt: tx.now }
  await tx.db
    .update(workspaces)
    .set(shown)
    .where(eq(workspaces.id, testIdOf(workspaceId)))
  return row
}

export function testNameOf(name: string): string {
  return `${name} (test)`
}

function checkedSlug(slug: string): string {
  if (slugPattern.test(slug)) return slug
  throw invalidField(
    'slug',
    'A slug has 1 to 64 characters of a-z, 0-9, "_" and "-" and starts with a letter or digit.',
  )
}

function checkedName(name: string): string {
  const trimmed = name.trim()
  // It is used in mail headers, so line breaks are refused.
  if (trimmed === '' || trimmed.length > maxNameChars || !isOneLine(trimmed)) {
    throw invalidField('name', `A name has 1 to ${maxNameChars} characters and no line breaks.`)
  }
  return trimmed
}

/** As BCP 47 spells it: `pt-br` becomes `pt-BR`. */
function checkedLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en'
  } catch {
    throw invalidField('primaryLocale', `${JSON.stringify(locale)} is not a language tag (BCP 47).`)
  }
}

function checkedTimeZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    throw invalidField('timeZone', `${JSON.stringify(timeZone)} is not a time zone, e.g. Europe/Paris.`)
  }
}
