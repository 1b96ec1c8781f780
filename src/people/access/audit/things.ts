// Names of the things that ids refer to, for audit lines without a recorded row.

import { ownValue } from '../../../kit/own-value.ts'

const kinds: Record<string, string> = {
  con: 'contact',
  msg: 'message',
  job: 'job',
  imp: 'import',
  whe: 'webhook_endpoint',
  whd: 'webhook_delivery',
  cmp: 'campaign',
  mbx: 'mailbox',
  mtk: 'mailbox_token',
  oac: 'oauth_client',
  oag: 'oauth_grant',
  rcv: 'received_message',
  lst: 'mailing_list',
  src: 'subscription_source',
  rule: 'event_rule',
  usr: 'person',
  key: 'api_key',
  dom: 'domain',
  inv: 'invitation',
  int: 'payment_integration',
}

/** `contact` of `con_…`; of an id that is not ours what stands before its underscore. */
export function kindOfId(id: string): string {
  const [prefix = ''] = id.split('_', 1)
  return ownValue<string>(kinds, prefix) ?? prefix
}
