// A password for the owner; and what became of contacts: asked of the API, or read from the rows where the API does not tell.

import { eq } from 'drizzle-orm'
import { contacts } from '../../db/tables/contacts.ts'
import { subscriptions } from '../../db/tables/lists.ts'
import { write } from '../../src/core/app.ts'
import { setPassword } from '../../src/people/access/users.ts'
import type { Json, TestApp } from './app.ts'

export const password = 'correct horse battery'

/** The owner signs in with it from now on. */
export async function withPassword(t: TestApp): Promise<void> {
  const hash = await t.app.passwords.hash(password)
  await write(t.app, (tx) => setPassword(tx, t.user.id, hash))
}

/** As the API answers it; undefined: there is nobody with that address. */
export async function contactAt(t: TestApp, email: string): Promise<Json> {
  return (await t.get(`/v1/contacts/find?email=${encodeURIComponent(email)}`, 200))[0]
}

export async function contactOf(t: TestApp, email: string) {
  return await t.app.db.select().from(contacts).where(eq(contacts.email, email)).get()
}

/** The status of every subscription. */
export async function statesOf(t: TestApp): Promise<string[]> {
  return (await t.app.db.select().from(subscriptions)).map(({ status }) => status)
}

/** Whether somebody may be mailed: `yes`, `no`, or the reason of their suppression. */
export async function fateOf(t: TestApp, email: string): Promise<string> {
  const { reason } = await t.get(`/v1/contacts/suppression-status?email=${encodeURIComponent(email)}`, 200)
  return reason ?? ((await contactAt(t, email)).subscribed ? 'yes' : 'no')
}
