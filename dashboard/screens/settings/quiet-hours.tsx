// When people get no campaign mail: times of day, in the zone of each of them.

import { type Got, get, patch } from '../../api.ts'
import { useAct } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { words } from './words.ts'

const path = '/v1/campaign-settings'

type QuietHours = Got<typeof path>['quietHours']

export function QuietHoursSection() {
  const settings = useLoaded('', (signal) => get(path, {}, signal))
  return (
    <section>
      <h2>{words.quietHours}</h2>
      <p class="muted">{words.quietHoursHow}</p>
      <Show of={settings}>{({ quietHours }) => <Edited stored={quietHours} />}</Show>
    </section>
  )
}

function Edited({ stored }: { stored: QuietHours }) {
  const act = useAct()
  const save = (form: FormData) =>
    act.run(async () => {
      const [from, to] = [String(form.get('quietHours.from')), String(form.get('quietHours.to'))]
      await patch(path, { body: { quietHours: from === '' && to === '' ? null : { from, to } } })
      announce(words.quietHoursSaved)
    })
  return (
    <Form act={act} says={words.setQuietHours} submit={save}>
      <label>
        {words.quietFrom}
        <input type="time" name="quietHours.from" defaultValue={stored?.from ?? ''} />
      </label>
      <label>
        {words.quietTo}
        <input type="time" name="quietHours.to" defaultValue={stored?.to ?? ''} />
      </label>
    </Form>
  )
}
