// Figures over time as a plot, and the same as a table for those who would rather read it.

import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { count, inLanguage, locale } from '../words.ts'

const words = inLanguage(catalogue.parts.chart)

interface Series {
  name: string
  /** A custom property of the style sheet: `--good`. */
  colour: string
  /** Null: nothing then. */
  values: (number | null)[]
  /** `area`: what the plot is about. `dashed`: what it is compared with. */
  look?: 'area' | 'dashed'
}

interface Props {
  title: string
  /** ISO 8601; the beginning of each bucket. */
  times: string[]
  series: Series[]
  /** Of moments, each with a point; else of days, with a line through them. */
  isOfMoments?: boolean
  /** The buckets are hours. */
  isByHour?: boolean
}

const height = 220
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })
const hours = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** What a step of the axis is long enough to say. */
const marks = [
  { seconds: 86_400, says: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }) },
  { seconds: 60, says: new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }) },
  { seconds: 0, says: new Intl.DateTimeFormat(locale, { timeStyle: 'medium', timeZone: 'UTC' }) },
]

function atAxis(at: number, step: number): string {
  return marks.find(({ seconds }) => step >= seconds)?.says.format(new Date(at * 1_000)) ?? ''
}

function timeOf({ isOfMoments = false, isByHour = false }: Pick<Props, 'isOfMoments' | 'isByHour'>) {
  if (isOfMoments) return moments
  return isByHour ? hours : days
}

/** A day without any is a day with none. */
function toCell(value: number | null | undefined, isOfMoments: boolean): string {
  return value == null && isOfMoments ? '' : count(value ?? 0)
}

export function Chart(props: Props) {
  const { title } = props
  const [isTable, setTable] = useState(false)
  return (
    <figure>
      <figcaption class="title">
        <strong>{title}</strong>
        <button type="button" class="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? words.asPlot : words.asTable}
        </button>
      </figcaption>
      {isTable ? <Figures {...props} /> : <Plot {...props} />}
    </figure>
  )
}

function Figures({ title, times, series, isOfMoments = false, isByHour = false }: Props) {
  const time = timeOf({ isOfMoments, isByHour })
  return (
    <table class="figures">
      <caption class="unseen">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{words.time}</th>
          {series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {times.map((begin, at) => (
          <tr key={`${begin} ${at}`}>
            <th scope="row">{time.format(new Date(begin))}</th>
            {series.map(({ name, values }) => (
              <td key={name} data-name={name}>
                {toCell(values[at], isOfMoments)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Plot({ times, series, isOfMoments = false, isByHour = false }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const isDark = useIsDark()
  useEffect(() => {
    const element = place.current
    if (!element) return
    const plot = draw(element, { times, series, isOfMoments, isByHour })
    const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    watch.observe(element)
    return () => {
      watch.disconnect()
      plot.destroy()
    }
  }, [times, series, isDark])
  // The table has the data; a screen reader reads the totals beside the plot.
  return <div ref={place} class="plot" aria-hidden="true" />
}

/** The colours of a plot are those of the scheme in which it was drawn, so it is drawn anew in another. */
function useIsDark(): boolean {
  const scheme = window.matchMedia('(prefers-color-scheme: dark)')
  const [isDark, setDark] = useState(scheme.matches)
  useEffect(() => {
    const follow = () => setDark(scheme.matches)
    scheme.addEventListener('change', follow)
    return () => scheme.removeEventListener('change', follow)
  }, [])
  return isDark
}

function draw(element: HTMLElement, { times, series, isOfMoments, isByHour }: Omit<Required<Props>, 'title'>): uPlot {
  const time = timeOf({ isOfMoments, isByHour })
  const colours = getComputedStyle(element)
  const ink = colours.getPropertyValue('--muted')
  const line = colours.getPropertyValue('--line')
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } }
  const options: uPlot.Options = {
    width: element.clientWidth,
    height,
    tzDate: (at) => uPlot.tzDate(new Date(at * 1_000), 'UTC'),
    axes: [
      { ...axis, space: 70, values: (_, splits, __, ___, seconds) => splits.map((at) => atAxis(at, seconds)) },
      { ...axis, size: 56, values: (_, splits) => splits.map((one) => count(one)) },
    ],
    scales: { y: { range: (_, __, most) => [0, Math.max(4, most * 1.1)] } },
    series: [
      { label: words.time, value: (_, at) => (at === null ? '' : time.format(new Date(at * 1_000))) },
      ...series.map(({ name, colour, look }) => {
        const stroke = colours.getPropertyValue(colour)
        const points = { show: isOfMoments, size: 8, fill: stroke }
        const isArea = look === 'area' && { fill: colours.getPropertyValue('--chosen') }
        const isDashed = look === 'dashed' && { dash: [4, 4] }
        return {
          label: name,
          stroke,
          width: 2,
          points,
          ...isArea,
          ...isDashed,
          ...(isOfMoments && { paths: () => null }),
        }
      }),
    ],
  }
  const seconds = times.map((time) => new Date(time).getTime() / 1_000)
  return new uPlot(options, [seconds, ...series.map(({ values }) => values)], element)
}
