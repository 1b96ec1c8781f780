// Waits for a promise, up to a limit.

/** The result of `work`, or `late` when it takes longer than `limitMs`; a later result is dropped. Throws what `work` throws. */
export async function withDeadline<T, L>(work: Promise<T>, limitMs: number, late: L): Promise<T | L> {
  const limit = Promise.withResolvers<L>()
  const timer = setTimeout(() => limit.resolve(late), limitMs)
  return await Promise.race([work, limit.promise]).finally(() => clearTimeout(timer))
}

/** Becomes `overdue` after that time, unless it is cleared before. */
export function timeoutAfter(delayMs: number): { promise: Promise<'overdue'>; clear: () => void } {
  const { promise, resolve } = Promise.withResolvers<'overdue'>()
  const timer = setTimeout(() => resolve('overdue'), delayMs)
  return { promise, clear: () => clearTimeout(timer) }
}
