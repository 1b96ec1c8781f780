// Limits the connections of a listener: few per network, and the last quarter only for networks that have none yet, so that no network
// takes them all.

import { type Network, networkAround, networkOf } from '../kit/network.ts'

export interface PlaceLimits {
  connections: number
  connectionsPerNetwork: number
}

/** `take(address)`: what gives the place back, or null when there is none for this address. */
export function createPlaces({ connections, connectionsPerNetwork }: PlaceLimits): {
  take(address: string): (() => void) | null
} {
  const taken = new Map<Network, number>()
  const reserved = Math.floor(connections / 4)
  let total = 0
  const count = (network: Network, change: 1 | -1) => {
    const left = (taken.get(network) ?? 0) + change
    if (left === 0) taken.delete(network)
    else taken.set(network, left)
  }
  return {
    take(address) {
      const [own, around] = [networkOf(address), networkAround(address) ?? networkOf(address)]
      const networks = new Set([own, around])
      const isNew = !taken.has(around)
      if (total >= connections || (taken.get(own) ?? 0) >= connectionsPerNetwork) return null
      if (total >= connections - reserved && !isNew) return null
      for (const network of networks) count(network, 1)
      total += 1
      return () => {
        for (const network of networks) count(network, -1)
        total -= 1
      }
    },
  }
}

export interface SmtpLimits extends PlaceLimits {
  maxMessageBytes: number
  /** The total size of mails being received; beyond it senders are asked to come back later. */
  maxHeldBytes: number
  maxRecipients: number
  /** A session that is silent for this long is closed. */
  idleMs: number
  /** From 354 to the final dot. */
  dataMs: number
  sessionMs: number
  /** From the connection to a sign-in, where one is asked for. */
  signInMs: number
}
