// Edits an endpoint: its URL, its events, and its rate.

import { type Got, patch } from '../../api.ts'
import { useAct } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Form } from '../../parts/form.tsx'
import { asTyped, separated } from '../../parts/separated.ts'
import { words } from './words.ts'

const path = '/v1/webhook-endpoints/:endpointId'
const mostPerSecond = 1_000

type Endpoint = Got<typeof path>

export function Change({ endpoint, reload }: { endpoint: Endpoint; reload: () => void }) {
  const act = useAct()
  const { id: endpointId, url, description, eventFilters, maxPerSecond } = endpoint
  const save = (form: FormData) =>
    act.run(async () => {
      const said = (name: string) => String(form.get(name)).trim()
      const rate = said('rate')
      const body = {
        url: said('url'),
        description: said('description'),
        eventFilters: separated(said('events')),
        maxPerSecond: rate === '' ? null : Number(rate),
      }
      await patch(path, { params: { endpointId }, body })
      announce(words.saved)
      reload()
    })
  return (
    <section>
      <h2>{words.change}</h2>
      {/* Drawn anew with what was saved, also by somebody else. */}
      <Form key={endpoint.updatedAt} act={act} says={words.saveChange} submit={save}>
        <label>
          {words.url}
          <input type="url" name="url" required maxLength={2_048} defaultValue={url} />
        </label>
        <label>
          {words.events}
          <input
            name="events"
            placeholder={words.eventsHint}
            autocomplete="off"
            defaultValue={eventFilters.includes('*') ? '' : asTyped(eventFilters)}
          />
          <span>{words.eventsHow}</span>
        </label>
        <label>
          {words.rateField}
          <input type="number" name="rate" min={1} max={mostPerSecond} defaultValue={maxPerSecond ?? ''} />
          <span>{words.rateHow}</span>
        </label>
        <label>
          {words.description}
          <input name="description" maxLength={500} defaultValue={description} />
        </label>
      </Form>
    </section>
  )
}
