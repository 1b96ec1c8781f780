// Opt-in as a person meets it: a form, the link that is mailed, and its page.

import type { Json, TestApp } from './app.ts'

/** A list and a source for it. */
export async function form(t: TestApp, optIn: 'single' | 'double' = 'double', more: object = {}): Promise<Json> {
  const list = await t.mailingList({ description: 'Once a week', isPublic: true, optIn })
  const source = { name: 'Footer', type: 'form', mailingListIds: [list.id], consentText: 'Send me news.', ...more }
  const { id: sourceId } = await t.post('/v1/subscription-sources/create', source, 201)
  return { listId: list.id, sourceId }
}

/** The path of the confirmation link in the last mail. */
export async function linkOf(t: TestApp): Promise<string> {
  await t.settle()
  const mail = (await t.sent()).at(-1)
  // Quoted-printable breaks lines with "=".
  const found = /\/confirm\/[\w-]{43}/.exec(mail?.raw.replaceAll('=\r\n', '') ?? '')?.[0]
  if (!found) throw new Error('no link was mailed')
  return found
}

export const press = (t: TestApp, path: string, fields: Record<string, string>) =>
  t.request('POST', path, new URLSearchParams(fields).toString(), {
    as: 'nobody',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Test/1' },
  })
