// Who may call tools: the tokens of mailboxes, and the keys of the workspace that open /mcp.

import { get, type Listed } from '../../api.ts'

type Token = Listed<'/v1/mailboxes/:mailboxId/tokens'>
type Key = Listed<'/v1/api-keys'>
export type Mailbox = Listed<'/v1/mailboxes'>

export interface Agent extends Pick<Key, 'id' | 'name' | 'prefix' | 'scopes' | 'createdAt' | 'lastUsedAt'> {
  /** Null for a key of the workspace. */
  mailbox: Mailbox | null
  expiresAt: string | null
  replies: Token['replies'] | null
}

export async function listAgents(signal: AbortSignal): Promise<Agent[]> {
  const [{ data: mailboxes }, { data: keys }] = await Promise.all([
    get('/v1/mailboxes', {}, signal),
    get('/v1/api-keys', {}, signal),
  ])
  const tokens = await Promise.all(
    mailboxes.map(async (mailbox) => {
      const { data } = await get('/v1/mailboxes/:mailboxId/tokens', { params: { mailboxId: mailbox.id } }, signal)
      return data.map((token) => ({ ...token, mailbox }))
    }),
  )
  const opening = keys.filter(({ scopes }) => scopes.includes('full') || scopes.includes('mcp'))
  return [...tokens.flat(), ...opening.map((key) => ({ ...key, mailbox: null, expiresAt: null, replies: null }))]
}

/** What an agent has of the three that are dangerous together: strangers' words, private data, and a way out. */
export interface Powers {
  reads: boolean
  sees: boolean
  acts: boolean
  /** What it does waits for a person. */
  isHeld: boolean
}

/** Of its scopes, `mcp` alone calls nothing. */
export function toPowers({ scopes, mailbox }: Pick<Agent, 'scopes' | 'mailbox'>): Powers {
  const may = (end: RegExp) => scopes.some((scope) => scope === 'full' || end.test(scope))
  const reads = mailbox !== null && may(/^read$/)
  return {
    reads,
    sees: reads || may(/\.read$/),
    acts: may(/^reply$|\.(?:write|send)$/),
    isHeld: mailbox?.holdReplies ?? false,
  }
}
