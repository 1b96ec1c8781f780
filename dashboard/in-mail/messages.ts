// What the dashboard and the frame that shows a mail tell each other.

import type { Format } from './inline-text.ts'

export interface ShownMail {
  /** With the comments that say which node made what. */
  html: string
  isDark: boolean
  hasPictures: boolean
  /** Text of 200 %, as a reader who sees less sets it. */
  isLarge: boolean
  isRightToLeft: boolean
  /** The place of the chosen node: `content[0]`. */
  chosen: string | null
  /** What stands beside a link, by its address. */
  labels: Record<string, string>
  /** The text that is edited in the mail. */
  edit: Edit | null
  /** What the handle says with which components are dragged. Null: they are not. */
  handle: string | null
}

export interface Edit {
  /** The node, and which of its texts in the order in which they stand in the mail. */
  place: string
  index: number
  text: string
  format: Format
  /** Its format becomes markdown with its first bold word. */
  mayBeMarkdown: boolean
  /** What Enter does: a line break, a new entry, or the end of editing. */
  enter: 'break' | 'split' | 'end'
  /** What a screen reader says of it. */
  label: string
  help: string
  /** The last change that this text knows of: what was typed since then is newer. */
  seen: number
}

export type Mark = 'strong' | 'em'

export type Command = { mark: Mark } | { link: string | null } | { insert: string } | { focus: true }

/** Where it would land: an edge of a node, or within. */
export interface Landing {
  place: string
  edge: 'top' | 'bottom' | 'left' | 'right' | 'inside'
}

export type ToFrame =
  | { mail: ShownMail }
  | { command: Command }
  | { landing: Landing | null }
  /** Where something is that is dragged from outside, which browsers do not let into a frame of another origin. */
  | { point: { x: number; y: number } | null }

/** Which of the texts of a node was clicked, of how many. */
export interface Spot {
  index: number
  count: number
}

export interface Typed {
  place: string
  index: number
  text: string
  format: Format
  /** Counts the changes. */
  change: number
  /** Changes of one step are undone together. */
  step: number
}

/** What is marked in the text that is edited, and where, in pixels of the frame. */
export interface Caret {
  top: number
  bottom: number
  left: number
  strong: boolean
  em: boolean
  href: string | null
  isEmpty: boolean
  /** It can have bold words and links. */
  hasLooks: boolean
}

/** Where a dragged thing is over a node: parts of its width and height. */
export interface Over {
  place: string
  x: number
  y: number
}

export type FromFrame =
  | { chosen: string; spot: Spot | null }
  /** Files that were dropped or pasted, and the node that they were dropped on. */
  | { files: File[]; at: string | null }
  | { typed: Typed }
  | { caret: Caret }
  /** The text before and after the place where Enter was pressed. */
  | { split: [string, string] }
  | { key: 'save' | 'undo' | 'redo' | 'link' | 'tools' | 'end' | 'next' | 'before' | 'erase' }
  | { dragged: string | null }
  | { over: Over | null }
  | { dropped: true }

export type SendToPage = (message: FromFrame) => void

/** What a drag of components is known by, in whichever frame it is. */
export const dragType = 'application/x-paquebot-components'
