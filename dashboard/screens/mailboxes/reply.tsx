// The answer of a person to a received mail.

import { useMemo, useRef, useState } from 'preact/hooks'
import { get, post } from '../../api.ts'
import { useShortcuts } from '../../keys.ts'
import { useAct } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import type { Received } from '../../parts/received.tsx'
import { words } from './words.ts'

const path = '/v1/mailboxes/:mailboxId/messages/:messageId/reply'

interface Props {
  at: { mailboxId: string; messageId: string }
  mail: Received
  /** After it was sent. */
  done: () => void
}

export function Reply({ at, mail, done }: Props) {
  const { mailboxId } = at
  const mailbox = useLoaded(mailboxId, (signal) => get('/v1/mailboxes/:mailboxId', { params: { mailboxId } }, signal))
  return (
    <section>
      <h2>{words.reply}</h2>
      <Show of={mailbox}>
        {({ address, status }) =>
          mail.replyGoesTo === null ? (
            <p class="muted">{words.neverAnswered}</p>
          ) : status === 'disabled' ? (
            <p class="muted">{words.answersNot}</p>
          ) : (
            <Write at={at} from={address} to={mail.replyGoesTo} done={done} />
          )
        }
      </Show>
    </section>
  )
}

function Write({ at, from, to, done }: Pick<Props, 'at' | 'done'> & { from: string; to: string }) {
  const act = useAct()
  const [said, setSaid] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  // The same words are sent once, also where the answer of the server got lost.
  const once = useMemo(() => crypto.getRandomValues(new Uint8Array(16)).join('-'), [said])
  const send = () =>
    act.run(async () => {
      await post(path, { params: at, body: { text: said }, once })
      announce(words.answered)
      setSaid('')
      done()
    })
  useShortcuts([
    { keys: 'r', says: words.reply, run: () => field.current?.focus() },
    { keys: 'Mod+enter', says: words.sendReply, run: () => field.current?.form?.requestSubmit() },
  ])
  return (
    <Form act={act} says={words.sendReply} submit={send}>
      <label>
        {words.replyFromTo({ from, to })}
        <textarea
          ref={field}
          required
          rows={6}
          maxLength={100_000}
          value={said}
          onInput={(event) => setSaid(event.currentTarget.value)}
        />
        <span>
          {words.replyHow} <kbd>r</kbd> <kbd>Ctrl Enter</kbd>
        </span>
      </label>
    </Form>
  )
}
