// One received mail, with what was answered in its conversation. Reading marks nothing: somebody says that it was read.

import { useRoute } from 'preact-iso'
import { visible } from '../../../src/lib/visible.ts'
import { get, patch } from '../../api.ts'
import { useShortcuts } from '../../keys.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { type Received, ReceivedMail } from '../../parts/received.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { words } from './words.ts'

const path = '/v1/mailboxes/:mailboxId/messages/:messageId'

export default function MessagePage() {
  const { mailboxId = '', messageId = '' } = useRoute().params
  const { to } = usePlace()
  const at = { mailboxId, messageId }
  const mail = useLoaded(messageId, (signal) => get(path, { params: at }, signal))
  return (
    <>
      <p>
        <a href={to(`/mailboxes/${mailboxId}`)}>← {words.mail}</a>
      </p>
      <Show of={mail}>
        {(one) => (
          <>
            <header class="title">
              <h1>{visible(one.subject) || words.noSubject}</h1>
              <ReadMark at={at} mail={one} reload={mail.reload} />
            </header>
            <p class="under">
              {words.to} {visible(one.to)}, <Time at={one.receivedAt} />
            </p>
            <section class="untrusted">
              <h2>{words.came}</h2>
              <ReceivedMail at={at} mail={one} />
            </section>
            <Answers answers={one.answers} />
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

const tones = { sent: 'good', waiting: 'warn', refused: 'bad' }

function Answers({ answers }: Pick<Received, 'answers'>) {
  const { to } = usePlace()
  return (
    <section>
      <h2>{words.answers}</h2>
      {answers.length === 0 && <p class="muted">{words.noAnswers}</p>}
      <ol class="history">
        {answers.map(({ id, status, at }) => (
          <li key={id}>
            <span class={`status ${tones[status]}`}>{words.answerStates[status]}</span> <Time at={at} />{' '}
            <a href={to(status === 'sent' ? `/activity/${id}` : `/approvals/${id}`)}>{id}</a>
          </li>
        ))}
      </ol>
    </section>
  )
}
