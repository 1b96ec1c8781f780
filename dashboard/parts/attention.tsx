// What needs attention, worst first: what is wrong, since when, and what to do.

import { type Listed, toCall } from '../api.ts'
import { screenOf, usePlace } from '../place.ts'
import { inLanguage } from '../words.ts'
import { attentionText, german } from './attention-words.ts'
import { CopyCurl } from './copy.tsx'
import { Time } from './time.tsx'
import { TryAgain } from './try-again.tsx'

const words = inLanguage(catalogue.parts.attention)

const path = '/v1/attention'
type Item = Listed<typeof path>

const tones = { urgent: 'bad', warning: 'warn', notice: '' }
/** Of things that have no screen of their own. */
const places: Partial<Record<Item['code'], string>> = {
  mail_failed: '/activity?q=status:failed',
  mail_uncertain: '/activity?q=status:uncertain',
  capture_mode: '/captured',
  replies_waiting: '/approvals',
  sending_held: '/settings/installation',
  relay_fails: '/relays',
}

/** `changed`: after something was done about one. */
export function Attention({ items, changed }: { items: Item[]; changed: () => void }) {
  if (items.length === 0) return null
  return (
    <section>
      <header class="title">
        <h2>{words.title}</h2>
        <CopyCurl call={toCall('GET', path)} />
      </header>
      <ul class="attention">
        {items.map((item) => (
          <AttentionItem key={`${item.code} ${item.thing?.id}`} item={item} changed={changed} />
        ))}
      </ul>
    </section>
  )
}

function AttentionItem({ item, changed }: { item: Item; changed: () => void }) {
  const { code, severity, since, detail, thing } = item
  const { to } = usePlace()
  const [text, todo] = attentionText(item, german)
  const place = (thing && screenOf(thing.id)) ?? places[code]
  return (
    <li class={`notice ${severity === 'urgent' ? 'bad' : ''}`}>
      <p>
        <span class={`status ${tones[severity]}`}>{words[severity]}</span>{' '}
        <strong>{place ? <a href={to(place)}>{text}</a> : text}</strong>
        {thing && `: ${thing.name}`}{' '}
        <span class="muted">
          <Time at={since} />
        </span>
      </p>
      {detail && <p>{detail}</p>}
      <p class="muted">{todo.replaceAll('`', '')}</p>
      <TryAgain code={code} done={changed} />
    </li>
  )
}
