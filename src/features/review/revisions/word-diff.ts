// The difference between two texts, word by word: kept, removed and added words, in reading order.

export interface Word {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** What comparing may still cost: words of the one text times words of the other. When it is used up, a text is replaced as a whole. */
export interface Budget {
  left: number
}

/** Of one text, and of all texts of a tree. */
const mostOfText = 250_000
export const budgetOfTree = (): Budget => ({ left: 8 * mostOfText })

/** A word; a letter of a script that puts no space between words; space; or other signs. Together they are the text. */
const spaceless = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'].map((one) => `\\p{Script=${one}}`)
const pieces = new RegExp(
  [`[${spaceless.join('')}]\\p{M}*`, '[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}]*', '\\s+', '[^\\s\\p{L}\\p{N}]+'].join('|'),
  'gu',
)

/** `same` and `removed` together are `before`, `same` and `added` are `after`. */
export function diffWords(before: string, after: string, budget: Budget = budgetOfTree()): Word[] {
  const [olds, news] = [before.match(pieces) ?? [], after.match(pieces) ?? []]
  let start = 0
  while (start < olds.length && start < news.length && olds[start] === news[start]) start++
  let end = 0
  while (end < olds.length - start && end < news.length - start && olds.at(-1 - end) === news.at(-1 - end)) end++
  const middle = between(olds.slice(start, olds.length - end), news.slice(start, news.length - end), budget)
  return joined([toWord('same', olds.slice(0, start)), ...middle, toWord('same', olds.slice(olds.length - end))])
}

function toWord(kind: Word['kind'], texts: string[]): Word {
  return { kind, text: texts.join('') }
}

/** By the longest common subsequence; words are compared as numbers. */
function between(olds: string[], news: string[], budget: Budget): Word[] {
  const cells = olds.length * news.length
  if (cells > Math.min(budget.left, mostOfText)) return [toWord('removed', olds), toWord('added', news)]
  budget.left -= cells
  const wide = news.length + 1
  const lengths = new Uint16Array((olds.length + 1) * wide)
  const at = (row: number, column: number) => lengths[row * wide + column] ?? 0
  const numbers = new Map<string, number>()
  const [before, after] = [numbered(olds, numbers), numbered(news, numbers)]
  for (let row = olds.length - 1; row >= 0; row--) {
    const word = before[row]
    const below = (row + 1) * wide
    let longest = 0
    for (let column = news.length - 1; column >= 0; column--) {
      longest =
        word === after[column]
          ? (lengths[below + column + 1] ?? 0) + 1
          : Math.max(lengths[below + column] ?? 0, longest)
      lengths[below - wide + column] = longest
    }
  }
  const out: Word[] = []
  let [row, column] = [0, 0]
  while (row < olds.length || column < news.length) {
    const [old, fresh] = [olds[row], news[column]]
    if (old !== undefined && old === fresh) {
      out.push({ kind: 'same', text: old })
      row++
      column++
    } else if (old !== undefined && (fresh === undefined || at(row + 1, column) >= at(row, column + 1))) {
      out.push({ kind: 'removed', text: old })
      row++
    } else {
      out.push({ kind: 'added', text: fresh ?? '' })
      column++
    }
  }
  return out
}

/** Each word as its number, the same in both texts. */
function numbered(words: string[], numbers: Map<string, number>): Uint32Array {
  const out = new Uint32Array(words.length)
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const number = numbers.get(word) ?? numbers.size
    if (number === numbers.size) numbers.set(word, number)
    out[at] = number
  }
  return out
}

/** Neighbours of one kind are one; space that alone stayed between two changes belongs to them. */
function joined(all: Word[]): Word[] {
  const runs = toRuns(all)
  const out: Word[] = []
  const change = { removed: '', added: '' }
  const end = () => {
    for (const kind of ['removed', 'added'] as const) if (change[kind] !== '') out.push({ kind, text: change[kind] })
    change.removed = change.added = ''
  }
  for (const [at, { kind, text }] of runs.entries()) {
    if (kind !== 'same') change[kind] += text
    else if (at > 0 && at < runs.length - 1 && text.trim() === '') {
      change.removed += text
      change.added += text
    } else {
      end()
      out.push({ kind, text })
    }
  }
  end()
  return out
}

function toRuns(all: Word[]): Word[] {
  const out: Word[] = []
  for (const word of all) {
    const last = out.at(-1)
    if (last?.kind === word.kind) last.text += word.text
    else if (word.text !== '') out.push({ ...word })
  }
  return out
}
