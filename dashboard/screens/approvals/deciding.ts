// Decisions, each bound to the hash of what was shown: the one place from which something is approved.

import { type Posted, post, Refusal } from '../../api.ts'
import type { Approval } from '../../nouns.ts'
import { signWithPasskey } from '../../parts/passkey.ts'
import { words } from './words.ts'

export type SeenHash = Pick<Approval, 'id' | 'contentHash'>
type Outcome = Posted<'/v1/approvals/approve'>['results'][number]
export type Decide = (seen: SeenHash[]) => Promise<Outcome[]>

/** What the API takes at once; a page of what is read one below the other has fewer. Whoever has a passkey confirms with it exactly this list. */
export const approve: Decide = async (seen) => {
  const approvals = seen.map(toSeen)
  const { passkey } = await post('/v1/approvals/options', { body: { approvals } })
  const confirmed = passkey === null ? {} : { credential: await signed(passkey) }
  return (await post('/v1/approvals/approve', { body: { approvals, ...confirmed } })).results
}

async function signed(options: Parameters<typeof signWithPasskey>[0]) {
  try {
    return await signWithPasskey(options)
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'NotAllowedError')
      throw new Refusal(403, { detail: words.notConfirmed })
    throw cause
  }
}

export const refuse: Decide = async (seen) =>
  (await post('/v1/approvals/refuse', { body: { approvals: seen.map(toSeen) } })).results

const toSeen = ({ id, contentHash }: SeenHash) => ({ id, contentHash })

/** Mail that answers and mail that begins a thread are decided in the same words. */
export function lookOf(kind: Approval['kind']): 'campaign' | 'mail' | 'action' {
  return kind === 'reply' ? 'mail' : kind
}

/** Why one was not decided, for whoever decided it; null when it was. A call that may be made no longer says so in its own words. */
export function whyNot({ id, error }: Outcome): string | null {
  if (error === null) return null
  if (error.code === 'revision_mismatch') return words.stale
  return error.code === 'invalid_state_transition' && !id.startsWith('act_') ? words.decidedBefore : error.message
}
