// A list that can be walked by keyboard: j and k move, Enter opens. On a narrow screen each row is a card.

import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { Sort } from '../../src/core/http/sorting.ts'
import { useShortcuts } from '../keys.ts'
import { inLanguage } from '../words.ts'
import { Breakable } from './breakable.tsx'
import { ColumnHead, type Sorting } from './column-head.tsx'

const words = inLanguage(catalogue.parts.table)

export interface Column<Row> {
  name: string
  show: (row: Row) => ComponentChildren
  /** The one that the row is opened by. */
  isLink?: boolean
  /** What a list is sorted by for it, and which way to begin with: `-createdAt`. */
  sort?: Sort
  /** Says nothing without its name. */
  isFigure?: boolean
}

/** Rows that are chosen, to do something with all of them. */
interface Choosing<Row> {
  isChosen: (row: Row) => boolean
  choose: (row: Row, isChosen: boolean) => void
  nameOf: (row: Row) => string
}

interface Props<Row> {
  caption: string
  rows: Row[]
  columns: Column<Row>[]
  keyOf: (row: Row) => string
  /** Where the link of a row leads; rows of a list without one are not opened. */
  hrefOf?: (row: Row) => string
  choosing?: Choosing<Row> | undefined
  sorting?: Sorting | undefined
}

/** The link of a row, or what can be done at its end. */
const whatOpens = [
  'a.row-link',
  ...['button', 'details > summary'].map((last) => `tr > td:last-child > ${last}`),
].join()

export function Table<Row>({ caption, rows, columns, keyOf, hrefOf, choosing, sorting }: Props<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  /** The focus moves, so that Enter opens the row and a screen reader says it. */
  const move = (by: number) => {
    const links = [...(body.current?.querySelectorAll<HTMLElement>(whatOpens) ?? [])]
    const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement))
    links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus()
  }
  useShortcuts([
    { keys: 'j', says: words.next, run: () => move(1) },
    { keys: 'k', says: words.previous, run: () => move(-1) },
  ])
  return (
    <table>
      <caption class="unseen">{caption}</caption>
      <thead class={sorting && 'sorts'}>
        <tr>
          {choosing && (
            <th scope="col">
              <span class="unseen">{words.chosen}</span>
            </th>
          )}
          {columns.map(({ name, sort }) => (
            <ColumnHead key={name} name={name} sort={sort} sorting={sorting} />
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {choosing && (
              <td class="choose">
                <input
                  type="checkbox"
                  aria-label={words.choose(choosing.nameOf(row))}
                  checked={choosing.isChosen(row)}
                  onChange={({ currentTarget }) => choosing.choose(row, currentTarget.checked)}
                />
              </td>
            )}
            {columns.map(({ name, show, isLink, isFigure }) => (
              <td key={name} data-name={name} class={isFigure ? 'figure' : undefined}>
                {isLink && hrefOf ? (
                  <a class="row-link" href={hrefOf(row)}>
                    {wrapping(show(row))}
                  </a>
                ) : (
                  wrapping(show(row))
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** An address or an id that is longer than its place wraps after its punctuation. */
function wrapping(shown: ComponentChildren): ComponentChildren {
  return typeof shown === 'string' && /\S{20}/.test(shown) ? <Breakable text={shown} /> : shown
}
