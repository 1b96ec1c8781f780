// What an agent may do, in three words: what it reads of strangers' mail, what it sees of the workspace's data, and what it can send; and
// whether it has read what strangers wrote.

import { usePlace } from '../../place.ts'
import { type Agent, toPowers } from './agents.ts'
import { words } from './words.ts'

export function PowerChips({ agent }: { agent: Agent }) {
  const { reads, sees, acts, waits } = toPowers(agent)
  const shown = [
    reads && words.reads,
    sees && words.sees,
    acts && words.actsWhen[waits],
    agent.firstReadAt && words.hasRead,
  ]
  return (
    <span class="chips">
      {shown.map(
        (one) =>
          one && (
            <span key={one} class="status">
              {one}
            </span>
          ),
      )}
    </span>
  )
}

/** All three at once, without an approval in between. */
export function Danger({ agent }: { agent: Pick<Agent, 'scopes' | 'mailbox' | 'airlock'> }) {
  const { to } = usePlace()
  const { reads, sees, acts, waits } = toPowers(agent)
  return reads && sees && acts && waits === 'never' ? (
    <p class="notice">
      <strong>{words.allThree}</strong> {words.allThreeHow}{' '}
      <a href={to(`/mailboxes/${agent.mailbox?.id}`)}>{words.toMailbox}</a>
    </p>
  ) : null
}
