// A new endpoint, active and with a signing secret, which is shown this once.

import { useState } from 'preact/hooks'
import { post } from '../../api.ts'
import { useAct } from '../../parts/act.tsx'
import { Form } from '../../parts/form.tsx'
import { Once } from '../../parts/once.tsx'
import { separated } from '../../parts/separated.ts'
import { usePlace } from '../../place.ts'
import { words } from './words.ts'

const path = '/v1/webhook-endpoints'

export default function NewEndpoint() {
  const { to } = usePlace()
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null)
  return (
    <>
      <p>
        <a class="back" href={to('/webhooks')}>
          {words.all}
        </a>
      </p>
      <header class="title">
        <h1>{words.create}</h1>
      </header>
      {made === null ? (
        <EndpointForm done={(id, secret) => setMade({ id, secret })} />
      ) : (
        <>
          <Once title={words.secret} how={words.secretOnce}>
            {made.secret}
          </Once>
          <p>
            <a class="button" href={to(`/webhooks/${made.id}`)}>
              {words.go}
            </a>
          </p>
        </>
      )}
    </>
  )
}

function EndpointForm({ done }: { done: (id: string, secret: string) => void }) {
  const act = useAct()
  const create = (form: FormData) =>
    act.run(async () => {
      const [url = '', events = '', description = ''] = ['url', 'events', 'description'].map((name) =>
        String(form.get(name)).trim(),
      )
      const eventFilters = separated(events)
      const { id } = await post(path, { body: { url, description, eventFilters, status: 'active' } })
      const { signingSecret } = await post(`${path}/:endpointId/signing-secret`, { params: { endpointId: id } })
      done(id, signingSecret)
    })
  return (
    <Form act={act} says={words.save} submit={create}>
      <label>
        {words.url}
        <input type="url" name="url" required maxLength={2_048} placeholder="https://hooks.example.com/paquebot" />
      </label>
      <label>
        {words.events}
        <input name="events" placeholder={words.eventsHint} autocomplete="off" />
        <span>{words.eventsHow}</span>
      </label>
      <label>
        {words.description}
        <input name="description" maxLength={500} />
      </label>
    </Form>
  )
}
