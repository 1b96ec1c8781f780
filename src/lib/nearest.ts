// The word that somebody probably meant.

/** Below this, two words have too little in common to be taken for each other. */
const leastLikeness = 0.4

/** The one of `words` that is most like `word`; null when none is. Case, `_` and `-` do not count. */
export function nearest(word: string, words: Iterable<string>): string | null {
  const pairs = pairsOf(word)
  let best: string | null = null
  let most = leastLikeness
  for (const one of words) {
    const likeness = likenessOf(pairs, pairsOf(one))
    if (likeness < most || (best !== null && likeness === most)) continue
    best = one
    most = likeness
  }
  return best
}

/** Twice the shared pairs of neighbouring letters, by all pairs (Sørensen and Dice): 1 for equal words, 0 for strangers. */
function likenessOf(one: Map<string, number>, other: Map<string, number>): number {
  let shared = 0
  for (const [pair, times] of one) shared += Math.min(times, other.get(pair) ?? 0)
  return (2 * shared) / (countOf(one) + countOf(other))
}

/** The pairs of neighbouring letters, the ends of the word among them. */
function pairsOf(word: string): Map<string, number> {
  const letters = ` ${word.toLowerCase().replaceAll(/[_-]/g, '').slice(0, 100)} `
  const pairs = new Map<string, number>()
  for (let at = 0; at < letters.length - 1; at++) {
    const pair = letters.slice(at, at + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  return pairs
}

function countOf(pairs: Map<string, number>): number {
  return pairs.values().reduce((sum, times) => sum + times, 0)
}
