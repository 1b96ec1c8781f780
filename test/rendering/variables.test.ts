import { describe, expect, test } from 'bun:test'
import { compileContent, type Source } from '../../src/features/content/rendering/compile.ts'
import { splitPlaceholders } from '../../src/features/content/rendering/placeholders.ts'
import { parseTree } from '../../src/features/content/rendering/tree.ts'
import { checkVariables, describeVariables } from '../../src/features/content/rendering/variables.ts'
import { AppError } from '../../src/kit/error.ts'
import { marketingMail, orderMail, orderValues } from './samples.ts'

function compiled(text: string, more: Partial<Source> = {}) {
  const { content } = parseTree([{ type: 'text', text }])
  return compileContent({ content, subject: 'Hello', locale: 'en', kind: 'transactional', ...more })
}

function refusal(act: () => unknown): { code: string; message: string; errors: string[] } {
  try {
    act()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const errors = (error.details.errors ?? []).map((issue) => `${issue.path} ${issue.code}`)
    return { code: error.code, message: error.message, errors }
  }
  throw new Error('nothing was refused')
}

describe('placeholder syntax', () => {
  test.each<[string, unknown[]]>([
    ['{{name}}', [{ name: 'name' }]],
    ['{{ name }}', [{ name: 'name' }]],
    ['{{name|there}}', [{ name: 'name', fallback: 'there' }]],
    ['{{ name | dear friend }}', [{ name: 'name', fallback: 'dear friend' }]],
    ['{{name|}}', [{ name: 'name', fallback: '' }]],
    ['{{a|b|c}}', [{ name: 'a', fallback: 'b|c' }]],
    ['a{{b}}c{{d.e}}', ['a', { name: 'b' }, 'c', { name: 'd.e' }]],
    ['{{{a}}}', ['{', { name: 'a' }, '}']],
    ['{a} {{a', ['{a} {{a']],
    ['x{{1a}}y', ['x', 'y']],
    ['{{a b}}{{}}{{a-b}}{{é}}', []],
    [`{{${'a'.repeat(101)}}}`, []],
    [`{{${'a'.repeat(100)}}}`, [{ name: 'a'.repeat(100) }]],
    ["{{constructor.constructor('return 1')()}}{{__proto__.x}}{{contact.__proto__}}{{a.prototype.b}}", []],
  ])('%p', (text, parts) => expect(splitPlaceholders(text)).toEqual(parts as ReturnType<typeof splitPlaceholders>))
})

describe('describeVariables', () => {
  test('tells what the caller supplies from what the platform fills in', () => {
    const { variables, autoResolvedVariables } = describeVariables(compileContent(orderMail))
    expect(variables).toEqual([
      'order_number',
      'delivery_day',
      'tracking_url',
      'order_items',
      'shipping_address',
      'total',
    ])
    expect(autoResolvedVariables).toEqual(['contact.firstName', 'support_email', 'company_name', 'company_address'])
  })

  test('a marketing mail uses the unsubscribe link of its footer', () => {
    expect(describeVariables(compileContent(marketingMail)).autoResolvedVariables).toContain('unsubscribe_url')
  })

  test('records carry exactly the fields of the specification', () => {
    const { variableDescriptors } = describeVariables(compileContent(orderMail))
    const byName = new Map(variableDescriptors.map((descriptor) => [descriptor.name, descriptor]))
    expect(byName.get('order_number')).toEqual({
      name: 'order_number',
      label: 'Order number',
      kind: 'custom',
      data_type: 'string',
      required: true,
      auto_resolved: false,
      editable_in_rule: true,
      sources: ['data_variables', 'event'],
    })
    expect(byName.get('delivery_day')?.required).toBe(false)
    expect(byName.get('tracking_url')).toMatchObject({ data_type: 'url', label: 'Tracking URL' })
    expect(byName.get('order_items')).toMatchObject({ kind: 'collection', data_type: 'list', editable_in_rule: false })
    expect(byName.get('order_items')?.child_fields?.map((field) => field.name)).toEqual(['quantity', 'name', 'price'])
    expect(byName.get('contact.firstName')).toMatchObject({
      label: 'Contact first name',
      kind: 'contact',
      auto_resolved: true,
      required: false,
      legacy_aliases: ['contact.first_name'],
    })
  })

  test.each([
    ['contact.first_name', { kind: 'contact', legacy_aliases: ['contact.firstName'] }],
    ['contact.subscribed', { kind: 'contact', data_type: 'boolean' }],
    [
      'event.total',
      { kind: 'event', auto_resolved: false, editable_in_rule: true, sources: ['event', 'data_variables'] },
    ],
    ['workspace.website_url', { kind: 'workspace', data_type: 'url', auto_resolved: true }],
    ['date', { kind: 'system', data_type: 'date', auto_resolved: true, editable_in_rule: false }],
    ['year', { kind: 'system', data_type: 'number' }],
    ['first_name', { kind: 'custom', label: 'First name' }],
  ])('%s', (name, expected) => {
    expect(describeVariables(compiled(`{{${name}}}`)).variableDescriptors[0]).toMatchObject({ name, ...expected })
  })

  test('a name is required as soon as one use has no fallback, and subject and preview text count', () => {
    const uses = compiled('{{a|x}} {{b|x}}', { subject: '{{b}}', previewText: '{{c}}' }).uses
    expect(uses.map((use) => [use.name, use.required])).toEqual([
      ['b', true],
      ['c', true],
      ['a', false],
    ])
  })
})

describe('checkVariables', () => {
  const mail = compileContent(orderMail)
  const { order_number, delivery_day, tracking_url, shipping_address, total, order_items } = orderValues
  const complete = { order_number, delivery_day, tracking_url, shipping_address, total, order_items }
  const check = (values: Record<string, unknown>) => checkVariables(mail, values)

  test('complete values pass without a warning', () => expect(check(complete)).toEqual([]))

  test('all missing names are listed', () => {
    const found = refusal(() => check({ order_number: '1', tracking_url: null }))
    expect(found.code).toBe('missing_variable')
    expect(found.message).toBe('These variables are missing: tracking_url, order_items, shipping_address, total.')
    expect(found.errors).toContain('dataVariables.order_items missing_variable')
  })

  test('an empty string is a value', () => expect(check({ ...complete, total: '' })).toEqual([]))

  test.each([
    'company_name',
    'date',
    'unsubscribe_url',
    'contact.firstName',
    'contact.anything',
    'workspace.name',
    'contact',
  ])('%s may not be passed, used by the template or not', (name) => {
    const found = refusal(() => check({ ...complete, [name]: 'x' }))
    expect(found).toMatchObject({
      code: 'auto_variable_not_allowed',
      errors: [`dataVariables.${name} auto_variable_not_allowed`],
    })
  })

  test.each<[string, unknown, string]>([
    ['an object', { a: 1 }, 'dataVariables.total invalid_type'],
    ['a list for a string', [{ a: 1 }], 'dataVariables.total invalid_type'],
    ['10,001 characters', 'a'.repeat(10_001), 'dataVariables.total too_long'],
    ['a function', () => 1, 'dataVariables.total invalid_type'],
  ])('a value may not be %s', (_, value, expected) => {
    expect(refusal(() => check({ ...complete, total: value }))).toMatchObject({
      code: 'validation_failed',
      errors: [expected],
    })
  })

  test.each<[string, unknown, string]>([
    ['a string', 'a', 'dataVariables.order_items invalid_type'],
    ['strings', ['a'], 'dataVariables.order_items[0] invalid_type'],
    ['nested objects', [{ name: { a: 1 } }], 'dataVariables.order_items[0].name invalid_type'],
    ['long strings', [{}, { name: 'a'.repeat(10_001) }], 'dataVariables.order_items[1].name too_long'],
    ['1,001 objects', Array.from({ length: 1_001 }, () => ({})), 'dataVariables.order_items too_long'],
  ])('a list may not be %s', (_, value, expected) => {
    expect(refusal(() => check({ ...complete, order_items: value }))).toMatchObject({
      code: 'validation_failed',
      errors: [expected],
    })
  })

  test('numbers, booleans, exactly 10,000 characters and null fields pass', () => {
    expect(
      check({
        ...complete,
        total: 12.5,
        order_number: false,
        shipping_address: 'a'.repeat(10_000),
        order_items: [{ name: null }],
      }),
    ).toEqual([])
  })

  test('keys that the template does not use are warnings', () => {
    const warnings = check({ ...complete, extra: 1, __proto__x: 2 })
    expect(warnings.map((warning) => `${warning.path} ${warning.code}`)).toEqual([
      'dataVariables.extra unused_variable',
      'dataVariables.__proto__x unused_variable',
    ])
  })

  test('a name of the prototype is missing, not found', () => {
    expect(refusal(() => checkVariables(compiled('{{toString}}'), {})).code).toBe('missing_variable')
    expect(
      refusal(() => checkVariables(compiled('{{hasOwnProperty}}'), JSON.parse('{"__proto__":{"x":1}}'))).code,
    ).toBe('validation_failed')
  })
})

test.each<[string, Partial<Source>, string[]]>([
  ['{{unsubscribe_url}}', {}, ['unsubscribe_in_transactional']],
  ['{{workspace.nonsense}}', {}, ['unsupported_variable']],
  ['a', { subject: '{{not a name}}' }, ['invalid_placeholder']],
  [
    'a',
    { content: parseTree([{ type: 'footer', showUnsubscribe: false }]).content, kind: 'marketing' },
    ['unsubscribe_kept'],
  ],
  ['a', { kind: 'marketing' }, []],
  ['a'.repeat(102_000), {}, ['html_too_large']],
])('compiling warns of %.20s %p', (text, more, codes) => {
  expect(compiled(text, more).warnings.map((warning) => warning.code)).toEqual(codes)
})
