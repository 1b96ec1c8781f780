// The provider's events that become contact events: for each type, one table row with whom it is about and what it carries. Paths are
// members of the event's object; the first with a value counts. Other types are archived and ignored.

import { parseAddress } from '../../../kit/email-address.ts'
import { ownValue } from '../../../kit/own-value.ts'
import { parseContactFields } from '../../contacts/fields.ts'
import { lookUp, type Values } from '../../content/rendering/fill.ts'

export interface PaymentType {
  /** Further places where this type may name its person, besides everyUserId and everyEmail. */
  userId?: string[]
  email?: string[]
  /** The provider's ids that are learnt and later recognized: the customer first. */
  links: string[]
  amount?: string[]
  status?: string[]
  plan?: string[]
  periodEnd?: string[]
  /** The event ends a customer, so it creates no contact. */
  isGone?: true
}

/** Our id of the person, as the caller gave it to the provider. */
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

/** Carries no customer: the charge or the payment identifies the person. */
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

export function findPaymentType(type: string): PaymentType | null {
  return ownValue(table, type) ?? null
}

/** An event of the provider, as far as it is read. */
export interface ProviderEvent {
  id: string
  type: string
  /** Seconds since 1970; null in events without an object ("thin" events). */
  created: number | null
  livemode: boolean
  object: Values
}

/** What identifies a person, the most reliable first. */
export interface Identification {
  userIds: string[]
  /** The first that is one: who it is must not depend on which of several is known here. */
  email: string | null
  links: string[]
}

export function identify(type: PaymentType, { object }: ProviderEvent): Identification {
  return {
    userIds: texts(object, [...everyUserId, ...(type.userId ?? [])]),
    email: texts(object, [...everyEmail, ...(type.email ?? [])]).find((one) => parseAddress(one).ok) ?? null,
    links: texts(object, type.links),
  }
}

/** What the provider knows about the person, in the form of contact fields. */
export interface Profile {
  /** Undefined when no address is named, or no contact is to be created. */
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

/** Longer than any name. */
const maxNameLength = 1_000

/** Values that would be refused from a caller (too long, not an address, not a locale) are left out, because the event itself counts. */
export function toProfile(type: PaymentType, event: ProviderEvent): Profile {
  const { userIds, email: address } = identify(type, event)
  const isCustomer = type.links === customer.links
  const [written = ''] = texts(event.object, isCustomer ? ['name'] : names)
  const name = written.length > maxNameLength ? '' : written.trim()
  const words = name.split(/\s+/)
  const locale = isCustomer ? texts(event.object, ['preferred_locales.0'])[0] : undefined
  const said: Record<string, unknown> = {
    email: type.isGone ? undefined : (address ?? undefined),
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
export function toProperties(type: PaymentType, event: ProviderEvent): Record<string, unknown> {
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

/** Null beyond all that a date can say. */
function isoTime(seconds: number): string | null {
  const at = new Date(seconds * 1_000)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}

function first(object: Values, paths: string[] = []): unknown {
  return paths.map((path) => at(object, path)).find((value) => value !== undefined && value !== null)
}

/** The text at each path; for an object where an id is expected, the object's id. */
function texts(object: Values, paths: string[]): string[] {
  return paths.flatMap((path) => {
    const value = at(object, path)
    const text = typeof value === 'object' && value !== null && 'id' in value ? value.id : value
    return typeof text === 'string' && text !== '' ? [text] : []
  })
}

/** Like lookUp(), and also through lists by number. */
function at(object: Values, path: string): unknown {
  let current: unknown = object
  for (const key of path.split('.')) {
    if (Array.isArray(current)) current = current[Number(key)]
    else if (typeof current === 'object' && current !== null) current = lookUp(current as Values, key)
    else return undefined
  }
  return current
}
