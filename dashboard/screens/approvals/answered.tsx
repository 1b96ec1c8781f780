// The mail that an agent answers: a stranger wrote it, and it may be why the agent writes what it does.

import { get } from '../../api.ts'
import type { Approval } from '../../nouns.ts'
import { Show, useLoaded } from '../../parts/load.tsx'
import { ReceivedMail } from '../../parts/received.tsx'
import { words } from './words.ts'

const messagePath = '/v1/mailboxes/:mailboxId/messages/:messageId'

export function AnsweredMail({ approval: { mailboxId, repliesTo } }: { approval: Approval }) {
  if (mailboxId === null || repliesTo === null) return <p class="muted">{words.gone}</p>
  return (
    <>
      <p class="muted">{words.untrusted}</p>
      <Original mailboxId={mailboxId} messageId={repliesTo.messageId} />
    </>
  )
}

function Original(at: { mailboxId: string; messageId: string }) {
  const mail = useLoaded(at.messageId, (signal) => get(messagePath, { params: at }, signal))
  return <Show of={mail}>{(one) => <ReceivedMail at={at} mail={one} />}</Show>
}
