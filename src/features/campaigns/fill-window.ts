// How far preparing runs ahead of sending: little enough that a pause or cancel is quick, enough that the lane never waits.

/** The most recipients with a job in its first attempt. */
export const windowSize = 1_000

/** When the window has fallen to this many, it is filled again. */
export const refillBelow = 500

/** Recipients that one transaction prepares. */
export const recipientsPerBatch = { least: 10, most: 250 }

/** The most recipients that wait for a retry; beyond that, no new ones are prepared. */
export const maxDelayed = 10_000
