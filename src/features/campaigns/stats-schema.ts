// Wire shapes of what is counted of a campaign: its recipients by outcome, what they did, and on what kinds of devices.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { openStates, type RecipientOutcome, recipientOutcomes } from '../../../db/tables/campaigns.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import { countOn, type Device, devices } from '../sending/tracking/devices.ts'
import { countAudience } from './ledger.ts'

export const count = (description?: string) => Type.Integer(withoutUndefined({ description }))
export const statsView = t.Object({
  audience: count('All contacts in the ledger.'),
  queued: count('No mail yet.'),
  sending: count(),
  delayed: count('Tried again later.'),
  ...(Object.fromEntries(recipientOutcomes.map((outcome) => [outcome, count()])) as Record<
    RecipientOutcome,
    ReturnType<typeof count>
  >),
  complained: count(),
  opened: count('Mails whose tracking pixel a person loaded; 0 unless opens are tracked.'),
  machineOpened: count(
    'Mails whose tracking pixel a program loaded: a scanner, or a mail service that prefetches all images.',
  ),
  clicked: count('Mails in which a person followed a link; 0 unless clicks are tracked.'),
  machineClicked: count('Mails with a link that a program opened.'),
  left: count('People who unsubscribed by its mail, since this is counted.'),
})

const onDevices = t.Object({
  mobile: count('Telephones and tablets.'),
  desktop: count(),
  proxy: count('Seen through a mail service that hides it, as Gmail and Yahoo do.'),
  unknown: count(),
})
export const devicesView = t.Object(
  { opened: onDevices, clicked: onDevices },
  {
    description:
      'On what people opened it and followed links, each mail counted once, since this is counted. Only these numbers are stored, and none of a person. What programs opened, Apple’s privacy protection among them, is not in it.',
  },
)

export function toStatsView(counts: Record<string, number>): typeof statsView.static {
  const of = (name: string) => counts[name] ?? 0
  const names = [
    ...openStates,
    ...recipientOutcomes,
    'complained',
    'opened',
    'machineOpened',
    'clicked',
    'machineClicked',
    'left',
  ]
  return {
    audience: countAudience(counts),
    ...Object.fromEntries(names.map((name) => [name, of(name)])),
  } as typeof statsView.static
}

function onDevicesOf(counts: Record<string, number>, count: 'opened' | 'clicked') {
  const entries = devices.map((device) => [device, counts[countOn(device, count)] ?? 0])
  return Object.fromEntries(entries) as Record<Device, number>
}

export function toDevicesView(counts: Record<string, number>) {
  return { opened: onDevicesOf(counts, 'opened'), clicked: onDevicesOf(counts, 'clicked') }
}
