// One mail: its history step by step, what is known of it, and in capture mode the mail itself, in a frame that runs nothing.

import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { callOf, get } from '../../api.ts'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Status } from '../../parts/status.tsx'
import { usePlace } from '../../place.ts'
import { count, moment } from '../../words.ts'
import { words } from './words.ts'

const path = '/v1/activity/:messageId'

type Message = Awaited<ReturnType<typeof get<typeof path>>>
type Captured = NonNullable<Message['captured']>

export default function Mail() {
  const { messageId = '' } = useRoute().params
  const { to } = usePlace()
  const message = useLoaded(messageId, (signal) => get(path, { params: { messageId } }, signal))
  return (
    <Show of={message}>
      {(one) => (
        <>
          <p>
            <a href={to('/activity')}>← {words.all}</a>
          </p>
          <header class="title">
            <h1>{one.subject || words.noSubject}</h1>
            <CopyCurl call={callOf('GET', path, { params: { messageId } })} />
          </header>
          <p class="under">
            <Status status={one.status} /> {words.to} <strong>{one.email}</strong>{' '}
            <Copy text={one.messageId} label={one.messageId} />
          </p>
          <div class="two">
            <History events={one.events} />
            <Facts title={words.facts} facts={factsOf(one)} />
          </div>
          {one.captured ? <Shown captured={one.captured} /> : <p class="muted">{words.notKept}</p>}
        </>
      )}
    </Show>
  )
}

function History({ events }: Pick<Message, 'events'>) {
  return (
    <section>
      <h2>{words.history}</h2>
      <ol class="history">
        {events.map(({ status, at, code, detail }) => (
          <li key={at + status}>
            <Status status={status} /> <time dateTime={at}>{moment(at)}</time>
            {(code !== undefined || detail !== undefined) && (
              <p class="reply">
                {code !== undefined && <code>{code}</code>} {detail}
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

function factsOf(message: Message): [string, string | null | undefined][] {
  const { kind, templateId, campaignId, contactId, locale, tags, attempts, createdAt } = message
  return [
    [words.accepted, moment(createdAt)],
    [words.kind, kind],
    [words.template, templateId],
    [words.campaign, campaignId],
    [words.contact, contactId],
    [words.locale, locale],
    [words.tags, tags.join(', ')],
    [words.attempts, count(attempts)],
  ]
}

const views = ['rendered', 'text', 'source'] as const

function Shown({ captured }: { captured: Captured }) {
  const [view, setView] = useState<(typeof views)[number]>('rendered')
  const [isPhone, setPhone] = useState(false)
  return (
    <section>
      <h2>{words.mail}</h2>
      <fieldset class="choices">
        <legend class="unseen">{words.mail}</legend>
        {views.map((one) => (
          <button key={one} type="button" aria-pressed={view === one} onClick={() => setView(one)}>
            {words[one]}
          </button>
        ))}
        {view === 'rendered' && (
          <button type="button" aria-pressed={isPhone} onClick={() => setPhone(!isPhone)}>
            {words.phone}
          </button>
        )}
      </fieldset>
      {view === 'rendered' && (
        <iframe
          class={isPhone ? 'mail phone' : 'mail'}
          title={words.html}
          src={`${new URL(captured.url).pathname}/html`}
          sandbox=""
        />
      )}
      {view === 'text' && <pre class="mail">{captured.text}</pre>}
      {view === 'source' && <pre class="mail">{captured.source}</pre>}
      {captured.attachments.length > 0 && (
        <p>
          {words.attachments}:{' '}
          {captured.attachments
            .map(({ filename, contentType, sizeBytes }) => `${filename ?? contentType} (${count(sizeBytes)} B)`)
            .join(', ')}
        </p>
      )}
    </section>
  )
}
