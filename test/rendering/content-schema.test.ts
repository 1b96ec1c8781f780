import { expect, test } from 'bun:test'
import { Elysia, t } from 'elysia'
import { contentArgument } from '../../src/doors/mcp/content-argument.ts'
import { contentSchema } from '../../src/features/content/rendering/nodes.ts'

test('a route that declares the schema hands every tree on untouched, for parseTree to judge', async () => {
  const app = new Elysia().post('/', ({ body }) => ({ content: body.content }), {
    body: t.Object({ content: t.Optional(contentSchema) }),
  })
  const trees: unknown[] = [
    [
      {
        type: 'nope',
        own: 1,
        children: [{ type: 'text', text: '<b>', props: { a: [1, null] } }],
        items: ['a', { b: 1 }],
      },
    ],
    'no list',
    null,
  ]
  for (const content of trees) {
    const request = new Request('http://localhost/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content }),
    })
    expect(await (await app.handle(request)).json()).toEqual({ content })
  }
})

test('the argument of a tool describes all ten types in a few kilobytes', () => {
  const json = JSON.stringify(contentArgument)
  expect(json.length).toBeLessThan(6_000)
  for (const type of [
    'container',
    'section',
    'header',
    'footer',
    'heading',
    'text',
    'button',
    'link',
    'image',
    'list',
  ]) {
    expect(contentArgument.items).toHaveProperty('properties.type.enum', expect.arrayContaining([type]))
    expect(json).toContain(`${type}(`)
  }
})
