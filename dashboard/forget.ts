// What this browser keeps of what somebody wrote goes when they sign out.

export const historiesName = 'paquebot-histories'

/** Begun at once: the page is left. */
export function forgetHistories(): void {
  indexedDB.deleteDatabase(historiesName)
}
