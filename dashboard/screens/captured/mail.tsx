// One captured mail.

import { useRoute } from 'preact-iso'
import { get, toCall } from '../../api.ts'
import { CapturedMail } from '../../parts/captured-mail.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { onward } from '../../words.ts'
import { words } from './words.ts'

const path = '/v1/activity/captured/:capturedId'

export default function Captured() {
  const { capturedId = '' } = useRoute().params
  const { to } = usePlace()
  const mail = useLoaded(capturedId, (signal) => get(path, { params: { capturedId } }, signal))
  return (
    <Show of={mail}>
      {(one) => (
        <>
          <p>
            <a class="back" href={to('/captured')}>
              {words.all}
            </a>
          </p>
          <header class="title">
            <h1>{one.subject || words.noSubject}</h1>
            <CopyCurl call={toCall('GET', path, { params: { capturedId } })} />
          </header>
          <p class="under">
            <bdi>{one.from}</bdi> {onward} <strong>{one.to}</strong> <Time at={one.createdAt} />{' '}
            {one.messageId !== null && <a href={to(`/activity/${one.messageId}`)}>{words.activity}</a>}
          </p>
          <CapturedMail mail={one} />
        </>
      )}
    </Show>
  )
}
