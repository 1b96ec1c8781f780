// The exports of services for newsletters: MailerLite, Kit, Ghost, Beehiiv, Customer.io and Substack.

import { parseForeignJson } from '../../../kit/json.ts'
import type { ConsentState } from '../../contacts/imports/consent.ts'
import type { ListState } from '../../contacts/imports/evidence.ts'
import type { FoundExport, Service } from './export-service.ts'
import { nameFields, type Person } from './people.ts'
import { type ExportRow, type Json, object, objects, readTime, text } from './records.ts'

type Name = 'mailerlite' | 'kit' | 'ghost' | 'beehiiv' | 'customerio' | 'substack'

/** Beehiiv calls inactive who left; elsewhere it is who never confirmed. */
const beehiivStates = { inactive: 'unsubscribed' }

export const newsletterServices: Record<Name, Service> = {
  mailerlite: {
    skip: [
      ...['id', 'sent', 'opens', 'opened', 'opensrate', 'openrate', 'clicks', 'clicked', 'clicksrate', 'clickrate'],
      ...['subscribedat', 'signupdate', 'confirmationdate', 'optedinat', 'optinip', 'ipaddress', 'createdat'],
      ...['updatedat', 'timestamp'],
    ],
    email: 'subscriber',
    // When, and not whether: who is in the file depends on what was exported.
    meanings: { subscribed: 'nothing', unsubscribed: 'optedOut', unsubscribedat: 'optedOut' },
    agreedAt: ['confirmationdate', 'optedinat', 'subscribed', 'subscribedat', 'signupdate'],
    leftAt: ['unsubscribed', 'unsubscribedat'],
    ip: ['optinip', 'ipaddress'],
    ofFile: (name) => ofState(/(unsubscribed|unconfirmed|bounced|junk)/i.exec(name)?.[1]?.toLowerCase()),
    person: mailerlitePerson,
  },
  kit: {
    skip: ['id', 'subscriberid', 'createdat', 'subscribedat'],
    agreedAt: ['subscribedat', 'createdat'],
    leftAt: [],
    person: kitPerson,
  },
  ghost: {
    skip: ['id', 'uuid', 'createdat', 'updatedat', 'deletedat', 'lastseenat'],
    agreedAt: ['createdat'],
    leftAt: [],
    person: ghostPerson,
  },
  beehiiv: {
    skip: ['id', 'subscriptionid', 'subscriberid', 'created', 'createdat', 'subscribedat', 'unsubscribedat'],
    meanings: { subscriptiontier: 'property', subscriptionpremiumtiernames: 'property' },
    states: beehiivStates,
    agreedAt: ['subscribedat', 'createdat', 'created'],
    leftAt: ['unsubscribedat'],
    person: beehiivPerson,
  },
  customerio: {
    skip: ['id', 'cioid', 'createdat', 'ciosubscriptionpreferences'],
    // What is not set there is a yes to them; here it says nothing.
    agreedAt: ['createdat'],
    leftAt: [],
    lists: readTopics,
  },
  substack: {
    skip: ['createdat', 'firstpaymentat'],
    // The list is of those who signed up; whoever left it has their mail disabled. The paid subscription is another thing.
    meanings: { emaildisabled: 'unsubscribed', activesubscription: 'property', subscriptionexpiry: 'property' },
    agreedAt: ['createdat'],
    leftAt: [],
  },
}

const stateWords = new Map<string, ConsentState>([
  ['unsubscribed', 'unsubscribed'],
  ['unconfirmed', 'unconfirmed'],
  ['bounced', 'hardBounce'],
  ['junk', 'complaint'],
])

function ofState(word: string | undefined): ConsentState | null {
  return stateWords.get(word ?? '') ?? null
}

function mailerlitePerson(value: Json, place: string, { now }: FoundExport): Person | null {
  if (typeof value['email'] !== 'string' || typeof value['status'] !== 'string') return null
  const { name, last_name: lastName, ...fields } = object(value['fields'])
  const groups = objects(value['groups']).map((group) => text(group['name']))
  const hasLeft = value['status'] === 'unsubscribed'
  const ip = text(value['optin_ip'])
  return {
    email: value['email'],
    place,
    says: null,
    at: readTime(text(hasLeft ? value['unsubscribed_at'] : (value['opted_in_at'] ?? value['subscribed_at'])), now),
    ...(hasLeft || ip === '' ? {} : { ip }),
    fields: { firstName: text(name), lastName: text(lastName) },
    properties: { ...fields, status: value['status'] },
    lists: groups.map((group) => [group, 'active']),
  }
}

function kitPerson(value: Json, place: string, { now }: FoundExport): Person | null {
  const email = value['email_address'] ?? value['email']
  if (typeof email !== 'string') return null
  return {
    email,
    place,
    says: null,
    at: readTime(text(value['created_at']), now),
    fields: { firstName: text(value['first_name']) },
    properties: { ...object(value['fields']), state: text(value['state']) },
  }
}

function ghostPerson(value: Json, place: string, { now }: FoundExport): Person | null {
  if (typeof value['email'] !== 'string' || typeof value['subscribed'] !== 'boolean') return null
  const { suppressed, info } = object(value['email_suppression'])
  const why = text(object(info)['reason'])
  const suppression: ConsentState = /spam|complain/i.test(why) ? 'complaint' : 'hardBounce'
  const labels = objects(value['labels']).map((label) => text(label['name']))
  const newsletters = objects(value['newsletters']).map((one) => text(one['name']))
  return {
    email: value['email'],
    place,
    says: suppressed === true ? suppression : value['subscribed'] ? 'subscribed' : 'unsubscribed',
    at: value['subscribed'] ? readTime(text(value['created_at']), now) : null,
    fields: nameFields(text(value['name'])),
    properties: { note: value['note'], labels },
    lists: newsletters.map((name) => [name, 'active']),
  }
}

function beehiivPerson(value: Json, place: string, { now }: FoundExport): Person | null {
  if (typeof value['email'] !== 'string' || typeof value['status'] !== 'string') return null
  const own = objects(value['custom_fields']).map((one) => [text(one['name']), one['value']] as const)
  const state = value['status'].toLowerCase()
  return {
    email: value['email'],
    place,
    says: null,
    at: state === 'inactive' ? null : readTime(text(value['created']), now),
    properties: {
      ...Object.fromEntries(own),
      tags: value['tags'],
      status: state === 'inactive' ? beehiivStates.inactive : state,
    },
  }
}

/** `{"topics":{"topic_1":false}}` */
function readTopics(row: ExportRow): [string, ListState][] {
  const topics = topicsIn(row.cell('ciosubscriptionpreferences'))
  return Object.entries(topics).map(([name, is]) => [
    `Customer.io ${name}`,
    is === true || is === 'true' ? 'active' : 'left',
  ])
}

function topicsIn(cell: string): Json {
  try {
    return object(object(parseForeignJson(cell || '{}'))['topics'])
  } catch {
    return {}
  }
}
