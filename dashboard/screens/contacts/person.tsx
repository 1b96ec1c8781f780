// One person: what is known, and the ledger of what they agreed to, as a document that can be printed.

import { useRoute } from 'preact-iso'
import { ownValue } from '../../../src/lib/own-value.ts'
import { callOf, get } from '../../api.ts'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { Download } from '../../parts/download.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { usePlace } from '../../place.ts'
import { moment } from '../../words.ts'
import { words } from './words.ts'

const path = '/v1/contacts/:contactId'
const ledgerPath = '/v1/contacts/:contactId/consent'

type Person = Awaited<ReturnType<typeof get<typeof path>>>
type Lists = Map<string, string>
type Entry = Awaited<ReturnType<typeof get<typeof ledgerPath>>>['data'][number]

export default function Person() {
  const { contactId = '' } = useRoute().params
  const { to, workspace } = usePlace()
  const params = { contactId }
  const person = useLoaded(contactId, async (signal) => {
    const [contact, ledger, lists] = await Promise.all([
      get(path, { params }, signal),
      get(ledgerPath, { params }, signal),
      get('/v1/mailing-lists', { query: { perPage: 100 } }, signal),
    ])
    return { contact, ledger: ledger.data, lists: new Map(lists.data.map(({ id, name }) => [id, name])) }
  })
  return (
    <Show of={person}>
      {({ contact, ledger, lists }) => (
        <>
          <p>
            <a href={to('/contacts')}>← {words.all}</a>
          </p>
          <header class="title">
            <h1>{contact.email}</h1>
            <CopyCurl call={callOf('GET', path, { params })} />
          </header>
          <p class="under">
            <Copy text={contact.id} label={contact.id} />
          </p>
          <Facts title={words.facts} facts={factsOf(contact, lists)} />
          <p>
            <a href={to(`/activity?q=${encodeURIComponent(`to:${contact.email}`)}`)}>{words.mails}</a>
          </p>
          {workspace.role !== 'viewer' && (
            <Download path={`/v1/contacts/${contact.id}/export`} name={`${contact.id}.json`} says={words.exported} />
          )}
          <Ledger entries={ledger} lists={lists} />
        </>
      )}
    </Show>
  )
}

const shownElsewhere = ['id', 'email', 'optInStatus', 'updatedAt']
/** With a name of their own here; the others are properties of the workspace, and are shown by the names it gave them. */
const named: Record<string, string> = {
  userId: words.userId,
  userGroup: words.group,
  locale: words.locale,
  timezone: words.zone,
  source: words.source,
}

function factsOf(contact: Person, lists: Lists): [string, string][] {
  const { firstName, lastName, subscribed, mailingLists, createdAt, ...others } = contact
  return [
    [words.name, [firstName, lastName].filter(Boolean).join(' ')],
    [words.consent, subscribed ? words.yes : words.no],
    [words.lists, listed(mailingLists, lists)],
    ...Object.entries(others).flatMap(([name, value]): [string, string][] =>
      shownElsewhere.includes(name) || value === null ? [] : [[ownValue(named, name) ?? name, String(value)]],
    ),
    [words.since, moment(createdAt)],
  ]
}

function listed(ids: object, lists: Lists): string {
  return Object.keys(ids)
    .map((id) => lists.get(id) ?? id)
    .join(', ')
}

function Ledger({ entries, lists }: { entries: Entry[]; lists: Lists }) {
  return (
    <section>
      <header class="title">
        <h2>{words.ledger}</h2>
        {entries.length > 0 && (
          <button type="button" onClick={() => print()}>
            {words.print}
          </button>
        )}
      </header>
      {entries.length === 0 ? (
        <p class="muted">{words.ledgerEmpty}</p>
      ) : (
        <table>
          <caption class="unseen">{words.ledger}</caption>
          <thead>
            <tr>
              {[words.at, words.what, words.how, words.words].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {entries.map(({ id, givenAt, action, mailingListId, method, ip, consentText, consentTextVersion }) => (
              <tr key={id}>
                <td data-name={words.at}>{moment(givenAt)}</td>
                <td data-name={words.what}>
                  {ownValue(words.actions, action) ?? action}
                  {mailingListId && `: ${listed({ [String(mailingListId)]: true }, lists)}`}
                </td>
                <td data-name={words.how}>
                  {ownValue(words.methods, method) ?? method} {ip ?? ''}
                </td>
                <td data-name={words.words}>
                  {consentText} {consentTextVersion !== null && `(${consentTextVersion})`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
