// Whether SECRET_KEY is the one that the values of this database are sealed with. A process with another one could not open them, and other
// servers could not open what it seals, so it does not start.

import { eq } from 'drizzle-orm'
import type { Database } from '../../db/open.ts'
import { installation } from '../../db/tables/workspaces.ts'
import { AppError } from '../kit/error.ts'
import type { Sealer } from '../kit/seal.ts'
import type { Opening } from './installation.ts'

export const checkName = 'secret_check'
export const sealContext = 'secret check'
const checkedText = 'paquebot'

/** Throws `conflict` for another secret. In a database without the value it is stored by a process that may create an installation. */
export async function checkSecret(
  { reader, writer }: Database,
  sealer: Sealer,
  { mayMake, newSecret = false }: Opening,
): Promise<void> {
  const named = eq(installation.name, checkName)
  const find = async () => (await reader.select().from(installation).where(named))[0]?.value
  let stored = newSecret ? undefined : await find()
  if (stored === undefined) {
    if (!mayMake) return
    const value = await sealer.seal(checkedText, sealContext)
    await writer.write(async (db, now) => {
      const insert = db.insert(installation).values({ name: checkName, value, updatedAt: now })
      if (newSecret) await insert.onConflictDoUpdate({ target: installation.name, set: { value, updatedAt: now } })
      else await insert.onConflictDoNothing()
    }, 'durable')
    // Of two processes that start together the first is right.
    stored = (await find()) ?? value
  }
  const isOurs = await sealer.open(stored, sealContext).then(
    () => true,
    () => false,
  )
  if (isOurs) return
  const way =
    'set SECRET_KEY to the former one (to change it, set SECRET_KEY_PREVIOUS too and run paquebot secret rotate)'
  throw new AppError(
    'conflict',
    `SECRET_KEY is not the one that this database is sealed with; ${way}, or give up everything that is sealed: paquebot serve --new-secret`,
  )
}
