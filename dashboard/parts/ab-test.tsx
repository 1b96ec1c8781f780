// What a test has shown, of a campaign or of a send step: the variants with their figures, how sure it is, and the choice of the winner.

import type { TestVariant } from '../../db/tables/ab-tests.ts'
import type { Campaign } from '../nouns.ts'
import { count, inLanguage, language, moment } from '../words.ts'
import { useAct, WhyNot } from './act.tsx'
import { AskFirst } from './ask-first.tsx'
import { Table } from './table.tsx'

type Result = NonNullable<Campaign['testResult']>

export const words = inLanguage({
  en: {
    title: 'Test (A/B)',
    winner: 'The winner is chosen',
    byHand: 'by hand',
    byClicks: 'by clicks (needs click tracking)',
    afterHours: 'By clicks: after so many hours',
    holdOut: 'Get nothing, in percent',
    variant: 'Variant',
    sent: 'Sent',
    opened: 'Opened',
    clicked: 'Clicked',
    left: 'Unsubscribed',
    due: (at: string) => `Clicks decide at ${at}.`,
    chooseTitle: (name: string) => `Is ${name} the winner?`,
    verdict: ({ sentence }: Result) => sentence,
  },
  de: {
    title: 'Test (A/B)',
    winner: 'Der Gewinner wird gewählt',
    byHand: 'von Hand',
    byClicks: 'nach Klicks (die gezählt werden müssen)',
    afterHours: 'Nach Klicks: nach so vielen Stunden',
    holdOut: 'Bekommen nichts, in Prozent',
    variant: 'Variante',
    sent: 'Gesendet',
    opened: 'Geöffnet',
    clicked: 'Geklickt',
    left: 'Abgemeldet',
    due: (at: string) => `Klicks entscheiden am ${at}.`,
    chooseTitle: (name: string) => `Ist ${name} der Gewinner?`,
    verdict: ({ leader, confidence }: Result) => {
      if (leader === null) return 'Noch wurde nichts gesendet.'
      if (confidence < 0.8) return `Noch nicht zu unterscheiden; ${leader} führt.`
      const sure = confidence > 0.99 ? 'mehr als 99 %' : `${Math.floor(confidence * 100)} %`
      return `${leader} ist ${confidence < 0.95 ? 'wahrscheinlich' : 'sehr wahrscheinlich'} besser (${sure}).`
    },
  },
})

const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })

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
  chosen: (name: string, at: string) => string
  choose: (name: string) => string
  chooseHow: string
}

export function TestResult({ variants, result, isBegun, says, choose }: Props) {
  const { winner, winnerDueAt, winnerChosenAt } = result
  const differences = new Map(variants.map(({ name, ...fields }) => [name, Object.values(fields).join(', ')]))
  return (
    <>
      <p>
        {isBegun && words.verdict(result)}{' '}
        {winner === null
          ? winnerDueAt !== null && words.due(moment(winnerDueAt))
          : says.chosen(winner, moment(winnerChosenAt ?? ''))}
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
