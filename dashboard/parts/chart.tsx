// Figures over time as a plot, and the same as a table for those who would rather read it.

import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { count, inLanguage, language } from '../words.ts'

const words = inLanguage({
  en: { asTable: 'Show as a table', asPlot: 'Show as a plot', time: 'Time (UTC)' },
  de: { asTable: 'Als Tabelle zeigen', asPlot: 'Als Bild zeigen', time: 'Zeit (UTC)' },
})

export interface Series {
  name: string
  /** A custom property of the style sheet: `--good`. */
  colour: string
  values: number[]
}

interface Props {
  title: string
  /** ISO 8601; the beginning of each bucket. */
  times: string[]
  series: Series[]
}

const height = 220
const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })

export function Chart({ title, times, series }: Props) {
  const [isTable, setTable] = useState(false)
  return (
    <figure>
      <figcaption class="title">
        <strong>{title}</strong>
        <button type="button" class="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? words.asPlot : words.asTable}
        </button>
      </figcaption>
      {isTable ? <Figures title={title} times={times} series={series} /> : <Plot times={times} series={series} />}
    </figure>
  )
}

function Figures({ title, times, series }: Props) {
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
        {times.map((time, at) => (
          <tr key={time}>
            <th scope="row">{days.format(new Date(time))}</th>
            {series.map(({ name, values }) => (
              <td key={name} data-name={name}>
                {count(values[at] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Plot({ times, series }: Omit<Props, 'title'>) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const plot = draw(element, times, series)
    const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    watch.observe(element)
    return () => {
      watch.disconnect()
      plot.destroy()
    }
  }, [times, series])
  // What it shows is in the table; a screen reader is told the totals beside it.
  return <div ref={place} class="plot" aria-hidden="true" />
}

function draw(element: HTMLElement, times: string[], series: Series[]): uPlot {
  const colours = getComputedStyle(element)
  const ink = colours.getPropertyValue('--muted')
  const line = colours.getPropertyValue('--line')
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } }
  const options: uPlot.Options = {
    width: element.clientWidth,
    height,
    tzDate: (at) => uPlot.tzDate(new Date(at * 1_000), 'UTC'),
    axes: [axis, { ...axis, size: 56, values: (_, splits) => splits.map((one) => count(one)) }],
    scales: { y: { range: (_, __, most) => [0, Math.max(4, most * 1.1)] } },
    series: [
      { value: (_, at) => (at === null ? '' : days.format(new Date(at * 1_000))) },
      ...series.map(({ name, colour }) => ({
        label: name,
        stroke: colours.getPropertyValue(colour),
        width: 2,
        points: { show: false },
      })),
    ],
  }
  const seconds = times.map((time) => new Date(time).getTime() / 1_000)
  return new uPlot(options, [seconds, ...series.map(({ values }) => values)], element)
}
