// A relay in words: its state, what is wrong with it, and how it is set.

import type { Listed } from '../../api.ts'
import { Time } from '../../parts/time.tsx'
import { colon, comma, count, moment } from '../../words.ts'
import { words } from './words.ts'

export type Relay = Listed<'/v1/relays'>
export type Stream = NonNullable<Relay['streams']>[number]

export const streams = Object.keys(words.streamNames) as Stream[]
/** As the relay of SMTP_URL is called by the API. */
export const smtpUrlRelay = 'smtp_url'

const tones = { active: 'good', draining: 'warn', off: '' } as const

export function RelayState({ relay: { state, fault, warmUp } }: { relay: Relay }) {
  return (
    <span class="chips">
      <span class={`status ${tones[state]}`}>{words.states[state]}</span>
      {warmUp !== null && <span class="status warn">{words.warmUpDay(count(warmUp.day))}</span>}
      {fault !== null && <span class="status bad">{words.refuses}</span>}
    </span>
  )
}

/** `name`: where it is not clear whose it is. */
export function Fault({ fault, name }: { fault: NonNullable<Relay['fault']>; name?: preact.ComponentChildren }) {
  const { reply, since, heldUntil } = fault
  return (
    <div class="notice bad">
      <p>
        {name && (
          <>
            {name}
            {colon}
          </>
        )}
        <strong>{words.refuses}</strong> {words.since} <Time at={since} />.{' '}
        {heldUntil && words.triedAt(moment(heldUntil))}
      </p>
      <p>{reply}</p>
      <p class="muted">{words.todo}</p>
    </div>
  )
}

export function shareOf({ weight }: Pick<Relay, 'weight'>): string {
  return weight === 0 ? words.spare : count(weight)
}

export function limitsOf({ mostPerSecond, mostPerDay }: Relay): string {
  const limits = [
    mostPerSecond !== null && words.perSecond(count(mostPerSecond)),
    mostPerDay !== null && words.perDay(count(mostPerDay)),
  ].filter(Boolean)
  return limits.length === 0 ? words.noLimit : limits.join(comma)
}

export function streamsOf(of: { streams: Stream[] | null }): string {
  return of.streams === null ? words.allMail : of.streams.map((one) => words.streamNames[one]).join(comma)
}

/** Of a workspace that the reader does not belong to only the id is known. */
export function whoseOf({ workspaceId }: Relay, workspaces: { id: string; name: string }[]): string {
  if (workspaceId === null) return words.everybodysShort
  return words.ofOne(workspaces.find(({ id }) => id === workspaceId)?.name ?? workspaceId)
}
