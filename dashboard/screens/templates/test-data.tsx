// The test data that fills a preview: what a caller would send, and the contact that it is shown for, filled in as in a mail to them.

import { useId, useState } from 'preact/hooks'
import { get } from '../../api.ts'
import { useAnswer } from '../../parts/asked.ts'
import { Choose } from '../../parts/choose.tsx'
import { comma } from '../../words.ts'
import type { Preview } from './owner.ts'
import { words } from './test-words.ts'
import { contactIn, isText, type Typed, withContact } from './typed-data.ts'

interface Props {
  variables: Preview['variables']
  typed: Typed
  set: (next: Typed) => void
}

export function TestData({ variables, typed, set }: Props) {
  const id = useId()
  const asked = variables.filter(({ state }) => state !== 'automatic')
  return (
    <section>
      <h2>{words.data}</h2>
      <OfContact variables={variables} typed={typed} set={set} />
      {asked.length === 0 && <p class="muted">{words.dataNone}</p>}
      {asked.map(({ name, dataType, state }) => (
        <div key={name} class="field">
          <label for={`${id}-${name}`}>
            {name} {!isText(dataType) && <span class="muted">{words.json}</span>}{' '}
            {state === 'missing' && <span class="status warn">{words.required}</span>}
          </label>
          <textarea
            id={`${id}-${name}`}
            rows={isText(dataType) ? 1 : 3}
            value={typed[name] ?? ''}
            onInput={(event) => set({ ...typed, [name]: event.currentTarget.value })}
          />
        </div>
      ))}
    </section>
  )
}

/** Nobody in particular, until one is chosen. */
function OfContact({ variables, typed, set }: Props) {
  const [isChoosing, setChoosing] = useState(false)
  const email = contactIn(typed)
  return (
    <>
      <div class="choices">
        <button type="button" onClick={() => setChoosing(true)}>
          {email === undefined ? words.chooseContact : words.otherContact}
        </button>
        {email !== undefined && (
          <button type="button" class="quiet" onClick={() => set(withContact(typed, null))}>
            {words.noContact}
          </button>
        )}
      </div>
      {email !== undefined && <Filled email={email} variables={variables} />}
      {isChoosing && <ChooseContact choose={(one) => set(withContact(typed, one))} close={() => setChoosing(false)} />}
    </>
  )
}

/** What is known of them of all that the mail says about its reader. */
function Filled({ email, variables }: { email: string; variables: Preview['variables'] }) {
  const ofContact = variables.filter(({ name }) => name.startsWith('contact.'))
  return (
    <>
      <p>
        {words.shownFor} <strong>{email}</strong>
      </p>
      {ofContact.length === 0 && <p class="muted">{words.contactUnused}</p>}
      {ofContact.length > 0 && (
        <ul class="plain known">
          {ofContact.map(({ name, value }) => (
            <li key={name}>
              <span class="muted">{name}</span> {value ?? <span class="status warn">{words.contactLacks}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function ChooseContact({ choose, close }: { choose: (email: string) => void; close: () => void }) {
  const [text, setText] = useState('')
  const { answer } = useAnswer(
    () => ({ ...(text.trim() !== '' && { q: text.trim() }), perPage: 10 }),
    (query) => get('/v1/contacts', { query }),
  )
  const found = (answer?.data ?? []).map(({ email, firstName, lastName }) => {
    const name = [firstName, lastName].filter(Boolean).join(' ')
    return { says: name === '' ? email : `${name}${comma}${email}`, is: email }
  })
  return (
    <Choose
      title={words.chooseContact}
      hint={words.contactHint}
      nothing={words.contactNothing}
      choicesFor={() => found}
      typed={setText}
      choose={choose}
      close={close}
    />
  )
}
