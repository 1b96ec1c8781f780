// The events of the payment provider that become contact events: one table that says of each type who it is about and what it carries.
// Paths are members of the event's object; the first that holds something counts. What is not in the table is archived and ignored.

import { parseContactFields } from '../contacts/fields.ts'
import { parseAddress } from '../lib/email-address.ts'
import { ownValue } from '../lib/own-value.ts'
import { lookUp, type Values } from '../rendering/fill.ts'

export interface PaymentType {
  /** Where else than in everyUserId and everyEmail this type may tell who it is about. */
  userId?: string[]
  email?: string[]
  /** The provider's ids that are learnt and later recognised: the customer first. */
  links: string[]
  amount?: string[]
  status?: string[]
  plan?: string[]
  periodEnd?: string[]
  /** The event is the end of somebody: nobody is made of it. */
  isGone?: true
}

/** Our id of the person, as they were told to the provider. */
const everyUserId = ['metadata.userId', 'client_reference_id']
const everyEmail = ['customer_details.email', 'customer_email', 'receipt_email', 'billing_details.email', 'email']

const customer: PaymentType = {
  links: ['id'],
}

const checkout: PaymentType = {
  email: ['customer.email'],
  links: ['customer', 'payment_intent', 'subscription', 'invoice'],
  amount: ['amount_total'],
  status: ['payment_status'],
}

const subscription: PaymentType = {
  email: ['customer.email'],
  links: ['customer', 'id'],
  amount: ['items.data.0.price.unit_amount', 'plan.amount'],
  status: ['status'],
  plan: ['items.data.0.price.id', 'plan.id'],
  periodEnd: ['current_period_end', 'items.data.0.current_period_end'],
}

const ofInvoice: Omit<PaymentType, 'amount'> = {
  userId: ['subscription_details.metadata.userId', 'parent.subscription_details.metadata.userId'],
  email: ['customer.email'],
  links: ['customer', 'charge', 'payment_intent', 'subscription', 'parent.subscription_details.subscription'],
  status: ['status'],
  plan: ['lines.data.0.pricing.price_details.price', 'lines.data.0.price.id', 'lines.data.0.plan.id'],
  periodEnd: ['lines.data.0.period.end', 'period_end'],
}
const invoicePaid: PaymentType = { ...ofInvoice, amount: ['amount_paid'] }
const invoiceDue: PaymentType = { ...ofInvoice, amount: ['amount_due'] }

const quote: PaymentType = {
  email: ['customer.email'],
  links: ['customer'],
  amount: ['amount_total'],
  status: ['status'],
}

/** Carries no customer: the charge or the payment leads to whom it is about. */
const dispute: PaymentType = {
  userId: ['charge.metadata.userId'],
  email: ['charge.receipt_email', 'charge.billing_details.email', 'evidence.customer_email_address'],
  links: ['charge.customer', 'charge', 'payment_intent'],
  amount: ['amount'],
  status: ['status'],
}

const table: Record<string, PaymentType> = {
  'charge.dispute.created': dispute,
  'charge.dispute.closed': dispute,
  'checkout.session.async_payment_succeeded': checkout,
  'checkout.session.async_payment_failed': checkout,
  'checkout.session.completed': checkout,
  'customer.created': customer,
  'customer.updated': customer,
  'customer.deleted': { ...customer, isGone: true },
  'customer.subscription.created': subscription,
  'customer.subscription.paused': subscription,
  'customer.subscription.resumed': subscription,
  'customer.subscription.trial_will_end': subscription,
  'customer.subscription.deleted': subscription,
  'invoice.paid': invoicePaid,
  'invoice.payment_failed': invoiceDue,
  'invoice.upcoming': invoiceDue,
  'quote.finalized': quote,
  'quote.accepted': quote,
  'quote.canceled': quote,
}

/** In the order of the specification. */
export const supportedTypes = Object.keys(table)

export function paymentTypeOf(type: string): PaymentType | null {
  return ownValue(table, type) ?? null
}

/** An event as the provider sends it, as far as it was looked at. */
export interface ProviderEvent {
  id: string
  type: string
  /** Seconds since 1970; null in events that carry no object ("thin" ones). */
  created: number | null
  livemode: boolean
  object: Values
}

/** What identifies a person, the surest first. */
export interface Identification {
  userIds: string[]
  emails: string[]
  links: string[]
}

export function identificationOf(type: PaymentType, { object }: ProviderEvent): Identification {
  return {
    userIds: texts(object, [...everyUserId, ...(type.userId ?? [])]),
    emails: texts(object, [...everyEmail, ...(type.email ?? [])]),
    links: texts(object, type.links),
  }
}

/** What the provider knows of the person, as a contact holds it. */
export interface Profile {
  /** Undefined where none is named, or nobody is to be made. */
  email?: string
  userId?: string
  firstName?: string
  lastName?: string
  locale?: string
}

const names = [
  'customer_details.name',
  'customer_name',
  'billing_details.name',
  'customer.name',
  'charge.billing_details.name',
]

/** More is nobody's name. */
const maxNameLength = 1_000

/** What would be refused of a caller (too long, no address, no locale) is left out: the event itself counts. */
export function profileOf(type: PaymentType, event: ProviderEvent): Profile {
  const { userIds, emails } = identificationOf(type, event)
  const isCustomer = type.links === customer.links
  const [written = ''] = texts(event.object, isCustomer ? ['name'] : names)
  const name = written.length > maxNameLength ? '' : written.trim()
  const words = name.split(/\s+/)
  const locale = isCustomer ? texts(event.object, ['preferred_locales.0'])[0] : undefined
  const said: Record<string, unknown> = {
    email: type.isGone ? undefined : emails.find((one) => parseAddress(one).ok),
    userId: userIds[0],
    firstName: words.length > 1 ? words.slice(0, -1).join(' ') : name,
    lastName: words.length > 1 ? words.at(-1) : undefined,
    locale,
  }
  const valid = Object.entries(said).filter(
    ([field, value]) => value !== '' && parseContactFields({ [field]: value }).errors.length === 0,
  )
  const { email, userId, firstName, lastName, locale: tag } = parseContactFields(Object.fromEntries(valid)).fields
  return defined({ email, userId, firstName, lastName, locale: tag })
}

function defined(profile: Record<keyof Profile, string | null | undefined>): Profile {
  return Object.fromEntries(Object.entries(profile).filter(([, value]) => value))
}

/** The properties of the contact event. Amounts in the minor unit, times in ISO 8601. */
export function propertiesOf(type: PaymentType, event: ProviderEvent): Record<string, unknown> {
  const { id, created, livemode, object } = event
  const [objectId = null] = texts(object, ['id'])
  const isCustomer = type.links === customer.links
  const [customerId = null] = texts(object, [isCustomer ? 'id' : 'customer', 'charge.customer'])
  const [currency = null] = texts(object, ['currency', 'items.data.0.price.currency'])
  const plan = first(object, type.plan)
  const periodEnd = first(object, type.periodEnd)
  return {
    provider_event_id: id,
    object_id: objectId,
    customer_id: customerId,
    amount: first(object, type.amount) ?? null,
    currency: currency?.toLowerCase() ?? null,
    status: first(object, type.status) ?? null,
    occurred_at: created === null ? null : isoTime(created),
    livemode,
    ...(typeof plan === 'string' ? { plan } : {}),
    ...(typeof periodEnd === 'number' ? { period_end: isoTime(periodEnd) } : {}),
  }
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString()
}

function first(object: Values, paths: string[] = []): unknown {
  return paths.map((path) => at(object, path)).find((value) => value !== undefined && value !== null)
}

/** Each path's text; of an object that the provider has put in place of an id, the id. */
function texts(object: Values, paths: string[]): string[] {
  return paths.flatMap((path) => {
    const value = at(object, path)
    const text = typeof value === 'object' && value !== null && 'id' in value ? value.id : value
    return typeof text === 'string' && text !== '' ? [text] : []
  })
}

/** As lookUp(), and through lists by number. */
function at(object: Values, path: string): unknown {
  let current: unknown = object
  for (const key of path.split('.')) {
    if (Array.isArray(current)) current = current[Number(key)]
    else if (typeof current === 'object' && current !== null) current = lookUp(current as Values, key)
    else return undefined
  }
  return current
}
