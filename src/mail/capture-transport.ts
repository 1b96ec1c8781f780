// Capture mode: mail goes through every step but the network, and is kept where a person can look at it.

import type { Mailer, OutgoingMail } from './mailer.ts'

export interface CaptureOptions {
  /** Keeps the mail; storing one with the same Message-ID and recipient again must be harmless. */
  store(mail: OutgoingMail): Promise<void>
}

export function captureTransport({ store }: CaptureOptions): Mailer {
  return {
    kind: 'capture',
    async send(mail, { beforeFinalDot }) {
      await beforeFinalDot()
      await store(mail)
      return { outcome: 'accepted', reply: '250 captured' }
    },
    async close() {},
  }
}
