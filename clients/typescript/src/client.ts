// The client: nouns with their methods, over one transport.

import { nouns } from './generated/nouns.ts'
import { createTransport, type TransportOptions } from './transport.ts'

export type Paquebot = ReturnType<typeof nouns>

/** `paquebot.transactional.send(…)`, `paquebot.contacts.create(…)`, … */
export function createPaquebot(options: TransportOptions): Paquebot {
  return nouns(createTransport(options))
}
