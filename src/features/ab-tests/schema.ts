// Wire shapes of a test, and of what it has shown.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import type { AbTest } from '../../../db/tables/ab-tests.ts'
import { nullableText, nullableTime, time } from '../../core/http/wire.ts'
import { resultsOf } from './results.ts'
import { clickRate, judge } from './significance.ts'

const text = (maxLength: number, description: string) => t.Optional(t.String({ minLength: 1, maxLength, description }))
const percent = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description })
const variantName = t.String({
  minLength: 1,
  maxLength: 50,
  description: 'Under which it is counted.',
  examples: ['A'],
})

const variant = t.Object(
  {
    name: variantName,
    subject: text(500, 'In the locale of the campaign.'),
    previewText: text(500, 'In the locale of the campaign.'),
    fromName: text(200, 'The sender name.'),
    fromEmail: text(320, 'The sender address, at the domain of the sender of the campaign.'),
    replyTo: text(320, 'The address replies go to.'),
    templateId: text(64, 'Slug of a template to send instead of the content of the campaign.'),
  },
  { description: 'What it leaves out is the campaign’s: one with only a name is the campaign itself.' },
)

const winner = t.Union(
  [
    t.Object({
      by: t.Literal('clicks', { description: 'The variant in which the largest share of people followed a link.' }),
      afterHours: Type.Integer({
        minimum: 1,
        maximum: 168,
        description: 'After the last mail of the test was prepared.',
      }),
    }),
    t.Object({ by: t.Literal('hand', { description: 'Everybody else waits until a winner is chosen.' }) }),
    t.Null(),
  ],
  { description: 'How it is chosen what everybody else gets; null if `share` and `holdOut` are 100 together.' },
)

const testBody = t.Object(
  {
    variants: t.Array(variant, { minItems: 2, maxItems: 5 }),
    share: percent(1, 100, 'Percent of the audience that get one of the variants, each as many.'),
    holdOut: percent(0, 50, 'Percent of the audience that get nothing, to compare with: `held_out`.'),
    winner,
  },
  { description: 'An A/B test. Who gets which variant is decided by a hash of the campaign and the contact.' },
)
export const nullableTest = t.Union([testBody, t.Null()], { description: 'An A/B test; null: all get the same mail.' })

export const winnerBody = t.Object({ variant: variantName })

const count = (description?: string) => Type.Integer(description === undefined ? {} : { description })
/** What a test has shown so far. */
export const testResult = t.Object({
  variants: t.Array(
    t.Object({
      name: t.String(),
      sent: count(),
      bounced: count(),
      opened: count(),
      clicked: count('By people; those of programs do not count.'),
      left: count('Unsubscribed by the link of the mail, or by a reply to it.'),
      complained: count(),
      clickRate: t.Number({ description: 'Clicked of sent, 0 to 1.' }),
    }),
    { description: 'Of those who tested it, without those who got the winner.' },
  ),
  leader: nullableText,
  confidence: t.Number({
    description: 'How sure it is that the leader is better, 0 to 1 (two-proportion z-test).',
  }),
  sentence: t.String({ description: 'The same for people.', examples: ['B is very likely better (97 %).'] }),
  winner: t.Union([t.String(), t.Null()], { description: 'The variant that everybody else gets.' }),
  winnerDueAt: t.Union([time, t.Null()], { description: 'When clicks decide.' }),
  winnerChosenAt: nullableTime,
})
export const nullableTestResult = t.Union([testResult, t.Null()], { description: 'What the test has shown so far.' })

interface Choice {
  winner: string | null
  winnerDueAt: Date | null
  winnerChosenAt: Date | null
}

export function toTestResult(
  test: AbTest,
  counts: Record<string, number>,
  { winner, winnerDueAt, winnerChosenAt }: Choice,
): typeof testResult.static {
  const variants = resultsOf(test, counts)
  return {
    variants: variants.map((one) => ({ ...one, clickRate: clickRate(one) })),
    ...judge(variants),
    winner,
    winnerDueAt: winnerDueAt?.toISOString() ?? null,
    winnerChosenAt: winnerChosenAt?.toISOString() ?? null,
  }
}
