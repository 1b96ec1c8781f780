// The component tree in the OpenAPI document: a node of each type under its own name, made from the schemas that it is checked with.
// It describes the one notation that is stored; parseTree takes others as well, and turns them into this.

import { componentOf } from './components.ts'
import { footers, type SourceKind, sourceKinds } from './content.ts'
import { maxNodes, mayHaveChildren, type NodeType, nodeSchemas, nodeTypes } from './nodes.ts'
import { maxCells } from './properties.ts'

type Schema = Record<string, unknown>

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const toName = (type: NodeType) => `${type.charAt(0).toUpperCase()}${type.slice(1)}Node`
const referenceTo = (type: NodeType) => reference(toName(type))

/** Those that may stand anywhere. */
const standing = nodeTypes.filter((type) => componentOf(type).onlyIn === undefined)

function childrenOf(type: NodeType): Schema {
  const own = nodeTypes.filter((one) => componentOf(one).onlyIn?.includes(type))
  return own.length === 0 ? reference('Node') : { anyOf: [reference('Node'), ...own.map(referenceTo)] }
}

/** The schemas by name. `ComponentTree` is the one that others refer to. */
export function treeComponents(): Record<string, Schema> {
  return {
    ComponentTree: {
      type: 'array',
      description: `Nodes in order, at most ${maxNodes} in all, 8 deep, 100 KB of JSON. Text may contain \`{{variable}}\` and \`{{variable|fallback}}\`. In a request, properties may also be in \`props\`, and a property that a node does not have is left out with a warning.`,
      minItems: 1,
      maxItems: maxNodes,
      items: reference('Node'),
    },
    MailContent: {
      description: 'What a mail says: a component tree, or HTML or MJML.',
      oneOf: [reference('ComponentTree'), ...sourceKinds.map((kind) => reference(sourceName(kind)))],
    },
    ...Object.fromEntries(sourceKinds.map((kind) => [sourceName(kind), sourceComponent(kind)])),
    Node: {
      description: 'One component. Its `type` determines which properties it has.',
      oneOf: standing.map(referenceTo),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(standing.map((type) => [type, referenceTo(type).$ref])),
      },
    },
    TableRow: {
      type: 'array',
      description: 'The cells of a row.',
      minItems: 1,
      maxItems: maxCells,
      items: { type: 'string' },
    },
    ...Object.fromEntries(nodeTypes.map((type) => [toName(type), nodeComponent(type)])),
  }
}

const footerSchema = {
  oneOf: footers.map((footer) => ({ type: 'string', const: footer })),
  description:
    'What ends a marketing mail that shows no unsubscribe link: `added` (default), ours; `own`: it is refused in a campaign.',
}

const sourceName = (kind: SourceKind) => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Source`

function sourceComponent(kind: SourceKind): Schema {
  return {
    type: 'object',
    description: `${kind.toUpperCase()}, at most 512 KB. It is parsed and written anew with what a mail may contain; what is left out is among the warnings. The source is kept, to be edited. Its text, attributes and addresses may contain \`{{variable}}\` and \`{{variable|fallback}}\`.`,
    required: ['kind', 'source'],
    properties: { kind: { type: 'string', const: kind }, source: { type: 'string' }, footer: footerSchema },
  }
}

function nodeComponent(type: NodeType): Schema {
  const { properties, required = [], description } = nodeSchemas[type]
  return {
    type: 'object',
    description,
    required: ['type', ...required],
    properties: {
      type: { type: 'string', enum: [type] },
      ...properties,
      ...componentOf(type).reads?.properties,
      ...(mayHaveChildren(type) ? { children: { type: 'array', items: childrenOf(type) } } : {}),
    },
  }
}
