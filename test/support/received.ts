// Received messages, as a person reads them in the dashboard.

import { type Json, session, type TestApp } from './app.ts'
import type { TestMailbox } from './mailbox.ts'

export async function listed(t: TestApp, { id }: TestMailbox): Promise<Json[]> {
  return (await t.get(`/v1/mailboxes/${id}/messages`, 200, session)).data
}

export async function read(t: TestApp, { id }: TestMailbox, messageId: string): Promise<Json> {
  return t.get(`/v1/mailboxes/${id}/messages/${messageId}`, 200, session)
}
