// What comes next on the virtual clock: the earliest first, and of one time what was put there first.

interface Item<T> {
  at: number
  order: number
  what: T
}

export class Agenda<T> {
  readonly #heap: Item<T>[] = []
  #order = 0

  put(at: number, what: T): void {
    const heap = this.#heap
    const item = { at, order: this.#order++, what }
    let place = heap.length
    for (let above = (place - 1) >> 1; place > 0; above = (place - 1) >> 1) {
      const parent = heap[above]
      if (parent === undefined || !isBefore(item, parent)) break
      heap[place] = parent
      place = above
    }
    heap[place] = item
  }

  take(): { at: number; what: T } | undefined {
    const heap = this.#heap
    const [first] = heap
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let place = 0
    for (;;) {
      const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]]
      if (left === undefined) break
      const goesRight = right !== undefined && isBefore(right, left)
      const child = goesRight ? right : left
      if (!isBefore(child, last)) break
      heap[place] = child
      place = 2 * place + (goesRight ? 2 : 1)
    }
    heap[place] = last
    return first
  }
}

function isBefore<T>(one: Item<T>, other: Item<T>): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order)
}
