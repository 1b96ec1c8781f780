// Wire shapes of the tests of send steps, and their notation in the OpenAPI document: read-step-test.ts is what checks it.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { refusing } from '../../core/http/unknown-fields.ts'
import { testResult, winnerBody } from '../ab-tests/schema.ts'
import { maxAfterHours, maxHoldOut, maxVariantName, maxVariants, variantTexts } from './read-step-test.ts'

export const stepWinnerBody = refusing(winnerBody)

export const stepTestView = t.Object({
  stepId: t.String(),
  version: Type.Integer({ description: 'In which the test began; later ones that keep the step go on with it.' }),
  ...testResult.properties,
})

const text = (maxLength: number, description: string) => ({ type: 'string', minLength: 1, maxLength, description })
const percent = (minimum: number, maximum: number, more: object) => ({ type: 'integer', minimum, maximum, ...more })
const object = (required: string[], properties: object, description?: string) => ({
  type: 'object',
  required,
  additionalProperties: false,
  properties,
  ...(description === undefined ? {} : { description }),
})

const { subject, fromName, fromEmail, replyTo, templateId } = variantTexts
const variant = object(
  ['name'],
  {
    name: text(maxVariantName, 'Under which it is counted.'),
    subject: text(subject, 'With variables, as in a template.'),
    fromName: text(fromName, 'The sender name.'),
    fromEmail: text(fromEmail, 'The sender address, at a domain of the workspace.'),
    replyTo: text(replyTo, 'The address replies go to.'),
    templateId: text(templateId, 'Slug of a template to send instead of that of the step.'),
  },
  'What it leaves out is the step’s: one with only a name is the step itself.',
)

export const stepTestNotation = object(
  ['variants', 'winner'],
  {
    variants: { type: 'array', minItems: 2, maxItems: maxVariants, items: variant },
    share: percent(1, 100, {
      description:
        'Percent of those who come that take part until the winner stands, each variant as many; the others get the first. Default: all who are not held out.',
    }),
    holdOut: percent(0, maxHoldOut, {
      default: 0,
      description: 'Percent of those who come that get no mail at this step, to compare with, and go on: `held_out`.',
    }),
    winner: {
      oneOf: [
        object(
          ['by', 'afterHours'],
          {
            by: { type: 'string', enum: ['clicks'] },
            afterHours: { ...percent(1, maxAfterHours, {}), description: 'After the first mail of the test.' },
          },
          'The variant in which the largest share of people followed a link.',
        ),
        object(['by'], { by: { type: 'string', enum: ['hand'] } }, 'It goes on until a winner is chosen.'),
      ],
      description: 'How it is chosen what everybody gets who comes later.',
    },
  },
  'An A/B test. Who gets which variant is decided by a hash of the sequence, the step and the contact. It goes on while the step stays as it is; a step that is changed begins another.',
)
