// Waiting for something, and no longer than so long.

/** What `work` gives, or `late` when that takes more than `limitMs`; what it gives afterwards is dropped. Throws what `work` throws. */
export async function within<T, L>(work: Promise<T>, limitMs: number, late: L): Promise<T | L> {
  const limit = Promise.withResolvers<L>()
  const timer = setTimeout(() => limit.resolve(late), limitMs)
  return await Promise.race([work, limit.promise]).finally(() => clearTimeout(timer))
}
