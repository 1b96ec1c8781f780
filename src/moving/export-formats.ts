// What each service writes into its exports, as it documents them: which columns mean what, which times prove consent, and the shapes of
// the objects that its API answers. Whatever else a person has becomes a property.

import { fieldOf } from '../imports/columns.ts'
import { consentColumnOf, consentOfCells, type Says, strictestSays } from '../imports/consent.ts'
import type { FoundLists } from './lists.ts'
import type { People, Person, PersonField } from './people.ts'
import { keyOf, type Row, timeOf } from './records.ts'
import type { FoundTemplate } from './templates.ts'

export const formats = ['listmonk', 'mailchimp', 'loops', 'resend', 'brevo', 'sendy', 'ses-suppression'] as const
export type Format = (typeof formats)[number]

/** Where the readers put what they find. */
export interface Found {
  people: People
  lists: FoundLists
  templates: FoundTemplate[]
  /** The caller says that everybody agreed of whom the export says nothing. */
  stated: boolean
  now: Date
  /** Names of lists by the id that the service gave them. */
  listNames: Map<string, string>
}

type Json = Record<string, unknown>

interface Service {
  /** Headers, as keys, that say nothing about the person. */
  skip: string[]
  /** When somebody agreed, and when they left: the first that has a value counts. */
  agreedAt: string[]
  leftAt: string[]
  ip?: string[]
  /** What the name of the file says of everybody in it. */
  ofFile?(name: string): Says | null
  /** True when the object was understood otherwise than as a person. */
  other?(value: Json, place: string, found: Found): boolean
  /** A person as an object, where it is more than a flat row. */
  person?(value: Json, place: string, found: Found): Person | { fault: string } | null
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.map(object) : [])

export const services: Record<Format, Service> = {
  listmonk: {
    skip: ['uuid', 'id', 'createdat', 'updatedat', 'attributes'],
    agreedAt: ['createdat'],
    leftAt: ['updatedat'],
    other: listmonkOther,
    person: listmonkPerson,
  },
  mailchimp: {
    skip: [
      ...[
        'memberrating',
        'optintime',
        'optinip',
        'confirmtime',
        'confirmip',
        'latitude',
        'longitude',
        'gmtoff',
        'dstoff',
      ],
      ...['cc', 'region', 'lastchanged', 'leid', 'euid', 'unsubtime', 'unsubcampaigntitle', 'unsubcampaignid'],
      ...['unsubreason', 'unsubreasonother', 'cleantime', 'cleancampaigntitle', 'cleancampaignid'],
    ],
    agreedAt: ['confirmtime', 'optintime'],
    leftAt: ['unsubtime', 'cleantime'],
    ip: ['confirmip', 'optinip'],
    ofFile: ofMailchimpFile,
  },
  loops: { skip: ['id', 'createdat', 'contactid'], agreedAt: ['createdat'], leftAt: [] },
  resend: {
    skip: ['id', 'createdat', 'audienceid', 'object'],
    agreedAt: ['createdat'],
    leftAt: [],
    person: resendPerson,
  },
  brevo: {
    skip: ['contactid', 'id', 'addedtime', 'modifiedtime', 'createdat', 'modifiedat', 'listids'],
    agreedAt: ['doubleoptin', 'addedtime', 'createdat'],
    leftAt: ['modifiedtime', 'modifiedat'],
    other: brevoOther,
    person: brevoPerson,
  },
  sendy: {
    skip: ['id', 'timestamp', 'joindate', 'lastactivity'],
    agreedAt: ['joindate', 'timestamp'],
    leftAt: ['timestamp'],
  },
  'ses-suppression': { skip: [], agreedAt: [], leftAt: ['lastupdatetime'], person: suppressedAddress },
}

/** A row of a CSV, or an object without others in it. */
export function personOfRow(
  format: Format,
  row: Row,
  fileName: string,
  { people, now }: Found,
): Person | { fault: string } {
  const service = services[format]
  const rest = row.rest(new Set())
  const cells = rest.flatMap(([header, cell]) => {
    const column = consentColumnOf(keyOf(header))
    return column === null ? [] : [{ column, header, cell: cell.trim() }]
  })
  const told = format === 'ses-suppression' ? reasonOf(row.cell('reason')) : consentOfCells(cells)
  if (told !== null && typeof told === 'object') return told
  const says = strictestSays(told, service.ofFile?.(fileName) ?? null)
  const hasLeft = says !== null && says !== 'subscribed' && says !== 'unconfirmed'
  const times = (hasLeft ? service.leftAt : service.agreedAt).map((key) => timeOf(row.cell(key), now))
  const ip = hasLeft ? undefined : (service.ip ?? []).map((key) => row.cell(key)).find((one) => one !== '')
  const known = new Set([...service.skip, 'name', 'reason', 'lastupdatetime'])
  const own = rest.flatMap(([header, cell]): [string, string][] => {
    const field = fieldOf(keyOf(header))
    return field === null || field === 'email' || field === 'mailingLists' ? [] : [[field, cell.trim()]]
  })
  const others = rest.filter(
    ([header]) =>
      !known.has(keyOf(header)) && fieldOf(keyOf(header)) === null && consentColumnOf(keyOf(header)) === null,
  )
  const lists = row
    .cell('mailinglists')
    .split(/[,|;]/)
    .map((one) => one.trim())
    .filter(Boolean)
  const attributes = format === 'listmonk' ? attributesOf(row, people) : {}
  return {
    email: rest.find(([header]) => fieldOf(keyOf(header)) === 'email')?.[1].trim() ?? '',
    place: row.place,
    says,
    at: times.find((one) => one !== null) ?? null,
    ...(ip === undefined ? {} : { ip }),
    fields: { ...nameFields(row.cell('name')), ...(Object.fromEntries(own) as Partial<Record<PersonField, string>>) },
    properties: { ...Object.fromEntries(others.map(([header, cell]) => [header, cell.trim()])), ...attributes },
    lists: lists.map((name) => [name, 'active']),
  }
}

/** The first word is the first name: as listmonk and Sendy split it in their own mails. */
function nameFields(name: string): Partial<Record<PersonField, string>> {
  const [first = '', ...others] = name.trim().split(/\s+/)
  return first === '' ? {} : { firstName: first, ...(others.length > 0 ? { lastName: others.join(' ') } : {}) }
}

function attributesOf(row: Row, people: People): Json {
  const cell = row.cell('attributes')
  if (cell === '') return {}
  try {
    return object(JSON.parse(cell))
  } catch {
    people.note(`${row.place}: its attributes are not JSON, and were left out`)
    return {}
  }
}

/** `enabled` says nothing: the lists do. */
const listmonkStatus = new Map<string, Says>([
  ['blocklisted', 'manual'],
  ['disabled', 'unsubscribed'],
])

function listmonkPerson(value: Json, place: string, { now, stated }: Found): Person | null {
  if (typeof value['email'] !== 'string') return null
  const subscriptions = objects(value['lists']).map((list) => ({
    name: text(list['name']),
    status: text(list['subscription_status']),
    isDouble: list['optin'] === 'double',
  }))
  const has = (status: string) => subscriptions.some((one) => one.status === status)
  const isOpen = subscriptions.some(({ status, isDouble }) => status === 'unconfirmed' && !isDouble)
  const waits = has('unconfirmed') ? ('unconfirmed' as const) : has('unsubscribed') ? ('unsubscribed' as const) : null
  const byLists = has('confirmed') ? ('subscribed' as const) : isOpen ? null : waits
  return {
    email: value['email'],
    place,
    says: listmonkStatus.get(text(value['status'])) ?? byLists,
    at: timeOf(text(value['created_at']), now),
    fields: nameFields(text(value['name'])),
    properties: object(value['attribs']),
    lists: subscriptions.map(({ name, status, isDouble }) => {
      if (status === 'unsubscribed') return [name, 'left']
      // On a list of single opt-in nobody ever confirms; only the caller knows whether they agreed.
      return [name, status === 'confirmed' || (!isDouble && stated) ? 'active' : 'waits']
    }),
  }
}

function listmonkOther(value: Json, place: string, { lists, templates, people }: Found): boolean {
  const { name, type, optin, body, subject, content_type: contentType } = value as Record<string, unknown>
  if (typeof name !== 'string') return false
  if (optin === 'single' || optin === 'double') {
    lists.know(name, optin)
    return true
  }
  if (typeof body !== 'string') return false
  if (type === 'campaign_visual' || contentType === 'visual' || contentType === 'markdown' || contentType === 'plain')
    people.note(
      `${place}: ${JSON.stringify(name)} is ${text(contentType) || text(type)}, which is not converted; it was left out`,
    )
  else templates.push({ name, subject: text(subject) || name, html: body, dialect: 'listmonk' })
  return true
}

function ofMailchimpFile(name: string): Says | null {
  if (/non-?_?subscribed/i.test(name)) return 'unconfirmed'
  if (/unsubscribed/i.test(name)) return 'unsubscribed'
  if (/cleaned/i.test(name)) return 'hardBounce'
  return /subscribed/i.test(name) ? 'subscribed' : null
}

function resendPerson(value: Json, place: string, { now }: Found): Person | null {
  if (typeof value['email'] !== 'string' || typeof value['unsubscribed'] !== 'boolean') return null
  return {
    email: value['email'],
    place,
    says: value['unsubscribed'] ? 'unsubscribed' : 'subscribed',
    at: value['unsubscribed'] ? null : timeOf(text(value['created_at']), now),
    fields: { firstName: text(value['first_name']), lastName: text(value['last_name']) },
    properties: object(value['properties']),
  }
}

function brevoPerson(value: Json, place: string, { listNames, now }: Found): Person | null {
  if (typeof value['email'] !== 'string') return null
  const { FIRSTNAME, LASTNAME, ...attributes } = object(value['attributes'])
  const ids = Array.isArray(value['listIds']) ? value['listIds'].map(text) : []
  const left = Array.isArray(value['listUnsubscribed']) ? value['listUnsubscribed'].map(text) : []
  const named = (id: string) => listNames.get(id) ?? `Brevo list ${id}`
  return {
    email: value['email'],
    place,
    says: value['emailBlacklisted'] === true ? 'manual' : null,
    at: timeOf(text(value[value['emailBlacklisted'] === true ? 'modifiedAt' : 'createdAt']), now),
    fields: { firstName: text(FIRSTNAME), lastName: text(LASTNAME) },
    properties: attributes,
    lists: [
      ...ids.map((id): [string, 'active'] => [named(id), 'active']),
      ...left.map((id): [string, 'left'] => [named(id), 'left']),
    ],
  }
}

function brevoOther(value: Json, _: string, { lists, listNames, templates }: Found): boolean {
  const { id, name, htmlContent, subject } = value as Record<string, unknown>
  if (typeof name !== 'string' || typeof value['email'] === 'string') return false
  if (typeof htmlContent === 'string')
    templates.push({ name, subject: text(subject) || name, html: htmlContent, dialect: 'brevo' })
  else {
    listNames.set(text(id), name)
    lists.know(name)
  }
  return true
}

function reasonOf(reason: string): Says | { fault: string } {
  if (/^bounce$/i.test(reason)) return 'hardBounce'
  if (/^complaint$/i.test(reason)) return 'complaint'
  return { fault: `the reason ${JSON.stringify(reason.slice(0, 80))} is neither BOUNCE nor COMPLAINT` }
}

function suppressedAddress(value: Json, place: string, { now }: Found): Person | { fault: string } | null {
  const email = text(value['EmailAddress'] ?? value['emailAddress'])
  if (email === '') return null
  const says = reasonOf(text(value['Reason'] ?? value['reason']))
  if (typeof says === 'object') return says
  return { email, place, says, at: timeOf(text(value['LastUpdateTime'] ?? value['lastUpdateTime']), now) }
}
