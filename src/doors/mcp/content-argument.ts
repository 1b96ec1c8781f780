// A component tree as the argument of a tool: a single merged list of properties, small, and in the subset of JSON Schema that strict
// clients accept. parseTree() validates it.

import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { mayHaveChildren, type NodeType, nodeSchemas, nodeTypes } from '../../features/content/rendering/nodes.ts'

/** What a list holds. */
const entry = { anyOf: [{ type: 'string' }, { type: 'object' }, { type: 'array', items: { type: 'string' } }] }

export const contentArgument = Type.Unknown({
  type: 'array',
  title: 'Component tree',
  description: `Array of nodes in order. Properties by type (* required): ${nodeTypes.map(describeType).join('; ')}. Children: ${nodeTypes.filter(holdsChildren).join(', ')}.`,
  items: {
    type: 'object',
    required: ['type'],
    properties: {
      type: { type: 'string', enum: nodeTypes },
      ...Object.fromEntries(propertyNames().map((name) => [name, describeProperty(name)])),
      children: { type: 'array', items: { type: 'object', description: 'a node' } },
    },
  },
})

/** What a block holds is not written with the mail. */
function holdsChildren(type: NodeType): boolean {
  return mayHaveChildren(type) && type !== 'block'
}

function describeType(type: NodeType): string {
  const schema: TObject = nodeSchemas[type]
  const names = Object.keys(schema.properties).filter((name) => name !== 'id')
  return `${type}(${names.map((name) => (schema.required?.includes(name) ? `${name}*` : name)).join(', ')})`
}

function propertyNames(): string[] {
  const all: TObject[] = Object.values(nodeSchemas)
  return [...new Set(all.flatMap((schema) => Object.keys(schema.properties)))]
}

/** One description for all types with the property; where they differ, each range names its types. */
function describeProperty(name: string): Record<string, unknown> {
  const ranges = new Map<string, NodeType[]>()
  let kind: Record<string, unknown> = {}
  for (const nodeType of nodeTypes) {
    const properties: TProperties = nodeSchemas[nodeType].properties
    const property = properties[name]
    if (!property) continue
    kind = kindOf(property)
    const range = property.description ?? ''
    ranges.set(range, [...(ranges.get(range) ?? []), nodeType])
  }
  const [first] = ranges.keys()
  if (ranges.size === 1) return { ...kind, description: first }
  return { ...kind, description: [...ranges].map(([range, types]) => `${range} (${types.join(', ')})`).join('; ') }
}

function kindOf({ type, anyOf, items }: TSchema): Record<string, unknown> {
  if (anyOf) return { anyOf: anyOf.map((one: TSchema) => ({ type: one.type })) }
  return type === 'array' ? { type, items: items.type === undefined ? entry : { type: items.type } } : { type }
}
