// The export formats of other services, as they document them: the meaning of each column, which times prove consent, and the shapes of API
// objects. Every other attribute of a person becomes a property.

import { parseForeignJson } from '../../../kit/json.ts'
import { ownValue } from '../../../kit/own-value.ts'
import { findField } from '../../contacts/imports/columns.ts'
import { type ConsentState, strictestSays } from '../../contacts/imports/consent.ts'
import { headerKey } from '../../contacts/imports/headers.ts'
import type { FoundExport, Service } from './export-service.ts'
import { newsletterServices } from './newsletter-services.ts'
import { flat, nameFields, type People, type Person, type PersonField } from './people.ts'
import { type ExportRow, type Json, object, objects, readTime, text } from './records.ts'

export const formats = [
  ...(['listmonk', 'mailchimp', 'loops', 'resend', 'brevo', 'sendy', 'ses-suppression'] as const),
  ...(['mailerlite', 'kit', 'ghost', 'beehiiv', 'customerio', 'substack'] as const),
] as const
export type Format = (typeof formats)[number]

export const services: Record<Format, Service> = {
  listmonk: {
    skip: ['uuid', 'id', 'createdat', 'updatedat', 'attributes'],
    agreedAt: ['createdat'],
    leftAt: ['updatedat'],
    other: listmonkOther,
    person: listmonkPerson,
    dialect: 'listmonk',
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
    dialect: 'mailchimp',
  },
  loops: { skip: ['id', 'createdat', 'contactid'], agreedAt: ['createdat'], leftAt: [] },
  resend: {
    skip: ['id', 'createdat', 'audienceid', 'object'],
    agreedAt: ['createdat'],
    leftAt: [],
    person: resendPerson,
    dialect: 'mailchimp',
  },
  brevo: {
    // EMAIL_MARKETING says who agreed; DOUBLE_OPT-IN only how.
    skip: ['contactid', 'id', 'addedtime', 'modifiedtime', 'createdat', 'modifiedat', 'listids', 'doubleoptin'],
    agreedAt: ['doubleoptin', 'addedtime', 'createdat'],
    leftAt: ['modifiedtime', 'modifiedat'],
    other: brevoOther,
    person: brevoPerson,
    dialect: 'brevo',
  },
  sendy: {
    skip: ['id', 'timestamp', 'joindate', 'lastactivity'],
    agreedAt: ['joindate', 'timestamp'],
    leftAt: ['timestamp'],
    dialect: 'mailchimp',
  },
  'ses-suppression': { skip: [], agreedAt: [], leftAt: ['lastupdatetime'], person: suppressedAddress },
  ...newsletterServices,
}

/** A row of a CSV, or an object without others in it. */
export function personOfRow(
  format: Format,
  row: ExportRow,
  fileName: string,
  { people, columns, now }: FoundExport,
): Person | { fault: string } {
  const service = services[format]
  const rest = row.rest(new Set(['name', 'reason', 'lastupdatetime']))
  const fields = rest.flatMap(([header, cell]): [string, string][] => {
    const field = headerKey(header) === service.email ? 'email' : findField(headerKey(header))
    return field === null || field === 'mailingLists' ? [] : [[field, cell.trim()]]
  })
  const isField = (header: string) => headerKey(header) === service.email || findField(headerKey(header)) !== null
  const attributes = format === 'listmonk' ? readAttributes(row, people) : {}
  const others = rest
    .filter(([header]) => !isField(header))
    .map(([header, cell]) => ownState(service, header, cell.trim()))
  const read = columns.read([...others, ...flat(attributes, '')])
  if ('fault' in read) return read
  const told = format === 'ses-suppression' ? readReason(row.cell('reason')) : read.says
  if (told !== null && typeof told === 'object') return told
  const says = strictestSays(told, service.ofFile?.(fileName) ?? null)
  const hasLeft = says !== null && says !== 'subscribed' && says !== 'unconfirmed'
  const times = (hasLeft ? service.leftAt : service.agreedAt).map((key) => readTime(row.cell(key), now))
  const ip = hasLeft ? undefined : (service.ip ?? []).map((key) => row.cell(key)).find((one) => one !== '')
  const { email = '', ...own } = Object.fromEntries(fields)
  const named = row.cell('mailinglists').split(/[,|;]/)
  const lists = named.map((one) => one.trim()).filter(Boolean)
  return {
    email,
    place: row.place,
    says,
    at: times.find((one) => one !== null) ?? null,
    ...(ip === undefined ? {} : { ip }),
    fields: { ...nameFields(row.cell('name')), ...(own as Partial<Record<PersonField, string>>) },
    properties: Object.fromEntries(read.others),
    lists: [...lists.map((name): [string, 'active'] => [name, 'active']), ...(service.lists?.(row) ?? [])],
  }
}

function ownState({ states = {} }: Service, header: string, cell: string): [string, string] {
  return [header, headerKey(header) === 'status' ? (ownValue(states, cell.toLowerCase()) ?? cell) : cell]
}

/** Of an object: what its properties say of consent counts too, however deep they stand. */
export function withConsentOfProperties(person: Person, { columns }: FoundExport): Person | { fault: string } {
  const read = columns.read(flat(person.properties ?? {}, ''))
  if ('fault' in read) return read
  return { ...person, says: strictestSays(person.says, read.says), properties: Object.fromEntries(read.others) }
}

function readAttributes(row: ExportRow, people: People): Json {
  const cell = row.cell('attributes')
  if (cell === '') return {}
  try {
    return object(parseForeignJson(cell))
  } catch {
    people.note(`${row.place}: its attributes are not JSON, and were left out`)
    return {}
  }
}

/** `enabled` says nothing: the lists do. */
const listmonkStatus = new Map<string, ConsentState>([
  ['blocklisted', 'manual'],
  ['disabled', 'unsubscribed'],
])

function listmonkPerson(value: Json, place: string, { now, stated }: FoundExport): Person | null {
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
    at: readTime(text(value['created_at']), now),
    fields: nameFields(text(value['name'])),
    properties: object(value['attribs']),
    lists: subscriptions.map(({ name, status, isDouble }) => {
      if (status === 'unsubscribed') return [name, 'left']
      // On a list of single opt-in nobody ever confirms; only the caller knows whether they agreed.
      return [name, status === 'confirmed' || (!isDouble && stated) ? 'active' : 'waits']
    }),
  }
}

function listmonkOther(value: Json, place: string, { lists, templates, people }: FoundExport): boolean {
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

function ofMailchimpFile(name: string): ConsentState | null {
  if (/non-?_?subscribed/i.test(name)) return 'unconfirmed'
  if (/unsubscribed/i.test(name)) return 'unsubscribed'
  if (/cleaned/i.test(name)) return 'hardBounce'
  return /subscribed/i.test(name) ? 'subscribed' : null
}

function resendPerson(value: Json, place: string, { now }: FoundExport): Person | null {
  if (typeof value['email'] !== 'string' || typeof value['unsubscribed'] !== 'boolean') return null
  return {
    email: value['email'],
    place,
    says: value['unsubscribed'] ? 'unsubscribed' : 'subscribed',
    at: value['unsubscribed'] ? null : readTime(text(value['created_at']), now),
    fields: { firstName: text(value['first_name']), lastName: text(value['last_name']) },
    properties: object(value['properties']),
  }
}

function brevoPerson(value: Json, place: string, { listNames, now }: FoundExport): Person | null {
  if (typeof value['email'] !== 'string') return null
  const { FIRSTNAME, LASTNAME, ...attributes } = object(value['attributes'])
  const ids = Array.isArray(value['listIds']) ? value['listIds'].map(text) : []
  const left = Array.isArray(value['listUnsubscribed']) ? value['listUnsubscribed'].map(text) : []
  const named = (id: string) => listNames.get(id) ?? `Brevo list ${id}`
  return {
    email: value['email'],
    place,
    says: value['emailBlacklisted'] === true ? 'manual' : null,
    at: readTime(text(value[value['emailBlacklisted'] === true ? 'modifiedAt' : 'createdAt']), now),
    fields: { firstName: text(FIRSTNAME), lastName: text(LASTNAME) },
    properties: attributes,
    lists: [
      ...ids.map((id): [string, 'active'] => [named(id), 'active']),
      ...left.map((id): [string, 'left'] => [named(id), 'left']),
    ],
  }
}

function brevoOther(value: Json, _: string, { lists, listNames, templates }: FoundExport): boolean {
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

function readReason(reason: string): ConsentState | { fault: string } {
  if (/^bounce$/i.test(reason)) return 'hardBounce'
  if (/^complaint$/i.test(reason)) return 'complaint'
  return { fault: `the reason ${JSON.stringify(reason.slice(0, 80))} is neither BOUNCE nor COMPLAINT` }
}

function suppressedAddress(value: Json, place: string, { now }: FoundExport): Person | { fault: string } | null {
  const email = text(value['EmailAddress'] ?? value['emailAddress'])
  if (email === '') return null
  const says = readReason(text(value['Reason'] ?? value['reason']))
  if (typeof says === 'object') return says
  return { email, place, says, at: readTime(text(value['LastUpdateTime'] ?? value['lastUpdateTime']), now) }
}
