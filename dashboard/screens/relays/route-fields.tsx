// One route as fields: which mail it is for, and the relays that carry it.

import { PickNamed } from '../../parts/pick.tsx'
import { type Relay, streams } from './in-words.tsx'
import { OrderButtons } from './ordered.tsx'
import type { Route } from './route.ts'
import { words } from './route-words.ts'
import { words as shared } from './words.ts'

const mostRelays = 20
const mostWeight = 1_000

interface Props {
  route: Route
  /** From 0. */
  at: number
  relays: Relay[]
  set: (route: Route) => void
}

export function RouteFields({ route, at, relays, set }: Props) {
  const line = (field: 'domains' | 'receivers', label: string, { hint, how }: { hint: string; how: string }) => (
    <label>
      {label}
      <input
        name={`routes[${at}].${field}`}
        placeholder={hint}
        autocomplete="off"
        value={route[field]}
        onInput={({ currentTarget: { value } }) => set({ ...route, [field]: value })}
      />
      <span>{how}</span>
    </label>
  )
  return (
    <>
      <fieldset class="choices">
        <legend>{words.streams}</legend>
        {streams.map((one) => (
          <label key={one}>
            <input
              type="checkbox"
              checked={route.streams.includes(one)}
              onChange={({ currentTarget: { checked } }) => {
                const isIn = (each: string) => (each === one ? checked : route.streams.some((other) => other === each))
                set({ ...route, streams: streams.filter(isIn) })
              }}
            />
            {shared.streamNames[one]}
          </label>
        ))}
        <span class="muted">{words.streamsHow}</span>
      </fieldset>
      {line('domains', words.domains, { hint: words.domainsHint, how: words.domainsHow })}
      {line('receivers', words.receivers, { hint: words.receiversHint, how: words.receiversHow })}
      <Relays route={route} at={at} relays={relays} set={set} />
    </>
  )
}

function Relays({ route, at, relays, set }: Props) {
  const named = route.relays
  const change = (changed: Route['relays']) => set({ ...route, relays: changed })
  const next = relays.find(({ id }) => !named.some(({ relayId }) => relayId === id)) ?? relays[0]
  return (
    <fieldset>
      <legend>{words.relays}</legend>
      {named.map((one, n) => {
        const place = `routes[${at}].relays[${n}]`
        return (
          <div key={n} class="relay-of-route">
            <PickNamed
              label={words.relay(n + 1)}
              name={`${place}.relayId`}
              among={relays}
              id={one.relayId}
              set={(relayId) => change(named.with(n, { ...one, relayId }))}
            />
            <label>
              {words.weight(n + 1)}
              <input
                type="number"
                name={`${place}.weight`}
                required
                min={0}
                max={mostWeight}
                value={one.weight}
                onChange={({ currentTarget: { valueAsNumber } }) =>
                  change(named.with(n, { ...one, weight: valueAsNumber || 0 }))
                }
              />
            </label>
            <OrderButtons
              items={named}
              set={change}
              at={n}
              nameOf={(m) => words.relayOf({ n: m, route: words.route(at + 1) })}
            />
          </div>
        )
      })}
      <span class="muted">{words.relaysHow}</span>
      {named.length < mostRelays && next !== undefined && (
        <button type="button" class="quiet" onClick={() => change([...named, { relayId: next.id, weight: 0 }])}>
          {words.addRelay}
        </button>
      )}
    </fieldset>
  )
}
