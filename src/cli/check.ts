// What doctor finds out about one thing.

export interface Check {
  name: string
  ok: boolean
  /** Nothing is broken, but it should be known. */
  warning?: true
  detail: string
}
