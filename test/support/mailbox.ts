// A mailbox, its token, and mail that came in, through the public interface.

import { write } from '../../src/core/app.ts'
import { createMailbox, renewInboundToken } from '../../src/features/mailboxes/mailboxes.ts'
import { createToken } from '../../src/features/mailboxes/tokens.ts'
import type { TestApp } from './app.ts'

export interface TestMailbox {
  id: string
  address: string
  /** With the scopes read and reply, unless told otherwise. */
  token: string
  tokenId: string
  /** Hands in raw mail as a provider does; returns the id of the received message. */
  receive(raw: string | string[]): Promise<string>
}

export async function testMailbox(
  t: TestApp,
  { address = 'desk@paquebot.localhost', scopes = ['read', 'reply'], workspaceId = t.workspace.id } = {},
): Promise<TestMailbox> {
  const made = await write(t.app, async (tx) => {
    const mailbox = await createMailbox(tx, t.app.config, workspaceId, { address, name: 'Help Desk' })
    const inbound = await renewInboundToken(tx, workspaceId, mailbox.id)
    return { mailbox, inbound, ...(await createToken(tx, mailbox, { scopes })) }
  })
  const options = { as: 'nobody', headers: { 'content-type': 'message/rfc822' } } as const
  return {
    id: made.mailbox.id,
    address,
    token: made.token,
    tokenId: made.row.id,
    async receive(raw) {
      const text = typeof raw === 'string' ? raw : raw.join('\r\n')
      return (await t.post(`/v1/inbound/${made.inbound}`, text, 200, options)).messageId
    },
  }
}

let number = 0

/** A mail as a person writes it; `headers` are added to its head. */
export function rawMail({
  from = 'Ada Lovelace <ada@example.net>',
  to = 'desk@paquebot.localhost',
  subject = 'A question',
  text = 'How does the engine work?',
  id = `mail-${++number}@example.net`,
  headers = [] as string[],
} = {}): string {
  const head = [`From: ${from}`, `To: ${to}`, `Subject: ${subject}`, `Message-ID: <${id}>`]
  const date = 'Date: Mon, 05 Jan 2026 10:00:00 +0000'
  return [...headers, ...head, date, 'Content-Type: text/plain; charset=utf-8', '', text, ''].join('\r\n')
}
