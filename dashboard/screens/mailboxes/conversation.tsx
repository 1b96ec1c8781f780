// A conversation from its beginning: the opened mail in full, the others by their snippets, and the replies with their texts.

import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { visible } from '../../../src/kit/visible.ts'
import { type Got, get } from '../../api.ts'
import { announce } from '../../parts/announce.tsx'
import { type Loaded, Show, useLoaded } from '../../parts/load.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { comma } from '../../words.ts'
import { words } from './words.ts'

const path = '/v1/mailboxes/:mailboxId/messages/:messageId/thread'
const lookAgainMs = 3_000

type Thread = Got<typeof path>
type Answer = Thread['answers'][number]
interface MessagePath {
  mailboxId: string
  messageId: string
}

export function useThread(at: MessagePath): Loaded<Thread> {
  const thread = useLoaded(at.messageId, (signal) => get(path, { params: at }, signal))
  useRepeat(lookAgainMs, thread.reload)
  const came = thread.value?.received.length
  useEffect(() => (came !== undefined && came > 1 ? announce(words.inThread(came)) : undefined), [came])
  return thread
}

interface Props {
  at: MessagePath
  thread: Loaded<Thread>
  /** The mail that is read. */
  children: ComponentChildren
}

export function Conversation({ at, thread, children }: Props) {
  return (
    <Show of={thread}>
      {({ received, answers }) => (
        <ol class="conversation" aria-label={words.conversation}>
          {[
            ...received.map((one) => ({
              at: one.receivedAt,
              id: one.id,
              item: <Came at={at} mail={one} here={children} />,
            })),
            ...answers.map((one) => ({ at: one.at, id: one.id, item: <Answered answer={one} /> })),
          ]
            .sort((one, other) => one.at.localeCompare(other.at))
            .map(({ id, item }) => (
              <li key={id}>{item}</li>
            ))}
        </ol>
      )}
    </Show>
  )
}

function Came({ at, mail, here }: { at: MessagePath; mail: Thread['received'][number]; here: ComponentChildren }) {
  const { to } = usePlace()
  if (mail.id === at.messageId) return here
  const { id, from, snippet, receivedAt } = mail
  return (
    <>
      <p class="under">
        <strong>{visible(from.name || from.address)}</strong>
        {comma}
        <Time at={receivedAt} /> <a href={to(`/mailboxes/${at.mailboxId}/messages/${id}`)}>{words.readIt}</a>
      </p>
      <p class="said">{visible(snippet)}</p>
    </>
  )
}

const tones = { sent: 'good', waiting: 'warn', refused: 'bad' }

function Answered({ answer: { id, status, at, author, text } }: { answer: Answer }) {
  const { to } = usePlace()
  const isSent = status === 'sent'
  return (
    <>
      <p class="under answered">
        <strong>{visible(author.name ?? words.somebody)}</strong>{' '}
        <span class={`status ${tones[status]}`}>{words.answerStates[status]}</span> <Time at={at} />{' '}
        <a href={to(isSent ? `/activity/${id}` : `/approvals/${id}`)}>{id}</a>{' '}
        {status === 'waiting' && <a href={to(`/approvals/${id}`)}>{words.decide}</a>}
      </p>
      {text === null ? <p class="muted">{words.wordsGone}</p> : <p class="said">{text}</p>}
    </>
  )
}
