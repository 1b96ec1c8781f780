// Wire shapes of starters.

import { t } from 'elysia'
import { type Starter, starterLanguages } from './starter.ts'
import { languageFor } from './use.ts'

export const starterQuery = t.Object({
  locale: t.Optional(
    t.String({
      maxLength: 35,
      description: 'In which language, BCP 47. Default: that of the workspace, where there is one in it, else English.',
      examples: ['de'],
    }),
  ),
})

export const useBody = t.Object({
  name: t.Optional(t.String({ minLength: 1, maxLength: 200, description: 'Default: that of the starter.' })),
  id: t.Optional(
    t.String({
      maxLength: 300,
      description: 'The slug of the template: 1-64 of a-z, 0-9, "_", "-". Default: made from the name.',
    }),
  ),
})

const fields = {
  id: t.String({ examples: ['welcome'] }),
  name: t.String(),
  purpose: t.String({ description: 'What it is for, in a line.' }),
  kind: t.Union([t.Literal('transactional'), t.Literal('marketing')], {
    description: '`marketing` ones are for campaigns: nothing in them has to be sent along.',
  }),
}
const starterView = t.Object(fields)
export const starterList = t.Object({ data: t.Array(starterView) })
export const shownStarterView = t.Object({
  ...fields,
  locale: t.String(),
  locales: t.Array(t.String(), { description: 'The languages that a template made of it has.' }),
  subject: t.String(),
  previewText: t.String(),
  html: t.String({ description: 'As it would be sent with this brand, filled with `dataVariables`.' }),
  text: t.String(),
  dataVariables: t.Record(t.String(), t.Unknown(), { description: 'What it is filled with: test data.' }),
})

/** In the language of that locale. */
export function toStarterView({ id, kind, mails }: Starter, locale: string) {
  const { name, purpose } = mails[languageFor(locale)]
  return { id, name, purpose, kind }
}

export const locales: string[] = [...starterLanguages]
