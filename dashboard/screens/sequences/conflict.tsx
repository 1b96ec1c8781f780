// Somebody else has saved the sequence meanwhile: what only theirs says, what only mine says, and the choice between them.

import { ConflictNotice } from '../../parts/conflict.tsx'
import { colon, onward } from '../../words.ts'
import { words } from './canvas-words.ts'
import type { SequenceChoices } from './choices.ts'
import { endsInWords, mailInWords, startInWords, stepInWords, wayInWords } from './in-words.ts'
import { allWays } from './steps.ts'
import type { SequenceDraft, SequenceText } from './use-draft.ts'

interface Props {
  draft: SequenceDraft
  theirs: SequenceText
  choices: SequenceChoices
}

export function Conflict({ draft, theirs, choices }: Props) {
  const [mine, others] = [toLines(draft.now, choices), toLines(theirs, choices)]
  return <ConflictNotice words={words} draft={draft} mine={mine} theirs={others} />
}

/** Each part and each step on a line. */
function toLines({ name, definition }: SequenceText, choices: SequenceChoices): string[] {
  const { steps } = definition
  const lines = steps.map((step, at) => {
    const ways = allWays(step).map((way) => `${onward} ${wayInWords(way, steps, choices)}`)
    const more = 'variables' in step ? Object.entries(step.variables).map(([own, value]) => `${own} = ${value}`) : []
    return [`${at + 1}. ${words.types[step.type]}`, stepInWords(step, choices), ...more, ...ways]
      .filter(Boolean)
      .join(' ')
  })
  return [
    `${words.name}${colon}${name}`,
    `${words.start}${colon}${startInWords(definition, choices)}`,
    ...lines,
    `${words.ends}${colon}${endsInWords(definition, choices)}`,
    `${words.mail}${colon}${mailInWords(definition, choices)}`,
  ]
}
