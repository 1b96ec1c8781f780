// The ten node types of the component tree and their properties: the one list that validation, the types and the
// OpenAPI document are derived from. A property's `description` is also the end of its error message ("must be …").

import { type Static, Type } from '@sinclair/typebox'

const maxIdLength = 100
export const maxListEntries = 200
export const maxCells = 6
export const maxTotals = 20
export const maxNodes = 500

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

const container = Type.Object(
  {
    ...shared,
    width: Type.Optional(pixels(320, 800)),
    backgroundColor: Type.Optional(colour()),
    padding: Type.Optional(pixels(0, 120)),
    borderRadius: Type.Optional(pixels(0, 64)),
    align: Type.Optional(align()),
  },
  { description: 'A box, e.g. a card, or a column of a section.' },
)
const section = Type.Object(
  {
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
  },
  {
    description: 'A band across the mail; with `columns`, its children stand side by side. Not inside another section.',
  },
)
const header = Type.Object(
  {
    ...shared,
    logoUrl: Type.Optional(picture()),
    darkLogoUrl: Type.Optional(picture()),
    logoAlt: Type.Optional(words()),
    href: Type.Optional(address()),
    text: Type.Optional(words()),
    align: Type.Optional(align()),
    backgroundColor: Type.Optional(colour()),
  },
  { description: 'The head of the mail: a logo, a text or both. Not inside a header or footer.' },
)
const footer = Type.Object(
  {
    ...shared,
    text: Type.Optional(words()),
    companyName: Type.Optional(words()),
    address: Type.Optional(words()),
    showUnsubscribe: Type.Optional(flag()),
    align: Type.Optional(align()),
    color: Type.Optional(colour()),
  },
  {
    description: 'The foot of the mail: company, address, and the link to unsubscribe. Not inside a header or footer.',
  },
)
const heading = Type.Object(
  { ...shared, text: words(), level: Type.Optional(whole(1, 3)), ...copyStyle },
  { description: 'A heading of level 1 (default) to 3.' },
)
const text = Type.Object(
  {
    ...shared,
    text: words(),
    format: Type.Optional(oneOf('plain', 'markdown')),
    ...copyStyle,
  },
  { description: 'A paragraph. With `format: "markdown"`: bold, italics, links and line breaks, nothing else.' },
)
const button = Type.Object(
  {
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
  },
  { description: 'A link that looks like a button.' },
)
const link = Type.Object(
  {
    ...shared,
    text: words(),
    href: address(),
    color: Type.Optional(colour()),
    underline: Type.Optional(flag()),
    align: Type.Optional(align()),
    notrack: Type.Optional(flag()),
  },
  { description: 'A link on a line of its own, or in a list.' },
)
const image = Type.Object(
  {
    ...shared,
    src: picture(),
    alt: Type.Optional(words()),
    href: Type.Optional(address()),
    width: Type.Optional(pixels(12, 600)),
    height: Type.Optional(pixels(1, 2000)),
    align: Type.Optional(align()),
    borderRadius: Type.Optional(pixels(0, 300)),
    notrack: Type.Optional(flag()),
  },
  { description: 'A picture from the web. `alt` is read out, and shown where pictures are not loaded.' },
)
const list = Type.Object(
  {
    ...shared,
    ordered: Type.Optional(flag()),
    start: Type.Optional(whole(0, 100_000)),
    items: Type.Array(Type.Unknown(), {
      maxItems: maxListEntries,
      description: `a list of at most ${maxListEntries} entries, each a string, a text node or a link node, or all of them rows: lists of 1 to ${maxCells} texts`,
    }),
    head: Type.Optional(row('the heads of its columns, if its items are rows')),
    totals: Type.Optional(
      Type.Array(Type.Unknown(), {
        maxItems: maxTotals,
        description: `at most ${maxTotals} rows that stand once, after the items`,
      }),
    ),
    cellAlign: Type.Optional(
      Type.Array(align(), { maxItems: maxCells, description: 'left, center or right for each column of its rows' }),
    ),
    itemsVariable: Type.Optional(
      Type.String({ description: 'the name of an array variable; entries use {{item.field}}' }),
    ),
    align: Type.Optional(align()),
    color: Type.Optional(colour()),
  },
  {
    description:
      'Bullets or numbers; a table when its items are rows. `head`, `totals` and `cellAlign` are for rows, which all have the same number of cells.',
  },
)

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
 * The schema of a component tree in a request or an answer. It accepts anything: parseTree is the validator, because it knows the
 * aliases and lists every fault with its path. The OpenAPI document has the tree under this name (tree-components.ts).
 */
export const contentSchema = Type.Unknown({ component: 'ComponentTree', description: 'Nodes in order.' })
