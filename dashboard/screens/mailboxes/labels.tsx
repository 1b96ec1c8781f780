// The labels of received mail: as chips, as what an inbox is narrowed down to, and put on a mail by hand.

import { useRef } from 'preact/hooks'
import { get, post } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { ChooseBy, type List } from '../../parts/list.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { usePlace } from '../../place.ts'
import { count } from '../../words.ts'
import { words } from './words.ts'

const path = '/v1/mailboxes/:mailboxId/labels'
const maxChars = 50

export function LabelChips({ labels }: { labels: string[] }) {
  if (labels.length === 0) return null
  return (
    <span class="chips">
      {labels.map((label) => (
        <span key={label} class="status">
          {label}
        </span>
      ))}
    </span>
  )
}

/** Every label of the mailbox, or all mail; and only what is unread. */
export function LabelFilter<Row>({ of, mailboxId }: { of: List<Row>; mailboxId: string }) {
  const known = useLoaded(mailboxId, (signal) => get(path, { params: { mailboxId } }, signal))
  return (
    <>
      <ChooseBy
        of={of}
        name="unread"
        label={words.state}
        choices={[
          ['', words.allMail],
          ['true', words.onlyUnread],
        ]}
      />
      <Show of={known}>
        {({ data }) =>
          data.length > 0 && (
            <ChooseBy
              of={of}
              name="label"
              label={words.labels}
              choices={[
                ['', words.anyLabel],
                ...data.map(({ label, messages }): [string, string] => [label, `${label} ${count(messages)}`]),
              ]}
            />
          )
        }
      </Show>
    </>
  )
}

interface Props {
  at: { mailboxId: string; messageId: string }
  labels: string[]
  reload: () => void
}

/** The labels of one mail, which members change. */
export function MailLabels({ at: { mailboxId, messageId }, labels, reload }: Props) {
  const { workspace } = usePlace()
  const input = useRef<HTMLInputElement>(null)
  const act = useAct()
  if (workspace.role === 'viewer') return <LabelChips labels={labels} />
  const change = (what: { add: string[] } | { remove: string[] }) =>
    act.run(async () => {
      await post(path, { params: { mailboxId }, body: { messageIds: [messageId], ...what } })
      if (input.current) input.current.value = ''
      reload()
    })
  return (
    <>
      <ul class="chips plain" aria-label={words.labels}>
        {labels.map((label) => (
          <li key={label}>
            <button
              type="button"
              disabled={act.isRunning}
              title={words.dropLabel(label)}
              aria-label={words.dropLabel(label)}
              onClick={() => void change({ remove: [label] })}
            >
              {`${label} ×`}
            </button>
          </li>
        ))}
      </ul>
      <form
        class="filter"
        onSubmit={(event) => {
          event.preventDefault()
          void change({ add: [input.current?.value ?? ''] })
        }}
      >
        <label>
          {words.label}
          <input ref={input} name="label" required maxLength={maxChars} autocomplete="off" />
        </label>
        <button type="submit" disabled={act.isRunning}>
          {words.addLabel}
        </button>
      </form>
      <WhyNot act={act} />
    </>
  )
}
