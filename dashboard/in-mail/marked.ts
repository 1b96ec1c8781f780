// Which node of the tree made which part of the mail in the frame, as the comments in its HTML say.

function* marks(): Generator<Comment> {
  const comments = document.createTreeWalker(document, NodeFilter.SHOW_COMMENT)
  while (comments.nextNode()) if (comments.currentNode instanceof Comment) yield comments.currentNode
}

interface Marked {
  place: string
  begins: Comment
  ends: Comment
}

/** The innermost node that made an element: the last that opens before it and closes behind it. */
export function markedAround(element: Node): Marked | undefined {
  const all = [...marks()]
  const around = all.flatMap((begins, at) => {
    const ends = endOf(all, begins, at)
    const isAround = ends && isBefore(begins, element) && isBefore(element, ends)
    return isAround ? [{ place: begins.data, begins, ends }] : []
  })
  return around.at(-1)
}

/** What a node made first: more than once where it is repeated. */
export function findMarked(place: string): Marked | undefined {
  const all = [...marks()]
  const at = all.findIndex(({ data }) => data === place)
  const begins = all[at]
  const ends = begins && endOf(all, begins, at)
  return ends && { place, begins, ends }
}

function endOf(all: Comment[], { data }: Comment, at: number): Comment | undefined {
  return all.find((mark, index) => index > at && mark.data === `/${data}`)
}

function isBefore(one: Node, other: Node): boolean {
  const place = one.compareDocumentPosition(other)
  return (place & Node.DOCUMENT_POSITION_FOLLOWING) > 0 && (place & Node.DOCUMENT_POSITION_CONTAINED_BY) === 0
}

export function firstElement({ begins }: Marked): HTMLElement | null {
  let next = begins.nextSibling
  while (next && !(next instanceof HTMLElement)) next = next.nextSibling
  return next
}

export function boxOf({ begins, ends }: Marked): DOMRect {
  const range = document.createRange()
  range.setStartAfter(begins)
  range.setEndBefore(ends)
  return range.getBoundingClientRect()
}

const texts = 'h1, h2, h3, p, li, table[role="table"] :is(th, td), a'

/** What holds the texts of a node, in their order. */
export function textsOf({ begins, ends }: Marked): HTMLElement[] {
  const within = begins.parentElement?.querySelectorAll<HTMLElement>(texts) ?? []
  const own = [...within].filter((one) => isBefore(begins, one) && isBefore(one, ends))
  return own.filter((one) => !own.some((other) => other !== one && other.contains(one)))
}
