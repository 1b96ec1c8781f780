// Capture mode: mail goes through every step except the network, and is stored so that people can read it.

import type { Mailer, OutgoingMail } from './mailer.ts'

export interface CaptureOptions {
  /** Stores the mail; storing the same Message-ID and recipient again must be harmless. */
  store(mail: OutgoingMail): Promise<void>
}

export function captureTransport({ store }: CaptureOptions): Mailer {
  return {
    kind: 'capture',
    async send(mail, { beforeFinalDot }) {
      if (!(await beforeFinalDot())) return { outcome: 'withheld' }
      await store(mail)
      return { outcome: 'accepted', reply: '250 captured' }
    },
    async close() {},
  }
}
