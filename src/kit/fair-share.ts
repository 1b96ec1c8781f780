// Shares places fairly without knowing how many will ask: everyone who comes still finds some free.

/**
 * How many more of the `free` places somebody who holds `held` may take, so that they end up with at most `times` what they leave to
 * others. The first place is always allowed. With 20 places and `times` 9, the first gets 18 and the next 1; with 4 it is 16, then 3.
 */
export function fairShare(free: number, held: number, times: number): number {
  if (times === Number.POSITIVE_INFINITY) return free
  const more = Math.floor((times * free - held) / (times + 1))
  return Math.max(more, held === 0 && free > 0 ? 1 : 0)
}
