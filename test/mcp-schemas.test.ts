// The schema of every tool at both endpoints, against what providers and clients publish that they take: one tool that is refused is a
// server without tools.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Ajv from 'ajv/dist/2020.js'
import { mailboxSurface } from '../src/doors/mcp/surfaces.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { testMailbox } from './support/mailbox.ts'
import { mcpClient, workspaceSurface } from './support/mcp.ts'
import { modern } from './support/mcp-calls.ts'

let t: TestApp
const listed: Record<string, Json[]> = {}

beforeAll(async () => {
  t = await testApp()
  const { token } = await testMailbox(t)
  for (const [path, credential] of [
    ['/mcp', t.apiKey],
    ['/mailbox/mcp', token],
  ] as const) {
    await using client = await mcpClient(modern, t.url + path, credential)
    listed[path] = (await client.listTools()).tools
  }
})
afterAll(() => t[Symbol.asyncDispose]())

/** What all of them know: the intersection of what they document. */
const keywords =
  'type title description enum required additionalProperties items properties anyOf minimum maximum minLength maxLength minItems maxItems'.split(
    ' ',
  )
const types = ['object', 'array', 'string', 'integer', 'number', 'boolean']
const most = {
  /** OpenAI. */
  descriptionChars: 1_024,
  /** OpenAI, Structured Outputs: of strict functions. */
  depth: 10,
  properties: 5_000,
  enumValues: 1_000,
  nameChars: 120_000,
}
/** OpenAI, Anthropic, Mistral and Bedrock (`toolSpec.name`); Gemini demands a letter or `_` first. */
const toolName = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/
/** Anthropic; OpenAI takes these as well. */
const propertyName = /^[a-zA-Z0-9_.-]{1,64}$/

interface Direction {
  isInput: boolean
}

/** What somebody would refuse. */
function faults(schema: Json, at: string, direction: Direction): string[] {
  const found = Object.keys(schema)
    .filter((keyword) => !keywords.includes(keyword))
    .map((keyword) => `${at}: ${keyword}`)
  if (schema.anyOf) return [...found, ...choiceFaults(schema, at, direction)]
  if (Object.keys(schema).length > 0 && !types.includes(schema.type)) found.push(`${at}: no type`)
  found.push(...shapeFaults(schema, at, direction))
  if (schema.enum && (schema.type !== 'string' || schema.enum.some((one: unknown) => typeof one !== 'string' || !one)))
    found.push(`${at}: enum of what is no text`)
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    if (!propertyName.test(name)) found.push(`${at}.${name}: its name`)
    found.push(...faults(one, `${at}.${name}`, direction))
  }
  if (schema.items) found.push(...faults(schema.items, `${at}[]`, direction))
  if (typeof schema.additionalProperties === 'object')
    found.push(...faults(schema.additionalProperties, `${at}{}`, direction))
  return found
}

/** Gemini: a schema that is a choice says nothing beside it. Null is no type of an argument there. */
function choiceFaults(schema: Json, at: string, { isInput }: Direction): string[] {
  const found: string[] = []
  const beside = Object.keys(schema).filter((keyword) => !['anyOf', 'title', 'description'].includes(keyword))
  if (beside.length > 0) found.push(`${at}: ${beside} beside anyOf`)
  if (schema.anyOf.length < 2) found.push(`${at}: anyOf of one`)
  for (const [n, option] of schema.anyOf.entries()) {
    const isNull = option.type === 'null'
    if (isInput && isNull) found.push(`${at}: null`)
    if (typeof option.type !== 'string') found.push(`${at}: an option without a type`)
    if (!isNull) found.push(...faults(option, `${at}|${n}`, { isInput }))
  }
  return found
}

/** Gemini: an array says what it holds, and an object that is not open has members. */
function shapeFaults(schema: Json, at: string, { isInput }: Direction): string[] {
  const { type, items, properties = {}, required = [], additionalProperties } = schema
  const found: string[] = required.flatMap((name: string) =>
    properties[name] ? [] : [`${at}: ${name} is required and not there`],
  )
  if (type === 'array' && Object.keys(items ?? {}).length === 0) found.push(`${at}: no items`)
  if (type !== 'object' && (schema.properties || schema.required)) found.push(`${at}: members of what is no object`)
  const isOpen = additionalProperties !== undefined && additionalProperties !== false
  if (isInput && at.includes('.') && type === 'object' && Object.keys(properties).length === 0 && !isOpen)
    found.push(`${at}: an object without members`)
  return found
}

interface Size {
  depth: number
  properties: number
  enumValues: number
  nameChars: number
}

function sizeOf(schema: Json): Size {
  const inside: Json[] = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ]
  const sizes = inside.map(sizeOf)
  const sum = (name: keyof Size) => sizes.reduce((all, one) => all + one[name], 0)
  const names = Object.keys(schema.properties ?? {})
  const chars = [...names, ...(schema.enum ?? [])].join('').length
  return {
    depth: Math.max(0, ...sizes.map(({ depth }) => depth)) + (schema.type === 'object' ? 1 : 0),
    properties: sum('properties') + names.length,
    enumValues: sum('enumValues') + (schema.enum ?? []).length,
    nameChars: sum('nameChars') + chars,
  }
}

test('what somebody refuses is seen', () => {
  const bad = {
    type: 'object',
    properties: {
      a: { type: 'array' },
      b: { anyOf: [{ const: 1 }, { type: 'null' }], minimum: 1 },
      c: { type: 'string', format: 'uri' },
      d: { type: ['string', 'null'] },
      e: { type: 'object' },
      f: { $ref: '#/$defs/f' },
      g: { type: 'integer', enum: [1] },
      h: { type: 'string', required: [] },
      'i j': { type: 'string' },
      k: { type: 'string', enum: [''] },
    },
    required: ['z'],
  }
  expect(faults(bad, '', { isInput: true })).toEqual([
    ': z is required and not there',
    '.a: no items',
    '.b: minimum beside anyOf',
    '.b: an option without a type',
    '.b|0: const',
    '.b|0: no type',
    '.b: null',
    '.c: format',
    '.d: no type',
    '.e: an object without members',
    '.f: $ref',
    '.f: no type',
    '.g: enum of what is no text',
    '.h: members of what is no object',
    '.i j: its name',
    '.k: enum of what is no text',
  ])
})

describe.each(['/mcp', '/mailbox/mcp'])('every tool at %s', (path) => {
  const tools = () => listed[path] ?? []

  test('is listed', () => {
    const declared = path === '/mcp' ? workspaceSurface.tools : mailboxSurface.tools
    expect(tools().map(({ name }) => name)).toEqual(declared.map(({ name }) => name))
    expect(new Set(tools().map(({ name }) => name)).size).toBe(declared.length)
  })

  test('has a name and a description that every provider takes', () => {
    for (const { name, title, description } of tools()) {
      expect(name).toMatch(toolName)
      expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/)
      expect(title.length, name).toBeWithin(1, 64)
      expect(description.length, name).toBeWithin(100, most.descriptionChars + 1)
    }
  })

  test('has schemas of the keywords that every provider takes', () => {
    for (const { name, inputSchema, outputSchema } of tools()) {
      expect(faults(inputSchema, name, { isInput: true })).toEqual([])
      expect(faults(outputSchema, name, { isInput: false })).toEqual([])
    }
  })

  test('has an object at the root, and no choice there', () => {
    for (const { name, inputSchema, outputSchema } of tools())
      for (const schema of [inputSchema, outputSchema]) {
        expect(schema.type, name).toBe('object')
        expect(schema.properties, name).toBeObject()
        for (const keyword of ['anyOf', 'oneOf', 'allOf', 'not', 'enum'])
          expect(schema, name).not.toHaveProperty(keyword)
      }
  })

  test('has a schema of JSON Schema 2020-12 that compiles in strict mode', () => {
    for (const { name, inputSchema, outputSchema } of tools())
      for (const schema of [inputSchema, outputSchema])
        expect(() => new Ajv({ strict: true, strictRequired: true }).compile(schema), name).not.toThrow()
  })

  test('is no larger than strict functions may be', () => {
    for (const { name, inputSchema } of tools()) {
      const { depth, properties, enumValues, nameChars } = sizeOf(inputSchema)
      expect(depth, name).toBeLessThanOrEqual(most.depth)
      expect(properties, name).toBeLessThanOrEqual(most.properties)
      expect(enumValues, name).toBeLessThanOrEqual(most.enumValues)
      expect(nameChars, name).toBeLessThanOrEqual(most.nameChars)
    }
  })
})

/** In bytes of tools/list: what a model reads before its first call. */
test.each([
  ['/mcp', 84 * 1024],
  ['/mailbox/mcp', 20 * 1024],
])('all of %s together', (path, mostBytes) => {
  expect(Buffer.byteLength(JSON.stringify(listed[path]))).toBeLessThanOrEqual(mostBytes)
})
