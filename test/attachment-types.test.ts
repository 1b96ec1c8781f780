// What a workspace attaches: three files of five types, more where an owner allows it; never programs.

import { expect, test } from 'bun:test'
import { defaultAttachmentTypes as five } from '../src/people/attachment-types.ts'
import { type TestApp, testApp } from './support/app.ts'

type File = Record<'filename' | 'contentType' | 'data', string>

const send = (t: TestApp, files: File[], status: number) => {
  const attachments = files.map((file) => ({ ...file, data: Buffer.from(file.data, 'latin1').toString('base64') }))
  return t.post('/v1/transactional/send', { email: 'ada@example.net', templateId: 'welcome', attachments }, status)
}
const zip = { filename: 'a.zip', contentType: 'application/zip', data: 'PK\x03\x04' }

const pdf = { filename: 'a.pdf', contentType: 'application/pdf', data: '%PDF-1' }
const owner = { as: 'session' } as const

test('an owner allows more types and more files, which is in the audit log; a key and a member do not', async () => {
  await using t = await testApp()
  await t.template({ id: 'welcome' })
  expect(await t.get('/v1/workspace', 200)).toMatchObject({ attachmentTypes: five, maxAttachments: 3 })
  const { errors } = await t.unchanged(() => send(t, [zip], 422))
  expect(errors[0]).toMatchObject({ path: 'attachments[0].contentType', code: 'attachment_type_not_allowed' })

  const attachmentTypes = [
    'Application/ZIP',
    'text/calendar',
    'application/octet-stream',
    'application/zip',
    'text/csv',
  ]
  const member = (await t.person('member')).as
  for (const change of [{ attachmentTypes }, { maxAttachments: 5 }])
    for (const as of [{}, member]) {
      const refused = await t.unchanged(() => t.patch('/v1/workspace', change, 403, as))
      expect(refused.code).toBe('insufficient_role')
    }
  // What changes nothing may be said again.
  await t.patch('/v1/workspace', { attachmentTypes: five, maxAttachments: 3 }, 200)
  const changed = await t.patch('/v1/workspace', { attachmentTypes, maxAttachments: 5 }, 200, owner)
  const more = ['application/zip', 'text/calendar', 'application/octet-stream']
  expect(changed).toMatchObject({ attachmentTypes: [...five, ...more], maxAttachments: 5 })
  await send(t, [zip, pdf, pdf, pdf, pdf], 200)
  expect((await send(t, [zip, pdf, pdf, pdf, pdf, pdf], 422)).code).toBe('too_many_attachments')
  await send(t, [{ filename: 'a.ics', contentType: 'text/calendar', data: 'BEGIN:VCALENDAR\r\n' }], 200)
  expect((await send(t, [{ ...zip, data: 'no zip' }], 422)).errors[0].path).toBe('attachments[0].data')
  const { data } = await t.get('/v1/audit?operation=updateWorkspace', 200, owner)
  expect(data[0].actor).toMatchObject({ kind: 'person', id: t.user.id })
  expect(data[0].changes).toMatchObject([
    {
      kind: 'workspace',
      before: { attachmentTypes: null, maxAttachments: 3 },
      after: { attachmentTypes: more, maxAttachments: 5 },
    },
  ])

  const back = await t.patch('/v1/workspace', { attachmentTypes: [], maxAttachments: null }, 200, owner)
  expect(back).toMatchObject({ attachmentTypes: five, maxAttachments: 3 })
  await send(t, [pdf], 200)
  for (const maxAttachments of [2, 21, 3.5]) await t.patch('/v1/workspace', { maxAttachments }, 422, owner)
})

test('programs are refused, by their type, their name and how they begin', async () => {
  await using t = await testApp()
  await t.template({ id: 'welcome' })
  for (const type of ['application/x-msdownload', 'TEXT/JavaScript', 'nothing', 'text/*', 'text/x; a=b']) {
    const { errors } = await t.patch('/v1/workspace', { attachmentTypes: ['text/plain', type] }, 422, owner)
    expect(errors[0].path, type).toBe('attachmentTypes[1]')
  }
  await t.patch('/v1/workspace', { attachmentTypes: ['application/octet-stream'] }, 200, owner)
  const file = { filename: 'a.bin', contentType: 'application/octet-stream', data: 'bytes' }
  await send(t, [file], 200)
  for (const filename of ['invoice.pdf.exe', 'A.JS', 'x.lnk.']) {
    const { errors } = await send(t, [{ ...file, filename }], 422)
    expect(errors[0], filename).toMatchObject({ path: 'attachments[0].filename', code: 'attachment_type_not_allowed' })
  }
  for (const data of ['MZ\x90', '\x7fELF', '#!/bin/sh']) {
    const { errors } = await send(t, [{ ...file, data }], 422)
    expect(errors[0], data).toMatchObject({ path: 'attachments[0].data', code: 'attachment_type_not_allowed' })
  }
})
