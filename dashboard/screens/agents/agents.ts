// Who may call tools: the tokens of mailboxes, the keys of the workspace that open /mcp, and the programs that somebody connected (OAuth).

import { get, type Listed, remove } from '../../api.ts'

type Token = Listed<'/v1/mailboxes/:mailboxId/tokens'>
type Key = Listed<'/v1/api-keys'>
type Connection = Listed<'/v1/oauth-grants'>
export type Mailbox = Listed<'/v1/mailboxes'>

export interface Agent extends Pick<Key, 'id' | 'name' | 'createdAt' | 'firstReadAt' | 'lastUsedAt'> {
  scopes: string[]
  /** How its secret begins; null where nobody has seen one. */
  prefix: string | null
  /** Null for what opens the workspace. */
  mailbox: Mailbox | null
  /** Null for a key or token that was made here. */
  connection: Connection | null
  /** What it does outside waits for a person once it has read what strangers wrote. */
  airlock: boolean
  expiresAt: string | null
  replies: Token['replies'] | null
}

export async function listAgents(signal: AbortSignal): Promise<Agent[]> {
  const [{ data: mailboxes }, { data: keys }, { data: connections }] = await Promise.all([
    get('/v1/mailboxes', {}, signal),
    get('/v1/api-keys', {}, signal),
    get('/v1/oauth-grants', {}, signal),
  ])
  const tokens = await Promise.all(
    mailboxes.map(async (mailbox) => {
      const { data } = await get('/v1/mailboxes/:mailboxId/tokens', { params: { mailboxId: mailbox.id } }, signal)
      return data.map((token) => ({ ...token, mailbox, connection: null }))
    }),
  )
  const opening = keys.filter(({ scopes }) => scopes.includes('full') || scopes.includes('mcp'))
  const none = { mailbox: null, connection: null, expiresAt: null, replies: null }
  const connected = connections.map((connection) => {
    const mailbox = mailboxes.find(({ id }) => id === connection.mailboxId) ?? null
    return { ...none, ...connection, name: connection.clientName, prefix: null, mailbox, connection, airlock: true }
  })
  return [...connected, ...tokens.flat(), ...opening.map((key) => ({ ...key, ...none }))]
}

/** At once: its next message is refused. */
export async function revokeAgent({ id, mailbox, connection }: Agent): Promise<void> {
  if (connection !== null) await remove('/v1/oauth-grants/:grantId', { params: { grantId: id } })
  else if (mailbox === null) await remove('/v1/api-keys/:keyId', { params: { keyId: id } })
  else await remove('/v1/mailboxes/:mailboxId/tokens/:tokenId', { params: { mailboxId: mailbox.id, tokenId: id } })
}

/** What an agent has of the three that are dangerous together: strangers' words, private data, and a way out. */
export interface Powers {
  reads: boolean
  sees: boolean
  acts: boolean
  /** When what it does outside waits for a person. */
  waits: 'always' | 'afterReading' | 'never'
}

/** Of the scopes of a key, `mcp` alone calls nothing; those of a connection are one word each. */
export function toPowers({ scopes, mailbox, airlock }: Pick<Agent, 'scopes' | 'mailbox' | 'airlock'>): Powers {
  const may = (end: RegExp) => scopes.some((scope) => scope === 'full' || end.test(scope))
  const reads = mailbox !== null && may(/^read$/)
  return {
    reads,
    sees: reads || may(/(?:^|\.)read$/),
    acts: may(/^reply$|(?:^|\.)(?:write|send)$/),
    waits: mailbox?.holdReplies ? 'always' : airlock ? 'afterReading' : 'never',
  }
}
