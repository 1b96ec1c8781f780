// The export of one person, and what is left of them after their erasure.

import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { erasedAddress } from '../src/kit/email-address.ts'
import type { MailOutcome } from '../src/mail/mailer.ts'
import { type Json, testApp } from './support/app.ts'
import { countOn, makeList } from './support/lists.ts'

const path = '/v1/contacts'
const ada = 'ada@example.net'

describe('a person’s data', () => {
  test('the export has everything; the erasure leaves a hash in the suppression list and nothing else', async () => {
    await using t = await testApp()
    const email = 'private-person@example.net'
    const listId = await makeList(t)
    const { id } = await t.contact({
      email,
      firstName: 'Secretname',
      userId: 'u-secret',
      note: 'Secretnote',
      subscribed: true,
      mailingLists: { [listId]: true },
    })
    await t.contact({ email: 'other@example.net' })
    await t.template({ subject: 'Hi {{who}}', text: '{{who}}' })
    const attachments = [{ filename: 'a.txt', contentType: 'text/plain', data: btoa('Secretfile') }]
    const sent = {
      templateId: 'hello',
      dataVariables: { who: 'Secretvalue' },
      metadata: { note: 'Secretmeta' },
      attachments,
    }
    await t.mail({ email: 'PRIVATE-person@example.net', ...sent })
    await t.settle()
    const later = await t.mail({ email, ...sent, scheduledAt: '2026-02-01T00:00:00Z' })
    const other = await t.mail({ ...sent, email: 'other@example.net' })
    await t.settle()
    await t.post('/v1/suppressions', { email, detail: 'Secretdetail' }, 201)
    await t.post(`${path}/import`, `email,subscribed,note\n${email},yes,"Secret\nbad`, 202, {
      headers: { 'content-type': 'text/csv' },
    })
    await t.settle()

    const person = await t.get(`${path}/${id}/export`, 200)
    expect(person.contact).toMatchObject({ email, note: 'Secretnote', mailingLists: { [listId]: true } })
    expect(person.messages).toHaveLength(2)
    expect(person.consent).toHaveLength(2)
    expect(person.subscriptions).toMatchObject([{ mailingListId: listId, status: 'active' }])
    expect(person.suppression).toMatchObject({ email, reason: 'manual' })
    expect(JSON.stringify(person)).not.toContain('other@example.net')

    const erased = await t.delete(`${path}/${id}/data`, undefined, 200)
    expect(erased).toMatchObject({ success: true, messages: 2, consentRecords: 2, suppressed: true })
    const kept = await t.app.db.all<Json>(sql`SELECT * FROM suppressions`)
    expect(kept).toMatchObject([{ email: null, detail: null }])
    const tables = await t.app.db.all<{ name: string }>(sql`SELECT name FROM sqlite_master WHERE type = 'table'`)
    for (const { name } of tables) {
      const rows = JSON.stringify(await t.app.db.all<Json>(sql`SELECT * FROM ${sql.identifier(name)}`))
      if (name !== 'messages' && name !== 'captured_mails' && name !== 'message_attachments')
        expect(rows.toLowerCase(), name).not.toMatch(/secret(?!_)/)
      expect(rows.toLowerCase(), name).not.toContain('private-person')
    }
    expect(await t.get(`/v1/activity/${later.messageId}`, 200)).toMatchObject({
      status: 'cancelled',
      email: erasedAddress,
      subject: '',
    })
    expect(await t.get(`/v1/activity/${other.messageId}`, 200)).toMatchObject({
      status: 'sent',
      email: 'other@example.net',
    })
    expect(await countOn(t, listId)).toBe(0)
    await t.unchanged(() => t.delete(`${path}/${id}/data`, undefined, 404))
    await t.unchanged(() => t.get(`${path}/${id}/export`, 404))
    expect((await t.get(`${path}/suppression-status?email=${email}`, 200)).isSuppressed).toBe(true)
    await t.advance('30d')
    expect((await t.sent()).filter(({ to }: Json) => JSON.stringify(to).includes('private'))).toEqual([])
  })
})

test('a confirmation that has not left does not leave when the person is erased', async () => {
  await using t = await testApp()
  const { sourceId } = await t.form('double', { consentText: 'Yes, please.' })
  const { contactId } = await t.post('/v1/contact-subscriptions/opt-in', { email: ada, sourceId }, 202)
  expect(await t.delete(`${path}/${contactId}/data`, undefined, 200)).toMatchObject({ messages: 1 })
  await t.settle()
  expect(await t.sent()).toEqual([])
})

test('what a mail server said of an address is forgotten with the person, in every job of every mail, the repeated ones too', async () => {
  const reply = `554 5.7.1 <${ada}>: not welcome`
  const refused: MailOutcome = {
    outcome: 'refused',
    stage: 'dot',
    permanent: true,
    code: 554,
    enhanced: '5.6.0',
    reply,
  }
  await using t = await testApp({ mailer: { kind: 'capture', send: async () => refused, close: async () => {} } })
  const { id } = await t.contact({ email: ada })
  await t.template({ id: 'hi' })
  await t.mail({ email: ada, templateId: 'hi' })
  await t.settle()
  const [dead] = (await t.get('/v1/jobs?state=dead', 200)).data
  await t.post(`/v1/jobs/${dead.jobId}/retry`, {}, 200)
  await t.settle()
  const naming = async () => {
    const said = sql`SELECT last_error AS words FROM outbox_jobs UNION ALL SELECT detail FROM outbox_attempts
      UNION ALL SELECT smtp_reply FROM send_journal UNION ALL SELECT detail FROM message_events`
    return (await t.app.db.all<{ words: string | null }>(said)).filter(({ words }) => words?.includes(ada)).length
  }
  expect(await naming()).toBeGreaterThan(5)
  await t.delete(`${path}/${id}/data`, undefined, 200)
  expect(await naming()).toBe(0)
})
