// The component tree of the OpenAPI document against parseTree(), which is what a route asks: what the one allows the other takes.

import { beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { nodeSchemas, nodeTypes } from '../src/features/content/rendering/nodes.ts'
import { parseTree } from '../src/features/content/rendering/tree.ts'
import { AppError } from '../src/kit/error.ts'
import { type Json, testApp } from './support/app.ts'

let schemas: Record<string, Json> = {}
let document: z.ZodType

beforeAll(async () => {
  await using t = await testApp()
  schemas = (await t.get('/openapi.json', 200, { as: 'nobody' })).components.schemas
  const text = JSON.stringify({ ...schemas.ComponentTree, $defs: schemas })
  document = z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')))
})

const allows = (tree: Json) => document.safeParse(tree).success

/** The tree as it would be stored, or the codes of the faults. */
function taken(tree: Json): { stored: Json } | { faults: string[] } {
  try {
    return { stored: parseTree(tree, { blocks: 'filled' }).content }
  } catch (error) {
    if (error instanceof AppError && error.details.errors)
      return { faults: error.details.errors.map(({ code }) => code) }
    throw error
  }
}

/** Throws where the two differ. Returns whether the tree is taken as it is. */
function agree(tree: Json): boolean {
  const said = JSON.stringify(tree)
  const found = taken(tree)
  if ('faults' in found) {
    if (allows(tree)) throw new Error(`documented, and refused (${found.faults.join(', ')}): ${said}`)
    return false
  }
  // Another notation is turned into the one that is documented.
  if (!allows(found.stored))
    throw new Error(`stored, and not documented: ${JSON.stringify(found.stored)}, from ${said}`)
  const isTaken = Bun.deepEquals(found.stored, tree, true)
  if (isTaken && !allows(tree)) throw new Error(`taken, and not documented: ${said}`)
  return isTaken
}

const nodeOf = (type: string): Json => schemas[`${type.charAt(0).toUpperCase()}${type.slice(1)}Node`]
const address = 'https://a.test/x'
const addresses = ['href', 'src', 'logoUrl', 'darkLogoUrl']

/** A good value of a property. */
function good(name: string, schema: Json): Json {
  if (addresses.includes(name)) return address
  if (name === 'items') return ['One']
  if (name === 'itemsVariable') return 'lines'
  if (name === 'variable') return 'plan'
  if (name === 'as') return 'line'
  if (schema.enum) return schema.enum[0]
  if (schema.pattern) return '#1a2b3c'
  if (schema.type === 'integer') return schema.minimum
  if (schema.type === 'boolean') return false
  return 'Hello'
}

/** What it may stand in, where that is not the mail itself. */
const within: Record<string, string> = { else: 'if' }
const placed = (type: string, node: Json): Json =>
  within[type] ? { ...smallest(within[type]), children: [node] } : node

/** Only what is required, and a value that a condition compares with. */
function smallest(type: string): Json {
  const { required, properties } = nodeOf(type)
  const node = Object.fromEntries(required.map((name: string) => [name, good(name, properties[name])]))
  return type === 'if' ? { ...node, value: 'pro' } : node
}

const strange: Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e9,
  '',
  'abc',
  '16',
  '16px',
  'true',
  '#12',
  '#123',
  '#12345g',
  [],
  [1],
  {},
  [[]],
]

/** At its limits, over them, and of another kind. */
function valuesOf({ minimum, maximum, maxLength, enum: values = [] }: Json): Json[] {
  const limits = minimum === undefined ? [] : [minimum - 1, minimum, minimum + 0.5, maximum, maximum + 1]
  const lengths = maxLength === undefined ? [] : ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1)]
  return [...limits, ...lengths, ...values, ...strange]
}

/** Rules about two properties, which the words of a list say. */
const ofTables = ['items', 'head', 'totals', 'cellAlign', 'columnWidths']

test.each(nodeTypes)('a %s is documented as it is checked: each property, at its limits and beyond', (type) => {
  const { properties, required } = nodeOf(type)
  const node = smallest(type)
  expect(agree([placed(type, node)])).toBe(true)
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(nodeSchemas[type].properties)))
  let takenAs = 0
  for (const [name, schema] of Object.entries<Json>(properties)) {
    if (name === 'type' || name === 'children' || ofTables.includes(name)) continue
    expect(agree([placed(type, { ...node, [name]: good(name, schema) })]), name).toBe(true)
    // What an address or the name of a variable may be, no schema says.
    const values = valuesOf(schema).filter(
      (value) =>
        typeof value !== 'string' ||
        good(name, schema) === 'Hello' ||
        schema.enum ||
        schema.pattern ||
        schema.type !== 'string',
    )
    for (const value of values) takenAs += Number(agree([placed(type, { ...node, [name]: value })]))
  }
  expect(takenAs).toBeGreaterThan(0)
  for (const name of required) {
    const { [name]: _, ...without } = node
    expect(agree([placed(type, without)]), name).toBe(false)
  }
  for (const value of [...strange, `${type}s`, type.toUpperCase()])
    expect(agree([placed(type, { ...node, type: value })])).toBe(false)
})

test('what stands in what is documented as it is checked', () => {
  const branches = nodeTypes.filter((type) => nodeOf(type).properties.children !== undefined)
  expect(branches).toEqual(['container', 'section', 'header', 'footer', 'if', 'each', 'else', 'block'])
  const misplaced: string[] = []
  for (const outer of branches)
    for (const inner of nodeTypes) {
      const children = [{ ...smallest(inner) }, { type: 'text', text: 'a' }]
      const tree = [placed(outer, { ...smallest(outer), children })]
      expect(allows(tree)).toBe(inner !== 'else' || within[inner] === outer || outer === 'each')
      const found = taken(tree)
      if ('faults' in found) {
        expect(new Set(found.faults)).toEqual(
          new Set([inner === 'each' && outer === 'each' ? 'invalid_variable' : 'invalid_child']),
        )
        misplaced.push(`${inner} in ${outer}`)
      }
    }
  // The schema says so of `else`, and the descriptions of the others.
  expect(misplaced.filter((found) => !found.startsWith('else in'))).toEqual([
    'section in section',
    'header in header',
    'footer in header',
    'header in footer',
    'footer in footer',
    'header in if',
    'footer in if',
    'header in each',
    'footer in each',
    'each in each',
    'header in else',
    'footer in else',
    'block in block',
  ])
  for (const [type, words] of [
    ['section', 'Not inside another section'],
    ['block', 'Not inside another block'],
    ['each', 'Inside another, its list is one of an entry'],
    ['header', 'Not inside a header or footer, nor in an if or each'],
    ['footer', 'Not inside a header or footer, nor in an if or each'],
  ] as const)
    expect(nodeOf(type).description).toContain(words)
  for (const children of [{}, 'a', 0, ['a'], [{}], [{ type: 'nope' }], [{ type: 'button' }]])
    expect(agree([{ type: 'container', children }])).toBe(false)
  for (const tree of [[], {}, 'a', null, [[]], [null]]) expect(agree(tree)).toBe(false)
})

test('a list holds entries or rows, as documented', () => {
  const list = (items: Json, more: object = {}) => [{ type: 'list', items, ...more }]
  const entries = ['a', { type: 'text', text: 'b' }, { type: 'link', text: 'c', href: address }]
  const cells = (count: number) => Array.from({ length: count }, (_, at) => `cell ${at}`)
  for (const good of [[], entries, [cells(1)], [cells(6), cells(6)], Array.from({ length: 200 }, () => 'a')])
    expect(agree(list(good)), JSON.stringify(good)).toBe(true)
  const wrong = [
    [cells(7)],
    [[]],
    [[1]],
    ['a', cells(1)],
    [smallest('image')],
    [1],
    [null],
    [{ type: 'text' }],
    'a',
    {},
  ]
  for (const bad of [...wrong, Array.from({ length: 201 }, () => 'a')])
    expect(agree(list(bad)), JSON.stringify(bad)).toBe(false)
  const rows = [cells(2), cells(2)]
  const whole = { head: cells(2), totals: [cells(2)], cellAlign: ['left', 'right'] }
  expect(agree(list(rows, whole))).toBe(true)
  for (const [name, values] of Object.entries({
    head: [[], [1], 'a', cells(7)],
    totals: ['a', [[]], [cells(7)], Array.from({ length: 21 }, () => cells(2))],
    cellAlign: ['left', ['middle'], Array.from({ length: 7 }, () => 'left')],
  }))
    for (const value of values) expect(agree(list(rows, { ...whole, [name]: value })), name).toBe(false)
  // Which rules no schema says; the description of the list does.
  expect(nodeOf('list').description).toContain('are for rows, which all have the same number of cells')
  expect(taken(list(['a'], { head: ['h'] }))).toEqual({ faults: ['invalid_value'] })
  expect(taken(list([cells(1), cells(2)]))).toEqual({ faults: ['invalid_value'] })
})

test('what a request may hold of the tree is documented wherever it stands, and so is what is answered', async () => {
  await using t = await testApp()
  const { paths } = await t.get('/openapi.json', 200, { as: 'nobody' })
  const [mail, tree] = ['#/components/schemas/MailContent', '#/components/schemas/ComponentTree']
  expect(schemas.MailContent.oneOf[0].$ref).toBe(tree)
  const bodies = JSON.stringify([schemas.CreateTemplateBody, schemas.UpdateTemplateBody, schemas.PreviewContentBody])
  expect(bodies.split(mail)).toHaveLength(4)
  const put = paths['/v1/transactional/{templateId}/content/{locale}'].put
  expect(JSON.stringify(put.requestBody).split(mail)).toHaveLength(2)
  expect(JSON.stringify(put.requestBody).split(tree)).toHaveLength(2)
  expect(schemas.Content.properties.content.$ref).toBe(mail)
  const content = [{ type: 'section', columns: 2, children: [{ type: 'container', children: [smallest('text')] }] }]
  await t.template({ id: 'hi', content })
  expect((await t.get('/v1/transactional/hi/content/en', 200)).content).toEqual(content)
})
