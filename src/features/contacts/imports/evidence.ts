// Reads the evidence of consent in a row of a file: when and from where somebody agreed or left, and the state on each list. No header
// means any of these by itself; a mapping names the columns.

import { parseTime } from '../../../kit/time.ts'

export const evidenceColumns = ['consentAt', 'consentIp', 'place', 'listStates'] as const
export type EvidenceColumn = (typeof evidenceColumns)[number]

/** `waits`: they never confirmed. */
const listStates = ['active', 'waits', 'left'] as const
export type ListState = (typeof listStates)[number]

export interface RowEvidence {
  at: Date | null
  ip: string | null
  /** The file and the line of the export. */
  place: string | null
  /** By id of the list. */
  lists: Map<string, ListState>
}

export const noEvidence = (): RowEvidence => ({ at: null, ip: null, place: null, lists: new Map() })

/** What cannot be read is no evidence. */
export function takeEvidence(evidence: RowEvidence, column: EvidenceColumn, cell: string): void {
  if (column === 'consentAt') evidence.at = parseTime(cell)
  else if (column === 'consentIp') evidence.ip = /^[0-9A-Fa-f.:]{3,45}$/.test(cell.trim()) ? cell.trim() : null
  else if (column === 'place') evidence.place = cell
  else for (const one of cell.split(' ')) takeList(evidence, one)
}

/** `lst_1:waits` */
function takeList({ lists }: RowEvidence, text: string): void {
  const [id = '', word] = text.split(':')
  const state = listStates.find((one) => one === word)
  if (state !== undefined) lists.set(id, state)
}
