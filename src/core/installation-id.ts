// What tells this installation from others at the same host: made once, kept in the database, the same in every process that serves it.
// Not secret: it is in the names of cookies.

import { findInstallationValue, putInstallationValue } from '../../db/installation-value.ts'
import type { Database } from '../../db/open.ts'
import type { Random } from '../kit/random.ts'
import type { Opening } from './installation.ts'

export const idName = 'id'
const idBytes = 4

/** Made by the first process that may create an installation; 0 before that, when nobody can sign in. */
export async function installationId(
  { reader, writer }: Database,
  { mayMake }: Opening,
  random: Random,
): Promise<string> {
  const known = await findInstallationValue({ db: reader }, idName)
  if (known !== null || !mayMake) return known ?? '0'
  return await writer.write(async (db, now) => {
    const tx = { db, now }
    // Of two processes that start together the first is right.
    const made = (await findInstallationValue(tx, idName)) ?? Buffer.from(random.bytes(idBytes)).toString('hex')
    await putInstallationValue(tx, idName, made)
    return made
  }, 'durable')
}
