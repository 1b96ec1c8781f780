// How to unsubscribe from marketing mail: links in its text, and headers that mail clients show as a button (RFC 2369, RFC 8058). Like all
// headers they are signed.

import type { App } from '../../core/app.ts'
import { sealUnsubscribe, type UnsubscribeClaim } from '../contacts/consent/unsubscribe-link.ts'
import { messageAddress } from './activity/message-address.ts'

export interface ListUnsubscribe {
  values: { unsubscribe_url: string; preferences_url: string }
  headers: Record<'List-Unsubscribe' | 'List-Unsubscribe-Post', string>
}

/** `base` as publicBase() gives it. */
export async function listUnsubscribe(
  app: App,
  base: string,
  claim: UnsubscribeClaim & { messageId: string },
): Promise<ListUnsubscribe> {
  const token = await sealUnsubscribe(app, claim)
  const url = `${base}/u/${token}`
  const address = messageAddress(app, 'unsubscribe', claim.messageId)
  return {
    values: { unsubscribe_url: url, preferences_url: `${base}/preferences/${token}` },
    headers: {
      'List-Unsubscribe': address === null ? `<${url}>` : `<${url}>, <mailto:${address}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}
