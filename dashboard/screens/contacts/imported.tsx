// One import: its progress, its result, and the rejected rows as a file to correct.

import { useRoute } from 'preact-iso'
import { get, toCall } from '../../api.ts'
import { CopyCurl } from '../../parts/copy.tsx'
import { Download } from '../../parts/download.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { usePlace } from '../../place.ts'
import { BadRows, Counts } from './import-counts.tsx'
import { Report } from './import-report.tsx'
import { words } from './import-words.ts'

const path = '/v1/contact-imports/:importId'
const lookEveryMs = 1_000

export default function Imported() {
  const { importId = '' } = useRoute().params
  const { to } = usePlace()
  const params = { importId }
  const found = useLoaded(importId, (signal) => get(path, { params }, signal))
  const isOpen = found.value?.state === 'waiting' || found.value?.state === 'running'
  useRepeat(isOpen ? lookEveryMs : null, found.reload)
  return (
    <>
      <p>
        <a class="back" href={to('/contacts/imports')}>
          {words.imports}
        </a>
      </p>
      <header class="title">
        <h1>{words.one}</h1>
        <CopyCurl call={toCall('GET', path, { params })} />
      </header>
      <Show of={found}>
        {({ state, detail, sizeBytes, readBytes, badRows, report, ...counts }) => (
          <>
            <p role="status">
              {words.states[state]}
              {detail !== null && `: ${detail}`}
            </p>
            {isOpen && (
              <label>
                {words.progress} <progress max={sizeBytes} value={readBytes} />
              </label>
            )}
            <Counts title={words.what} of={counts} />
            {report && <Report of={report} />}
            {counts.bad > 0 && (
              <div class="actions">
                <Download path={`/v1/contact-imports/${importId}/bad-rows`} name="bad-rows.csv" says={words.badFile} />
              </div>
            )}
            <BadRows rows={badRows} />
            <p>
              <a href={to('/contacts/import')}>{words.again}</a>
            </p>
          </>
        )}
      </Show>
    </>
  )
}
