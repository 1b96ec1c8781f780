// Calendar files (RFC 5545) as text: each event with what it says of itself. Rules of repetition stand as they are written and are never
// worked out, so one that repeats every second for ever costs nothing.

import { fromLocal, isTimeZone, parseLocalTime } from '../../kit/local-time.ts'
import { ownValue } from '../../kit/own-value.ts'
import { type ShownWriter, UnreadableFile } from './reading.ts'

interface Property {
  name: string
  parameters: Map<string, string>
  value: string
}

/** What people are shown of an event, in the words of a calendar. */
const labels: Record<string, string> = {
  summary: 'title',
  status: 'status',
  dtstart: 'starts',
  dtend: 'ends',
  due: 'due',
  duration: 'lasts',
  rrule: 'repeats',
  rdate: 'also on',
  exdate: 'not on',
  'recurrence-id': 'instead of',
  location: 'place',
  organizer: 'organizer',
  attendee: 'attendee',
  url: 'link',
  attach: 'attached',
  description: 'description',
  uid: 'id',
}
const ofCalendar: Record<string, string> = { method: 'method', 'x-wr-calname': 'calendar' }
const components: Record<string, string> = {
  vevent: 'event',
  vtodo: 'task',
  vjournal: 'note',
  vfreebusy: 'free or busy',
}
const times = new Set(['dtstart', 'dtend', 'due', 'exdate', 'rdate', 'recurrence-id'])
const people = new Set(['organizer', 'attendee'])
const texts = new Set(['summary', 'location', 'description', 'x-wr-calname'])
const maxDepth = 8

/** Throws UnreadableFile, and WriterFull. */
export function readCalendar(text: string, writer: ShownWriter): void {
  const inside: string[] = []
  let hasCalendar = false
  for (const line of unfolded(text)) {
    const property = parseProperty(line)
    if (property === null) continue
    const { name, value } = property
    const component = value.trim().toLowerCase()
    if (name === 'begin') {
      if (inside.length === maxDepth) throw new UnreadableFile(`Its components are more than ${maxDepth} deep.`)
      inside.push(component)
      hasCalendar ||= component === 'vcalendar'
      const word = ownValue(components, component)
      if (word !== undefined && inside.length === 2) writer.add(`\n[${word}]\n`)
    } else if (name === 'end') {
      if (inside.at(-1) === component) inside.pop()
    } else write(property, inside, writer)
  }
  if (!hasCalendar) throw new UnreadableFile('It is no calendar: it has no VCALENDAR.')
  if (inside.length > 0) writer.cut()
}

function write(property: Property, inside: string[], writer: ShownWriter): void {
  const [outer = '', component = ''] = inside
  if (outer !== 'vcalendar' || inside.length > 2) return
  const isEvent = inside.length === 2 && ownValue(components, component) !== undefined
  const label = ownValue(isEvent ? labels : inside.length === 1 ? ofCalendar : {}, property.name)
  if (label !== undefined) writer.add(`${label}: ${shownValue(property)}\n`)
}

function shownValue({ name, parameters, value }: Property): string {
  if (times.has(name))
    return value
      .split(',')
      .map((one) => shownTime(one, parameters.get('tzid')))
      .join(', ')
  if (people.has(name)) return shownPerson(value, parameters)
  return texts.has(name) ? unescaped(value) : value
}

const timeShape = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/

/** `20260105T100000` in Europe/Berlin is `2026-01-05 10:00 Europe/Berlin (2026-01-05T09:00:00Z)`; a zone that is not known stays as it is written. */
function shownTime(value: string, zone: string | undefined): string {
  const [whole, year, month, day, hour, minute, second, utc] = timeShape.exec(value.trim()) ?? []
  if (whole === undefined) return value
  const date = `${year}-${month}-${day}`
  if (hour === undefined) return date
  const time = `${hour}:${minute}${second === '00' ? '' : `:${second}`}`
  if (utc === 'Z') return `${date} ${time} UTC`
  if (zone === undefined) return `${date} ${time}`
  const local = parseLocalTime(`${date}T${hour}:${minute}:${second}`)
  if (local === null || !isTimeZone(zone)) return `${date} ${time} ${zone}`
  return `${date} ${time} ${zone} (${fromLocal(local, zone).toISOString().replace('.000', '')})`
}

function shownPerson(value: string, parameters: Map<string, string>): string {
  const address = value.replace(/^mailto:/i, '')
  const name = parameters.get('cn')
  const answer = parameters.get('partstat')
  return `${name === undefined ? address : `${name} <${address}>`}${answer === undefined ? '' : ` (${answer.toLowerCase()})`}`
}

function unescaped(value: string): string {
  return value.replace(/\\([\\;,nN])/g, (_, char: string) => (char.toLowerCase() === 'n' ? '\n' : char))
}

/** A line that begins with a space goes on with the one before (3.1). */
function* unfolded(text: string): Generator<string> {
  let parts: string[] = []
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)) {
    if (/^[ \t]/.test(line)) parts.push(line.slice(1))
    else {
      if (parts.length > 0) yield parts.join('')
      parts = [line]
    }
  }
  if (parts.length > 0) yield parts.join('')
}

const parameterShape = /;([A-Za-z0-9-]{1,64})=("[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*/y

/** `NAME;PARAMETER="of it":value`; null for a line that is none. Of a list of values the first is taken. */
function parseProperty(line: string): Property | null {
  const name = /^[A-Za-z0-9-]{1,64}/.exec(line)?.[0]
  if (name === undefined) return null
  const parameters = new Map<string, string>()
  let at = name.length
  while (line[at] === ';') {
    parameterShape.lastIndex = at
    const [whole, key = '', value = ''] = parameterShape.exec(line) ?? []
    if (whole === undefined) return null
    parameters.set(key.toLowerCase(), value.replace(/^"|"$/g, ''))
    at += whole.length
  }
  return line[at] === ':' ? { name: name.toLowerCase(), parameters, value: line.slice(at + 1) } : null
}
