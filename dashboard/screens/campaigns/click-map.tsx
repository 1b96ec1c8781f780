// Where people clicked: on the mail itself, each link with its count, and the same as a table.

import { get, post, toCall } from '../../api.ts'
import type { Campaign } from '../../nouns.ts'
import { CopyCurl } from '../../parts/copy.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { MailFrame } from '../../parts/mail-frame.tsx'
import { Table } from '../../parts/table.tsx'
import { count } from '../../words.ts'
import { words } from './words.ts'

const path = '/v1/campaigns/:campaignId/links'
const previewPath = '/v1/campaigns/:campaignId/preview'

interface Link {
  url: string
  clicks: number
  machineClicks: number
}

export function ClickMap({ campaign: { id: campaignId, stats } }: { campaign: Campaign }) {
  const params = { campaignId }
  const found = useLoaded(`${campaignId} ${stats.clicked} ${stats.machineClicked}`, async (signal) => {
    const [links, mail] = await Promise.all([
      get(path, { params }, signal),
      post(previewPath, { params, body: {} }).catch(() => null),
    ])
    return { links: links.data, mail }
  })
  return (
    <section>
      <header class="title">
        <h2>{words.links}</h2>
        <CopyCurl call={toCall('GET', path, { params })} />
      </header>
      <Show of={found}>
        {({ links, mail }) => (
          <>
            <Table
              caption={words.links}
              rows={links}
              keyOf={({ url }) => url}
              columns={[
                { name: words.url, show: ({ url }) => url },
                { name: words.clicks, isFigure: true, show: (one) => count(one.clicks) },
                { name: words.machineClicks, isFigure: true, show: (one) => count(one.machineClicks) },
              ]}
            />
            {mail !== null && mail.html !== null && (
              <>
                <h3>{words.clickMap}</h3>
                <p class="muted">{words.clickMapHow}</p>
                <MailFrame title={words.clickMap} html={mail.html} text={mail.text} labels={toLabels(links)} />
              </>
            )}
          </>
        )}
      </Show>
    </section>
  )
}

function toLabels(links: Link[]): Record<string, string> {
  return Object.fromEntries(
    links.map(({ url, clicks, machineClicks }) => [
      url,
      machineClicks === 0 ? count(clicks) : `${count(clicks)} + ${words.machines(count(machineClicks))}`,
    ]),
  )
}
