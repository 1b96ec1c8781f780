// Rules in words: those that are built in, and what each would have met in the answers of the last 30 days.

import { Fragment } from 'preact'
import { spanText } from '../../../src/kit/span-text.ts'
import type { Posted } from '../../api.ts'
import { receiverName } from '../../parts/receivers.ts'
import { Table } from '../../parts/table.tsx'
import { colon, comma, count, locale, quoted } from '../../words.ts'
import type { Rule } from './rule.ts'
import { words } from './rule-words.ts'

export type Tried = Posted<'/v1/receiver-rules/try'>
type Met = Tried['met'][number]

const percent = new Intl.NumberFormat(locale, { style: 'percent' })

export function BuiltIn({ rules }: { rules: Rule[] }) {
  return (
    <section>
      <h2>{words.builtInTitle}</h2>
      <Table
        caption={words.builtInCaption}
        rows={rules}
        keyOf={(rule) => JSON.stringify(rule)}
        columns={[
          { name: words.whose, isFigure: true, show: whoseOf },
          { name: words.fits, isFigure: true, show: (rule) => <Fits rule={rule} /> },
          { name: words.action, isFigure: true, show: thenOf },
        ]}
      />
    </section>
  )
}

/** Own rules also where they met nothing. */
export function TriedRules({ tried: { met, unmet } }: { tried: Tried }) {
  const shown = met.filter((one) => one.count > 0 || !one.builtIn)
  return (
    <section>
      <h2>{words.met}</h2>
      {shown.length === 0 && unmet.length === 0 && <p>{words.nothingMet}</p>}
      {shown.length > 0 && <MetTable met={shown} />}
      {unmet.length > 0 && (
        <>
          <h3>{words.unmet}</h3>
          <Table
            caption={words.unmetCaption}
            rows={unmet}
            keyOf={({ receiver, reply }) => `${receiver} ${reply}`}
            columns={[
              { name: words.from, show: ({ receiver }) => receiverName(receiver) },
              { name: words.count, isFigure: true, show: (one) => words.answers(one.count) },
              { name: words.reply, show: ({ reply }) => reply },
            ]}
          />
        </>
      )}
    </section>
  )
}

function MetTable({ met }: { met: Met[] }) {
  return (
    <Table
      caption={words.metCaption}
      rows={met}
      keyOf={(one) => JSON.stringify(one)}
      columns={[
        {
          name: words.fits,
          show: ({ rule, builtIn }) => (
            <>
              <span class="status">{builtIn ? words.builtIn : words.own}</span> {whoseOf(rule)}
              {colon}
              <Fits rule={rule} />
            </>
          ),
        },
        { name: words.action, isFigure: true, show: ({ rule }) => thenOf(rule) },
        {
          name: words.count,
          isFigure: true,
          show: (one) => (
            <>
              <span class="answers">{words.answers(one.count)}</span> {fromWhom(one)}
            </>
          ),
        },
        { name: words.example, isFigure: true, show: ({ example }) => example },
      ]}
    />
  )
}

function fromWhom({ receivers }: Met) {
  return receivers.map(({ receiver, count: n }) => (
    <span key={receiver} class="answers muted">
      {receiverName(receiver)} {count(n)}
    </span>
  ))
}

function whoseOf({ receivers }: Rule): string {
  return receivers === null ? words.everybody : receivers.map(receiverName).join(comma)
}

/** Each kind must fit; of each kind, one. */
function Fits({ rule: { codes, enhanced, contains } }: { rule: Rule }) {
  const kinds = [
    codes?.map((code) => code.padEnd(3, 'x')),
    enhanced?.map((code) => `${code}${'.x'.repeat(3 - code.split('.').length)}`),
    contains?.map(quoted),
  ].filter((kind) => kind !== undefined)
  return kinds.map((kind, at) => (
    <Fragment key={at}>
      {at > 0 && ` ${words.and} `}
      {kind.map((one, number) => (
        <Fragment key={one}>
          {number > 0 && ` ${words.or} `}
          <code>{one}</code>
        </Fragment>
      ))}
    </Fragment>
  ))
}

function thenOf({ action, by, waitSeconds, inARow }: Rule): string {
  return [
    words.actions[action],
    (action === 'slow_down' || action === 'fewer_connections') && words.left(percent.format(by)),
    action === 'suspend' && words.waits(spanText(waitSeconds) ?? `${waitSeconds} s`),
    inARow > 1 && words.inARowSays(inARow),
  ]
    .filter(Boolean)
    .join(comma)
}
