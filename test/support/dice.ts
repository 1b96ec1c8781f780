// Chance that comes out the same for the same seed, so that what failed fails again.

export interface Dice {
  below(count: number): number
  of<T>(list: readonly T[]): T
  /** True in `percent` of a hundred throws. */
  chance(percent: number): boolean
}

/** mulberry32 */
export function dice(start: number): Dice {
  let state = start >>> 0
  const below = (count: number) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * count)
  }
  return {
    below,
    of: (list) => list[below(list.length)] as (typeof list)[number],
    chance: (percent) => below(100) < percent,
  }
}
