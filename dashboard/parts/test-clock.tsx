// The clock of a test workspace: what waits there, and a button that advances it.

import { useState } from 'preact/hooks'
import { get, post, toCall } from '../api.ts'
import { usePlace } from '../place.ts'
import { inLanguage } from '../words.ts'
import { useAct } from './act.tsx'
import { announce } from './announce.tsx'
import { CopyCurl } from './copy.tsx'
import { Form } from './form.tsx'
import { useLoaded } from './load.tsx'
import { useRepeat } from './repeat.ts'
import { Time } from './time.tsx'

const words = inLanguage(catalogue.parts.testClock)

const path = '/v1/test/clock'
/** While somebody looks at it. */
const refreshMs = 2_000

/** `moved`: what is on the screen may be old now. */
export function TestClock({ moved }: { moved: () => void }) {
  const { workspace, mayChange } = usePlace()
  const act = useAct()
  const clock = useLoaded(workspace.id, (signal) => get(path, {}, signal))
  const [isOpen, setOpen] = useState(false)
  useRepeat(isOpen ? refreshMs : null, clock.reload)
  const advance = (form: FormData) =>
    act.run(async () => {
      const { moved: jobs } = await post(path, { body: { advance: String(form.get('advance')).trim() } })
      announce(words.moved(jobs))
      clock.reload()
      moved()
    })
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.title}</summary>
      <p>{words.how}</p>
      {clock.value && (
        <p>
          {clock.value.nextDueAt === null ? (
            words.nothing
          ) : (
            <>
              {words.waiting(clock.value.waiting)} <Time at={clock.value.nextDueAt} />.
            </>
          )}
        </p>
      )}
      {mayChange && (
        <Form act={act} says={words.move} submit={advance} isOfScreen={false}>
          <label>
            {words.by}
            <input name="advance" required maxLength={20} autocomplete="off" placeholder="90s, 15m, 12h, 7d" />
          </label>
        </Form>
      )}
      <CopyCurl call={toCall('POST', path, { body: { advance: '7d' } })} />
    </details>
  )
}
