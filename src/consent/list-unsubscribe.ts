// How a marketing mail lets people go: links in its text, and headers that mail clients make a button of (RFC 2369, RFC 8058). The
// signature covers them like every header.

import { messageAddress } from '../activity/message-address.ts'
import type { App } from '../app.ts'
import { sealUnsubscribe, type UnsubscribeClaim } from './unsubscribe-link.ts'

export interface ListUnsubscribe {
  values: { unsubscribe_url: string; preferences_url: string }
  headers: Record<'List-Unsubscribe' | 'List-Unsubscribe-Post', string>
}

export async function listUnsubscribe(
  app: App,
  claim: UnsubscribeClaim & { messageId: string },
): Promise<ListUnsubscribe> {
  const token = await sealUnsubscribe(app, claim)
  const { baseUrl } = app.config
  const url = `${baseUrl}/u/${token}`
  const address = messageAddress(app, 'unsubscribe', claim.messageId)
  return {
    values: { unsubscribe_url: url, preferences_url: `${baseUrl}/preferences/${token}` },
    headers: {
      'List-Unsubscribe': address === null ? `<${url}>` : `<${url}>, <mailto:${address}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}
