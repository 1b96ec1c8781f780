// The test of a send step in the notation of sequences, with its limits. The names, texts and addresses of its variants are checked as those
// of campaigns.

import type { TestVariant, WinnerChoice } from '../../../db/tables/ab-tests.ts'
import type { StepTest } from '../../../db/tables/sequence-tests.ts'
import type { Step } from '../../../db/tables/sequences.ts'
import { choiceAt, listAt, objectAt, onlyMembers, textAt, wholeAt } from '../../kit/checked.ts'
import { type TestPlace, testProblems, toStoredTest } from '../ab-tests/variants.ts'

export const maxVariants = 5
/** 400 days, like the longest wait: in a sequence people come one by one. */
export const maxAfterHours = 9_600
export const maxHoldOut = 50

/** How long each text of a variant may be. */
export const variantTexts = { subject: 500, fromName: 200, fromEmail: 320, replyTo: 320, templateId: 300 } as const
export const maxVariantName = 50
type VariantText = keyof typeof variantTexts

/** That of a step at `path`; null is as good as none. Throws 422 naming the place and the limit. */
export function testOf(path: string, { test }: Record<string, unknown>): { test?: StepTest } {
  return test == null ? {} : { test: readTest(`${path}.test`, test) }
}

function readTest(path: string, value: unknown): StepTest {
  const given = objectAt(path, value)
  onlyMembers(path, given, ['variants', 'share', 'holdOut', 'winner'])
  const variants = listAt(`${path}.variants`, given['variants'], { least: 2, most: maxVariants })
  const holdOut = wholeAt(`${path}.holdOut`, given['holdOut'] ?? 0, 0, maxHoldOut)
  return {
    variants: variants.map((one, index) => readVariant(`${path}.variants[${index}]`, one)),
    share: wholeAt(`${path}.share`, given['share'] ?? 100 - holdOut, 1, 100),
    holdOut,
    winner: readWinner(`${path}.winner`, given['winner']),
  }
}

/** The steps with their tests as they are stored. Throws 422 with every fault of names, texts, addresses and shares of a test. */
export function withCheckedTests(path: string, steps: Step[]): Step[] {
  return steps.map((step, n) =>
    step.type === 'send' && step.test ? { ...step, test: checkedTest(step.test, placeOfTest(`${path}[${n}]`)) } : step,
  )
}

const checkedTest = (test: StepTest, place: TestPlace) => toStoredTest(test, testProblems(test, place))

/** Of the step at `path`. */
export const placeOfTest = (path: string): TestPlace => ({
  path: `${path}.test`,
  of: (index) => `${path}.test.variants[${index}]`,
})

function readVariant(path: string, value: unknown): TestVariant {
  const given = objectAt(path, value)
  const fields = Object.keys(variantTexts) as VariantText[]
  onlyMembers(path, given, ['name', ...fields])
  const variant: TestVariant = { name: textAt(`${path}.name`, given['name'], { most: maxVariantName }) }
  for (const field of fields)
    if (given[field] !== undefined)
      variant[field] = textAt(`${path}.${field}`, given[field], { most: variantTexts[field] })
  return variant
}

function readWinner(path: string, value: unknown): WinnerChoice {
  const given = objectAt(path, value)
  const by = choiceAt(`${path}.by`, given['by'], ['clicks', 'hand'] as const)
  onlyMembers(path, given, by === 'clicks' ? ['by', 'afterHours'] : ['by'])
  if (by === 'hand') return { by }
  return { by, afterHours: wholeAt(`${path}.afterHours`, given['afterHours'], 1, maxAfterHours) }
}
