// Who gets which variant of a test, and who gets nothing: decided by a hash of what is tested and the contact, so it is the same whenever,
// wherever and however often it is asked.

import type { AbTest, TestVariant } from '../../../db/tables/ab-tests.ts'
import { sha256Hex } from '../../kit/digest.ts'

/** `rest`: takes no part. */
export type Group = TestVariant | 'held_out' | 'rest'

/** `key` names what is tested and who. */
export function groupOf({ variants, share, holdOut }: AbTest, key: string): Group {
  const place = percentOf(key)
  if (place < holdOut) return 'held_out'
  return variants[Math.floor(((place - holdOut) / share) * variants.length)] ?? 'rest'
}

/** 0 to below 100, the same for the same key. */
function percentOf(key: string): number {
  return (Number.parseInt(sha256Hex(key).slice(0, 12), 16) / 2 ** 48) * 100
}
