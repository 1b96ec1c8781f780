// To whom agents may write of their own accord from a mailbox: nobody, until its owner names somebody.

import { type Got, get, patch } from '../../api.ts'
import type { MailingList } from '../../nouns.ts'
import { useAct } from '../../parts/act.tsx'
import { all } from '../../parts/all.ts'
import { announce } from '../../parts/announce.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { asTyped, separated } from '../../parts/separated.ts'
import { words } from './words.ts'

const path = '/v1/mailboxes/:mailboxId'

interface Props {
  mailbox: Got<typeof path>
  reload: () => void
}

export function WritesTo(props: Props) {
  const lists = useLoaded('lists', (signal) => all((query) => get('/v1/mailing-lists', { query }, signal)))
  return (
    <section>
      <h2>{words.writesTo}</h2>
      <p class="muted">{words.writesToHow}</p>
      {/* What is not shown would be saved as not chosen. */}
      <Show of={lists}>{(rows) => <Fields {...props} lists={rows} />}</Show>
    </section>
  )
}

function Fields({ mailbox, reload, lists }: Props & { lists: MailingList[] }) {
  const act = useAct()
  const { addresses, domains, mailingListIds, correspondents } = mailbox.writesTo
  const save = (form: FormData) =>
    act.run(async () => {
      const writesTo = {
        addresses: separated(String(form.get('writesTo.addresses'))),
        domains: separated(String(form.get('writesTo.domains'))),
        mailingListIds: form.getAll('writesTo.mailingListIds').map(String),
        correspondents: form.get('writesTo.correspondents') !== null,
      }
      await patch(path, { params: { mailboxId: mailbox.id }, body: { writesTo } })
      announce(words.saved)
      reload()
    })
  return (
    <Form act={act} says={words.saveWritesTo} submit={save}>
      <Several name="writesTo.addresses" says={words.addresses} how={words.addressesHow} of={addresses} />
      <Several name="writesTo.domains" says={words.domains} how={words.domainsHow} of={domains} />
      {lists.length > 0 && (
        <fieldset>
          <legend>{words.lists}</legend>
          {lists.map(({ id, name }) => (
            <label key={id} class="check">
              <input
                type="checkbox"
                name="writesTo.mailingListIds"
                value={id}
                defaultChecked={mailingListIds.includes(id)}
              />{' '}
              {name}
            </label>
          ))}
        </fieldset>
      )}
      <label class="check">
        <input type="checkbox" name="writesTo.correspondents" defaultChecked={correspondents} />{' '}
        <span>{words.correspondents}</span>
      </label>
    </Form>
  )
}

function Several({ name, says, how, of }: { name: string; says: string; how: string; of: string[] }) {
  return (
    <label>
      {says}
      <textarea name={name} rows={2} autocomplete="off" spellcheck={false} defaultValue={asTyped(of)} />
      <span>{how}</span>
    </label>
  )
}
