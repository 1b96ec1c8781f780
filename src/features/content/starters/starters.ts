// The mails that a template may start from, in the order in which people need them.

import { AppError } from '../../../kit/error.ts'
import { announcement } from './mails/announcement.ts'
import { confirmAddress } from './mails/confirm-address.ts'
import { digest } from './mails/digest.ts'
import { eventInvitation } from './mails/event-invitation.ts'
import { magicLink } from './mails/magic-link.ts'
import { newsletter } from './mails/newsletter.ts'
import { passwordReset } from './mails/password-reset.ts'
import { receipt } from './mails/receipt.ts'
import { shippingUpdate } from './mails/shipping-update.ts'
import { trialEnding } from './mails/trial-ending.ts'
import { welcome } from './mails/welcome.ts'
import { winBack } from './mails/win-back.ts'
import type { Starter } from './starter.ts'

export const starters: readonly Starter[] = [
  welcome,
  confirmAddress,
  passwordReset,
  magicLink,
  receipt,
  shippingUpdate,
  trialEnding,
  newsletter,
  announcement,
  eventInvitation,
  winBack,
  digest,
]

/** Throws `not_found`. */
export function getStarter(id: string): Starter {
  const found = starters.find((one) => one.id === id)
  if (!found) throw new AppError('not_found', `there is no starter ${JSON.stringify(id.slice(0, 80))}`)
  return found
}
