// A rehearsal says what a draft would do with somebody, and when; then the real thing does it. Nothing of the rehearsal stays.

import { expect, test } from 'bun:test'
import { type Json, testApp } from './support/app.ts'
import { path, publish, runsOf, subjects, tell, templates } from './support/sequences.ts'

const send = (templateId: string, more: object = {}) => ({ id: templateId, type: 'send', templateId, ...more })

const definition = {
  start: { event: 'signup' },
  exits: [{ event: 'left' }],
  steps: [
    send('hello'),
    { id: 'morning', type: 'wait', for: { amount: 2, unit: 'd' }, at: '09:00' },
    {
      id: 'order',
      type: 'event',
      event: 'ordered',
      atMost: { amount: 1, unit: 'd' },
      next: 'thanks',
      otherwise: 'tips',
    },
    send('tips', { next: null }),
    send('thanks'),
  ],
}

const lines = ({ path }: Json) => path.map(({ at, stepId, outcome }: Json) => `${at} ${stepId} ${outcome}`)

test('it says what would be done, and leaves nothing', async () => {
  await using t = await testApp()
  await templates(t, 'hello', 'tips', 'thanks')
  await t.contact({ timezone: 'Asia/Tokyo' })
  await t.contact({ email: 'gone@example.net', subscribed: false })
  const { id } = await t.post(path, { name: 'Welcome', definition }, 201)
  const at = `${path}/${id}/rehearse`
  const emails = ['ada@example.net', 'gone@example.net']
  const { data } = await t.unchanged(() => t.post(at, { emails }, 200))
  expect(data.map(({ email, state, reason }: Json) => [email, state, reason])).toEqual([
    ['ada@example.net', 'completed', null],
    ['gone@example.net', 'exited', 'all_mail'],
  ])
  expect(lines(data[0])).toEqual([
    '2026-01-15T12:00:00.000Z hello sent',
    '2026-01-17T00:00:00.000Z morning waited',
    '2026-01-18T00:00:00.000Z order did_not_come',
    '2026-01-18T00:00:00.000Z tips sent',
  ])
  const ordered = { event: 'ordered', after: { amount: 40, unit: 'h' } }
  const with1 = (await t.post(at, { emails: ['ada@example.net'], events: [ordered] }, 200)).data[0]
  expect(lines(with1).slice(2)).toEqual(['2026-01-17T04:00:00.000Z order came', '2026-01-17T04:00:00.000Z thanks sent'])
  const left = { event: 'left', after: { amount: 1, unit: 'h' } }
  const without = (await t.post(at, { emails: ['ada@example.net'], events: [left] }, 200)).data[0]
  expect(without).toMatchObject({ state: 'exited', reason: 'event:left', stepId: 'morning' })
  await t.post(at, { emails: ['nobody@example.net'] }, 422)
  expect(await subjects(t)).toEqual([])
})

test('what it said is what happens', async () => {
  await using t = await testApp()
  await templates(t, 'hello', 'tips', 'thanks')
  await t.contact({ timezone: 'Asia/Tokyo' })
  const { id } = await publish(t, definition)
  const { data } = await t.post(`${path}/${id}/rehearse`, { emails: ['ada@example.net'] }, 200)
  await tell(t, 'signup')
  await t.settle()
  for (let hour = 0; hour < 96; hour++) await t.advance('1h')
  const [run] = await runsOf(t, id)
  const real = await t.get(`${path}/${id}/runs/${run?.id}`, 200)
  expect(lines(real)).toEqual(lines(data[0]))
})
