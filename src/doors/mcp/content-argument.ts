// A component tree as the argument of a tool, in the subset of JSON Schema that strict clients accept: what a node may have is said in words,
// which is a third as long as a schema. parseTree() validates it.

import { type TObject, type TProperties, Type } from '@sinclair/typebox'
import { mayHaveChildren, type NodeType, nodeSchemas, nodeTypes } from '../../features/content/rendering/nodes.ts'

/** What its name says already, or the refusal of another one. */
const obvious = /^(?:text|true or false|a whole number|a colour)/

export const contentArgument = Type.Unknown({
  type: 'array',
  title: 'Component tree',
  description: `Array of nodes in order. Properties by type (* required): ${nodeTypes.map(describeType).join('; ')}. Children: ${nodeTypes.filter(holdsChildren).join(', ')}. Values: ${valuesOf().join('; ')}.`,
  items: {
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string', enum: nodeTypes } },
    additionalProperties: true,
  },
})

/** What a block holds is not written with the mail. */
function holdsChildren(type: NodeType): boolean {
  return mayHaveChildren(type) && type !== 'block'
}

function propertiesOf(type: NodeType): TProperties {
  const { properties }: TObject = nodeSchemas[type]
  return properties
}

function describeType(type: NodeType): string {
  const { required = [] }: TObject = nodeSchemas[type]
  const names = Object.keys(propertiesOf(type)).filter((name) => name !== 'id')
  return `${type}(${names.map((name) => (required.includes(name) ? `${name}*` : name)).join(', ')})`
}

/** What a property may be, once for all that may be the same. */
function valuesOf(): string[] {
  const named = new Map<string, Set<string>>()
  for (const type of nodeTypes) {
    for (const [name, { description = '' }] of Object.entries(propertiesOf(type))) {
      if (!obvious.test(description)) named.getOrInsertComputed(description, () => new Set()).add(name)
    }
  }
  return [...named].map(([value, names]) => `${[...names].join(', ')}: ${value}`)
}
