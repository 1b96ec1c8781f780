// How much memory another process has.

import { readFileSync } from 'node:fs'

/** `RssAnon`: without what is mapped from files, which the system shares between processes and drops when it needs room. NaN of one that ended. */
export function memoryMiB(pid: number, which: 'VmRSS' | 'RssAnon' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(new RegExp(`^${which}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1_024
}
