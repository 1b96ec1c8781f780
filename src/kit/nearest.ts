// Finds the word that somebody probably meant.

/** Below this similarity two words are unrelated. */
const leastLikeness = 0.4

/** The one of `words` most similar to `word`; null when none is similar. Case, `_` and `-` are ignored. */
export function nearest(word: string, words: Iterable<string>): string | null {
  const pairs = countPairs(word)
  let best: string | null = null
  let most = leastLikeness
  for (const one of words) {
    const likeness = measureLikeness(pairs, countPairs(one))
    if (likeness < most || (best !== null && likeness === most)) continue
    best = one
    most = likeness
  }
  return best
}

/** Sørensen-Dice: twice the shared pairs of adjacent letters, divided by all pairs. 1 for equal words, 0 for unrelated ones. */
function measureLikeness(one: Map<string, number>, other: Map<string, number>): number {
  let shared = 0
  for (const [pair, times] of one) shared += Math.min(times, other.get(pair) ?? 0)
  return (2 * shared) / (totalPairs(one) + totalPairs(other))
}

/** The pairs of adjacent letters, including the start and the end of the word. */
function countPairs(word: string): Map<string, number> {
  const letters = ` ${word.toLowerCase().replaceAll(/[_-]/g, '').slice(0, 100)} `
  const pairs = new Map<string, number>()
  for (let at = 0; at < letters.length - 1; at++) {
    const pair = letters.slice(at, at + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  return pairs
}

function totalPairs(pairs: Map<string, number>): number {
  return pairs.values().reduce((sum, times) => sum + times, 0)
}
