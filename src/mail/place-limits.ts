// How many of the connections to a server are for domains that may be slow (places.ts).

/** A receiving domain gets at most this many times the connections that it leaves to others. */
export const domainTimesFree = 4
/** How many connections, at most, replace those of slow domains that have their mail and do not answer its end: half of all, or this. */
const mostReplaced = 10
/** Lanes run 64 mails that somebody waits for (core/outbox/lanes.ts): of more connections than this, no more are for domains that may be slow. */
const mostShared = 26

/** What domains that may be slow can use. */
export interface Limits {
  all: { unsure: number; slow: number }
  bulk: { unsure: number; slow: number }
  timesFree: number
  replaced: number
}

/** When the server itself is slow, that says nothing about a domain, and those that may be slow get more. */
export function limitsOf(most: number, isServerSlow: boolean): Limits {
  const shared = Math.min(most, mostShared)
  const unsure = shared - Math.floor(shared / 4)
  const part = (share: number) => Math.max(1, Math.floor(shared * share))
  return {
    all: { unsure, slow: isServerSlow ? unsure : part(0.5) },
    bulk: { unsure: part(isServerSlow ? 0.6 : 0.5), slow: part(isServerSlow ? 0.6 : 0.25) },
    timesFree: isServerSlow ? domainTimesFree : 1,
    replaced: isServerSlow ? 0 : Math.min(Math.floor(shared / 2), mostReplaced),
  }
}
