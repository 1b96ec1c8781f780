// Mail that the capture transport kept, read back.

import { asc } from 'drizzle-orm'
import { capturedMails } from '../../db/tables/messages.ts'
import type { App } from '../../src/core/app.ts'
import { loadSource } from '../../src/features/sending/activity/captured.ts'

export interface CapturedMail {
  /** The envelope. */
  from: string
  to: string
  messageId: string
  /** The message as it would have gone on the wire. */
  raw: string
}

export async function capturedMail(app: App): Promise<CapturedMail[]> {
  const rows = await app.db.select().from(capturedMails).orderBy(asc(capturedMails.id)).all()
  return Promise.all(
    rows.map(async (row) => ({
      from: row.envelopeFrom,
      to: row.envelopeTo,
      messageId: row.messageIdHeader,
      raw: Buffer.concat(await loadSource(app, row)).toString('utf8'),
    })),
  )
}
