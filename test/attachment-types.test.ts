// What a workspace attaches: five types by default, or those that it names; never programs.

import { expect, test } from 'bun:test'
import { type TestApp, testApp } from './support/app.ts'

const send = (t: TestApp, file: { filename: string; contentType: string; data: string }, status: number) => {
  const attachments = [{ ...file, data: Buffer.from(file.data, 'latin1').toString('base64') }]
  return t.post('/v1/transactional/send', { email: 'ada@example.net', templateId: 'welcome', attachments }, status)
}
const zip = { filename: 'a.zip', contentType: 'application/zip', data: 'PK\x03\x04' }

test('a workspace names the types that it attaches; its change is in the audit log, and another keeps the default', async () => {
  await using t = await testApp()
  const content = [{ type: 'text', text: 'Hello' }]
  await t.post('/v1/transactional/create', { id: 'welcome', name: 'Welcome', subject: 'Hi', content }, 201)
  const { errors } = await t.unchanged(() => send(t, zip, 422))
  expect(errors[0]).toMatchObject({ path: 'attachments[0].contentType', code: 'attachment_type_not_allowed' })

  const attachmentTypes = ['Application/ZIP', 'text/calendar', 'application/octet-stream', 'application/zip']
  const changed = await t.patch('/v1/workspace', { attachmentTypes }, 200)
  expect(changed.attachmentTypes).toEqual(['application/zip', 'text/calendar', 'application/octet-stream'])
  await send(t, zip, 200)
  await send(t, { filename: 'a.ics', contentType: 'text/calendar', data: 'BEGIN:VCALENDAR\r\n' }, 200)
  const pdf = { filename: 'a.pdf', contentType: 'application/pdf', data: '%PDF-1' }
  expect((await send(t, pdf, 422)).errors[0].message).toContain('application/zip, text/calendar')
  expect((await send(t, { ...zip, data: 'no zip' }, 422)).errors[0].path).toBe('attachments[0].data')
  const { data } = await t.get('/v1/audit?limit=5', 200, { as: 'session' })
  expect(JSON.stringify(data)).toContain('attachment')

  expect((await t.patch('/v1/workspace', { attachmentTypes: null }, 200)).attachmentTypes).toContain('application/pdf')
  await send(t, pdf, 200)
})

test('programs are refused, by their type, their name and how they begin', async () => {
  await using t = await testApp()
  const content = [{ type: 'text', text: 'Hello' }]
  await t.post('/v1/transactional/create', { id: 'welcome', name: 'Welcome', subject: 'Hi', content }, 201)
  for (const type of ['application/x-msdownload', 'TEXT/JavaScript', 'nothing', 'text/*', 'text/x; a=b']) {
    const { errors } = await t.patch('/v1/workspace', { attachmentTypes: ['text/plain', type] }, 422)
    expect(errors[0].path, type).toBe('attachmentTypes[1]')
  }
  await t.patch('/v1/workspace', { attachmentTypes: ['application/octet-stream'] }, 200)
  const file = { filename: 'a.bin', contentType: 'application/octet-stream', data: 'bytes' }
  await send(t, file, 200)
  for (const filename of ['invoice.pdf.exe', 'A.JS', 'x.lnk.']) {
    const { errors } = await send(t, { ...file, filename }, 422)
    expect(errors[0], filename).toMatchObject({ path: 'attachments[0].filename', code: 'attachment_type_not_allowed' })
  }
  for (const data of ['MZ\x90', '\x7fELF', '#!/bin/sh']) {
    const { errors } = await send(t, { ...file, data }, 422)
    expect(errors[0], data).toMatchObject({ path: 'attachments[0].data', code: 'attachment_type_not_allowed' })
  }
})
