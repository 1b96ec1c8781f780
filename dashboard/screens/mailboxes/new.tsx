// A new mailbox.

import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { type Posted, post } from '../../api.ts'
import { useAct } from '../../parts/act.tsx'
import { Form } from '../../parts/form.tsx'
import { usePlace } from '../../place.ts'
import { words } from './words.ts'

const path = '/v1/mailboxes'

type CreatedMailbox = Posted<typeof path>

export default function NewMailbox() {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const [doubtful, setDoubtful] = useState<CreatedMailbox | null>(null)
  const create = (form: FormData) =>
    act.run(async () => {
      const [address = '', name = ''] = ['address', 'name'].map((one) => String(form.get(one)).trim())
      const holdReplies = form.get('holdReplies') !== null
      const made = await post(path, { body: { address, name, holdReplies } })
      if (made.warnings.length > 0) setDoubtful(made)
      else route(to(`/mailboxes/${made.id}`))
    })
  return (
    <>
      <p>
        <a class="back" href={to('/mailboxes')}>
          {words.all}
        </a>
      </p>
      <header class="title">
        <h1>{words.create}</h1>
      </header>
      {doubtful === null ? (
        <Form act={act} says={words.save} submit={create}>
          <label>
            {words.address}
            <input name="address" required maxLength={320} autocomplete="off" placeholder="desk" />
            <span>{words.addressHow}</span>
          </label>
          <label>
            {words.name}
            <input name="name" maxLength={100} autocomplete="off" />
            <span>{words.nameHow}</span>
          </label>
          <label class="check">
            <input type="checkbox" name="holdReplies" />
            <span>
              {words.holdNew} <span class="muted">{words.holdNewHow}</span>
            </span>
          </label>
        </Form>
      ) : (
        <div class="notice" role="status">
          <p>
            <strong>{doubtful.address}.</strong> {words.warned}
          </p>
          {doubtful.warnings.map(({ code, message }) => (
            <p key={code}>{message}</p>
          ))}
          <p>
            <a class="button" href={to(`/mailboxes/${doubtful.id}`)}>
              {words.go}
            </a>
          </p>
        </div>
      )}
    </>
  )
}
