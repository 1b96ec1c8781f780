// What a template may start from, on a screen of its own.

import { toCall } from '../../api.ts'
import { CopyCurl } from '../../parts/copy.tsx'
import { usePlace } from '../../place.ts'
import { Gallery } from './gallery.tsx'
import { words } from './words.ts'

export default function StarterList() {
  const { to } = usePlace()
  return (
    <>
      <p>
        <a class="back" href={to('/templates')}>
          {words.all}
        </a>
      </p>
      <header class="title">
        <h1>{words.title}</h1>
        <CopyCurl call={toCall('GET', '/v1/template-starters')} />
      </header>
      <p class="muted">{words.how}</p>
      <Gallery />
    </>
  )
}
