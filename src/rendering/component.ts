// What a component of a mail is: its properties, its HTML and its text, all in one file of components/. A new one is such a file and its
// line in components.ts: validation, types, the OpenAPI document and the tools for agents follow from it.

import type { Static, TObject } from '@sinclair/typebox'
import type { Slots } from './segments.ts'
import type { Surface } from './theme.ts'

/** A node of any type. */
export interface AnyNode {
  type: string
  children?: AnyNode[]
}

/** What is the same all over one mail. */
interface Mail {
  slots: Slots
  locale: string
  kind: 'transactional' | 'marketing'
  /** The footer shows the link to leave although it says otherwise: nothing else in the mail does. */
  keepsUnsubscribe: boolean
}

/** A mail as HTML. */
export interface Page extends Mail {
  direction: 'ltr' | 'rtl'
  accent: string
  logoUrl: string | null
  /** Nodes below each other, with the space that belongs between them. */
  rows(nodes: AnyNode[], surface: Surface): string
  /** True when the node, or one below it, makes a link of its own. */
  holdsLink(node: AnyNode): boolean
  /** Where each node stands in the tree, for HTML that says so (marks.ts). */
  paths?: ReadonlyMap<AnyNode, string>
}

/** A mail as text. */
export interface TextPage extends Mail {
  /** A string for each paragraph. */
  blocks(nodes: AnyNode[]): string[]
}

/** A property as it was sent, and where it stood. */
export interface Given {
  value: unknown
  path: string
}

/** How a component reads a property that a schema cannot describe. */
export interface Reading {
  fault(path: string, code: string, message: string): void
  warn(path: string, code: string, message: string): void
  /** Refuses what is no text; warns of placeholders that name nothing. */
  checkText(value: string, path: string): void
  /** A node that stands in a property. Null when it is faulty, which is noted then. */
  readNode(input: unknown, path: string): AnyNode | null
}

export interface Component<N = object> {
  schema: TObject
  /** What stands in one table cell. */
  html(node: N, page: Page, surface: Surface): string
  /** Its paragraphs; '' and none are nothing. */
  text(node: N, page: TextPage): string[]
  /** It has children. */
  isBranch?: true
  /** Types that it may not stand in, at any depth. */
  notInside?: string[]
  /** More space is left around it than between lines of text. */
  isWide?: true
  /** It is warned of when this is empty, or leads nowhere. */
  wants?: ('text' | 'href')[]
  /** A warning about a node that is valid. */
  doubt?(node: N): { name: string; code: string; message: string } | null
  /** It makes a link of its own in the HTML. */
  makesLink?(node: N): boolean
  /** Texts and addresses in which a link to unsubscribe may stand. */
  words?(node: N): string[]
  /** Properties that it reads itself, with what they look like in the OpenAPI document. */
  reads?: {
    properties: Record<string, unknown>
    into(node: Record<string, unknown>, given: Map<string, Given>, at: { path: string; reading: Reading }): void
  }
}

export function defineComponent<S extends TObject>(
  component: Omit<Component<Static<S>>, 'isBranch'> & { schema: S },
): Component<Static<S>> {
  return component
}

/** A component with children. */
export function defineBranch<S extends TObject>(
  component: Omit<Component<Static<S> & { children?: AnyNode[] }>, 'isBranch'> & { schema: S },
): Component<Static<S> & { children?: AnyNode[] }> {
  return { ...component, isBranch: true }
}
