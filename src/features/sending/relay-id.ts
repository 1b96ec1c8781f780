// The message id that a relay assigns: a relay gives each mail an id of its own, and its reports contain ours only if a header carries it.

type Header = [name: string, value: string]

const relays: [host: RegExp, header: (messageId: string) => Header][] = [
  [/(^|\.)mailjet\.com$/i, (id) => ['X-MJ-CustomID', id]],
  [/(^|\.)(brevo|sendinblue)\.com$/i, (id) => ['X-Mailin-custom', id]],
  [
    /(^|\.)sparkpost(mail|)\.(com|eu\.com)$|(^|\.)sparkpost\.com$/i,
    (id) => ['X-MSYS-API', `{"metadata":{"message_id":"${id}"}}`],
  ],
  [/(^|\.)postmarkapp\.com$/i, (id) => ['X-PM-Metadata-message_id', id]],
]

/** None for any other mail server. */
export function relayHeaders(host: string, messageId: string): Header[] {
  const relay = relays.find(([pattern]) => pattern.test(host))
  return relay ? [relay[1](messageId)] : []
}
