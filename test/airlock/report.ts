// What an attack came to, in a few lines.

import type { Attack } from './attack.ts'

export function reportOf({ agents, mails, refused }: Attack, effects: string[]): string {
  const plots = new Set(mails.map(({ plot }) => plot)).size
  const disguises = new Set(mails.map(({ disguise }) => disguise)).size
  const lines = [`${mails.length} mails: ${plots} things to ask for, in ${disguises} disguises`]
  const calls = new Map<string, number>()
  for (const { kind, counts } of agents) {
    for (const [tool, n] of counts.calls) calls.set(tool, (calls.get(tool) ?? 0) + n)
    const { done, proposals, refusals, requests, shown, hidden } = counts
    const refusedCalls = [...refusals.values()].reduce((sum, n) => sum + n, 0)
    lines.push(
      `${kind.padEnd(8)} ${done} calls done, ${proposals} kept for a person, ${refusedCalls} refused; ${listed(requests)} over HTTP; ${shown} mails showed their orders, ${hidden} did not`,
    )
  }
  lines.push(`by tool: ${listed(calls)}`)
  lines.push(
    `${refused} proposals refused by a person; effects without a yes: ${effects.length}`,
    ...effects.slice(0, 20),
  )
  return lines.join('\n')
}

function listed(counts: Map<string | number, number>): string {
  return [...counts].map(([name, n]) => `${n} ${name}`).join(', ') || 'none'
}
