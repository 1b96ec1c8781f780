// One person: whether they may be mailed, their data, their consent, their history; and every action, each with its consequence.

import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { ownValue } from '../../../src/kit/own-value.ts'
import { get, patch, toCall } from '../../api.ts'
import type { Contact, MailingList } from '../../nouns.ts'
import { all } from '../../parts/all.ts'
import { announce } from '../../parts/announce.tsx'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { usePlace } from '../../place.ts'
import { comma, moment } from '../../words.ts'
import { Consent } from './consent.tsx'
import { dayOrText, PersonForm } from './fields.tsx'
import { Leave } from './leave.tsx'
import { Ledger } from './ledger.tsx'
import type { Person, PersonProps } from './person-props.ts'
import { words } from './person-words.ts'
import { Suppressed } from './suppressed.tsx'
import { Timeline } from './timeline.tsx'

const path = '/v1/contacts/:contactId'
const ledgerPath = '/v1/contacts/:contactId/consent'

async function load(contactId: string, signal: AbortSignal): Promise<Person> {
  const params = { contactId }
  const [contact, ledger, lists] = await Promise.all([
    get(path, { params }, signal),
    get(ledgerPath, { params }, signal),
    all((query) => get('/v1/mailing-lists', { query }, signal)),
  ])
  const suppressed = await get('/v1/suppressions', { query: { email: contact.email } }, signal)
  return { contact, suppression: suppressed.data[0], ledger: ledger.data, lists }
}

export default function PersonPage() {
  const { contactId = '' } = useRoute().params
  const { to, workspace } = usePlace()
  const [round, setRound] = useState(0)
  const person = useLoaded(`${contactId} ${round}`, (signal) => load(contactId, signal))
  const changed = (says: string) => {
    announce(says)
    setRound((before) => before + 1)
  }
  return (
    <Show of={person}>
      {(one) => (
        <>
          <p>
            <a class="back" href={to('/contacts')}>
              {words.all}
            </a>
          </p>
          <header class="title">
            <h1>{one.contact.email}</h1>
            <CopyCurl call={toCall('GET', path, { params: { contactId } })} />
          </header>
          <p class="under">
            <Copy text={one.contact.id} label={one.contact.id} />
          </p>
          <Suppressed of={one} changed={changed} />
          <PersonFacts of={one} changed={changed} />
          <Consent of={one} changed={changed} />
          <Ledger entries={one.ledger} lists={one.lists} />
          <Timeline key={round} contactId={one.contact.id} lists={one.lists} />
          {workspace.role !== 'viewer' && <Leave of={one} changed={changed} />}
        </>
      )}
    </Show>
  )
}

function PersonFacts({ of: { contact, lists }, changed }: PersonProps) {
  const { to, workspace } = usePlace()
  const [isChanging, setChanging] = useState(false)
  if (isChanging)
    return (
      <section>
        <h2>{words.change}</h2>
        <PersonForm
          contact={contact}
          save={async (body) => {
            await patch(path, { params: { contactId: contact.id }, body })
            setChanging(false)
            changed(words.saved)
          }}
          close={() => setChanging(false)}
        />
      </section>
    )
  return (
    <>
      <Facts title={words.facts} facts={toFacts(contact, lists)} />
      <div class="actions">
        {workspace.role !== 'viewer' && (
          <button type="button" onClick={() => setChanging(true)}>
            {words.change}
          </button>
        )}
        <a href={to(`/activity?q=${encodeURIComponent(`to:${contact.email}`)}`)}>{words.mails}</a>
      </div>
    </>
  )
}

const shownElsewhere = ['id', 'email', 'subscribed', 'mailingLists', 'optInStatus', 'updatedAt']

function toFacts(contact: Contact, lists: MailingList[]): [string, string][] {
  const { firstName, lastName, mailingLists, createdAt, ...others } = contact
  const on = lists.filter(({ id }) => Object.hasOwn(mailingLists, id))
  return [
    [words.name, [firstName, lastName].filter(Boolean).join(' ')],
    [words.lists, on.map(({ name }) => name).join(comma)],
    ...Object.entries(others).flatMap(([name, value]): [string, string][] =>
      shownElsewhere.includes(name) || value === null ? [] : [[ownValue(words.fields, name) ?? name, toText(value)]],
    ),
    [words.since, moment(createdAt)],
  ]
}

function toText(value: unknown): string {
  return typeof value === 'boolean' ? words.yesOrNo(value) : dayOrText(value)
}
