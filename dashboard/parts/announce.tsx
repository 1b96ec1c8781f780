// Announcements for screen readers: what just happened, one at a time.

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
