// What conditions are made of: the lists, campaigns, events and properties of the workspace.

import { get } from '../../api.ts'
import { all } from '../../parts/all.ts'
import { propertiesPath } from '../../parts/contact-properties.ts'

/** Of what there may be any number of. */
const most = 1_000

export async function loadChoices(signal: AbortSignal) {
  const [lists, campaigns, events, properties] = await Promise.all([
    all((query) => get('/v1/mailing-lists', { query }, signal)),
    all((query) => get('/v1/campaigns', { query }, signal), most),
    all((query) => get('/v1/event-names', { query }, signal), most),
    get(propertiesPath, { query: { list: 'custom' } }, signal),
  ])
  return { lists, campaigns, eventNames: events.map(({ name }) => name), properties }
}

export type Choices = Awaited<ReturnType<typeof loadChoices>>
