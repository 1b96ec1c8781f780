// What happened with one person, in one order.

import { expect, test } from 'bun:test'
import { buildIndex } from '../src/features/sending/activity/search-index.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { cli } from './support/cli.ts'

async function pages(t: TestApp, id: string, perPage: number): Promise<Json[]> {
  const all: Json[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`
    const page: Json = await t.get(`/v1/contacts/${id}/timeline?perPage=${perPage}${more}`, 200)
    expect(page.data.length).toBeLessThanOrEqual(perPage)
    all.push(...page.data)
    cursor = page.pagination.nextCursor
  }
  return all
}

const nameOf = ({ type, mail, event, consent, suppression }: Json) =>
  `${type} ${mail?.subject ?? event?.name ?? consent?.action ?? suppression?.reason}`

test('a timeline has mails, events, consent and suppression in one order, whatever the size of its pages', async () => {
  await using t = await testApp()
  const ada = { email: 'ada@example.net' }
  // From before there was a contact: found by the address.
  await t.template()
  await t.mail({ ...ada, templateId: 'hello' })
  await t.advance('1m')
  const { id } = await t.contact({ ...ada, subscribed: true })
  await t.contact({ email: 'bob@example.net' })
  for (const eventName of ['signup', 'order', 'refund']) {
    await t.advance('1m')
    await t.post('/v1/events/send', { ...ada, eventName }, 200)
    await t.post('/v1/events/send', { email: 'bob@example.net', eventName }, 200)
    await t.mail({ ...ada, templateId: 'hello' })
  }
  await t.advance('1m')
  await t.put('/v1/contacts/update', { ...ada, subscribed: false }, 200)
  await t.advance('1m')
  await t.post('/v1/suppressions', ada, 201)
  await t.advance('1m')
  await t.mail({ email: 'bob@example.net' })

  const whole = await pages(t, id, 100)
  expect(whole.map(nameOf).slice(0, 3)).toEqual(['suppression manual', 'consent withdrawn', 'mail Hello'])
  expect(whole.map(nameOf).toSorted()).toEqual(
    [
      'suppression manual',
      'consent withdrawn',
      'event refund',
      'event order',
      'event signup',
      ...whole.filter(({ consent }) => consent && consent.action !== 'withdrawn').map(nameOf),
      ...Array.from({ length: 4 }, () => 'mail Hello'),
    ].toSorted(),
  )
  const times = whole.map(({ at }) => at)
  expect(times).toEqual(times.toSorted().reverse())
  expect(whole.at(-1)?.mail.events.map(({ status }: Json) => status)).toEqual(['queued', 'sending', 'sent'])
  await buildIndex(t.app)
  for (const perPage of [1, 2, 3]) expect(await pages(t, id, perPage)).toEqual(whole)
  await t.get(`/v1/contacts/${id}/timeline?cursor=v1.made-up`, 400)
  await t.get('/v1/contacts/con_none/timeline', 404)
})

test('a timeline is printed on the command line', async () => {
  using paquebot = await cli()
  const { json } = await paquebot.run(['init', '--workspace', 'acme', '--email', 'ada@acme.test', '--json'])
  expect(json.workspaceSlug).toBe('acme')
  const nobody = await paquebot.run(['contact', 'timeline', '--workspace', 'acme', '--email', 'no@acme.test'])
  expect(nobody.code).toBe(1)
  expect(await paquebot.run(['contact', 'timeline', '--workspace', 'acme'])).toMatchObject({ code: 2 })
})
