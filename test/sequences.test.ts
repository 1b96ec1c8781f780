// Sequences through the whole product: how one is drafted, refused, published, and what it does with people, on a clock that the test moves.

import { describe, expect, test } from 'bun:test'
import { type Json, testApp } from './support/app.ts'
import { path, publish, runsOf, subjects, tell, templates, welcoming } from './support/sequences.ts'

describe('a sequence', () => {
  test('is drafted, shown, changed, published, stopped', async () => {
    await using t = await testApp()
    const made = await t.post(path, { name: 'Welcome', definition: welcoming }, 201)
    expect(made).toMatchObject({ name: 'Welcome', state: 'draft', version: null, revision: 1, isPublished: false })
    expect(made.issues.map(({ path, code }: Json) => [path, code])).toEqual([
      ['steps[0].templateId', 'unknown_template'],
      ['steps[2].templateId', 'unknown_template'],
    ])
    const refused = await t.post(`${path}/${made.id}/publish`, { contentHash: made.contentHash }, 422)
    expect(refused.errors).toEqual(made.issues)
    await templates(t)
    const changed = await t.patch(`${path}/${made.id}`, { name: 'Hello', revision: 1 }, 200)
    expect(changed).toMatchObject({ name: 'Hello', revision: 2, issues: [] })
    expect((await t.patch(`${path}/${made.id}`, { name: 'Late', revision: 1 }, 409)).code).toBe('revision_mismatch')
    await t.post(`${path}/${made.id}/publish`, { contentHash: 'another' }, 409)
    const published = await t.post(`${path}/${made.id}/publish`, { contentHash: changed.contentHash }, 200)
    expect(published).toMatchObject({ state: 'active', version: 1, isPublished: true })
    await t.delete(`${path}/${made.id}`, undefined, 409)
    expect((await t.post(`${path}/${made.id}/stop`, {}, 200)).state).toBe('stopped')
    await t.post(`${path}/${made.id}/resume`, {}, 409)
    expect((await t.get(path, 200)).data).toMatchObject([{ id: made.id, state: 'stopped' }])
  })

  test('sends its mails, each at its time', async () => {
    await using t = await testApp()
    await templates(t)
    const { id } = await publish(t, welcoming)
    await tell(t, 'signup')
    await t.settle()
    expect(await subjects(t)).toEqual(['hello'])
    await t.advance('71h')
    expect(await subjects(t)).toEqual(['hello'])
    await t.advance('1h')
    expect(await subjects(t)).toEqual(['hello', 'tips'])
    const [run] = await runsOf(t, id)
    expect(run).toMatchObject({
      state: 'completed',
      email: 'ada@example.net',
      path: ['welcome: sent', 'pause: waited', 'tips: sent'],
      why: 'They came to the end.',
    })
    const shown = await t.get(`${path}/${id}`, 200)
    expect(shown.people).toMatchObject({ waiting: 0, sending: 0, completed: 1, exited: 0 })
    expect(shown.steps).toEqual([
      { version: 1, stepId: 'pause', entered: 1, here: 0, sent: 0, skipped: 0, opened: 0, clicked: 0 },
      { version: 1, stepId: 'tips', entered: 1, here: 0, sent: 1, skipped: 0, opened: 0, clicked: 0 },
      { version: 1, stepId: 'welcome', entered: 1, here: 0, sent: 1, skipped: 0, opened: 0, clicked: 0 },
    ])
  })

  test('is left by an exit, also with the mail already on its way', async () => {
    await using t = await testApp()
    await templates(t)
    const { id } = await publish(t, { ...welcoming, exits: [{ event: 'left' }], goals: [{ event: 'ordered' }] })
    await tell(t, 'signup')
    await tell(t, 'signup', { email: 'bob@example.net' })
    await t.settle()
    await tell(t, 'left')
    await tell(t, 'ordered', { email: 'bob@example.net' })
    await t.advance('4d')
    expect(await subjects(t)).toEqual(['hello', 'hello'])
    expect((await runsOf(t, id)).map(({ state, reason, stepId }) => [state, reason, stepId])).toEqual([
      ['exited', 'event:left', 'pause'],
      ['completed', 'goal', 'pause'],
    ])
  })

  test('lists the newest of its people first, whatever their state', async () => {
    await using t = await testApp()
    const steps = [{ id: 'wait', type: 'wait', for: { amount: 1, unit: 'd' } }]
    const { id } = await publish(t, { start: { event: 'signup' }, exits: [{ event: 'left' }], steps })
    for (let n = 0; n < 7; n++) await tell(t, 'signup', { email: `r${n}@example.net` })
    await t.settle()
    for (const n of [1, 4]) await tell(t, 'left', { email: `r${n}@example.net` })
    await t.settle()
    const list = async (query: string) => await t.get(`${path}/${id}/runs?${query}`, 200)
    const names = ({ data }: Json) => data.map(({ email }: Json) => Number(email[1]))
    const first = await list('perPage=4')
    expect(first.pagination.totalResults).toBe(7)
    expect([names(first), names(await list(`perPage=10&cursor=${first.pagination.nextCursor}`))]).toEqual([
      [6, 5, 4, 3],
      [2, 1, 0],
    ])
    expect(names(await list('state=exited'))).toEqual([4, 1])
    expect(names(await list('stepId=wait&email=r4@example.net'))).toEqual([4])
  })

  test('takes each person once, or again as it allows', async () => {
    await using t = await testApp()
    const steps = [{ id: 'tell', type: 'webhook' }]
    const once = await publish(t, { start: { event: 'signup' }, steps })
    const again = await publish(t, { start: { event: 'signup' }, steps, reEntry: { mode: 'afterExit', minDays: 2 } })
    const keyed = await publish(t, {
      start: { event: 'signup' },
      steps,
      reEntry: { mode: 'never', key: '{{event.cart}}' },
    })
    const always = await publish(t, {
      start: { event: 'signup' },
      steps,
      reEntry: { mode: 'always' },
      purpose: 'marketing',
    })
    await tell(t, 'signup', { eventProperties: { cart: 'a' } })
    await t.settle()
    await tell(t, 'signup', { eventProperties: { cart: 'b' } })
    await t.advance('49h')
    await tell(t, 'signup', { eventProperties: { cart: 'a' } })
    await t.settle()
    const counts = await Promise.all([once, again, keyed, always].map(async ({ id }) => (await runsOf(t, id)).length))
    expect(counts).toEqual([1, 2, 2, 3])
  })
})

const step = (id: string, more: object = {}) => ({ id, type: 'wait', for: { amount: 1, unit: 'd' }, ...more })

const refusals: [what: string, definition: Json, at: string, code: string][] = [
  ['no steps', { steps: [] }, 'definition.steps', 'invalid'],
  ['201 steps', { steps: Array.from({ length: 201 }, (_, n) => step(`s${n}`)) }, 'definition.steps', 'invalid'],
  ['an unknown member', { steps: [step('a')], colour: 1 }, 'definition.colour', 'unknown_field'],
  ['two steps of one id', { steps: [step('a'), step('a')] }, 'definition.steps[1].id', 'duplicate'],
  ['a way to nowhere', { steps: [step('a', { next: 'b' })] }, 'definition.steps[0].next', 'unknown_step'],
  [
    'a circle without a wait',
    { steps: [step('a', { for: { amount: 59, unit: 'm' }, next: 'a' })] },
    'definition.steps[0]',
    'circle',
  ],
  [
    'a wait of 401 days',
    { steps: [step('a', { for: { amount: 401, unit: 'd' } })] },
    'definition.steps[0].for.amount',
    'invalid',
  ],
  ['a time of day that is none', { steps: [step('a', { at: '24:00' })] }, 'definition.steps[0].at', 'invalid'],
  ['a wait for nothing', { steps: [{ id: 'a', type: 'wait' }] }, 'definition.steps[0]', 'required'],
  ['an unknown step', { steps: [{ id: 'a', type: 'shout' }] }, 'definition.steps[0].type', 'invalid'],
  ['an unknown start', { start: { moon: 1 }, steps: [step('a')] }, 'definition.start', 'invalid'],
  [
    'a click in a mail that no step sends',
    { steps: [{ id: 'a', type: 'branch', branches: [{ if: { clicked: 'b' }, next: null }] }, step('b')] },
    'definition.steps[0].branches[0].if.clicked',
    'unknown_step',
  ],
  [
    'a bounce of a campaign',
    { start: { mail: 'bounced', campaignId: 'c' }, steps: [step('a')] },
    'definition.start.campaignId',
    'unknown_field',
  ],
  [
    'shares of more than all',
    {
      steps: [{ id: 'a', type: 'branch', branches: [60, 60].map((share) => ({ if: { share }, next: null })) }],
    },
    'definition.steps[0].branches',
    'too_large',
  ],
]

describe('what is refused', () => {
  for (const [what, definition, at, code] of refusals)
    test(what, async () => {
      await using t = await testApp()
      const { errors } = await t.post(path, { name: 'x', definition }, 422)
      expect(errors).toMatchObject([{ path: at, code }])
    })
})
