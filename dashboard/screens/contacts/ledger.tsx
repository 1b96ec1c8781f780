// The ledger of what a person agreed to, as a document that can be printed.

import { ownValue } from '../../../src/kit/own-value.ts'
import type { ConsentEntry, MailingList } from '../../nouns.ts'
import { colon, moment } from '../../words.ts'
import { words } from './person-words.ts'

export function Ledger({ entries, lists }: { entries: ConsentEntry[]; lists: MailingList[] }) {
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
            {entries.map((entry) => (
              <tr key={entry.id}>
                <td data-name={words.at}>
                  <time dateTime={entry.givenAt}>{moment(entry.givenAt)}</time>
                </td>
                <td data-name={words.what}>{describeAction(entry, lists)}</td>
                <td data-name={words.how}>
                  {describeMethod(entry)} {entry.ip ?? ''}
                </td>
                <td data-name={words.words}>
                  {entry.consentText} {entry.consentTextVersion !== null && `(${entry.consentTextVersion})`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

export function describeAction({ action, mailingListId }: ConsentEntry, lists: MailingList[]): string {
  const what = ownValue(words.actions, action) ?? action
  if (mailingListId === null) return what
  return `${what}${colon}${lists.find(({ id }) => id === mailingListId)?.name ?? mailingListId}`
}

/** A user of the dashboard calls the API, too. */
function describeMethod({ method, actorId }: ConsentEntry): string {
  if (method === 'api' && String(actorId).startsWith('usr_')) return words.byHand
  return ownValue(words.methods, method) ?? method
}
