// Defines a component of a mail: its properties, HTML and text, all in one file of components/. Adding one takes such a file and its line
// in components.ts: validation, types, the OpenAPI document and the tools for agents follow.

import type { Static, TObject } from '@sinclair/typebox'
import type { Slots } from './segments.ts'
import type { Ground, Surface } from './theme.ts'

/** A node of any type. */
export interface AnyNode {
  type: string
  children?: AnyNode[]
}

/** What is the same throughout one mail. */
interface Mail {
  slots: Slots
  locale: string
  kind: 'transactional' | 'marketing'
  /** Whether the footer shows the unsubscribe link even if told otherwise, because nothing else in the mail does. */
  keepsUnsubscribe: boolean
}

/** A mail as HTML. */
export interface Page extends Mail {
  direction: 'ltr' | 'rtl'
  accent: string
  logoUrl: string | null
  /** The logo of the brand where the reader's client is dark. */
  darkLogoUrl: string | null
  /** The typefaces, the first that is there. */
  font: string
  /** Of corners of boxes and buttons; null: what suits each. */
  radius: number | null
  /** What cards, headers and footers stand on. */
  ground: Ground
  /** Nodes below each other, with the appropriate space between them. */
  rows(nodes: AnyNode[], surface: Surface): string
  /** True when the node, or a descendant, renders a link of its own. */
  holdsLink(node: AnyNode): boolean
  /** Where each node stands in the tree, for HTML that says so (marks.ts). */
  paths?: ReadonlyMap<AnyNode, string>
}

/** A mail as text. */
export interface TextPage extends Mail {
  /** One for each paragraph. */
  blocks(nodes: AnyNode[]): Block[]
}

/** A paragraph of the text part, or several that are not in every mail: `around` says what stands before and after them. */
export type Block = string | { write(around: (text: string) => string): string }

/** How a node is shown that is not in every mail, or more than once. */
export interface Conditional {
  /** What it holds where it is shown, and what stands there where it is not. */
  choose(there: string, otherwise: string): string
  /** What it holds once for each, where it is shown. */
  repeat(inside: string, between: string): string
}

/** A property as it was sent, with its path. */
export interface SentProperty {
  value: unknown
  path: string
}

/** Reads properties that a schema cannot describe. */
export interface Reading {
  fault(path: string, code: string, message: string): void
  warn(path: string, code: string, message: string): void
  /** Refuses what is not text; warns of invalid placeholders. */
  checkText(value: string, path: string): void
  /** Parses a node inside a property. Null when it is invalid, which is recorded. */
  readNode(input: unknown, path: string): AnyNode | null
}

export interface Component<N = object> {
  schema: TObject
  /** What stands in one table cell. */
  html(node: N, page: Page, surface: Surface): string
  /** Its paragraphs; '' or an empty list for nothing. */
  text(node: N, page: TextPage): Block[]
  /** It has children. */
  isBranch?: true
  /** Types that must not contain it, at any depth. */
  notInside?: string[]
  /** Types of which one must be what it stands in. */
  onlyIn?: string[]
  /** What it holds stands in the mail as if it stood in its place. */
  isTransparent?: true
  /** What it holds is not in every mail, or more than once. */
  shown?(node: N, slots: Slots): Conditional
  /** It gets more space around it than lines of text. */
  isWide?: true
  /** Warns when this is empty, or is a link that leads nowhere. */
  wants?: ('text' | 'href')[]
  /** A warning about a node that is valid. */
  doubt?(node: N): { name: string; code: string; message: string } | null
  /** It renders a link of its own in the HTML. */
  makesLink?(node: N): boolean
  /** Texts and URLs that may contain an unsubscribe link. */
  words?(node: N): string[]
  /** Properties that it parses itself, with their form in the OpenAPI document. */
  reads?: {
    properties: Record<string, unknown>
    into(node: Record<string, unknown>, given: Map<string, SentProperty>, at: { path: string; reading: Reading }): void
  }
}

export function defineComponent<S extends TObject>(
  component: Omit<Component<Static<S>>, 'isBranch'> & { schema: S },
): Component<Static<S>> {
  return component
}

/** A component with children that adds nothing of its own to them. */
export function defineFrame<S extends TObject>(
  component: Omit<Component<Static<S> & { children?: AnyNode[] }>, 'isBranch' | 'html' | 'text'> & { schema: S },
): Component<Static<S> & { children?: AnyNode[] }> {
  return defineBranch<S>({
    ...component,
    html: ({ children = [] }, page, surface) => page.rows(children, surface),
    text: ({ children = [] }, page) => page.blocks(children),
  })
}

/** A component with children. */
export function defineBranch<S extends TObject>(
  component: Omit<Component<Static<S> & { children?: AnyNode[] }>, 'isBranch'> & { schema: S },
): Component<Static<S> & { children?: AnyNode[] }> {
  return { ...component, isBranch: true }
}
