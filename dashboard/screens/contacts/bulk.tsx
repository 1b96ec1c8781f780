// What can be done with several contacts at once. Each action says what it will do, and to how many, and is done one contact after the
// other: who is refused is named with the reason, and the others go on.

import { useState } from 'preact/hooks'
import { get, type Listed, patch, post } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { all } from '../../parts/all.ts'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { useLoaded } from '../../parts/load.tsx'
import { colon } from '../../words.ts'
import { words } from './bulk-words.ts'
import { saveContacts } from './save-contacts.ts'

const path = '/v1/contacts'
/** So many of those that match, at most. */
const mostChosen = 1_000
const refusalsShown = 5

type Contact = Listed<typeof path>

interface Props {
  /** Those on the screen. */
  page: Contact[]
  hasMore: boolean
  filter: Record<string, string>
  chosen: Contact[]
  choose: (contacts: Contact[]) => void
  /** After they were changed. */
  done: () => void
}

export function Bulk({ page, hasMore, filter, chosen, choose, done }: Props) {
  const act = useAct()
  const isWholePage = page.length > 0 && page.every(({ id }) => chosen.some((one) => one.id === id))
  const chooseMore = async () => choose(await all((query) => get(path, { query: { ...filter, ...query } }), mostChosen))
  return (
    <div class="bulk">
      <label>
        <input
          type="checkbox"
          checked={isWholePage}
          onChange={({ currentTarget }) => choose(currentTarget.checked ? page : [])}
        />{' '}
        {chosen.length === 0 ? words.choosePage : words.chosen(chosen.length)}
      </label>
      {isWholePage && hasMore && chosen.length <= page.length && (
        <button type="button" class="quiet" disabled={act.isRunning} onClick={() => void act.run(chooseMore)}>
          {words.chooseMore(mostChosen)}
        </button>
      )}
      <WhyNot act={act} />
      {chosen.length > 0 && <Actions chosen={chosen} choose={choose} done={done} />}
    </div>
  )
}

interface ActionProps {
  chosen: Contact[]
  choose: (contacts: Contact[]) => void
  done: () => void
}

interface Progress {
  done: number
  refused: { contact: Contact; why: string }[]
}

function Actions({ chosen, choose, done }: ActionProps) {
  const act = useAct()
  const [progress, setProgress] = useState<Progress | null>(null)
  const number = chosen.length
  /** Whoever was refused stays chosen. */
  const each = async (work: (contact: Contact) => Promise<unknown>) => {
    const refused: Progress['refused'] = []
    for (const [at, contact] of chosen.entries()) {
      setProgress({ done: at, refused })
      await work(contact).catch((error: Error) => refused.push({ contact, why: error.message }))
    }
    setProgress({ done: number, refused })
    announce(words.finished(number - refused.length))
    choose(refused.map(({ contact }) => contact))
    done()
  }
  return (
    <>
      <div class="actions">
        <JoinList act={act} number={number} each={each} />
        <AskFirst
          act={act}
          does={words.unsubscribe}
          title={words.unsubscribeTitle(number)}
          how={words.unsubscribeHow}
          run={() =>
            each(({ id }) => patch(`${path}/:contactId`, { params: { contactId: id }, body: { subscribed: false } }))
          }
        />
        <button type="button" class="quiet" onClick={() => saveContacts(chosen)}>
          {words.save}
        </button>
        <AskFirst
          act={act}
          does={words.remove}
          title={words.removeTitle(number)}
          how={words.removeHow}
          typed={String(number)}
          run={() => each(({ email }) => post(`${path}/delete`, { body: { email } }))}
        />
      </div>
      <WhyNot act={act} />
      {progress && act.isRunning && <progress aria-label={words.progress} max={number} value={progress.done} />}
      {progress && !act.isRunning && progress.refused.length > 0 && <Refused of={progress.refused} />}
    </>
  )
}

interface JoinProps {
  act: ReturnType<typeof useAct>
  number: number
  each: (work: (contact: Contact) => Promise<unknown>) => Promise<void>
}

/** With where and how they agreed, which the ledger of each of them keeps. */
function JoinList({ act, number, each }: JoinProps) {
  const lists = useLoaded('lists', (signal) => all((query) => get('/v1/mailing-lists', { query }, signal))).value ?? []
  if (lists.length === 0) return null
  const join = (form: FormData) => {
    const listId = String(form.get('list'))
    const statement = String(form.get('statement')).trim()
    const isAsked = lists.find(({ id }) => id === listId)?.optIn === 'double'
    return each(async ({ id, email }) => {
      const body = { mailingLists: { [listId]: true }, statement }
      await post(`${path}/:contactId/consent`, { params: { contactId: id }, body })
      if (isAsked)
        await post('/v1/contact-subscriptions/resend-confirmation', { body: { email, mailingListId: listId } })
    })
  }
  return (
    <AskFirst act={act} does={words.join} title={words.joinTitle(number)} how={words.joinHow} run={join}>
      <label>
        {words.list}
        <select name="list">
          {lists.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.statement}
        <input name="statement" required maxLength={2_000} placeholder={words.statementHint} />
      </label>
    </AskFirst>
  )
}

function Refused({ of }: { of: Progress['refused'] }) {
  return (
    <div class="notice bad" role="alert">
      <p>{words.refused(of.length)}</p>
      <ul>
        {of.slice(0, refusalsShown).map(({ contact: { email }, why }) => (
          <li key={email}>
            {email}
            {colon}
            {why}
          </li>
        ))}
        {of.length > refusalsShown && <li>{words.more(of.length - refusalsShown)}</li>}
      </ul>
    </div>
  )
}
