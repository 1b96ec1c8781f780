// Why a mail or a campaign does not move, in one line: the strongest reason, and what to do about it.

import { callOf, get } from '../api.ts'
import { inLanguage, language, moment } from '../words.ts'
import { german } from './attention-words.ts'
import { CopyCurl } from './copy.tsx'
import { useLoaded } from './load.tsx'
import { useRepeat } from './repeat.ts'
import { germanReasons } from './why-words.ts'

const words = inLanguage({
  en: { until: (at: string) => `until ${at}`, more: (more: number) => `and ${more} more` },
  de: { until: (at: string) => `bis ${at}`, more: (more: number) => `und ${more} mehr` },
})

const lookEveryMs = 10_000

type Asked = { messageId: string } | { campaignId: string } | { endpointId: string; deliveryId: string }
const mailPath = '/v1/activity/why'
const campaignPath = '/v1/campaigns/:campaignId/why'
const deliveryPath = '/v1/webhook-endpoints/:endpointId/deliveries/:deliveryId/why'

/** `state`: asked again whenever it changes. Nothing is shown of what moves. */
export function Why({ of, state }: { of: Asked; state: string }) {
  const reasons = useLoaded(`${JSON.stringify(of)} ${state}`, (signal) => ask(of, signal))
  useRepeat(lookEveryMs, reasons.reload)
  const [first, ...others] = (reasons.value?.data ?? []).filter(({ state }) => state !== 'over')
  if (first === undefined || first.state === 'moving') return null
  const { code, detail, thing, until } = first
  const [text, todo] = language === 'de' ? { ...german, ...germanReasons }[code] : [first.text, first.todo]
  const isAnother = thing !== null && !Object.values(of).includes(thing.id)
  const about = [isAnother && thing.name, detail].filter(Boolean).join(': ')
  return (
    <p class="notice">
      <strong>{text}</strong> {until && words.until(moment(until))} {about}{' '}
      <span class="muted">
        {todo.replaceAll('`', '')} {others.length > 0 && words.more(others.length)}
      </span>{' '}
      <CopyCurl call={callFor(of)} />
    </p>
  )
}

function ask(of: Asked, signal: AbortSignal) {
  if ('deliveryId' in of) return get(deliveryPath, { params: of }, signal)
  return 'messageId' in of ? get(mailPath, { query: of }, signal) : get(campaignPath, { params: of }, signal)
}

function callFor(of: Asked) {
  if ('deliveryId' in of) return callOf('GET', deliveryPath, { params: of })
  return 'messageId' in of ? callOf('GET', mailPath, { query: of }) : callOf('GET', campaignPath, { params: of })
}
