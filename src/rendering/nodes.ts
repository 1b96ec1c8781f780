// The ten node types of the component tree and their properties: the one list that validation, the types and the
// OpenAPI document are derived from. A property's `description` is also the end of its error message ("must be …").

import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox'

const maxIdLength = 100
const maxListEntries = 200
export const maxCells = 6

const words = () => Type.String({ description: 'text' })
const address = () => Type.String({ description: 'a URL (http, https, mailto or tel); placeholders are allowed' })
const picture = () => Type.String({ description: 'an image URL (http or https); placeholders are allowed' })
const colour = () =>
  Type.String({ pattern: '^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$', description: 'a colour such as #1a2b3c or #123' })
const pixels = (minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, description: `a whole number of pixels from ${minimum} to ${maximum}` })
const whole = (minimum: number, maximum: number, what = 'a whole number') =>
  Type.Integer({ minimum, maximum, description: `${what} from ${minimum} to ${maximum}` })
const flag = () => Type.Boolean({ description: 'true or false' })
const oneOf = <const T extends string>(...values: T[]) =>
  Type.Unsafe<T>(
    Type.String({
      enum: values,
      pattern: `^(?:${values.join('|')})$`,
      description: `one of ${values.join(', ')}`,
    }),
  )
const align = () => oneOf('left', 'center', 'right')

const row = (what: string) => Type.Array(Type.String(), { maxItems: maxCells, description: what })

const shared = {
  id: Type.Optional(Type.String({ maxLength: maxIdLength, description: `text of at most ${maxIdLength} characters` })),
}
const copyStyle = {
  align: Type.Optional(align()),
  color: Type.Optional(colour()),
  fontSize: Type.Optional(pixels(12, 64)),
  lineHeight: Type.Optional(whole(100, 300, 'a line height in per cent')),
}

const container = Type.Object({
  ...shared,
  width: Type.Optional(pixels(320, 800)),
  backgroundColor: Type.Optional(colour()),
  padding: Type.Optional(pixels(0, 120)),
  borderRadius: Type.Optional(pixels(0, 64)),
  align: Type.Optional(align()),
})
const section = Type.Object({
  ...shared,
  backgroundColor: Type.Optional(colour()),
  padding: Type.Optional(pixels(0, 120)),
  paddingTop: Type.Optional(pixels(0, 120)),
  paddingRight: Type.Optional(pixels(0, 120)),
  paddingBottom: Type.Optional(pixels(0, 120)),
  paddingLeft: Type.Optional(pixels(0, 120)),
  borderRadius: Type.Optional(pixels(0, 64)),
  href: Type.Optional(address()),
  columns: Type.Optional(whole(1, 4)),
  /** A line above what it holds, or below; with nothing in it, the line alone. */
  divider: Type.Optional(oneOf('top', 'bottom')),
  /** Of a section with nothing in it: a space. */
  height: Type.Optional(pixels(1, 200)),
})
const header = Type.Object({
  ...shared,
  logoUrl: Type.Optional(picture()),
  darkLogoUrl: Type.Optional(picture()),
  logoAlt: Type.Optional(words()),
  href: Type.Optional(address()),
  text: Type.Optional(words()),
  align: Type.Optional(align()),
  backgroundColor: Type.Optional(colour()),
})
const footer = Type.Object({
  ...shared,
  text: Type.Optional(words()),
  companyName: Type.Optional(words()),
  address: Type.Optional(words()),
  showUnsubscribe: Type.Optional(flag()),
  align: Type.Optional(align()),
  color: Type.Optional(colour()),
})
const heading = Type.Object({ ...shared, text: words(), level: Type.Optional(whole(1, 3)), ...copyStyle })
const text = Type.Object({
  ...shared,
  text: words(),
  format: Type.Optional(oneOf('plain', 'markdown')),
  ...copyStyle,
})
const button = Type.Object({
  ...shared,
  text: words(),
  href: address(),
  align: Type.Optional(align()),
  backgroundColor: Type.Optional(colour()),
  textColor: Type.Optional(colour()),
  borderRadius: Type.Optional(pixels(0, 64)),
  borderColor: Type.Optional(colour()),
  borderWidth: Type.Optional(pixels(0, 8)),
  paddingX: Type.Optional(pixels(0, 80)),
  paddingY: Type.Optional(pixels(0, 40)),
  fullWidth: Type.Optional(flag()),
  notrack: Type.Optional(flag()),
})
const link = Type.Object({
  ...shared,
  text: words(),
  href: address(),
  color: Type.Optional(colour()),
  underline: Type.Optional(flag()),
  align: Type.Optional(align()),
  notrack: Type.Optional(flag()),
})
const image = Type.Object({
  ...shared,
  src: picture(),
  alt: Type.Optional(words()),
  href: Type.Optional(address()),
  width: Type.Optional(pixels(12, 600)),
  height: Type.Optional(pixels(1, 2000)),
  align: Type.Optional(align()),
  borderRadius: Type.Optional(pixels(0, 300)),
  notrack: Type.Optional(flag()),
})
const list = Type.Object({
  ...shared,
  ordered: Type.Optional(flag()),
  start: Type.Optional(whole(0, 100_000)),
  items: Type.Array(Type.Unknown(), {
    maxItems: maxListEntries,
    description: `a list of at most ${maxListEntries} entries, each a string, a text node or a link node, or all of them rows: lists of 1 to ${maxCells} texts`,
  }),
  head: Type.Optional(row('the heads of its columns, if its items are rows')),
  totals: Type.Optional(
    Type.Array(Type.Unknown(), { maxItems: 20, description: 'at most 20 rows that stand once, after the items' }),
  ),
  cellAlign: Type.Optional(
    Type.Array(align(), { maxItems: maxCells, description: 'left, center or right for each column of its rows' }),
  ),
  itemsVariable: Type.Optional(
    Type.String({ description: 'the name of an array variable; entries use {{item.field}}' }),
  ),
  align: Type.Optional(align()),
  color: Type.Optional(colour()),
})

export const nodeSchemas = { container, section, header, footer, heading, text, button, link, image, list }
export type NodeType = keyof typeof nodeSchemas
export const nodeTypes = Object.keys(nodeSchemas).filter(isNodeType)

export type ContainerNode = { type: 'container'; children?: Node[] } & Static<typeof container>
export type SectionNode = { type: 'section'; children?: Node[] } & Static<typeof section>
export type HeaderNode = { type: 'header'; children?: Node[] } & Static<typeof header>
export type FooterNode = { type: 'footer'; children?: Node[] } & Static<typeof footer>
export type HeadingNode = { type: 'heading' } & Static<typeof heading>
export type TextNode = { type: 'text' } & Static<typeof text>
export type ButtonNode = { type: 'button' } & Static<typeof button>
export type LinkNode = { type: 'link' } & Static<typeof link>
export type ImageNode = { type: 'image' } & Static<typeof image>
/** A row of a table: its cells. */
export type Row = string[]
export type ListEntry = string | TextNode | LinkNode | Row
export type ListNode = { type: 'list'; items: ListEntry[] } & Omit<Static<typeof list>, 'items' | 'totals'> & {
    totals?: Row[]
  }
export type BranchNode = ContainerNode | SectionNode | HeaderNode | FooterNode
export type LeafNode = HeadingNode | TextNode | ButtonNode | LinkNode | ImageNode | ListNode
/** A node as parseTree returns it: flat, canonical property names, nothing unknown, no defaults filled in. */
export type Node = BranchNode | LeafNode

/** What a list that is no table holds. */
export function entriesOf({ items }: Pick<ListNode, 'items'>): Exclude<ListEntry, Row>[] {
  return items.filter((item): item is Exclude<ListEntry, Row> => !Array.isArray(item))
}

/** The rows of a list that is a table; null for one of entries. */
export function rowsOf({ items }: Pick<ListNode, 'items'>): Row[] | null {
  const rows = items.filter((item): item is Row => Array.isArray(item))
  return rows.length > 0 ? rows : null
}

export function isNodeType(value: unknown): value is NodeType {
  return typeof value === 'string' && Object.hasOwn(nodeSchemas, value)
}

const branchTypes = new Set<NodeType>(['container', 'section', 'header', 'footer'])
export function isBranch(node: Node): node is BranchNode {
  return branchTypes.has(node.type)
}
export function mayHaveChildren(type: NodeType): boolean {
  return branchTypes.has(type)
}

/**
 * The request schema of a component tree. It documents the tree and accepts anything: parseTree is the validator,
 * because it knows the aliases and lists every fault with its path. One merged property list keeps the document small.
 * There is no `type: array` in it: Elysia would rebuild the value from the items it sees described, and drop the rest.
 */
export const contentSchema = Type.Unknown({
  title: 'Component tree',
  description: `Array of nodes in order. Properties by type (* required): ${nodeTypes.map(describeType).join('; ')}. Children: container, section, header and footer.`,
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

function describeType(type: NodeType): string {
  const schema: TObject = nodeSchemas[type]
  const names = Object.keys(schema.properties).filter((name) => name !== 'id')
  return `${type}(${names.map((name) => (schema.required?.includes(name) ? `${name}*` : name)).join(', ')})`
}

function propertyNames(): string[] {
  const all: TObject[] = Object.values(nodeSchemas)
  return [...new Set(all.flatMap((schema) => Object.keys(schema.properties)))]
}

/** One description for all types that have the property; where they differ, each range is named with its types. */
function describeProperty(name: string): Record<string, unknown> {
  const ranges = new Map<string, NodeType[]>()
  let type: unknown
  for (const nodeType of nodeTypes) {
    const properties: TProperties = nodeSchemas[nodeType].properties
    const property = properties[name]
    if (!property) continue
    type = property.type
    const range = property.description ?? ''
    ranges.set(range, [...(ranges.get(range) ?? []), nodeType])
  }
  const [first] = ranges.keys()
  const items =
    type === 'array'
      ? { items: { anyOf: [{ type: 'string' }, { type: 'object' }, { type: 'array', items: { type: 'string' } }] } }
      : {}
  if (ranges.size === 1) return { type, description: first, ...items }
  return {
    type,
    ...items,
    description: [...ranges].map(([range, types]) => `${range} (${types.join(', ')})`).join('; '),
  }
}
