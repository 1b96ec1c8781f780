// The attention items of webhooks, lists, campaigns, sequences and what else somebody may use.

import type { Rule } from './rule.ts'

export const ofFeatures = {
  endpoint_disabled: {
    area: 'webhooks',
    severity: 'warning',
    text: 'A webhook endpoint was disabled',
    todo: 'Repair it, set it to `active`, and replay what it missed.',
  },
  endpoint_failing: {
    area: 'webhooks',
    severity: 'warning',
    text: 'Every delivery to a webhook endpoint fails',
    todo: 'Look at its last attempts. After five days it is disabled.',
  },
  endpoint_late: {
    area: 'webhooks',
    severity: 'warning',
    text: 'Deliveries to a webhook endpoint are late',
    todo: 'Read what the first of them waits for. An endpoint gets as many per second as `maxPerSecond` says (10 by default), and fewer while it is slow: change it with `PATCH /v1/webhook-endpoints/{endpointId}`, or narrow its `eventFilters`.',
  },
  sign_ups_held: {
    area: 'lists',
    severity: 'warning',
    text: 'Confirmations are held: too many sign-ups came at once',
    todo: 'The sign-ups wait and none is lost; others are not affected. If programs sign up, add `guards` to the source, and cancel the sign-ups of their network: `POST /v1/contact-subscriptions/cancel-held`.',
  },
  campaign_stopped: {
    area: 'campaigns',
    severity: 'warning',
    text: 'A campaign was stopped automatically',
    todo: 'Fix the cause, then resume or cancel it.',
  },
  campaign_paused: {
    area: 'campaigns',
    severity: 'notice',
    text: 'Somebody paused a campaign',
    todo: 'Resume or cancel it.',
  },
  recurring_failing: {
    area: 'campaigns',
    severity: 'warning',
    text: 'A recurring campaign could not make its last campaign',
    todo: 'Read the detail, and correct it: `PATCH /v1/recurring-campaigns/{id}`. `preview` shows what it would send.',
  },
  feed_failing: {
    area: 'campaigns',
    severity: 'warning',
    text: 'The feed of a recurring campaign failed three times or more in a row',
    todo: 'Open the address of the feed, and correct or pause the recurring campaign: `/v1/recurring-campaigns/{id}`.',
  },
  sequence_stopped: {
    area: 'sequences',
    severity: 'warning',
    text: 'A sequence was paused automatically',
    todo: 'Fix the cause, then resume it: everybody in it waits.',
  },
  sequence_stuck: {
    area: 'sequences',
    severity: 'warning',
    text: 'People cannot go on in a sequence',
    todo: 'Look at them (`GET /v1/sequences/{id}/runs?state=failed`, or `uncertain`): retry the step, or skip it.',
  },
  signals_set_aside: {
    area: 'sequences',
    severity: 'warning',
    text: 'What happened to some people could not be looked at for the sequences that wait for it',
    todo: 'Read the reason, which the log of the server tells in full. It is tried again every ten minutes; until then these people get no mail of a sequence.',
  },
  contacts_set_aside: {
    area: 'lists',
    severity: 'warning',
    text: 'Some contacts could not be looked at for the segments',
    todo: 'Read the reason, which the log of the server tells in full. It is tried again every hour; until then they stay in the segments, or out of them, as they were.',
  },
  rates_high: {
    area: 'reputation',
    severity: 'warning',
    text: 'Too many mails bounce or are reported as spam',
    todo: 'Clean the list before 5 % bounce or 0.5 % complain: campaigns are paused then.',
  },
  trust_dropped: {
    area: 'reputation',
    severity: 'urgent',
    text: 'Bounces or complaints lowered the trust level of the workspace',
    todo: 'Clean the lists, then have the operator review it: `paquebot workspace set-trust`.',
  },
  hook_unconfirmed: {
    area: 'bounces',
    severity: 'warning',
    text: 'A provider reports nothing before its subscription is confirmed',
    todo: 'Open its `confirmUrl`: `GET /v1/provider-hooks`.',
  },
  hook_unsigned: {
    area: 'bounces',
    severity: 'warning',
    text: 'Reports of a provider cannot be verified, so they are ignored',
    todo: 'Create its address again with `verifyWith`: `PUT /v1/provider-hooks`.',
  },
  payments_closed: {
    area: 'payments',
    severity: 'warning',
    text: 'Payment events are refused, because there is no signing secret',
    todo: 'Store the secret of the provider, or remove the webhook there.',
  },
  mailbox_unreachable: {
    area: 'mailboxes',
    severity: 'warning',
    text: 'Nothing can arrive at a mailbox',
    todo: 'Set `INBOUND_SMTP_PORT`, or create an inbound address for its provider.',
  },
  replies_waiting: {
    area: 'mailboxes',
    severity: 'notice',
    text: 'What agents would do waits for approval',
    todo: 'Read it, then approve or refuse it: `/v1/approvals`.',
  },
  import_failed: {
    area: 'imports',
    severity: 'warning',
    text: 'An import failed',
    todo: 'Correct the file and import it again: rows that were imported stay unchanged.',
  },
  import_stuck: {
    area: 'imports',
    severity: 'warning',
    text: 'An import makes no progress',
    todo: 'Look for its job: `GET /v1/jobs?kind=import-contacts`.',
  },
  maker_unknown: {
    area: 'access',
    severity: 'notice',
    text: 'It is unknown who created this, so it does not end when a person is removed',
    todo: 'Create a new one, then revoke this one. For an endpoint: disable and enable it again. For the payment secret: store it again.',
  },
} as const satisfies Record<string, Rule>
