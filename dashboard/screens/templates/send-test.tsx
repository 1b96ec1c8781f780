// Sends real test mails: to whoever is signed in, or to up to ten members in one act, with a report on each.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { separated } from '../../parts/separated.ts'
import { usePlace } from '../../place.ts'
import { colon } from '../../words.ts'
import type { DraftText } from './history.ts'
import type { Owner } from './owner.ts'
import { words } from './test-words.ts'

const mostAddresses = 10

interface Props {
  test: NonNullable<Owner['test']>
  locale: string
  written: DraftText
  dataVariables: Record<string, unknown>
}

type Tests = Awaited<ReturnType<Props['test']>>['tests']

export function SendTest({ test, written, locale, dataVariables }: Props) {
  const { to } = usePlace()
  const act = useAct()
  const [tests, setTests] = useState<Tests>([])
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { query } = useLocation()
  // Focused, for people who came to edit it.
  useLayoutEffect(() => {
    if (query['do'] === 'test') button.current?.focus()
  }, [query['do']])
  const isEmpty = written.content.length === 0
  const mail = { ...written, locale, dataVariables }
  const send = () =>
    act.run(async () => {
      const answer = await test(mail)
      setTests(answer.tests)
      announce(words.tested)
    })
  return (
    <div>
      <button ref={button} type="button" disabled={act.isRunning || isEmpty} onClick={() => void send()}>
        {words.test}
      </button>{' '}
      <button type="button" class="quiet" disabled={isEmpty} onClick={() => setOpen(true)}>
        {words.toOthers}
      </button>
      <WhyNot act={act} />
      {tests.map(({ messageId }) => (
        <p key={messageId}>
          {words.tested} <a href={to(`/activity/${messageId}`)}>{words.seeTest}</a>
        </p>
      ))}
      {isOpen && <ToOthers send={(emails) => test({ ...mail, emails })} close={() => setOpen(false)} />}
    </div>
  )
}

interface OthersProps {
  send: (emails: string[]) => ReturnType<Props['test']>
  close: () => void
}

interface Fault {
  email: string
  message: string
}

function ToOthers({ send, close }: OthersProps) {
  const { member, workspace } = usePlace()
  const key = `test addresses ${member.email} ${workspace.id}`
  const [typed, setTyped] = useState(() => localStorage.getItem(key) ?? '')
  const [faults, setFaults] = useState<Fault[]>([])
  const [tests, setTests] = useState<Tests>([])
  const act = useAct()
  const emails = addressesIn(typed)
  const found = faultsOf(emails)
  const sendAll = async () => {
    setTests([])
    setFaults(found)
    if (found.length > 0) return
    localStorage.setItem(key, typed)
    await act.run(async () => {
      setTests((await send(emails)).tests)
      announce(words.report)
    })
  }
  // The server names a wrong one by where it stands in the list.
  const refused = act.issues.flatMap(({ path, message }) => {
    const [, at] = /^emails\[(\d+)\]$/.exec(path) ?? []
    const email = emails[Number(at)]
    return at === undefined || email === undefined ? [] : [{ email, message }]
  })
  return (
    <Dialog title={words.toOthers} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void sendAll()
        }}
      >
        <h2>{words.toOthers}</h2>
        <label class="field">
          {words.addresses}
          <textarea
            name="emails"
            rows={5}
            autofocus
            spellcheck={false}
            inputMode="email"
            value={typed}
            aria-invalid={faults.length > 0 || refused.length > 0}
            onInput={(event) => {
              setTyped(event.currentTarget.value)
              setFaults([])
            }}
          />
        </label>
        <p class="muted">{words.remembered}</p>
        <Faults faults={[...faults, ...refused]} />
        {refused.length === 0 && <WhyNot act={act} />}
        <div class="actions">
          <button type="submit" class="main" disabled={act.isRunning}>
            {words.sendAll}
          </button>
        </div>
        <Report tests={tests} />
      </form>
    </Dialog>
  )
}

/** Each once, in the order in which they were typed. */
function addressesIn(typed: string): string[] {
  const all = separated(typed)
    .map((one) => one.replace(/^<|>$/g, ''))
    .filter((one) => one !== '')
  return [...new Map(all.map((one) => [one.toLowerCase(), one])).values()]
}

/** What can be said before the server is asked; it alone knows who is a member. */
function faultsOf(emails: string[]): Fault[] {
  if (emails.length === 0) return [{ email: '', message: words.noneTyped }]
  if (emails.length > mostAddresses) return [{ email: '', message: words.tooMany(emails.length) }]
  return emails.flatMap((email) => (/^[^@]+@[^@]+$/.test(email) ? [] : [{ email, message: words.notAnAddress }]))
}

function Faults({ faults }: { faults: Fault[] }) {
  if (faults.length === 0) return null
  return (
    <div class="notice bad" role="alert">
      <ul class="plain">
        {faults.map(({ email, message }) => (
          <li key={email}>
            <strong>{email}</strong> {message}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Report({ tests }: { tests: Tests }) {
  const { to } = usePlace()
  if (tests.length === 0) return null
  return (
    <section role="status">
      <h3>{words.report}</h3>
      <ul class="plain">
        {tests.map(({ email, messageId, status }) => (
          <li key={email}>
            <strong>{email}</strong>
            {colon}
            {words[status]}{' '}
            <a href={to(`/activity/${messageId}`)} aria-label={`${words.seeTest}${colon}${email}`}>
              {words.seeTest}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
