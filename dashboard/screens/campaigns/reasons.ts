// Why somebody got a campaign, or did not, in words. Replies of mail servers are shown unchanged.

import type { OutcomeReason } from '../../../src/features/campaigns/eligibility.ts'
import { ownValue } from '../../../src/kit/own-value.ts'
import { suppressionReasons } from '../../parts/suppressed.ts'
import { inLanguage } from '../../words.ts'

const words: Record<OutcomeReason, string> = { ...suppressionReasons, ...inLanguage(catalogue.campaigns.reasons) }

export function reasonWord(reason: string | null): string {
  return reason === null ? '' : (ownValue(words, reason) ?? reason)
}
