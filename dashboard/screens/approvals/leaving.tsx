// What would be sent, as its recipient will see it; a campaign in each of its languages.

import { useState } from 'preact/hooks'
import { post } from '../../api.ts'
import type { Approval } from '../../nouns.ts'
import { Show, useLoaded } from '../../parts/load.tsx'
import { MailFrame } from '../../parts/mail-frame.tsx'
import { words } from './words.ts'

const draftPath = '/v1/transactional/preview'
const campaignPath = '/v1/campaigns/:campaignId/preview'

export function Leaving({ approval }: { approval: Approval }) {
  const { text, contents } = approval
  const [chosen, setChosen] = useState(contents[0]?.locale ?? '')
  if (text !== null) return <pre class="mail leaving">{text}</pre>
  return (
    <>
      {contents.length > 1 && (
        <fieldset class="choices">
          <legend class="unseen">{words.locale}</legend>
          {contents.map(({ locale }) => (
            <button key={locale} type="button" aria-pressed={locale === chosen} onClick={() => setChosen(locale)}>
              {locale}
            </button>
          ))}
        </fieldset>
      )}
      <Rendered approval={approval} locale={chosen} />
    </>
  )
}

function Rendered({ approval, locale }: { approval: Approval; locale: string }) {
  const { id: campaignId, kind, contents, contentHash } = approval
  const said = contents.find((one) => one.locale === locale)
  const preview = useLoaded(`${campaignId} ${contentHash} ${locale}`, async () => {
    if (kind === 'campaign') return await post(campaignPath, { params: { campaignId }, body: { locale } })
    // The subject of a reply is no template.
    return await post(draftPath, { body: { content: said?.content ?? [], subject: '-', locale } })
  })
  return <Show of={preview}>{({ html, text }) => <MailFrame title={words.leaves} html={html} text={text} />}</Show>
}
