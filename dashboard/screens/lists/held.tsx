// Confirmation mails of sign-ups that wait because too many came from one network: those of programs are cancelled, the others go on.

import { post } from '../../api.ts'
import { useAct } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Form } from '../../parts/form.tsx'
import { usePlace } from '../../place.ts'
import { inLanguage } from '../../words.ts'

const words = inLanguage(catalogue.lists.held)

export function HeldSignUps() {
  const { mayChange } = usePlace()
  const act = useAct()
  if (!mayChange) return null
  const cancel = (form: FormData) =>
    act.run(async () => {
      const network = String(form.get('network')).trim()
      const { cancelled } = await post('/v1/contact-subscriptions/cancel-held', { body: { network } })
      announce(words.cancelled(cancelled))
    })
  return (
    <details>
      <summary>{words.title}</summary>
      <Form act={act} says={words.cancel} submit={cancel}>
        <label>
          {words.network}
          <input name="network" required maxLength={50} autocomplete="off" placeholder="192.0.2.0/24" />
          <small>{words.hint}</small>
        </label>
      </Form>
    </details>
  )
}
