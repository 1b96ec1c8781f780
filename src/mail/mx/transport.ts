// The mailer of an SMTP_URL: by the relay that it names, or to the receivers themselves.

import type { Mailer } from '../mailer.ts'
import { smtpTransport } from '../smtp-transport.ts'
import { type MxTransportOptions, mxTransport } from './mx-transport.ts'
import { isMxUrl } from './mx-url.ts'

/** Null where there is none. */
export function transport(url: string | undefined, options: Omit<MxTransportOptions, 'url'>): Mailer | null {
  if (url === undefined) return null
  return isMxUrl(url) ? mxTransport({ url, ...options }) : smtpTransport({ url })
}
