// Matches the nodes of an old tree to those of a new one: first identical nodes, wherever they are, then the most similar of those in
// between.

import type { Pace } from '../../../kit/turn.ts'
import type { AnyNode } from '../../content/rendering/component.ts'

export interface Item {
  node: AnyNode
  type: string
  path: string
  /** Among its siblings. */
  index: number
  parent: Item | null
  kids: Item[]
  /** Equal for what is equal with all below it. */
  key: string
  /** A bit for each of its words and properties, and of those below it: two that say much the same have most of them in common. */
  marks: Uint32Array
  /** How many of them. */
  size: number
}

const marksWords = 4
/** What two nodes of one type have in common where nothing else is. */
const sameType = 0.1

/** All nodes, in the order of the tree. */
export function listItems(nodes: AnyNode[], path = 'content', parent: Item | null = null): Item[] {
  return nodes.flatMap((node, index) => {
    const at = `${path}[${index}]`
    const key = `${node.type} ${JSON.stringify(node)}`
    const item: Item = { node, type: node.type, path: at, index, parent, kids: [], key, marks: ownMarks(node), size: 0 }
    parent?.kids.push(item)
    const below = listItems(node.children ?? [], `${at}.children`, item)
    for (const { marks } of item.kids)
      for (const [at, bits] of marks.entries()) item.marks[at] = (item.marks[at] ?? 0) | bits
    item.size = item.marks.reduce((sum, bits) => sum + countBits(bits), 0)
    return [item, ...below]
  })
}

/** Without what is below it; an empty list of children is its own. */
export function withoutChildren(node: AnyNode): AnyNode {
  const { children, ...own } = node
  return children?.length === 0 ? { ...own, children } : own
}

function ownMarks(node: AnyNode): Uint32Array {
  const marks = new Uint32Array(marksWords)
  for (const [name, value] of Object.entries(withoutChildren(node))) {
    if (name === 'type') continue
    const words =
      name === 'text' && typeof value === 'string' ? value.split(/\s+/) : [`${name}=${JSON.stringify(value)}`]
    for (const word of words) {
      const bit = Bun.hash.xxHash32(word) % (marksWords * 32)
      marks[bit >> 5] = (marks[bit >> 5] ?? 0) | (1 << (bit & 31))
    }
  }
  return marks
}

/** The new node of each old one that has one. */
export async function pairAlike(olds: Item[], news: Item[], pace: Pace): Promise<Map<Item, Item>> {
  const matches = new Map<Item, Item>()
  const taken = new Set<Item>()
  const pair = (old: Item, fresh: Item) => {
    matches.set(old, fresh)
    taken.add(fresh)
  }
  for (const nameOf of [toKey, idOf])
    for (const [old, fresh] of uniqueIn(olds, news, nameOf))
      if (!matches.has(old) && !taken.has(fresh)) pair(old, fresh)
  const top = ({ parent }: Item) => parent === null
  const waiting: [Item[], Item[]][] = [[olds.filter(top), news.filter(top)]]
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [oldKids, newKids] = next
    for (const [before, after] of gapsBetween(oldKids, newKids, matches)) {
      const free = before.filter((old) => !matches.has(old))
      const open = after.filter((one) => !taken.has(one))
      for (const [old, fresh] of await align(free, open, pace)) pair(old, fresh)
    }
    for (const old of oldKids) {
      const fresh = matches.get(old)
      if (fresh && old.kids.length > 0) waiting.push([old.kids, fresh.kids])
    }
  }
  pairRest(olds, news, { matches, taken, pair })
  return matches
}

/** Of what there are several of, the rest in order. */
function pairRest(
  olds: Item[],
  news: Item[],
  { matches, taken, pair }: { matches: Map<Item, Item>; taken: Set<Item>; pair: (old: Item, fresh: Item) => void },
): void {
  const free = news.filter((fresh) => !taken.has(fresh))
  const left = Map.groupBy(free, toKey)
  for (const old of olds) {
    const fresh = matches.has(old) ? undefined : left.get(toKey(old))?.shift()
    if (fresh) pair(old, fresh)
  }
}

const toKey = ({ key }: Item) => key
/** The author's own name for it. */
const idOf = ({ type, node }: Item) => ('id' in node && typeof node.id === 'string' ? `${type} ${node.id}` : null)

/** What has a name, and stands under it once in each tree. */
function uniqueIn(olds: Item[], news: Item[], nameOf: (item: Item) => string | null): [Item, Item][] {
  const fresh = Map.groupBy(news, nameOf)
  return [...Map.groupBy(olds, nameOf)].flatMap(([name, [old, ...others]]): [Item, Item][] => {
    const [one, ...more] = fresh.get(name) ?? []
    return name !== null && old && one && others.length + more.length === 0 ? [[old, one]] : []
  })
}

/** The runs before, between and after the pairs of the two lists that keep their order. */
function gapsBetween(olds: Item[], news: Item[], matches: Map<Item, Item>): [Item[], Item[]][] {
  const pairs = olds.flatMap((old) => {
    const at = news.indexOf(matches.get(old) ?? old)
    return at < 0 ? [] : [{ from: old.index, to: at }]
  })
  const anchors = longestRise(pairs.map(({ to }) => to)).flatMap((at) => pairs[at] ?? [])
  const ends = [...anchors, { from: olds.length, to: news.length }]
  let [from, to] = [0, 0]
  return ends.map((end) => {
    const gap: [Item[], Item[]] = [olds.slice(from, end.from), news.slice(to, end.to)]
    from = end.from + 1
    to = end.to + 1
    return gap
  })
}

/** In order, so that what is paired has the most in common in all; two nodes of different types never are. */
async function align(olds: Item[], news: Item[], pace: Pace): Promise<[Item, Item][]> {
  const wide = news.length + 1
  const best = new Float64Array((olds.length + 1) * wide)
  const at = (row: number, column: number) => best[row * wide + column] ?? 0
  const likeness = new Float64Array(olds.length * news.length)
  const like = (row: number, column: number) => likeness[row * news.length + column] ?? 0
  for (let row = olds.length - 1; row >= 0; row--) {
    await pace()
    const old = olds[row]
    const below = (row + 1) * wide
    let most = 0
    for (let column = news.length - 1; column >= 0; column--) {
      const alike = measureLikeness(old, news[column])
      const paired = alike === 0 ? 0 : alike + (best[below + column + 1] ?? 0)
      most = Math.max(best[below + column] ?? 0, most, paired)
      likeness[row * news.length + column] = alike
      best[below - wide + column] = most
    }
  }
  const pairs: [Item, Item][] = []
  let [row, column] = [0, 0]
  while (row < olds.length && column < news.length) {
    const [old, fresh] = [olds[row], news[column]]
    if (old && fresh && like(row, column) > 0 && at(row, column) === like(row, column) + at(row + 1, column + 1)) {
      pairs.push([old, fresh])
      row++
      column++
    } else if (at(row + 1, column) >= at(row, column + 1)) row++
    else column++
  }
  return pairs
}

function measureLikeness(old: Item | undefined, fresh: Item | undefined): number {
  if (!old || !fresh || old.type !== fresh.type) return 0
  if (old.key === fresh.key) return 1 + 2 * sameType
  let common = 0
  for (let at = 0; at < marksWords; at++) common += countBits((old.marks[at] ?? 0) & (fresh.marks[at] ?? 0))
  return sameType + (2 * common) / Math.max(1, old.size + fresh.size)
}

/** How many of its bits are set. */
function countBits(number: number): number {
  let bits = number - ((number >>> 1) & 0x5555_5555)
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

/** The indices of a longest run of rising numbers, not of neighbours. */
export function longestRise(numbers: number[]): number[] {
  const lengths: number[] = []
  const before: number[] = []
  let last = -1
  for (const [at, number] of numbers.entries()) {
    lengths[at] = 1
    before[at] = -1
    for (let earlier = 0; earlier < at; earlier++) {
      const length = (lengths[earlier] ?? 0) + 1
      if ((numbers[earlier] ?? 0) >= number || length <= (lengths[at] ?? 0)) continue
      lengths[at] = length
      before[at] = earlier
    }
    if (last < 0 || (lengths[at] ?? 0) > (lengths[last] ?? 0)) last = at
  }
  const rise: number[] = []
  for (let at = last; at >= 0; at = before[at] ?? -1) rise.push(at)
  return rise.reverse()
}
