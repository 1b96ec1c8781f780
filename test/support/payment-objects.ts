// What the payment provider sends: one realistic object for each of the 19 supported types, with the members that its API has, all of
// one customer who is known to us as `ada@example.net` and `user-1`.

import type Stripe from 'stripe'
import type { Json } from './app.ts'

/** What may be left out of `T`, and nothing that it does not have. */
type Some<T> = T extends (infer One)[] ? Some<One>[] : T extends object ? { [Name in keyof T]?: Some<T[Name]> } : T
/** By the package of the provider. */
type Objects = { [E in Stripe.Event as E['type']]?: Some<E['data']['object']> }

export const customerId = 'cus_NffrFeUfNV2Hib'
const email = 'ada@example.net'
const created = 1_768_400_000
const chargeId = 'ch_3MmlLrLkdIwHu7ix0snN0B15'
const paymentId = 'pi_3MmlLrLkdIwHu7ix0eC3yZ2A'
const subscriptionId = 'sub_1MowQVLkdIwHu7ixeRlqHVzs'
const priceId = 'price_1MowQULkdIwHu7ixraBm864M'
const periodEnd = 1_771_078_400

const customer = (more: Some<Stripe.Customer> = {}): Some<Stripe.Customer> => ({
  id: customerId,
  object: 'customer',
  address: {
    city: 'London',
    country: 'GB',
    line1: '12 St James Square',
    line2: null,
    postal_code: 'SW1Y 4JH',
    state: null,
  },
  balance: 0,
  created,
  currency: 'eur',
  default_source: null,
  delinquent: false,
  description: null,
  email,
  invoice_prefix: '0759376C',
  invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
  livemode: false,
  metadata: { userId: 'user-1' },
  name: 'Ada Lovelace',
  phone: null,
  preferred_locales: ['en-GB'],
  tax_exempt: 'none',
  ...more,
})

const session = (status: Stripe.Checkout.Session.PaymentStatus): Some<Stripe.Checkout.Session> => ({
  id: 'cs_test_a1b2c3d4e5',
  object: 'checkout.session',
  amount_subtotal: 2_198,
  amount_total: 2_198,
  client_reference_id: null,
  created,
  currency: 'EUR',
  customer: customerId,
  customer_details: { address: null, email, name: 'Ada Lovelace', phone: null, tax_exempt: 'none', tax_ids: [] },
  customer_email: null,
  expires_at: created + 86_400,
  invoice: null,
  livemode: false,
  locale: 'en',
  metadata: {},
  mode: 'payment',
  payment_intent: paymentId,
  payment_method_types: ['card', 'sepa_debit'],
  payment_status: status,
  status: 'complete',
  subscription: null,
  success_url: 'https://shop.example/thanks',
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
})

const subscription = (status: Stripe.Subscription.Status): Some<Stripe.Subscription> => ({
  id: subscriptionId,
  object: 'subscription',
  billing_cycle_anchor: created,
  cancel_at_period_end: false,
  canceled_at: null,
  collection_method: 'charge_automatically',
  created,
  currency: 'eur',
  customer: customerId,
  default_payment_method: null,
  items: {
    object: 'list',
    data: [
      {
        id: 'si_Na6dzxczY5fwHx',
        object: 'subscription_item',
        current_period_end: periodEnd,
        current_period_start: created,
        price: {
          id: priceId,
          object: 'price',
          currency: 'eur',
          product: 'prod_Na6dGcTsmU0I4R',
          recurring: { interval: 'month', interval_count: 1 },
          unit_amount: 1_000,
        },
        quantity: 1,
      },
    ],
    has_more: false,
  },
  latest_invoice: 'in_1MowQWLkdIwHu7ixuzkSPfKd',
  livemode: false,
  metadata: {},
  pause_collection: null,
  start_date: created,
  status,
  trial_end: null,
})

const invoice = (status: Stripe.Invoice.Status, more: Some<Stripe.Invoice> = {}): Some<Stripe.Invoice> => ({
  id: 'in_1MtHbELkdIwHu7ixl4OzzPMv',
  object: 'invoice',
  account_name: 'Acme',
  amount_due: 1_500,
  amount_paid: status === 'paid' ? 1_500 : 0,
  amount_remaining: status === 'paid' ? 0 : 1_500,
  attempt_count: 1,
  attempted: true,
  billing_reason: 'subscription_cycle',
  created,
  currency: 'eur',
  customer: customerId,
  customer_email: email,
  customer_name: 'Ada Lovelace',
  lines: {
    object: 'list',
    data: [
      {
        id: 'il_1MtHbELkdIwHu7ix',
        object: 'line_item',
        amount: 1_500,
        period: { start: created, end: periodEnd },
        pricing: { type: 'price_details', price_details: { price: priceId, product: 'prod_Na6dGcTsmU0I4R' } },
      },
    ],
  },
  livemode: false,
  metadata: {},
  number: '0759376C-0001',
  parent: { type: 'subscription_details', subscription_details: { metadata: {}, subscription: subscriptionId } },
  period_end: created,
  period_start: created - 2_678_400,
  status,
  total: 1_500,
  ...more,
})

const quote = (status: Stripe.Quote.Status): Some<Stripe.Quote> => ({
  id: 'qt_1Mr7wVLkdIwHu7ixJYSiPTGq',
  object: 'quote',
  amount_subtotal: 2_198,
  amount_total: 2_198,
  collection_method: 'charge_automatically',
  created,
  currency: 'eur',
  customer: customerId,
  expires_at: created + 2_592_000,
  livemode: false,
  metadata: {},
  number: 'QT-FR25IWWE-0001-1',
  status,
})

const dispute = (status: Stripe.Dispute.Status): Some<Stripe.Dispute> => ({
  id: 'du_1MtJUT2eZvKYlo2CNaw2HvEv',
  object: 'dispute',
  amount: 2_198,
  balance_transactions: [],
  charge: chargeId,
  created,
  currency: 'eur',
  evidence: { customer_email_address: null, customer_name: null, receipt: null },
  evidence_details: { due_by: created + 604_800, has_evidence: false, past_due: false, submission_count: 0 },
  is_charge_refundable: true,
  livemode: false,
  metadata: {},
  payment_intent: paymentId,
  reason: 'general',
  status,
})

/** It has no id. */
const { id: _, ...upcoming } = invoice('draft', { customer_email: null })

/** In an order in which what comes early identifies what comes late. */
export const paymentObjects: Record<string, Json> = {
  'customer.created': customer(),
  'customer.updated': customer({ phone: '+442071234567' }),
  'checkout.session.completed': session('paid'),
  'checkout.session.async_payment_succeeded': session('paid'),
  'checkout.session.async_payment_failed': session('unpaid'),
  'customer.subscription.created': subscription('trialing'),
  'customer.subscription.paused': subscription('paused'),
  'customer.subscription.resumed': subscription('active'),
  'customer.subscription.trial_will_end': subscription('trialing'),
  'customer.subscription.deleted': subscription('canceled'),
  'invoice.upcoming': upcoming,
  'invoice.paid': invoice('paid'),
  'invoice.payment_failed': invoice('open'),
  'quote.finalized': quote('open'),
  'quote.accepted': quote('accepted'),
  'quote.canceled': quote('canceled'),
  'charge.dispute.created': dispute('needs_response'),
  'charge.dispute.closed': dispute('won'),
  'customer.deleted': customer(),
} satisfies Objects
