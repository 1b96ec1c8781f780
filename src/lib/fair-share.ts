// Sharing places among those who may come: nobody is told how many others there are, and yet each finds some free.

/**
 * How many more of the `free` places somebody may take who has `held`: all it has then is at most `times` what it leaves to others. The
 * first place is always allowed. With 20 places and `times` 9 one alone gets 18, the next 1; with 4 it is 16, then 3.
 */
export function fairShare(free: number, held: number, times: number): number {
  if (times === Number.POSITIVE_INFINITY) return free
  const more = Math.floor((times * free - held) / (times + 1))
  return Math.max(more, held === 0 && free > 0 ? 1 : 0)
}
