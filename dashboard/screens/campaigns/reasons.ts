// Why somebody got a campaign, or did not, in words. Replies of mail servers are shown unchanged.

import type { OutcomeReason } from '../../../src/features/campaigns/eligibility.ts'
import { ownValue } from '../../../src/kit/own-value.ts'
import { suppressionReasons } from '../../parts/suppressed.ts'
import { inLanguage } from '../../words.ts'

const english: Record<OutcomeReason, string> = {
  ...suppressionReasons,
  pending: 'did not confirm yet',
  active: 'on the list',
  unsubscribed: 'left the list',
  rejected: 'said no when asked to confirm',
  expired: 'did not confirm in time',
  bounced: 'left the list, as mail bounced',
  complained: 'left the list by a complaint',
  contact_deleted: 'the contact was deleted',
  left_list: 'not on the list any more',
  all_mail: 'unsubscribed from all mail',
  address_changed: 'the address changed meanwhile',
  too_often: 'was mailed often enough lately',
  held_out: 'held out by the test',
  sandbox: 'at M0 only members get mail',
  campaign_cancelled: 'the campaign was cancelled',
  campaign_ended: 'the campaign had ended',
  hard_bounce: 'the address does not exist',
}
const german: Record<OutcomeReason, string> = {
  ...suppressionReasons,
  pending: 'noch nicht bestätigt',
  active: 'auf der Liste',
  unsubscribed: 'hat die Liste verlassen',
  rejected: 'lehnte die Bestätigung ab',
  expired: 'bestätigte nicht rechtzeitig',
  bounced: 'verließ die Liste, weil Mails zurückkamen',
  complained: 'verließ die Liste durch eine Beschwerde',
  contact_deleted: 'der Kontakt wurde gelöscht',
  left_list: 'nicht mehr auf der Liste',
  all_mail: 'von allem abgemeldet',
  address_changed: 'die Adresse änderte sich inzwischen',
  too_often: 'bekam in letzter Zeit genug',
  held_out: 'vom Test ausgenommen',
  sandbox: 'auf M0 bekommen nur Mitglieder Mails',
  campaign_cancelled: 'die Kampagne wurde abgebrochen',
  campaign_ended: 'die Kampagne war zu Ende',
  hard_bounce: 'die Adresse gibt es nicht',
}
const words: Record<string, string> = inLanguage({ en: english, de: german })

export function reasonWord(reason: string | null): string {
  return reason === null ? '' : (ownValue(words, reason) ?? reason)
}
