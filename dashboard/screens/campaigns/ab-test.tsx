// The test of a campaign: a second subject in the editor, and how the variants do in the report. What the editor cannot say (more variants,
// senders, templates) stays as the API was told.

import { post } from '../../api.ts'
import type { Campaign } from '../../nouns.ts'
import { TestResult, words as testWords } from '../../parts/ab-test.tsx'
import { usePlace } from '../../place.ts'
import { inLanguage } from '../../words.ts'

type Test = NonNullable<Campaign['test']>

const words = inLanguage(catalogue.campaigns.abTest)

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
      <summary>{testWords.title}</summary>
      <p class="muted">{words.how}</p>
      <label>
        {words.variantB}
        <input name="test.variants.1.subject" maxLength={500} defaultValue={variants[1]?.subject ?? ''} />
      </label>
      {number('test.share', words.share, [1, 100], share)}
      {number('test.holdOut', testWords.holdOut, [0, 50], holdOut)}
      <label>
        {testWords.winner}
        <select name="test.winner.by">
          <option value="hand">{testWords.byHand}</option>
          <option value="clicks" selected={winner?.by === 'clicks'}>
            {testWords.byClicks}
          </option>
        </select>
      </label>
      {number(
        'test.winner.afterHours',
        testWords.afterHours,
        [1, 168],
        winner?.by === 'clicks' ? winner.afterHours : 4,
      )}
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
  const { workspace } = usePlace()
  const { id: campaignId, test, testResult: result, startedAt, status } = campaign
  if (test === null || result === null) return null
  const isBegun = startedAt !== null
  const isWaiting = isBegun && test.winner !== null && (status === 'sending' || status === 'paused')
  const choose = async (variant: string) => {
    await post('/v1/campaigns/:campaignId/winner', { params: { campaignId }, body: { variant } })
    reload()
  }
  return (
    <section>
      <h2>{testWords.title}</h2>
      <TestResult
        variants={test.variants}
        result={result}
        isBegun={isBegun}
        says={words}
        choose={isWaiting && workspace.role !== 'viewer' ? choose : null}
      />
    </section>
  )
}
