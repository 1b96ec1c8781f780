// What the mails of the recipes may say, by the id of the template: something to begin with, which is shown and changed before it is a
// template. And the words around that.

import { ownValue } from '../../../src/kit/own-value.ts'
import type { Issue } from '../../api.ts'
import { inLanguage } from '../../words.ts'

export interface MailText {
  subject: string
  text: string
}

export const words = inLanguage(catalogue.sequences.mail)

/** What is wrong, as the API says it; of a mail that nobody has written yet, as its author would. */
export function issueInWords({ message }: Issue): string {
  const [, id] = /^there is no active template "(.+)"$/.exec(message) ?? []
  return id === undefined ? message : words.missing(id)
}

/** What is suggested for the mail that a recipe names so; empty for any other. */
export function suggestionFor(templateId: string): MailText {
  return ownValue<MailText>(words.mails, templateId) ?? { subject: '', text: '' }
}
