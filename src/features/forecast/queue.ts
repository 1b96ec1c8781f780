// A queue that may also be joined at its front.

export class Queue<T> {
  /** The last is the first. */
  #front: T[] = []
  #back: T[] = []

  push(one: T): void {
    this.#back.push(one)
  }

  pushFront(one: T): void {
    this.#front.push(one)
  }

  first(): T | undefined {
    if (this.#front.length === 0) {
      this.#front = this.#back.reverse()
      this.#back = []
    }
    return this.#front.at(-1)
  }

  takeFirst(): T | undefined {
    return this.first() === undefined ? undefined : this.#front.pop()
  }

  *[Symbol.iterator](): Iterator<T> {
    yield* this.#front
    yield* this.#back
  }
}
