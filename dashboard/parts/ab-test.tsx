// What a test has shown, of a campaign or of a send step: the variants with their figures, how sure it is, and the choice of the winner.

import type { TestVariant } from '../../db/tables/ab-tests.ts'
import type { Campaign } from '../nouns.ts'
import { comma, count, inLanguage, locale, moment } from '../words.ts'
import { useAct, WhyNot } from './act.tsx'
import { AskFirst } from './ask-first.tsx'
import { Table } from './table.tsx'

type Result = NonNullable<Campaign['testResult']>

export const words = inLanguage(catalogue.parts.abTest)

const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })

/** As the API says it in English: very likely from 95 in a hundred, probably from 80. */
function verdictInWords({ leader, confidence }: Result): string {
  if (leader === null) return words.verdict.nothing
  if (confidence === 0) return words.verdict.tooFew(leader)
  if (confidence < 0.8) return words.verdict.close(leader)
  const sure = confidence > 0.99 ? words.verdict.moreThan('99 %') : `${Math.floor(confidence * 100)} %`
  return confidence < 0.95 ? words.verdict.likely({ leader, sure }) : words.verdict.veryLikely({ leader, sure })
}

interface Props {
  variants: TestVariant[]
  result: Result
  /** False: nothing has left yet. */
  isBegun: boolean
  says: WinnerWords
  /** Null: nobody may choose now. */
  choose: ((variant: string) => Promise<void>) | null
}

/** Who gets the winner, of a campaign or of a step. */
interface WinnerWords {
  asItIs: string
  chosen: (values: { name: string; at: string }) => string
  choose: (name: string) => string
  chooseHow: string
}

export function TestResult({ variants, result, isBegun, says, choose }: Props) {
  const { winner, winnerDueAt, winnerChosenAt } = result
  const differences = new Map(variants.map(({ name, ...fields }) => [name, Object.values(fields).join(comma)]))
  return (
    <>
      <p>
        {isBegun && verdictInWords(result)}{' '}
        {winner === null
          ? winnerDueAt !== null && words.due(moment(winnerDueAt))
          : says.chosen({ name: winner, at: moment(winnerChosenAt ?? '') })}
      </p>
      <Table
        caption={words.title}
        rows={result.variants}
        keyOf={({ name }) => name}
        columns={[
          {
            name: words.variant,
            show: ({ name }) => (
              <>
                {name} <span class="muted">{differences.get(name) || says.asItIs}</span>
              </>
            ),
          },
          { name: words.sent, isFigure: true, show: ({ sent }) => count(sent) },
          {
            name: words.opened,
            isFigure: true,
            show: ({ opened, sent }) => percent.format(opened / Math.max(1, sent)),
          },
          { name: words.clicked, isFigure: true, show: ({ clickRate }) => percent.format(clickRate) },
          { name: words.left, isFigure: true, show: ({ left, sent }) => percent.format(left / Math.max(1, sent)) },
        ]}
      />
      {winner === null && choose && <Choose variants={variants} says={says} choose={choose} />}
    </>
  )
}

interface ChooseProps extends Pick<Props, 'variants' | 'says'> {
  choose: (variant: string) => Promise<void>
}

function Choose({ variants, says, choose }: ChooseProps) {
  const act = useAct()
  return (
    <>
      <WhyNot act={act} />
      <div class="actions">
        {variants.map(({ name }) => (
          <AskFirst
            key={name}
            act={act}
            does={says.choose(name)}
            title={words.chooseTitle(name)}
            how={says.chooseHow}
            run={() => choose(name)}
          />
        ))}
      </div>
    </>
  )
}
