// A list: awaited it is its first page, iterated it is everything, page by page. Nothing is asked before one or the other.

export interface Page<T> {
  pagination: { nextCursor: string | null }
  data: T[]
}

type Fetch<P> = (cursor: string | undefined) => Promise<P>

/** `await list` fetches the first page; `for await (const item of list)` iterates over the items of all pages. */
export class Pages<T, P extends Page<T>> implements Promise<P>, AsyncIterable<T> {
  readonly [Symbol.toStringTag] = 'Pages'
  readonly #fetch: Fetch<P>

  constructor(fetch: Fetch<P>) {
    this.#fetch = fetch
  }

  // biome-ignore lint/suspicious/noThenProperty: to be awaited is what it is for; nothing is asked before.
  then<A = P, B = never>(
    done?: ((page: P) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#fetch(undefined).then(done, failed)
  }

  catch<B = never>(failed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<P | B> {
    return this.then(undefined, failed)
  }

  finally(ended?: (() => void) | null): Promise<P> {
    return this.then().finally(ended)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.data
  }

  /** Iterates over the pages instead of the items. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let cursor: string | undefined
    do {
      const page = await this.#fetch(cursor)
      yield page
      cursor = page.pagination.nextCursor ?? undefined
    } while (cursor !== undefined)
  }
}
