// The result of one check of doctor.

export interface Check {
  name: string
  ok: boolean
  /** Nothing is broken, but the operator should know. */
  warning?: true
  detail: string
}
