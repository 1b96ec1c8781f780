// Sequences to begin with, in the notation of the API. The templates that they name need not exist: the draft lists what is still missing.

import type { Definition, ReEntry, SendStep, Span, WaitStep } from '../../../db/tables/sequences.ts'

type RecipeDefinition = Pick<Definition, 'steps'> &
  Partial<Omit<Definition, 'steps' | 'reEntry'>> & { reEntry?: Partial<ReEntry> }

const days = (amount: number): Span => ({ amount, unit: 'd' })
const hours = (amount: number): Span => ({ amount, unit: 'h' })
const send = (id: string, variables: SendStep['variables'] = {}): SendStep => ({
  id,
  type: 'send',
  templateId: id,
  variables,
})
const wait = (id: string, until: Omit<WaitStep, 'id' | 'type' | 'next'>): WaitStep => ({ id, type: 'wait', ...until })
const workdays = [1, 2, 3, 4, 5]

/** A mail at once, tips on the next workdays, and an offer for those who have not bought anything by then. */
const welcome: RecipeDefinition = {
  start: { event: 'signedUp' },
  exits: [{ event: 'accountClosed' }],
  steps: [
    send('welcome'),
    wait('two-days', { for: days(2), at: '09:00', weekdays: workdays }),
    send('welcome-tips'),
    { id: 'first-order', type: 'event', event: 'purchased', atMost: days(5), lookBack: days(3), next: null },
    send('welcome-offer'),
  ],
}

/** The key: two carts of one person are two sequences. */
const abandonedCart: RecipeDefinition = {
  start: { event: 'cartUpdated' },
  reEntry: { mode: 'never', key: '{{event.cartId}}' },
  goals: [{ event: 'purchased', sameKey: true }],
  exits: [{ event: 'cartEmptied', sameKey: true }],
  steps: [
    wait('two-hours', { for: hours(2) }),
    send('cart-reminder'),
    wait('next-morning', { for: hours(20), at: '10:00' }),
    send('cart-questions'),
    wait('three-days', { for: days(3), at: '10:00' }),
    send('cart-last-call'),
  ],
}

/** Fourteen days. Who has not found their way in yet gets help, and a team another last mail. */
const trial: RecipeDefinition = {
  start: { event: 'trialStarted' },
  goals: [{ event: 'subscribed' }],
  exits: [{ event: 'trialCancelled' }],
  steps: [
    send('trial-welcome'),
    wait('three-days', { for: days(3) }),
    {
      id: 'first-project',
      type: 'event',
      event: 'projectCreated',
      atMost: { amount: 1, unit: 'm' },
      lookBack: days(3),
      next: 'week',
      otherwise: 'help',
    },
    send('help'),
    wait('week', { for: days(8), at: '09:00', weekdays: workdays }),
    send('trial-ends-soon'),
    wait('last-days', { for: days(2), at: '09:00' }),
    {
      id: 'team-or-not',
      type: 'branch',
      branches: [
        { if: { event: [{ property: 'plan', operator: 'equals', value: 'team' }] }, next: 'trial-last-day-for-teams' },
      ],
      next: 'trial-last-day',
    },
    { ...send('trial-last-day-for-teams'), next: null },
    send('trial-last-day'),
  ],
}

/** Each order waits for the next one: whoever orders again leaves this way, and waits in that of the new order. */
const winBack: RecipeDefinition = {
  start: { event: 'purchased' },
  reEntry: { mode: 'always', key: '{{event.orderId}}' },
  steps: [
    { id: 'next-order', type: 'event', event: 'purchased', atMost: days(60), next: null },
    send('we-miss-you'),
    { id: 'still-not', type: 'event', event: 'purchased', atMost: days(14), next: null },
    send('come-back-offer'),
  ],
}

/** The day begins where the person is; the days between keep a date that is changed from bringing a second one. */
const birthday: RecipeDefinition = {
  start: { date: 'birthday', yearly: true },
  reEntry: { mode: 'afterExit', minDays: 300 },
  steps: [wait('morning', { at: '09:00' }), send('happy-birthday')],
}

/** Of payments, for each invoice; whoever pays gets none of the rest. */
const dunning: RecipeDefinition = {
  start: { event: 'payments.invoice.payment_failed' },
  reEntry: { mode: 'never', key: '{{event.object_id}}' },
  goals: [{ event: 'payments.invoice.paid', sameKey: true }],
  exits: [{ event: 'payments.customer.subscription.deleted' }],
  purpose: 'transactional',
  steps: [
    send('payment-failed'),
    wait('three-days', { for: days(3), at: '09:00', weekdays: workdays }),
    send('payment-reminder'),
    wait('four-days', { for: days(4), at: '09:00', weekdays: workdays }),
    send('payment-last-reminder'),
    { id: 'tell-billing', type: 'webhook' },
  ],
}

/** Whoever is answered gets one mail an hour later at the most, with all that came. */
const digest: RecipeDefinition = {
  start: { event: 'commented' },
  reEntry: { mode: 'afterExit' },
  steps: [
    {
      id: 'new-comments',
      type: 'digest',
      event: 'commented',
      for: hours(1),
      templateId: 'new-comments',
      variables: {},
      items: 20,
      order: 'newest',
    },
  ],
}

export const recipes = { welcome, abandonedCart, trial, winBack, birthday, dunning, digest }
export type Recipe = keyof typeof recipes
