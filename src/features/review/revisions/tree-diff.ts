// The difference of two component trees: nodes that were removed, added, moved or changed, each by its path. Applied to the old tree it
// gives the new one.

import { isDeepStrictEqual } from 'node:util'
import type { Pace } from '../../../kit/turn.ts'
import type { AnyNode } from '../../content/rendering/component.ts'
import { type Item, listItems, longestRise, pairAlike, withoutChildren } from './tree-match.ts'
import { type Budget, budgetOfTree, diffWords, type Word } from './word-diff.ts'

export interface PropertyChange {
  name: string
  /** Absent where the node did not have it. */
  from?: unknown
  /** Absent where it does not have it any more. */
  to?: unknown
  /** Of a text. */
  words?: Word[]
}

export type TreeChange =
  /** With what is below it, but for what moved elsewhere. `from` is a path in the old tree. */
  | { op: 'removed'; from: string; node: AnyNode }
  /** With what is below it, but for what moved there. `path` is a path in the new tree. */
  | { op: 'added'; path: string; node: AnyNode }
  | { op: 'moved'; from: string; path: string; type: string }
  | { op: 'changed'; from: string; path: string; type: string; properties: PropertyChange[] }

/** In the order of the new tree, what was removed first. The same trees always give the same changes. Long work: it awaits `pace`. */
export async function diffTrees(before: AnyNode[], after: AnyNode[], pace: Pace): Promise<TreeChange[]> {
  const [olds, news] = [listItems(before), listItems(after)]
  const matches = await pairAlike(olds, news, pace)
  const partner = new Map([...matches].map(([old, fresh]) => [fresh, old]))
  const staying = findStaying(news, partner)
  const budget = budgetOfTree()
  const removed = olds
    .filter((old) => !matches.has(old) && (old.parent === null || matches.has(old.parent)))
    .map((old): TreeChange => ({ op: 'removed', from: old.path, node: without(old, matches) }))
  const others: TreeChange[] = []
  for (const fresh of news) {
    await pace()
    const old = partner.get(fresh)
    const { path, type } = fresh
    if (!old) {
      const isTop = fresh.parent === null || partner.has(fresh.parent)
      if (isTop) others.push({ op: 'added', path, node: without(fresh, partner) })
      continue
    }
    const from = old.path
    if (!staying.has(fresh)) others.push({ op: 'moved', from, path, type })
    const properties = propertyChanges(withoutChildren(old.node), withoutChildren(fresh.node), budget)
    if (properties.length > 0) others.push({ op: 'changed', from, path, type, properties })
  }
  return [...removed, ...others]
}

/** What has its parent still, and its place among those that have it too: the most that can be said to have stayed. */
function findStaying(news: Item[], partner: Map<Item, Item>): Set<Item> {
  const byParent = Map.groupBy(news, ({ parent }) => parent)
  const staying = new Set<Item>()
  for (const [parent, kids] of byParent) {
    const oldParent = parent === null ? null : partner.get(parent)
    const kept = kids.filter((kid) => partner.get(kid)?.parent === oldParent)
    for (const at of longestRise(kept.map((kid) => partner.get(kid)?.index ?? 0))) {
      const kid = kept[at]
      if (kid) staying.add(kid)
    }
  }
  return staying
}

/** The node with what is below it that has no match. */
function without(item: Item, matched: Map<Item, Item>): AnyNode {
  const own = withoutChildren(item.node)
  const kids = item.kids.filter((kid) => !matched.has(kid)).map((kid) => without(kid, matched))
  return kids.length > 0 ? { ...own, children: kids } : own
}

function propertyChanges(before: AnyNode, after: AnyNode, budget: Budget): PropertyChange[] {
  const [from, to] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const names = [...new Set([...from.keys(), ...to.keys()])].filter(
    (name) => !isDeepStrictEqual(from.get(name), to.get(name)),
  )
  return names.map((name) => {
    const [old, fresh]: unknown[] = [from.get(name), to.get(name)]
    const isText = name === 'text' && typeof old === 'string' && typeof fresh === 'string'
    return {
      name,
      ...(old === undefined ? {} : { from: old }),
      ...(fresh === undefined ? {} : { to: fresh }),
      ...(isText ? { words: diffWords(old, fresh, budget) } : {}),
    }
  })
}
