// To whom agents may write of their own accord from a mailbox: nobody, until its owner names somebody.

import { type Got, get, patch } from '../../api.ts'
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

export function WritesTo({ mailbox, reload }: Props) {
  const act = useAct()
  const lists = useLoaded('lists', (signal) => all((query) => get('/v1/mailing-lists', { query }, signal)))
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
    <section>
      <h2>{words.writesTo}</h2>
      <p class="muted">{words.writesToHow}</p>
      <Form act={act} says={words.saveWritesTo} submit={save}>
        <label>
          {words.addresses}
          <textarea
            name="writesTo.addresses"
            rows={2}
            autocomplete="off"
            spellcheck={false}
            defaultValue={asTyped(addresses)}
          />
          <span>{words.addressesHow}</span>
        </label>
        <label>
          {words.domains}
          <textarea
            name="writesTo.domains"
            rows={2}
            autocomplete="off"
            spellcheck={false}
            defaultValue={asTyped(domains)}
          />
          <span>{words.domainsHow}</span>
        </label>
        <Show of={lists}>
          {(rows) =>
            rows.length > 0 && (
              <fieldset>
                <legend>{words.lists}</legend>
                {rows.map(({ id, name }) => (
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
            )
          }
        </Show>
        <label class="check">
          <input type="checkbox" name="writesTo.correspondents" defaultChecked={correspondents} />{' '}
          <span>{words.correspondents}</span>
        </label>
      </Form>
    </section>
  )
}
