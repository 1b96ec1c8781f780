// Every event type, with an example of its payload.

import { get, toCall } from '../../api.ts'
import { Code, CopyCurl } from '../../parts/copy.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { usePlace } from '../../place.ts'
import { words } from './words.ts'

const path = '/v1/webhook-event-types'

export default function Catalogue() {
  const { to } = usePlace()
  const types = useLoaded('', (signal) => get(path, {}, signal))
  return (
    <>
      <p>
        <a class="back" href={to('/webhooks')}>
          {words.all}
        </a>
      </p>
      <header class="title">
        <h1>{words.catalogue}</h1>
        <CopyCurl call={toCall('GET', path)} />
      </header>
      <p class="muted">{words.catalogueHow}</p>
      <Show of={types}>
        {({ data }) => (
          <>
            {data.map(({ name, description, example }) => (
              <details key={name}>
                <summary>
                  <code>{name}</code> {description}
                </summary>
                <Code>{JSON.stringify(example, null, 2)}</Code>
              </details>
            ))}
          </>
        )}
      </Show>
    </>
  )
}
