// The call that sends an event.

import { toCall, toCurl } from '../../api.ts'
import { Code } from '../../parts/copy.tsx'

export function SendEvent({ name = 'trialStarted' }: { name?: string }) {
  const body = { eventName: name, email: 'ada@example.net', eventProperties: { plan: 'pro' } }
  return <Code>{toCurl(toCall('POST', '/v1/events/send', { body }))}</Code>
}
