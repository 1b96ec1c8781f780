// Parts of a whole: one bar, and a table whose numbers add up to it.

import { ownValue } from '../../src/kit/own-value.ts'
import { colon, count, inLanguage, locale } from '../words.ts'

const words = inLanguage(catalogue.parts.shares)

export interface Share {
  /** Its colour is by this: `sent`. */
  key: string
  name: string
  why: string
  count: number
  /** Where they are listed. */
  href?: string
}

const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })

const tones: Record<string, string> = {
  sent: 'good',
  recipients: 'good',
  sending: 'going',
  bounced: 'bad',
  failed: 'bad',
  uncertain: 'warn',
  delayed: 'warn',
  queued: 'open',
}

const toneOf = (key: string) => ownValue(tones, key) ?? 'other'

export function Shares({ caption, shares }: { caption: string; shares: Share[] }) {
  const total = shares.reduce((sum, share) => sum + share.count, 0)
  const shown = shares.filter((share) => share.count > 0)
  return (
    <figure class="shares">
      <Bar caption={caption} shares={shown} total={total} />
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{words.part}</th>
            <th scope="col">{words.why}</th>
            <th scope="col">{words.count}</th>
            <th scope="col">{words.share}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ key, name, why, count: n, href }) => (
            <tr key={key}>
              <th scope="row">
                <Swatch tone={toneOf(key)} /> {href === undefined ? name : <a href={href}>{name}</a>}
              </th>
              <td>{why}</td>
              <td>{count(n)}</td>
              <td>{percent.format(n / total)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{words.all}</th>
            <td />
            <td>{count(total)}</td>
            <td />
          </tr>
        </tfoot>
      </table>
    </figure>
  )
}

/** Drawn a thousand wide, and as wide as its place. */
const width = 1_000

function Bar({ caption, shares, total }: { caption: string; shares: Share[]; total: number }) {
  let x = 0
  return (
    <svg class="bar" viewBox={`0 0 ${width} 20`} preserveAspectRatio="none" role="img" aria-label={caption}>
      <rect class="open" width={width} height="20" />
      {shares.map(({ key, name, count: n }) => {
        const [from, size] = [x, (n / total) * width]
        x += size
        return (
          <rect key={key} class={toneOf(key)} x={from} width={size} height="20">
            <title>{`${name}${colon}${count(n)}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}

function Swatch({ tone }: { tone: string }) {
  return (
    <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
      <rect class={tone} width="10" height="10" rx="2" />
    </svg>
  )
}
