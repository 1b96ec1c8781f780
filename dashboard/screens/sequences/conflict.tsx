// Somebody else has saved the sequence meanwhile: what only theirs says, what only mine says, and the choice between them.

import { useAct, WhyNot } from '../../parts/act.tsx'
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
  const act = useAct()
  const [mine, others] = [toLines(draft.now, choices), toLines(theirs, choices)]
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{words.conflict}</strong>
      </p>
      <div class="two">
        <Only title={words.onlyTheirs} lines={others.filter((line) => !mine.includes(line))} />
        <Only title={words.onlyMine} lines={mine.filter((line) => !others.includes(line))} />
      </div>
      <div class="choices">
        <button type="button" onClick={draft.takeTheirs}>
          {words.takeTheirs}
        </button>
        <button
          type="button"
          disabled={act.isRunning}
          onClick={() => void act.run(async () => void (await draft.keepMine()))}
        >
          {words.keepMine}
        </button>
      </div>
      <WhyNot act={act} />
    </div>
  )
}

function Only({ title, lines }: { title: string; lines: string[] }) {
  return (
    <div>
      <strong>{title}</strong>
      <ul class="plain">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
        {lines.length === 0 && <li class="muted">–</li>}
      </ul>
    </div>
  )
}

/** Each part and each step on a line. */
function toLines({ name, definition }: SequenceText, choices: SequenceChoices): string[] {
  const { steps } = definition
  const lines = steps.map((step, at) => {
    const ways = allWays(step).map((way) => `→ ${wayInWords(way, steps, choices)}`)
    const more = step.type === 'send' ? Object.entries(step.variables).map(([own, value]) => `${own} = ${value}`) : []
    return [`${at + 1}. ${words.types[step.type]}`, stepInWords(step, choices), ...more, ...ways]
      .filter(Boolean)
      .join(' ')
  })
  return [
    `${words.name}: ${name}`,
    `${words.start}: ${startInWords(definition, choices)}`,
    ...lines,
    `${words.ends}: ${endsInWords(definition, choices)}`,
    `${words.mail}: ${mailInWords(definition, choices)}`,
  ]
}
