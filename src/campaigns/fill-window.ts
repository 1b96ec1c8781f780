// How far preparing runs ahead of sending. Few enough that a pause or a cancel is quick, enough that the lane never waits.

/** Recipients with a job in its first execution, at most. */
export const windowSize = 1_000

/** When the window has fallen to so many, it is filled again. */
export const refillBelow = 500

/** Recipients that one transaction prepares. */
export const recipientsPerBatch = { least: 10, most: 250 }

/** Recipients that wait for another try, at most; beyond, nobody new is taken up. */
export const maxDelayed = 10_000
