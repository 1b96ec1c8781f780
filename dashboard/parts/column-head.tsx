// The head of a column. One that a list can be sorted by is a button: up, down, and back to the order that the list has by itself.

import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide'
import type { Sort } from '../../src/core/http/sorting.ts'
import { Icon } from './icon.tsx'

/** How a list is sorted now. */
export interface Sorting {
  now: Sort
  first: Sort
  /** What it can be sorted by. */
  names: readonly string[]
  ask: (sort: Sort) => void
}

interface Props {
  name: string
  /** What to sort by, and which way to begin with. */
  sort?: Sort | undefined
  sorting?: Sorting | undefined
}

export const nameOf = (sort: Sort) => sort.replace(/^-/, '')
const turned = (sort: Sort) => (sort.startsWith('-') ? nameOf(sort) : `-${sort}`)

export function ColumnHead({ name, sort, sorting }: Props) {
  if (sort === undefined || !sorting?.names.includes(nameOf(sort))) return <th scope="col">{name}</th>
  const { now, ask } = sorting
  const isSorted = nameOf(now) === nameOf(sort)
  const isDown = now.startsWith('-')
  const way = isDown ? 'descending' : 'ascending'
  const arrow = isDown ? ArrowDown : ArrowUp
  return (
    <th scope="col" aria-sort={isSorted ? way : 'none'}>
      <button type="button" class="sort" onClick={() => ask(nextOf(sort, sorting))}>
        {name} <Icon of={isSorted ? arrow : ArrowUpDown} />
      </button>
    </th>
  )
}

function nextOf(sort: Sort, { now, first }: Sorting): Sort {
  if (now === sort) return turned(sort)
  return now === turned(sort) && nameOf(first) !== nameOf(sort) ? first : sort
}
