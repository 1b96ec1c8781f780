// Links to the next page of a list, and back to its beginning.

import { inLanguage } from '../words.ts'

const words = inLanguage(catalogue.parts.pages)

interface Props {
  cursor: string
  nextCursor: string | null
  /** The address of the same list at a cursor; without one, of its beginning. */
  hrefAt: (cursor?: string) => string
}

export function Pages({ cursor, nextCursor, hrefAt }: Props) {
  if (cursor === '' && nextCursor === null) return null
  return (
    <nav class="pages" aria-label={words.pages}>
      {cursor !== '' && <a href={hrefAt()}>{words.first}</a>}
      {nextCursor !== null && <a href={hrefAt(nextCursor)}>{words.next}</a>}
    </nav>
  )
}

/** `?q=a&cursor=b`, without what is empty. */
export function toSearch(given: Record<string, string | undefined>): string {
  const pairs = Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : []))
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}
