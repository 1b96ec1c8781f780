// Search in the documentation: in the browser, and on the server for a browser without script. Every word must be in the section, each
// as the beginning of a word; a heading counts more than the text under it.

export interface Entry {
  /** `/docs/campaigns#the-ledger` */
  href: string
  page: string
  heading: string
  text: string
}

export interface SearchHit {
  href: string
  page: string
  heading: string
  /** The sentence with the first word that was looked for. */
  sentence: string
}

const mostResults = 12
const sentenceLength = 160

export function findIn(entries: Entry[], query: string): SearchHit[] {
  const words = queryWords(query)
  if (words.length === 0) return []
  return entries
    .map((entry) => ({ entry, score: rankEntry(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostResults)
    .map(({ entry: { href, page, heading, text } }) => ({ href, page, heading, sentence: toSentence(text, words) }))
}

export function queryWords(query: string): string[] {
  return (
    query
      .slice(0, 200)
      .toLowerCase()
      .match(/[\p{L}\p{N}_-]+/gu)
      ?.slice(0, 8) ?? []
  )
}

/** 0 when a word is missing. */
function rankEntry({ page, heading, text }: Entry, words: string[]): number {
  const places: [string, number][] = [
    [heading.toLowerCase(), 10],
    [page.toLowerCase(), 6],
    [text.toLowerCase(), 1],
  ]
  let sum = 0
  for (const word of words) {
    const score = Math.max(...places.map(([place, weight]) => weight * wordFit(place, word)))
    if (score === 0) return 0
    sum += score
  }
  // Of two that fit alike, the shorter one says it more plainly.
  return sum + 1 / (1 + text.length / 500)
}

/** 3: the word itself. 2: the beginning of one. 0: not there. */
function wordFit(place: string, word: string): number {
  for (let at = place.indexOf(word), best = 0; ; at = place.indexOf(word, at + 1)) {
    if (at === -1) return best
    if (isLetter(place[at - 1])) continue
    if (!isLetter(place[at + word.length])) return 3
    best = 2
  }
}

function isLetter(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}]/u.test(char)
}

function toSentence(text: string, words: string[]): string {
  const sentences = text.match(/[^.!?]+(?:[.!?](?!\s)[^.!?]*)*[.!?]?\s*/g) ?? [text]
  const found =
    sentences.find((one) => words.some((word) => wordFit(one.toLowerCase(), word) > 0)) ?? sentences[0] ?? ''
  if (found.length <= sentenceLength) return found.trim()
  const at = Math.max(
    0,
    Math.min(...words.map((word) => found.toLowerCase().indexOf(word)).filter((one) => one >= 0)) - 60,
  )
  const from = at === 0 || !Number.isFinite(at) ? 0 : found.indexOf(' ', at) + 1
  return `${from > 0 ? '… ' : ''}${found.slice(from, from + sentenceLength).trim()} …`
}
