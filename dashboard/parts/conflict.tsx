// Somebody else has saved meanwhile: what only theirs says, what only mine says, and the choice between them.

import { useAct, WhyNot } from './act.tsx'

interface Props {
  words: Record<'conflict' | 'onlyTheirs' | 'onlyMine' | 'takeTheirs' | 'keepMine', string>
  /** What each says, a line a part. */
  mine: string[]
  theirs: string[]
  draft: { takeTheirs: () => void; keepMine: () => Promise<unknown> }
}

export function ConflictNotice({ words, mine, theirs, draft }: Props) {
  const act = useAct()
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{words.conflict}</strong>
      </p>
      <div class="two">
        <Only title={words.onlyTheirs} lines={without(theirs, mine)} />
        <Only title={words.onlyMine} lines={without(mine, theirs)} />
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

/** Each line as often as it is more often in the one. */
function without(lines: string[], others: string[]): string[] {
  const left = [...others]
  return lines.filter((line) => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
