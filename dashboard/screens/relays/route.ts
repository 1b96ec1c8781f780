// Routes as they are written: what is stored as a list is typed as a text, and no choice is no box that is ticked.

import type { Got } from '../../api.ts'
import { asTyped, separated } from '../../parts/separated.ts'
import { streamsChosen } from './fields.tsx'
import type { Stream } from './in-words.tsx'

type StoredRoute = Got<'/v1/relay-routes'>['routes'][number]

export interface Route {
  streams: Stream[]
  domains: string
  receivers: string
  relays: StoredRoute['relays']
}

export function toDraft({ streams, domains, receivers, relays }: StoredRoute): Route {
  return { streams: streams ?? [], domains: written(domains), receivers: written(receivers), relays }
}

export function toStored({ streams, domains, receivers, relays }: Route): StoredRoute {
  return { streams: streamsChosen(streams), domains: listed(domains), receivers: listed(receivers), relays }
}

export function written(all: string[] | null): string {
  return asTyped(all ?? [])
}

/** Null where nothing is. */
export function listed(text: string): string[] | null {
  const all = separated(text)
  return all.length === 0 ? null : all
}
