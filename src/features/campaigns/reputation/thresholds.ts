// From which rates of a day's mail campaigns are paused, and the trust level drops.

/** With fewer mails than this a rate means nothing. */
export const enoughSent = 100
export const pauseAtBounces = 0.05
export const dropAtBounces = 0.1
export const dropAtComplaints = 0.005
