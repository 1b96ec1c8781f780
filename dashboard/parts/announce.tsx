// What just happened, for those who do not see it: read out by a screen reader, one at a time.

import { signal } from '@preact/signals'

const announcement = signal('')

export function announce(text: string): void {
  announcement.value = text
}

export function Announcer() {
  return (
    <div role="status" class="unseen">
      {announcement}
    </div>
  )
}
