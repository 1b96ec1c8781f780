// A new relay, which carries mail at once or is tried first.

import { useLocation } from 'preact-iso'
import { post } from '../../api.ts'
import { useAct } from '../../parts/act.tsx'
import { Form } from '../../parts/form.tsx'
import { usePlace } from '../../place.ts'
import { RelayFields, settingsIn } from './fields.tsx'
import { words } from './words.ts'

const begins = ['active', 'off'] as const

export default function NewRelay() {
  const { to } = usePlace()
  const { route } = useLocation()
  const act = useAct()
  const create = (form: FormData) =>
    act.run(async () => {
      const state = begins.find((one) => one === form.get('state')) ?? 'active'
      const { url = '', ...settings } = settingsIn(form)
      const { id } = await post('/v1/relays', { body: { ...settings, url, state } })
      route(to(`/relays/${id}`))
    })
  return (
    <>
      <p>
        <a class="back" href={to('/relays')}>
          {words.all}
        </a>
      </p>
      <header class="title">
        <h1>{words.create}</h1>
      </header>
      <Form act={act} says={words.save} submit={create}>
        <RelayFields />
        <label>
          {words.begins}
          <select name="state">
            {begins.map((one) => (
              <option key={one} value={one}>
                {words.beginsAs[one]}
              </option>
            ))}
          </select>
        </label>
      </Form>
    </>
  )
}
