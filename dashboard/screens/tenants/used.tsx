// What a workspace used of what its plan allows, this month and today (UTC): a bar and the same in words for each limit.

import { type Got, get } from '../../api.ts'
import { Show, useLoaded } from '../../parts/load.tsx'
import { colon, count } from '../../words.ts'
import type { LimitName, Tenant } from './fields.tsx'
import { words } from './words.ts'

const path = '/v1/workspaces/:workspaceId/usage'

export type Usage = Got<typeof path>

/** Of the last 30 days and today, which a month is never longer than. */
export function loadUsage(workspaceId: string, signal: AbortSignal): Promise<Usage> {
  return get(path, { params: { workspaceId } }, signal)
}

/** For a row of a list, which loads it by itself. */
export function UsedOf({ tenant }: { tenant: Tenant }) {
  const usage = useLoaded(tenant.id, (signal) => loadUsage(tenant.id, signal))
  return <Show of={usage}>{(found) => <Used usage={found} limits={tenant.limits} />}</Show>
}

export function Used({ usage, limits }: { usage: Usage; limits: Tenant['limits'] }) {
  const today = usage.data.at(-1)?.day ?? ''
  const used: [Exclude<LimitName, 'mailsPerSecond'>, number][] = [
    ['mailsPerMonth', mailsOf(usage, today.slice(0, 'yyyy-mm'.length))],
    ['mailsPerDay', mailsOf(usage, today)],
    ['contacts', usage.contacts],
  ]
  return (
    <ul class="used">
      {used.map(([name, number]) => (
        <li key={name}>
          {words.usedNames[name]}
          {colon}
          <UsedPart number={number} most={limits?.[name] ?? null} />
        </li>
      ))}
    </ul>
  )
}

/** Without limits nothing is counted when it is accepted: what was sent stands for it. */
function mailsOf({ data }: Usage, begin: string): number {
  return data.reduce((sum, { day, accepted, sent }) => (day.startsWith(begin) ? sum + (accepted ?? sent) : sum), 0)
}

function UsedPart({ number, most }: { number: number; most: number | null }) {
  if (most === null) return <>{count(number)}</>
  return (
    <>
      {words.ofMost({ used: count(number), most: count(most) })}
      <Bar part={most === 0 ? 1 : Math.min(1, number / most)} />
    </>
  )
}

/** From here on a bar warns. */
const near = 0.8

/** The words beside it say the same. */
function Bar({ part }: { part: number }) {
  const tone = part === 1 ? 'bad' : part >= near ? 'warn' : 'good'
  return (
    <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="open" width="100" height="10" />
      <rect class={tone} width={100 * part} height="10" />
    </svg>
  )
}
