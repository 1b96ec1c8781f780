// The test of a campaign: who gets which variant, who gets nothing, and who waits for the winner. That is decided by a hash of the campaign
// and the contact, so it is the same whenever and however often it is asked.

import type { CampaignTest, TestVariant } from '../../../db/tables/campaigns.ts'
import { addressProblem, headerTextProblem } from '../../core/http/text-checks.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { parseAddress } from '../../kit/email-address.ts'
import { AppError, type Issue } from '../../kit/error.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import type { Sender } from '../sending/sender.ts'
import type { Campaign } from './campaign.ts'
import type { Objection } from './eligibility.ts'

/** `rest`: gets the winner. */
type Group = TestVariant | 'held_out' | 'rest'

/** Null: the campaign has no test. */
function groupOf({ id, test }: Pick<Campaign, 'id' | 'test'>, contactId: string): Group | null {
  if (test === null) return null
  const place = percentOf(`${id} ${contactId}`)
  if (place < test.holdOut) return 'held_out'
  const variant = Math.floor(((place - test.holdOut) / test.share) * test.variants.length)
  return test.variants[variant] ?? 'rest'
}

/** 0 to below 100, the same for the same key. */
function percentOf(key: string): number {
  return (Number.parseInt(sha256Hex(key).slice(0, 12), 16) / 2 ** 48) * 100
}

type Tested = Pick<Campaign, 'id' | 'test' | 'winner'>

/** Whether they get nothing until the winner is chosen. */
export function awaitsWinner(campaign: Tested, contactId: string): boolean {
  return campaign.winner === null && groupOf(campaign, contactId) === 'rest'
}

/** What a recipient gets; `tests` is the name of the variant that they try, null for those who get the campaign or its winner. */
export function variantFor(campaign: Tested, contactId: string): { variant: TestVariant | null; tests: string | null } {
  const group = groupOf(campaign, contactId)
  if (group === null || group === 'held_out') return { variant: null, tests: null }
  if (group === 'rest') return { variant: findVariant(campaign, campaign.winner), tests: null }
  return { variant: group, tests: group.name }
}

export function findVariant({ test }: Pick<Campaign, 'test'>, name: string | null): TestVariant | null {
  return test?.variants.find((one) => one.name === name) ?? null
}

/** Why somebody who may be mailed gets nothing: they are what the test is compared with. */
export function heldOut(campaign: Pick<Campaign, 'id' | 'test'>, contactId: string): Objection | null {
  if (groupOf(campaign, contactId) !== 'held_out') return null
  return { outcome: 'held_out', reason: 'held_out', message: 'held out by the test of the campaign' }
}

/** What the test has for them, in words. */
export function testFinding(campaign: Tested, contactId: string): { ok: boolean; value: string } {
  const group = groupOf(campaign, contactId)
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

/** As it is stored: addresses in one form. Throws 422 with every fault of names, texts, addresses and numbers. */
export function readTest(test: CampaignTest): CampaignTest {
  const errors = [...test.variants.flatMap(variantProblems), ...nameProblems(test), ...shareProblems(test)]
  const [first] = errors
  if (first) throw new AppError('validation_failed', first.message, { errors })
  return { ...test, variants: test.variants.map(toStored) }
}

function toStored({ name, ...fields }: TestVariant): TestVariant {
  const address = (text: string | undefined) => {
    const parsed = text === undefined ? undefined : parseAddress(text)
    return parsed?.ok ? parsed.address : undefined
  }
  const addresses = { fromEmail: address(fields.fromEmail), replyTo: address(fields.replyTo) }
  return { name, ...withoutUndefined({ ...fields, ...addresses }) }
}

const pathOf = (index: number, field: string) => `test.variants.${index}.${field}`

function variantProblems(variant: TestVariant, index: number): Issue[] {
  return [
    ...(['name', 'subject', 'previewText', 'fromName'] as const).flatMap((field) =>
      headerTextProblem(pathOf(index, field), variant[field]),
    ),
    ...(['fromEmail', 'replyTo'] as const).flatMap((field) => addressProblem(pathOf(index, field), variant[field])),
  ]
}

function nameProblems({ variants }: CampaignTest): Issue[] {
  return variants.flatMap(({ name }, index) => {
    if (variants.findIndex((one) => one.name === name) === index) return []
    const path = pathOf(index, 'name')
    return [{ path, message: `${path} is the name of another variant`, code: 'contradiction' }]
  })
}

function shareProblems({ share, holdOut, winner }: CampaignTest): Issue[] {
  const rest = 100 - share - holdOut
  if (rest < 0)
    return [issue('test.share', `test.share and test.holdOut are ${share + holdOut} percent together, of at most 100`)]
  if (rest > 0 && winner === null)
    return [issue('test.winner', `test.winner must say how it is chosen what the other ${rest} percent get`)]
  if (rest === 0 && winner !== null)
    return [issue('test.winner', 'test.winner must be null: nobody is left to get the winner')]
  return []
}

const issue = (path: string, message: string): Issue => ({ path, message, code: 'contradiction' })
