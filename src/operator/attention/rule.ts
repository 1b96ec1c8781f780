// What a kind of attention item says of itself.

/** `urgent`: mail is stopped, or lost until somebody acts. `warning`: something is wrong. `notice`: good to know. Worst first. */
export const severities = ['urgent', 'warning', 'notice'] as const
export type Severity = (typeof severities)[number]

/** What it is about; each is one line of `paquebot doctor`. */
export const areas = [
  'quarantine',
  'server',
  'room',
  'backup',
  'archive',
  'address',
  'bounces',
  'sending',
  'outbox',
  'domains',
  'webhooks',
  'lists',
  'campaigns',
  'sequences',
  'reputation',
  'payments',
  'mailboxes',
  'imports',
  'access',
] as const
export type Area = (typeof areas)[number]

export interface Rule {
  area: Area
  severity: Severity
  /** What is wrong, in a few words. */
  text: string
  todo: string
  /** About the machine: shown to those who run the installation. */
  operator?: true
}
