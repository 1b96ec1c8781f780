// One rule as fields: which answers it fits, and what they mean.

import { PickOne } from '../../parts/pick.tsx'
import { type Amount, actions, amountsOf, asPercent, type RuleDraft } from './rule.ts'
import { words } from './rule-words.ts'

interface Props {
  rule: RuleDraft
  /** From 0. */
  at: number
  set: (rule: RuleDraft) => void
}

type Line = 'receivers' | 'codes' | 'enhanced'

export function RuleFields({ rule, at, set }: Props) {
  const nameOf = (field: string) => `rules[${at}].${field}`
  const line = (field: Line, label: string, how: string) => (
    <label>
      {label}
      <input
        name={nameOf(field)}
        autocomplete="off"
        value={rule[field]}
        onInput={({ currentTarget: { value } }) => set({ ...rule, [field]: value })}
      />
      <span>{how}</span>
    </label>
  )
  const amounts = amountsOf[rule.action]
  return (
    <>
      {line('receivers', words.receivers, words.receiversHow)}
      {line('codes', words.codes, words.codesHow)}
      {line('enhanced', words.enhanced, words.enhancedHow)}
      <label>
        {words.contains}
        <textarea
          name={nameOf('contains')}
          rows={2}
          value={rule.contains}
          onInput={({ currentTarget: { value } }) => set({ ...rule, contains: value })}
        />
        <span>{words.containsHow}</span>
      </label>
      <PickOne
        label={words.action}
        name={nameOf('action')}
        value={rule.action}
        options={actions.map((one) => [one, words.actions[one]])}
        set={(action) => set({ ...rule, action })}
      />
      <p class="muted">{words.actionHow[rule.action]}</p>
      {amounts.length > 0 && (
        <details>
          <summary>{words.details}</summary>
          <p class="muted">{words.detailsHow}</p>
          {amounts.map((amount) => (
            <AmountField
              key={amount}
              amount={amount}
              name={nameOf(amount)}
              value={rule[amount]}
              set={(value) => set({ ...rule, [amount]: value })}
            />
          ))}
        </details>
      )}
    </>
  )
}

interface AmountProps {
  amount: Amount
  name: string
  value: string
  set: (value: string) => void
}

/** What is whole is counted; what is not, is measured. */
const whole: Amount[] = ['inARow', 'waitSeconds', 'rampSeconds']

function AmountField({ amount, name, value, set }: AmountProps) {
  return (
    <label>
      {words[amount]}
      <input
        type="number"
        name={name}
        min={whole.includes(amount) ? 1 : 0.01}
        max={asPercent.includes(amount) ? 100 : undefined}
        step={whole.includes(amount) ? 1 : 'any'}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  )
}
