// The test of a campaign: who gets which variant, who gets nothing, and who waits for the winner.

import type { AbTest, TestVariant } from '../../../db/tables/ab-tests.ts'
import type { Issue } from '../../kit/error.ts'
import { type Group, groupOf } from '../ab-tests/groups.ts'
import { type TestPlace, testProblems, toStoredTest } from '../ab-tests/variants.ts'
import type { Sender } from '../sending/sender.ts'
import type { Campaign } from './campaign.ts'
import type { Objection } from './eligibility.ts'

/** Null: the campaign has no test. `rest`: gets the winner. */
function groupIn({ id, test }: Pick<Campaign, 'id' | 'test'>, contactId: string): Group | null {
  return test === null ? null : groupOf(test, `${id} ${contactId}`)
}

type Tested = Pick<Campaign, 'id' | 'test' | 'winner'>

/** Whether they get nothing until the winner is chosen. */
export function awaitsWinner(campaign: Tested, contactId: string): boolean {
  return campaign.winner === null && groupIn(campaign, contactId) === 'rest'
}

/** What a recipient gets; `tests` is the name of the variant that they try, null for those who get the campaign or its winner. */
export function variantFor(campaign: Tested, contactId: string): { variant: TestVariant | null; tests: string | null } {
  const group = groupIn(campaign, contactId)
  if (group === null || group === 'held_out') return { variant: null, tests: null }
  if (group === 'rest') return { variant: findVariant(campaign, campaign.winner), tests: null }
  return { variant: group, tests: group.name }
}

export function findVariant({ test }: Pick<Campaign, 'test'>, name: string | null): TestVariant | null {
  return test?.variants.find((one) => one.name === name) ?? null
}

/** Why somebody who may be mailed gets nothing: they are what the test is compared with. */
export function heldOut(campaign: Pick<Campaign, 'id' | 'test'>, contactId: string): Objection | null {
  if (groupIn(campaign, contactId) !== 'held_out') return null
  return { outcome: 'held_out', reason: 'held_out', message: 'held out by the test of the campaign' }
}

/** What the test has for them, in words. */
export function testFinding(campaign: Tested, contactId: string): { ok: boolean; value: string } {
  const group = groupIn(campaign, contactId)
  if (group === 'held_out') return { ok: false, value: 'held out' }
  if (group !== null && group !== 'rest') return { ok: true, value: `tests ${group.name}` }
  if (campaign.winner === null) return { ok: false, value: 'waiting for the winner' }
  return { ok: true, value: `gets the winner, ${campaign.winner}` }
}

export function senderOf(sender: Sender, variant: TestVariant | null): Sender {
  if (variant === null) return sender
  const { fromName = sender.name, fromEmail = sender.email, replyTo = sender.replyTo } = variant
  return { ...sender, name: fromName, email: fromEmail, replyTo }
}

/** As it is stored. Throws 422 with every fault of names, texts, addresses and numbers. */
export function readTest(test: AbTest): AbTest {
  return toStoredTest(test, [...testProblems(test, testPlace), ...winnerProblems(test)])
}

export const testPlace: TestPlace = { path: 'test', of: (index) => `test.variants.${index}` }

function winnerProblems({ share, holdOut, winner }: AbTest): Issue[] {
  const rest = 100 - share - holdOut
  if (rest > 0 && winner === null) return [issue(`must say how it is chosen what the other ${rest} percent get`)]
  return rest === 0 && winner !== null ? [issue('must be null: nobody is left to get the winner')] : []
}

const issue = (problem: string): Issue => ({
  path: 'test.winner',
  message: `test.winner ${problem}`,
  code: 'contradiction',
})
