// The consent of one person, in general and list by list, to read and to change. Adding consent requires where and how it was given, which
// the ledger records; a list with double opt-in requires the person's click.

import { ownValue } from '../../../src/kit/own-value.ts'
import { patch, post } from '../../api.ts'
import type { MailingList } from '../../nouns.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Table } from '../../parts/table.tsx'
import { usePlace } from '../../place.ts'
import type { Person, PersonProps } from './person-props.ts'
import { words } from './person-words.ts'

const path = '/v1/contacts/:contactId'

/** One line: all mail, or a list. */
interface Agreement {
  list: MailingList | null
  name: string
  isOn: boolean
  /** They were asked to confirm, and did not yet. */
  isAsked: boolean
  state: string
}

export function Consent({ of, changed }: PersonProps) {
  const { workspace } = usePlace()
  const act = useAct()
  const rows = toAgreements(of)
  const action = {
    name: words.action,
    show: (row: Agreement) => <Change act={act} of={row} contact={of.contact} changed={changed} />,
  }
  return (
    <section>
      <h2>{words.consent}</h2>
      <WhyNot act={act} />
      <Table
        caption={words.consent}
        rows={rows}
        keyOf={({ list }) => list?.id ?? ''}
        columns={[
          { name: words.toWhat, show: ({ name }) => name },
          { name: words.state, show: ({ state }) => state },
          ...(workspace.role === 'viewer' ? [] : [action]),
        ]}
      />
    </section>
  )
}

interface ChangeProps {
  act: ReturnType<typeof useAct>
  of: Agreement
  contact: Person['contact']
  changed: PersonProps['changed']
}

function Change({ act, of: { list, name, isOn, isAsked }, contact, changed }: ChangeProps) {
  const params = { contactId: contact.id }
  const wanted = (on: boolean) => (list === null ? { subscribed: on } : { mailingLists: { [list.id]: on } })
  const leave = async () => {
    await patch(path, { params, body: wanted(false) })
    changed(words.left(name))
  }
  const join = async (form: FormData) => {
    const statement = String(form.get('statement')).trim()
    await post(`${path}/consent`, { params, body: { ...wanted(true), statement } })
    if (list?.optIn === 'double')
      await post('/v1/contact-subscriptions/resend-confirmation', {
        body: { email: contact.email, mailingListId: list.id },
      })
    changed(list?.optIn === 'double' ? words.asked(name) : words.joined(name))
  }
  if (isOn)
    return (
      <AskFirst
        act={act}
        does={list === null ? words.unsubscribe : words.leave}
        title={words.leaveTitle({ email: contact.email, name })}
        how={list === null ? words.unsubscribeHow : words.leaveHow}
        run={leave}
      />
    )
  return (
    <AskFirst
      act={act}
      does={list === null ? words.subscribe : isAsked ? words.askAgain : words.join}
      title={words.joinTitle({ email: contact.email, name })}
      how={list?.optIn === 'double' ? words.askHow : words.joinHow}
      run={join}
    >
      <label>
        {words.statement}
        <input name="statement" required maxLength={2_000} placeholder={words.statementHint} />
      </label>
    </AskFirst>
  )
}

function toAgreements({ contact, ledger, lists }: Person): Agreement[] {
  const all = {
    list: null,
    name: words.allMail,
    isOn: contact.subscribed,
    isAsked: false,
    state: words.agreed(contact.subscribed),
  }
  const ofLists = lists.map((list): Agreement => {
    const isOn = Object.hasOwn(contact.mailingLists, list.id)
    const last = ledger.findLast(({ mailingListId }) => mailingListId === list.id)
    const never = words.notOnIt
    const state = isOn ? words.onIt : last ? (ownValue(words.states, last.action) ?? never) : never
    return { list, name: list.name, isOn, isAsked: last?.action === 'requested' && !isOn, state }
  })
  // Of many lists those first that are about them.
  const isTheirs = ({ isOn, isAsked }: Agreement) => isOn || isAsked
  return [all, ...ofLists.filter(isTheirs), ...ofLists.filter((one) => !isTheirs(one))]
}
