// Searching the mail of a mailbox: words of every script, filters, pages, and that nothing of another mailbox is ever found.

import { describe, expect, test } from 'bun:test'
import { session, type TestApp, testApp } from './support/app.ts'
import { rawMail, type TestMailbox, testMailbox } from './support/mailbox.ts'

async function found(t: TestApp, { id }: TestMailbox, query: Record<string, string>): Promise<string[]> {
  const { data } = await t.get(`/v1/mailboxes/${id}/messages?${new URLSearchParams(query)}`, 200, session)
  return data.map(({ subject }: { subject: string }) => subject)
}

describe('words', () => {
  test.each([
    ['invoice', 'Your INVOICE of May', 'Dear Sir'],
    ['uber', 'Über uns', ''],
    ['über', 'Uber receipt', ''],
    ['STRASSE', 'Neue Straße 5', ''],
    ['привет', 'ПРИВЕТ, мир', ''],
    ['كتاب', 'هذا كِتَاب جديد', ''],
    ['שלום', 'שָׁלוֹם', ''],
    ['हिन्दी', 'यह हिन्दी है', ''],
    ['東京', '会議は東京で', ''],
    ['ภาษา', 'ภาษาไทย', ''],
    ['한국어', '한국어 메일', ''],
    ['"engine works"', 'A', 'How the engine works today'],
    ['engine today', 'B', 'How the engine works today'],
    ['ada@example.net', 'C', 'x'],
    ['lovelace', 'D', 'x'],
  ])('%s is found', async (q, subject, text) => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    await mailbox.receive(rawMail({ subject: `=?utf-8?B?${Buffer.from(subject).toString('base64')}?=`, text }))
    await mailbox.receive(rawMail({ from: 'bob@example.org', subject: 'Something else', text: 'Works the engine?' }))
    expect(await found(t, mailbox, { q })).toEqual([subject])
  })
})
