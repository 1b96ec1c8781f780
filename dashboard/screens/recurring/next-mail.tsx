// What a recurring campaign would send now: the mail with what is new in its feed, or why there would be none.

import { ownValue } from '../../../src/kit/own-value.ts'
import { type Posted, post } from '../../api.ts'
import type { Recurring } from '../../nouns.ts'
import { Show, useLoaded } from '../../parts/load.tsx'
import { MailFrame } from '../../parts/mail-frame.tsx'
import { FeedItems } from './feed-items.tsx'
import { words } from './words.ts'

const path = '/v1/recurring-campaigns/:recurringCampaignId/preview'

export function NextMail({ recurring: { id, updatedAt, runs } }: { recurring: Recurring }) {
  const params = { recurringCampaignId: id }
  const next = useLoaded(`${id} ${updatedAt} ${runs[0]?.at}`, () => post(path, { params, body: {} }))
  return (
    <section>
      <h2>{words.nextMail}</h2>
      <p class="muted">{words.nextMailHow}</p>
      <Show of={next}>{(found) => <NextEdition of={found} />}</Show>
    </section>
  )
}

function NextEdition({ of: { mail, code, reason, items } }: { of: Posted<typeof path> }) {
  if (mail === null) return <p class="notice">{words.noMail(ownValue(words.reasons, code ?? '') ?? reason ?? '')}</p>
  return (
    <>
      <p>
        <strong>{mail.subject}</strong>
      </p>
      {items.length > 0 && (
        <>
          <h3>{words.items}</h3>
          <FeedItems items={items} />
        </>
      )}
      <MailFrame title={words.nextMail} html={mail.html} text={mail.text} />
    </>
  )
}
