// One mail: its history step by step, its details, and in capture mode the mail itself, in a frame that runs nothing.

import type { ComponentChildren } from 'preact'
import { useLocation, useRoute } from 'preact-iso'
import { type Got, get, post, Refusal, toCall } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { CapturedMail } from '../../parts/captured-mail.tsx'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { MailFrame } from '../../parts/mail-frame.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Status } from '../../parts/status.tsx'
import { Why } from '../../parts/why.tsx'
import { usePlace } from '../../place.ts'
import { comma, count, moment } from '../../words.ts'
import { words } from './words.ts'

const path = '/v1/activity/:messageId'
const lookEveryMs = 1_000

type Message = Got<typeof path>

export default function Mail() {
  const { messageId = '' } = useRoute().params
  const { to, workspace } = usePlace()
  const message = useLoaded(messageId, (signal) => get(path, { params: { messageId } }, signal))
  const isOnItsWay = message.value?.status === 'queued' || message.value?.status === 'sending'
  useRepeat(isOnItsWay ? lookEveryMs : null, message.reload)
  return (
    <Show of={message}>
      {(one) => (
        <>
          <p>
            <a class="back" href={to('/activity')}>
              {words.all}
            </a>
          </p>
          <header class="title">
            <h1>{one.subject || words.noSubject}</h1>
            <CopyCurl call={toCall('GET', path, { params: { messageId } })} />
          </header>
          <p class="under">
            <Status status={one.status} /> {words.to} <strong>{one.email}</strong>{' '}
            <Copy text={one.messageId} label={one.messageId} />
          </p>
          {(isOnItsWay || one.status === 'delayed') && <Why of={{ messageId }} state={one.status} />}
          {workspace.role !== 'viewer' && <Acts message={one} reload={message.reload} />}
          <div class="two">
            <History events={one.events} />
            <Facts title={words.facts} facts={toFacts(one, to)} />
          </div>
          <Content of={one} />
        </>
      )}
    </Show>
  )
}

/** While it waits it can be cancelled or moved; when it has ended the same can be sent again. */
function Acts({ message, reload }: { message: Message; reload: () => void }) {
  const { to } = usePlace()
  const { route } = useLocation()
  const act = useAct()
  const { messageId, status, kind } = message
  const params = { messageId }
  const waits = status === 'queued' || status === 'delayed'
  const isMovable = waits && kind !== 'campaign' && kind !== 'confirmation'
  const hasEnded = !waits && status !== 'sending' && status !== 'complained'
  const cancel = async () => {
    const { outcome } = await post('/v1/messages/:messageId/cancel', { params })
    announce(outcome === 'cancelled' ? words.cancelled : words.cancelRequested)
    reload()
  }
  const move = async (local: string) => {
    const { scheduledAt } = await post('/v1/messages/:messageId/reschedule', {
      params,
      body: { scheduledAt: new Date(local).toISOString() },
    })
    announce(words.moved(moment(scheduledAt)))
    reload()
  }
  const resend = async () => {
    const again = await post('/v1/messages/:messageId/resend', { params })
    announce(words.resent)
    route(to(`/activity/${again.messageId}`))
  }
  const button = (says: string, work: () => Promise<void>) => (
    <button type="button" class="quiet" disabled={act.isRunning} onClick={() => void act.run(work)}>
      {says}
    </button>
  )
  return (
    <>
      {isMovable && (
        <form
          class="filter"
          onSubmit={(event) => {
            event.preventDefault()
            const at = String(new FormData(event.currentTarget).get('at'))
            void act.run(() => move(at))
          }}
        >
          <label>
            {words.moveTo}
            <input type="datetime-local" name="at" required />
          </label>
          <button type="submit" class="quiet" disabled={act.isRunning}>
            {words.move}
          </button>
        </form>
      )}
      <div class="actions">
        {isMovable && button(words.cancel, cancel)}
        {hasEnded && kind === 'transactional' && button(words.resend, resend)}
      </div>
      <WhyNot act={act} />
    </>
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

function toFacts(message: Message, to: (path: string) => string): [string, ComponentChildren][] {
  const { kind, templateId, campaignId, contactId, locale, tags, attempts, createdAt } = message
  const link = (screen: string, id: string | null | undefined) => id && <a href={to(`/${screen}/${id}`)}>{id}</a>
  return [
    ...(message.recipients ? recipientFacts(message.recipients, to) : []),
    [words.accepted, moment(createdAt)],
    [words.kind, kind],
    [words.template, link('templates', templateId)],
    [words.campaign, link('campaigns', campaignId)],
    [words.contact, link('contacts', contactId)],
    [words.locale, locale],
    [words.resendOf, link('activity', message.resendOf)],
    [words.tags, tags.join(comma)],
    [words.attempts, count(attempts)],
  ]
}

/** Of a mail to several: each leads to their own. */
function recipientFacts(
  recipients: NonNullable<Message['recipients']>,
  to: (path: string) => string,
): [string, ComponentChildren][] {
  return (['to', 'cc', 'bcc'] as const).flatMap((as): [string, ComponentChildren][] => {
    const these = recipients.filter((one) => one.as === as)
    const links = these.map(({ messageId, name, email }) => (
      <div key={messageId}>
        <a href={to(`/activity/${messageId}`)}>{name === null ? email : `${name} <${email}>`}</a>
      </div>
    ))
    return these.length === 0 ? [] : [[words[as], links]]
  })
}

/** What of the mail itself can be shown. */
function Content({ of: { messageId, captured, content } }: { of: Message }) {
  const { workspace } = usePlace()
  if (captured) return <Captured capturedId={captured.capturedId} />
  // It may hold what only its reader should use, as a link to set a password.
  if (content === 'own' && workspace.role !== 'viewer') return <OwnMail messageId={messageId} />
  return <p class="muted">{content === 'own' ? words.ownHidden : words.notKept}</p>
}

/** What its caller gave, as it was sent. */
function OwnMail({ messageId }: { messageId: string }) {
  const found = useLoaded(messageId, (signal) =>
    get('/v1/messages/:messageId/content', { params: { messageId } }, signal).catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 404) return null
      throw error
    }),
  )
  return (
    <Show of={found}>
      {(one) =>
        one === null ? (
          <p class="muted">{words.ownGone}</p>
        ) : (
          <section>
            <h2>{words.own}</h2>
            <MailFrame title={words.ownHtml} html={one.html} text={one.text ?? ''} />
          </section>
        )
      }
    </Show>
  )
}

function Captured({ capturedId }: { capturedId: string }) {
  const mail = useLoaded(capturedId, (signal) =>
    get('/v1/activity/captured/:capturedId', { params: { capturedId } }, signal),
  )
  return <Show of={mail}>{(one) => <CapturedMail mail={one} />}</Show>
}
