// The test of a campaign: a second subject in the editor, and how the variants do in the report. What the editor cannot say (more variants,
// senders, templates) stays as the API was told.

import { post } from '../../api.ts'
import type { Campaign } from '../../nouns.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Table } from '../../parts/table.tsx'
import { usePlace } from '../../place.ts'
import { count, inLanguage, language, moment } from '../../words.ts'

type Test = NonNullable<Campaign['test']>
type Result = NonNullable<Campaign['testResult']>

const words = inLanguage({
  en: {
    title: 'Test (A/B)',
    how: 'A part of the audience gets this subject (B), as many get the subject above (A), and everybody else gets what does better.',
    variantB: 'Variant B; empty: no test',
    share: 'Tested, in percent of the audience',
    holdOut: 'Get nothing, in percent',
    winner: 'The winner is chosen',
    byHand: 'by hand',
    byClicks: 'by clicks (needs click tracking)',
    afterHours: 'By clicks: after so many hours',
    elsewhere: 'This test was made by the API and is changed there.',
    variant: 'Variant',
    sent: 'Sent',
    opened: 'Opened',
    clicked: 'Clicked',
    left: 'Unsubscribed',
    asItIs: 'the campaign as it is',
    due: (at: string) => `Clicks decide at ${at}.`,
    chosen: (name: string, at: string) => `${name} was chosen at ${at} and is what everybody else gets.`,
    choose: (name: string) => `Send ${name} to the others`,
    chooseTitle: (name: string) => `Is ${name} the winner?`,
    chooseHow: 'Everybody who waits gets it. This cannot be undone.',
    verdict: ({ sentence }: Result) => sentence,
  },
  de: {
    title: 'Test (A/B)',
    how: 'Ein Teil des Publikums bekommt diesen Betreff (B), ebenso viele den Betreff oben (A), alle anderen den besseren.',
    variantB: 'Variante B; leer: kein Test',
    share: 'Getestet, in Prozent des Publikums',
    holdOut: 'Bekommen nichts, in Prozent',
    winner: 'Der Gewinner wird gewählt',
    byHand: 'von Hand',
    byClicks: 'nach Klicks (die gezählt werden müssen)',
    afterHours: 'Nach Klicks: nach so vielen Stunden',
    elsewhere: 'Dieser Test wurde über die API angelegt und wird dort geändert.',
    variant: 'Variante',
    sent: 'Gesendet',
    opened: 'Geöffnet',
    clicked: 'Geklickt',
    left: 'Abgemeldet',
    asItIs: 'die Kampagne, wie sie ist',
    due: (at: string) => `Klicks entscheiden am ${at}.`,
    chosen: (name: string, at: string) => `${name} wurde am ${at} gewählt; das bekommen alle anderen.`,
    choose: (name: string) => `${name} an die anderen senden`,
    chooseTitle: (name: string) => `Ist ${name} der Gewinner?`,
    chooseHow: 'Alle, die warten, bekommen sie. Das lässt sich nicht zurücknehmen.',
    verdict: ({ leader, confidence }: Result) => {
      if (leader === null) return 'Noch wurde nichts gesendet.'
      if (confidence < 0.8) return `Noch nicht zu unterscheiden; ${leader} führt.`
      const sure = confidence > 0.99 ? 'mehr als 99 %' : `${Math.floor(confidence * 100)} %`
      return `${leader} ist ${confidence < 0.95 ? 'wahrscheinlich' : 'sehr wahrscheinlich'} besser (${sure}).`
    },
  },
})

const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })

/** A second subject and nothing else. */
function isSimple({ variants: [first, second, ...more] }: Test): boolean {
  const names = new Set([...Object.keys(first ?? {}), ...Object.keys(second ?? {})])
  return (
    more.length === 0 && first?.subject === undefined && [...names].every((one) => ['name', 'subject'].includes(one))
  )
}

/** Its fields are named after the places at which the API refuses them. */
export function TestFields({ test }: { test: Campaign['test'] }) {
  if (test !== null && !isSimple(test)) return <p class="muted">{words.elsewhere}</p>
  const { share = 20, holdOut = 0, winner = null, variants = [] } = test ?? {}
  const number = (name: string, label: string, [min, max]: [number, number], value: number) => (
    <label>
      {label}
      <input type="number" name={name} min={min} max={max} required defaultValue={String(value)} />
    </label>
  )
  return (
    <details open={test !== null}>
      <summary>{words.title}</summary>
      <p class="muted">{words.how}</p>
      <label>
        {words.variantB}
        <input name="test.variants.1.subject" maxLength={500} defaultValue={variants[1]?.subject ?? ''} />
      </label>
      {number('test.share', words.share, [1, 100], share)}
      {number('test.holdOut', words.holdOut, [0, 50], holdOut)}
      <label>
        {words.winner}
        <select name="test.winner.by">
          <option value="hand">{words.byHand}</option>
          <option value="clicks" selected={winner?.by === 'clicks'}>
            {words.byClicks}
          </option>
        </select>
      </label>
      {number('test.winner.afterHours', words.afterHours, [1, 168], winner?.by === 'clicks' ? winner.afterHours : 4)}
    </details>
  )
}

/** Nothing where the form does not show it. The variants keep the names that they have. */
export function toTest(form: FormData, before: Campaign['test']): { test?: Campaign['test'] } {
  const text = (name: string) => String(form.get(`test.${name}`) ?? '').trim()
  if (!form.has('test.share')) return {}
  const subject = text('variants.1.subject')
  if (subject === '') return { test: null }
  const [share, holdOut] = [Number(text('share')), Number(text('holdOut'))]
  const afterHours = Number(text('winner.afterHours'))
  const chosen = text('winner.by') === 'clicks' ? { by: 'clicks' as const, afterHours } : { by: 'hand' as const }
  const winner = share + holdOut === 100 ? null : chosen
  const [first, second] = before?.variants ?? []
  const variants = [{ name: first?.name ?? 'A' }, { name: second?.name ?? 'B', subject }]
  return { test: { variants, share, holdOut, winner } }
}

export function TestReport({ campaign, reload }: { campaign: Campaign; reload: () => void }) {
  const { test, testResult: result } = campaign
  if (test === null || result === null) return null
  const { winner, winnerDueAt, winnerChosenAt } = result
  const differences = new Map(test.variants.map(({ name, ...fields }) => [name, Object.values(fields).join(', ')]))
  return (
    <section>
      <h2>{words.title}</h2>
      <p>
        {campaign.startedAt !== null && words.verdict(result)}{' '}
        {winner === null
          ? winnerDueAt !== null && words.due(moment(winnerDueAt))
          : words.chosen(winner, moment(winnerChosenAt ?? ''))}
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
                {name} <span class="muted">{differences.get(name) || words.asItIs}</span>
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
      {winner === null && <Choose campaign={campaign} test={test} reload={reload} />}
    </section>
  )
}

function Choose({ campaign, test, reload }: { campaign: Campaign; test: Test; reload: () => void }) {
  const { workspace } = usePlace()
  const act = useAct()
  const { id: campaignId, status, startedAt } = campaign
  const isWaiting = startedAt !== null && test.winner !== null && (status === 'sending' || status === 'paused')
  if (!isWaiting || workspace.role === 'viewer') return null
  const choose = async (variant: string) => {
    await post('/v1/campaigns/:campaignId/winner', { params: { campaignId }, body: { variant } })
    reload()
  }
  return (
    <>
      <WhyNot act={act} />
      <div class="actions">
        {test.variants.map(({ name }) => (
          <AskFirst
            key={name}
            act={act}
            does={words.choose(name)}
            title={words.chooseTitle(name)}
            how={words.chooseHow}
            run={() => choose(name)}
          />
        ))}
      </div>
    </>
  )
}
