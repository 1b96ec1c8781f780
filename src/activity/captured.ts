// Mail that capture mode kept: stored by the capture transport, read here. There is none once SMTP_URL is set.

import { and, desc, eq, inArray, lt } from 'drizzle-orm'
import { capturedMails } from '../../db/tables/messages.ts'
import type { App } from '../app.ts'
import { AppError } from '../lib/error.ts'
import type { ParsedMail } from '../mail/parse-mime.ts'
import { rawMailOf } from '../mail/raw-mail.ts'

type CapturedRow = typeof capturedMails.$inferSelect

export interface CapturedMail {
  row: CapturedRow
  mail: ParsedMail
}

/** Newest first, `limit` of them before the id `before`. */
export async function listCaptured(
  app: App,
  workspaceId: string,
  { before, limit }: { before?: number; limit: number },
): Promise<CapturedMail[]> {
  const earlier = before === undefined ? undefined : lt(capturedMails.id, before)
  const rows = await app.db
    .select()
    .from(capturedMails)
    .where(and(eq(capturedMails.workspaceId, workspaceId), earlier))
    .orderBy(desc(capturedMails.id))
    .limit(limit)
  return Promise.all(rows.map(async (row) => ({ row, mail: await parsed(app, row.raw) })))
}

/** A mail of one of these workspaces. Throws not_found. */
export async function getCaptured(app: App, workspaceIds: string[], id: number): Promise<CapturedMail> {
  const one = and(eq(capturedMails.id, id), inArray(capturedMails.workspaceId, workspaceIds))
  const [row] = await app.db.select().from(capturedMails).where(one)
  if (!row) throw new AppError('not_found', 'There is no such captured mail.')
  return { row, mail: await parsed(app, row.raw) }
}

/** What capture mode kept of a message, or null. */
export async function findCapturedOf(app: App, messageIdHeader: string): Promise<CapturedMail | null> {
  const [row] = await app.db.select().from(capturedMails).where(eq(capturedMails.messageIdHeader, messageIdHeader))
  return row ? { row, mail: await parsed(app, row.raw) } : null
}

async function parsed(app: App, raw: Buffer): Promise<ParsedMail> {
  return app.mailReader.parse(await rawMailOf([raw]))
}
