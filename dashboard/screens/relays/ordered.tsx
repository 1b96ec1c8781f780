// Rows in an order that says which comes first, each a group of fields with buttons that move it or take it away.

import type { ComponentChildren } from 'preact'
import { colon, inLanguage } from '../../words.ts'

const words = inLanguage(catalogue.relays.ordered)

interface Props<T> {
  items: T[]
  set: (items: T[]) => void
  nameOf: (n: number) => string
  children: (item: T, at: number, change: (item: T) => void) => ComponentChildren
}

export function Ordered<T>({ items, set, nameOf, children }: Props<T>) {
  return (
    <ol class="ordered">
      {items.map((item, at) => (
        <li key={at}>
          <fieldset>
            <legend>{nameOf(at + 1)}</legend>
            {children(item, at, (changed) => set(items.with(at, changed)))}
            <div class="actions">
              <Deed says={words.up} of={nameOf(at + 1)} isOff={at === 0} run={() => set(moved(items, at, -1))} />
              <Deed
                says={words.down}
                of={nameOf(at + 1)}
                isOff={at === items.length - 1}
                run={() => set(moved(items, at, 1))}
              />
              <Deed says={words.remove} of={nameOf(at + 1)} run={() => set(items.toSpliced(at, 1))} />
            </div>
          </fieldset>
        </li>
      ))}
    </ol>
  )
}

interface RowProps<T> extends Omit<Props<T>, 'children'> {
  at: number
}

/** For a short row: earlier and away, beside its fields. One at least stays. */
export function OrderButtons<T>({ items, set, nameOf, at }: RowProps<T>) {
  return (
    <>
      <Deed says={words.up} of={nameOf(at + 1)} isOff={at === 0} run={() => set(moved(items, at, -1))} />
      <Deed
        says={words.remove}
        of={nameOf(at + 1)}
        isOff={items.length === 1}
        run={() => set(items.toSpliced(at, 1))}
      />
    </>
  )
}

function Deed({ says, of, isOff = false, run }: { says: string; of: string; isOff?: boolean; run: () => void }) {
  return (
    <button type="button" class="quiet" disabled={isOff} aria-label={`${says}${colon}${of}`} onClick={run}>
      {says}
    </button>
  )
}

function moved<T>(items: T[], at: number, by: number): T[] {
  const one = items.slice(at, at + 1)
  return items.toSpliced(at, 1).toSpliced(at + by, 0, ...one)
}
