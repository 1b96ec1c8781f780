// One received mail in its conversation, and the reply to it. Opening a mail does not mark it as read; a button does.

import { useRoute } from 'preact-iso'
import { visible } from '../../../src/kit/visible.ts'
import { get, patch } from '../../api.ts'
import { useShortcuts } from '../../keys.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { type Received, ReceivedMail } from '../../parts/received.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { comma } from '../../words.ts'
import { Conversation, useThread } from './conversation.tsx'
import { MailLabels } from './labels.tsx'
import { Reply } from './reply.tsx'
import { words } from './words.ts'

const path = '/v1/mailboxes/:mailboxId/messages/:messageId'

export default function MessagePage() {
  const { mailboxId = '', messageId = '' } = useRoute().params
  const { to, workspace } = usePlace()
  const at = { mailboxId, messageId }
  const thread = useThread(at)
  const mail = useLoaded(messageId, (signal) => get(path, { params: at }, signal))
  const answered = () => {
    mail.reload()
    thread.reload()
  }
  return (
    <>
      <p>
        <a class="back" href={to(`/mailboxes/${mailboxId}`)}>
          {words.mail}
        </a>
      </p>
      <Show of={mail}>
        {(one) => (
          <>
            <header class="title">
              <h1>{visible(one.subject) || words.noSubject}</h1>
              <ReadMark at={at} mail={one} reload={mail.reload} />
            </header>
            <p class="under">
              {words.to} {visible(one.to)}
              {comma}
              <Time at={one.receivedAt} />
            </p>
            <MailLabels at={at} labels={one.labels} reload={mail.reload} />
            <Conversation at={at} thread={thread}>
              <section class="untrusted">
                <h2>{words.came}</h2>
                <ReceivedMail at={at} mail={one} />
              </section>
            </Conversation>
            {workspace.role !== 'viewer' && <Reply key={messageId} at={at} mail={one} done={answered} />}
          </>
        )}
      </Show>
    </>
  )
}

interface MarkProps {
  at: { mailboxId: string; messageId: string }
  mail: Received
  reload: () => void
}

function ReadMark({ at, mail: { readAt }, reload }: MarkProps) {
  const { workspace } = usePlace()
  const act = useAct()
  const mark = () =>
    act.run(async () => {
      await patch(path, { params: at, body: { read: readAt === null } })
      reload()
    })
  const says = readAt === null ? words.markRead : words.markUnread
  const mayMark = workspace.role !== 'viewer'
  useShortcuts(mayMark ? [{ keys: 'm', says, run: () => void mark() }] : [])
  return mayMark ? (
    <>
      <button type="button" disabled={act.isRunning} onClick={() => void mark()}>
        {says} <kbd>m</kbd>
      </button>
      <WhyNot act={act} />
    </>
  ) : null
}
