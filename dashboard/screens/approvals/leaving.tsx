// What would be sent, as its recipient will see it; a campaign in each of its languages, and each variant of its test.

import { useState } from 'preact/hooks'
import { visible } from '../../../src/kit/visible.ts'
import { post } from '../../api.ts'
import type { Approval } from '../../nouns.ts'
import { Show, useLoaded } from '../../parts/load.tsx'
import { MailFrame } from '../../parts/mail-frame.tsx'
import { marked } from '../../parts/marked.tsx'
import { colon } from '../../words.ts'
import { unseenIn } from './doubts.tsx'
import { words } from './words.ts'

const draftPath = '/v1/transactional/preview'
const campaignPath = '/v1/campaigns/:campaignId/preview'

/** Of a campaign, and of the call that would send one. */
function campaignOf({ id, kind, action }: Approval): string | null {
  if (kind === 'campaign') return id
  const campaignId = action?.input['campaignId']
  return typeof campaignId === 'string' ? campaignId : null
}

export function Leaving({ approval }: { approval: Approval }) {
  const { text, contents } = approval
  const [chosen, setChosen] = useState(0)
  if (text !== null) return <pre class="mail leaving">{marked(text, unseenIn(text), 0)}</pre>
  if (contents.length === 0) return null
  return (
    <>
      {contents.length > 1 && (
        <fieldset class="choices">
          <legend class="unseen">{words.locale}</legend>
          {contents.map(({ locale, variant, subject }, index) => (
            <button
              key={`${variant} ${locale}`}
              type="button"
              aria-pressed={index === chosen}
              onClick={() => setChosen(index)}
            >
              {variant === null ? locale : `${variant} (${locale}): ${subject}`}
            </button>
          ))}
        </fieldset>
      )}
      {contents[chosen]?.subject !== approval.subject && <Subject of={contents[chosen]?.subject ?? ''} />}
      <Rendered approval={approval} chosen={chosen} />
    </>
  )
}

/** Where the title is not what recipients read. */
function Subject({ of: subject }: { of: string }) {
  return (
    subject !== '' && (
      <p class="under">
        {words.subject}
        {colon}
        <strong>{visible(subject)}</strong>
      </p>
    )
  )
}

function Rendered({ approval, chosen }: { approval: Approval; chosen: number }) {
  const { id, contents, contentHash } = approval
  const said = contents[chosen]
  const { locale = '', variant = null } = said ?? {}
  const preview = useLoaded(`${id} ${contentHash} ${variant} ${locale}`, async () => {
    const body = variant === null ? { locale } : { locale, variant }
    const campaignId = campaignOf(approval)
    if (campaignId !== null) return await post(campaignPath, { params: { campaignId }, body })
    // The subject of mail by an agent is no template.
    return await post(draftPath, { body: { content: said?.content ?? [], subject: '-', locale } })
  })
  return <Show of={preview}>{({ html, text }) => <MailFrame title={words.leaves} html={html} text={text} />}</Show>
}
