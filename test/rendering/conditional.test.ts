// What is not in every mail, or more than once: `if` and `each`, in HTML, in text, in what a send must bring.

import { describe, expect, test } from 'bun:test'
import { type Compiled, compileContent, placeholders } from '../../src/features/content/rendering/compile.ts'
import { fill, mostChars, type Values } from '../../src/features/content/rendering/fill.ts'
import { parseTree } from '../../src/features/content/rendering/tree.ts'
import {
  checkVariables,
  describeVariables,
  unfillable,
  unfilled,
} from '../../src/features/content/rendering/variables.ts'
import { AppError } from '../../src/kit/error.ts'

const text = (words: string) => ({ type: 'text', text: words })
const pro = { type: 'if', variable: 'plan', operator: 'equals', value: 'pro' }

function compiled(content: unknown[], kind: 'transactional' | 'marketing' = 'transactional'): Compiled {
  return compileContent({ content: parseTree(content).content, subject: 'S', locale: 'en', kind })
}

const textOf = (content: unknown[], values: Values) => fill(compiled(content).text, values)
const htmlOf = (content: unknown[], values: Values) => fill(compiled(content).html, values)

/** Paths and codes of the faults. */
function faults(run: () => unknown): string[] {
  try {
    run()
  } catch (error) {
    if (error instanceof AppError) return (error.details.errors ?? []).map(({ path, code }) => `${path} ${code}`)
    throw error
  }
  return []
}

describe('an if', () => {
  const content = [text('Before'), { ...pro, children: [text('For pro')], else: [text('For all')] }, text('After')]

  test('shows what it holds or what its else holds, and nothing between the paragraphs', () => {
    expect(textOf(content, { plan: 'pro' })).toBe('Before\n\nFor pro\n\nAfter\n')
    expect(textOf(content, { plan: 'free' })).toBe('Before\n\nFor all\n\nAfter\n')
    const html = htmlOf(content, { plan: 'pro' })
    expect(html).toContain('For pro')
    expect(html).not.toContain('For all')
  })

  test('that is first leaves no space where it is not shown', () => {
    const first = [{ ...pro, children: [text('For pro')] }, text('After')]
    expect(textOf(first, {})).toBe('After\n')
    expect(textOf(first, { plan: 'pro' })).toBe('For pro\n\nAfter\n')
    const rows = (values: Values) => [...htmlOf(first, values).matchAll(/padding:(\d+)px 0 0/g)].map(([, gap]) => gap)
    expect(rows({})).toEqual(['0'])
    expect(rows({ plan: 'pro' })).toEqual(['0', '0', '16'])
  })

  test('alone between cards is a card, or none', () => {
    const card = (words: string) => ({ type: 'container', children: [text(words)] })
    const cards = (content: unknown[], values: Values) => htmlOf(content, values).split('class="m-box').length - 1
    const loose = [card('One'), { ...pro, children: [text('For pro')] }, card('Two')]
    expect([cards(loose, {}), cards(loose, { plan: 'pro' })]).toEqual([2, 3])
    const whole = [text('One'), { ...pro, children: [card('For pro')] }]
    expect([cards(whole, {}), cards(whole, { plan: 'pro' })]).toEqual([1, 2])
  })

  test.each<[string, unknown, unknown, boolean]>([
    ['equals', 'pro', 'pro', true],
    ['equals', 'pro', 'Pro', false],
    ['equals', 5, '5', true],
    ['equals', '5', 5, true],
    ['equals', true, 'true', true],
    ['equals', undefined, 'pro', false],
    ['notEquals', undefined, 'pro', true],
    ['notEquals', 'pro', 'pro', false],
    ['greaterThan', 10, '9', true],
    ['greaterThan', 'ten', 9, true],
    ['greaterThan', undefined, 9, false],
    ['lessThan', '2026-01-01', '2026-02-01', true],
    ['lessThan', 3, 'many', false],
    ['contains', 'a pro plan', 'pro', true],
    ['contains', 5, '5', false],
    ['exists', 'x', undefined, true],
    ['exists', '', undefined, false],
    ['exists', null, undefined, false],
    ['exists', [], undefined, false],
    ['notExists', undefined, undefined, true],
    ['notExists', 0, undefined, false],
  ])('that asks %s of %p and %p is %p', (operator, actual, value, isMet) => {
    const node = { type: 'if', variable: 'x', operator, ...(value === undefined ? {} : { value }) }
    const shown = textOf([{ ...node, children: [text('yes')], else: [text('no')] }], { x: actual })
    expect(shown.trim()).toBe(isMet ? 'yes' : 'no')
  })

  test('reads contacts by both their names, and values are never conditions', () => {
    const node = { type: 'if', variable: 'contact.first_name', operator: 'exists', children: [text('Hello')] }
    expect(textOf([node, text('.')], { contact: { firstName: 'Ada' } })).toBe('Hello\n\n.\n')
    const own = { type: 'if', variable: 'toString', operator: 'exists', children: [text('Hello')] }
    expect(textOf([own, text('.')], {})).toBe('.\n')
  })

  test('asks nothing of who sends, and what it shows is asked only of who can bring something', () => {
    const mail = compiled([{ ...pro, children: [text('{{manager}} {{nick|x}}')] }, text('{{name}}')])
    expect(unfilled(mail.uses)).toEqual(['name'])
    expect(unfillable(mail.uses)).toEqual(['plan', 'manager', 'name'])
    expect(describeVariables(mail).variables).toEqual(['plan', 'manager', 'nick', 'name'])
    expect(checkVariables(mail, { name: 'Ada', plan: 'pro' })).toEqual([])
    expect(faults(() => checkVariables(mail, { name: 'Ada', plan: ['pro'] }))).toEqual([
      'dataVariables.plan invalid_type',
    ])
  })

  test('never hides the way out of a marketing mail', () => {
    const mail = compiled([{ ...pro, children: [text('{{unsubscribe_url}}')] }], 'marketing')
    for (const plan of ['pro', 'free'])
      expect(fill(mail.html, { plan, unsubscribe_url: 'https://a.test/u' })).toContain('href="https://a.test/u"')
  })

  test('says what is wrong with it', () => {
    const wrong = [
      { ...pro, operator: 'is' },
      { ...pro, value: null },
      { ...pro, variable: 'a b' },
      { ...pro, variable: 'a.constructor' },
      { ...pro, value: { $ne: 1 } },
      { ...pro, children: [{ type: 'footer' }] },
      { type: 'else', children: [] },
    ]
    expect(wrong.map((node) => faults(() => parseTree([node])).join())).toEqual([
      'content[0].operator invalid_value',
      'content[0].value missing_required_property',
      'content[0].variable invalid_value',
      'content[0].variable invalid_variable',
      'content[0].value invalid_value',
      'content[0].children[0] invalid_child',
      'content[0] invalid_child',
    ])
  })
})

describe('an each', () => {
  const lines = { type: 'each', itemsVariable: 'lines', as: 'line' }
  const parts = {
    type: 'each',
    itemsVariable: 'line.parts',
    as: 'part',
    children: [text('{{line.name}}/{{part.name}}')],
  }
  const values = {
    name: 'Ada',
    lines: [
      { name: 'Desk', gift: true, parts: [{ name: 'leg' }, { name: 'top' }] },
      { name: 'Lamp', parts: [] },
    ],
  }

  test('shows what it holds for each thing, with a name of its own, to any depth', () => {
    const gift = { type: 'if', variable: 'line.gift', operator: 'exists', children: [text('{{line.name}} is a gift')] }
    const content = [{ ...lines, children: [text('{{line.name}} for {{name}}'), gift, parts] }, text('Bye')]
    expect(textOf(content, values)).toBe(
      'Desk for Ada\n\nDesk is a gift\n\nDesk/leg\n\nDesk/top\n\nLamp for Ada\n\nBye\n',
    )
    expect(htmlOf(content, values).match(/Desk\/(leg|top)/g)).toEqual(['Desk/leg', 'Desk/top'])
  })

  test('of nothing shows its else', () => {
    const content = [{ ...lines, children: [text('{{line.name}}')], else: [text('Nothing')] }]
    expect(textOf(content, { lines: [] }).trim()).toBe('Nothing')
    expect(textOf(content, values)).toContain('Desk\n\nLamp')
  })

  test('describes its list, with the lists in it, and refuses what is none', () => {
    const mail = compiled([{ ...lines, children: [text('{{line.name}}'), parts] }])
    const [list] = describeVariables(mail).variableDescriptors
    expect(list).toMatchObject({ name: 'lines', data_type: 'list', required: true })
    expect(list?.child_fields).toMatchObject([
      { name: 'name', data_type: 'string' },
      { name: 'parts', data_type: 'list', child_fields: [{ name: 'name' }] },
    ])
    expect(checkVariables(mail, { lines: values.lines })).toEqual([])
    const wrong: Record<string, unknown>[] = [
      {},
      { lines: 'Desk' },
      { lines: ['Desk'] },
      { lines: [{ parts: 'leg' }] },
      { lines: [{ parts: [{ name: ['leg'] }] }] },
      { lines: [{ parts: Array.from({ length: 1_000 }, () => ({ name: 'leg' })) }] },
    ]
    expect(wrong.map((data) => faults(() => checkVariables(mail, data)).join())).toEqual([
      'dataVariables.lines missing_variable',
      'dataVariables.lines invalid_type',
      'dataVariables.lines[0] invalid_type',
      'dataVariables.lines[0].parts invalid_type',
      'dataVariables.lines[0].parts[0].name invalid_type',
      'dataVariables.lines too_long',
    ])
  })

  test('inside another is of its thing, so that no mail is made of all pairs of two lists', () => {
    const inner = (more: object) => parseTree([{ ...lines, children: [{ ...parts, ...more }] }])
    expect(faults(() => inner({ itemsVariable: 'others' }))).toEqual([
      'content[0].children[0].itemsVariable invalid_variable',
    ])
    expect(faults(() => inner({ as: 'line' }))).toEqual(['content[0].children[0].as invalid_variable'])
    const list = { type: 'list', itemsVariable: 'others', items: ['{{item.name}}'] }
    expect(faults(() => parseTree([{ ...lines, children: [list] }]))).toEqual([
      'content[0].children[0].itemsVariable invalid_variable',
    ])
    expect(faults(() => parseTree([{ ...lines, itemsVariable: 'contact.tags' }]))).toEqual([
      'content[0].itemsVariable invalid_variable',
    ])
  })

  test('is counted before it is filled', () => {
    const mail = compiled([{ ...lines, children: [text('{{line.name}}'), parts] }])
    const many = { lines: Array.from({ length: 100 }, () => ({ name: 'x'.repeat(1_000), parts: [{ name: 'y' }] })) }
    expect(mostChars(mail.text, many)).toBeGreaterThanOrEqual(fill(mail.text, many).length)
  })

  test('is listed with its placeholders, once', () => {
    const { textBody } = placeholders(
      compiled([
        { ...lines, children: [text('{{line.name}}')] },
        { ...pro, children: [text('Pro')] },
      ]),
    )
    expect(textBody.match(/{{line.name}}|Pro/g)).toEqual(['{{line.name}}', 'Pro'])
  })
})
