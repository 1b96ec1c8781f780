// Whether a name is a misspelling of another. Stricter than kit/nearest: this refuses, while the other only suggests.

/** In shorter names one letter makes another word: PORT, POST, HOST. */
const shortest = 6

/** True when two names differ only in case and separators, or in one letter: missing, added, wrong, or swapped with its neighbour. */
export function isTypingMistake(word: string, meant: string): boolean {
  const [one, other] = [withoutSeparators(word), withoutSeparators(meant)]
  if (one === other) return true
  return other.length >= shortest && isOneApart(one, other)
}

function withoutSeparators(word: string): string {
  return word.toUpperCase().replace(/[_-]/g, '')
}

function isOneApart(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length)
  let same = 0
  while (same < length && one[same] === other[same]) same++
  const [rest, otherRest] = [one.slice(same), other.slice(same)]
  if (rest.slice(1) === otherRest || rest === otherRest.slice(1) || rest.slice(1) === otherRest.slice(1)) return true
  return rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2)
}
