// Every error code of the interface: its status, why it comes, and what to do about it. The page that `type` of a problem leads to
// and docs/errors.md are made from this.

import type { ErrorCode } from '../lib/error.ts'

export interface ErrorCodeEntry {
  status: number
  cause: string
  cure: string
}

const later = 'Wait as long as Retry-After says, then send the same request again.'

export const errorCodeTable: Record<ErrorCode, ErrorCodeEntry> = {
  invalid_request: {
    status: 400,
    cause: 'The Host header is missing, double or no name, or the path holds a % that stands for nothing.',
    cure: 'Send one Host header, and encode each part of the path (encodeURIComponent).',
  },
  invalid_json: {
    status: 400,
    cause:
      'The body is no JSON, or such as can be read in two ways: a name twice, half a character, a number that loses digits, more than 64 levels.',
    cure: 'Send UTF-8 made by a JSON library; send long numbers as strings.',
  },
  invalid_cursor: {
    status: 400,
    cause: 'The cursor was made up, changed, or belongs to another list or workspace.',
    cure: 'Take nextCursor from the page before, or begin without one.',
  },
  validation_failed: {
    status: 422,
    cause: 'A field has the wrong kind or a value that is not allowed.',
    cure: 'Look at errors: each has the path of the field and what it may be.',
  },
  missing_required_field: {
    status: 422,
    cause: 'A field without which the request means nothing is missing.',
    cure: 'Add the fields that errors names.',
  },
  unknown_field: {
    status: 422,
    cause: 'A setting, endpoint, key or token was sent with a field that it does not have.',
    cure: 'Take the name that the message suggests. Elsewhere such a field is ignored and named in warnings.',
  },
  conflicting_fields: {
    status: 422,
    cause: 'Two names of one field were given with different values.',
    cure: 'Send one of them.',
  },
  unauthorized: {
    status: 401,
    cause: 'The request has no credential that this route takes, or the session has ended.',
    cure: 'The message says which one it takes: an API key as Authorization: Bearer, or the cookie of a sign-in.',
  },
  second_factor_required: {
    status: 401,
    cause: 'The password is right, and the account asks for a code of its authenticator app too.',
    cure: 'Sign in again with code: six digits of the app, or a recovery code.',
  },
  invalid_api_key: {
    status: 401,
    cause: 'The API key is misspelt, revoked or of another installation.',
    cure: 'Compare its beginning with the list of keys, or make a new one: paquebot key create.',
  },
  insufficient_role: {
    status: 403,
    cause: 'The signed-in person may do less in this workspace than the route asks for.',
    cure: 'The message names the role; an owner of the workspace can give it: PATCH /v1/members/{userId}.',
  },
  insufficient_scope: {
    status: 403,
    cause: 'The API key works and may not do this.',
    cure: 'Use a key with the scope that the message names.',
  },
  forbidden: {
    status: 403,
    cause:
      'The credential is valid, and this is not for it: another site, another kind of token, a rule of the workspace.',
    cure: 'The message says who may.',
  },
  not_found: {
    status: 404,
    cause: 'There is nothing at this address, or no such thing in this workspace.',
    cure: 'Check the path and the id; an API key sees its own workspace only.',
  },
  method_not_allowed: {
    status: 405,
    cause: 'The address exists and has no such method.',
    cure: 'Use one of those in the Allow header.',
  },
  unsupported_media_type: {
    status: 415,
    cause: 'The body is not declared as JSON, or is compressed.',
    cure: 'Send Content-Type: application/json and no Content-Encoding.',
  },
  contact_exists: {
    status: 409,
    cause: 'A contact with this address or userId is there already.',
    cure: 'Use PUT /v1/contacts/update, which makes or changes.',
  },
  template_exists: {
    status: 409,
    cause: 'Another template has this slug.',
    cure: 'Choose another id, or leave it out and it is made from the name.',
  },
  conflict: {
    status: 409,
    cause: 'The request contradicts what is stored.',
    cure: 'The message says what it contradicts.',
  },
  revision_mismatch: {
    status: 409,
    cause: 'The template or campaign was changed after you read it.',
    cure: 'Read it again, and repeat the change with its present revision.',
  },
  template_in_use: {
    status: 409,
    cause: 'Delayed mails or campaigns would be sent with this template.',
    cure: 'End those that the message names, or repeat with force: true, which cancels them.',
  },
  idempotency_key_in_use: {
    status: 409,
    cause: 'The first request with this Idempotency-Key still runs.',
    cure: later,
  },
  idempotency_key_mismatch: {
    status: 422,
    cause: 'This Idempotency-Key was used with another body.',
    cure: 'Use a key for one request only: a new mail needs a new key.',
  },
  recipient_suppressed: {
    status: 422,
    cause: 'The address bounced, complained, unsubscribed or was put on the list of those who must not be mailed.',
    cure: 'GET /v1/contacts/suppression-status says why. Remove it only when you know that the person wants mail.',
  },
  recipient_unconfirmed: {
    status: 422,
    cause: 'The person has not confirmed the subscription yet.',
    cure: 'Wait for the confirmation, or send it again: POST /v1/contact-subscriptions/resend-confirmation.',
  },
  attachment_too_large: {
    status: 413,
    cause: 'An attachment has more than 10 MB, or all of them more than 20 MB, decoded.',
    cure: 'Send a link to the file instead.',
  },
  attachment_type_not_allowed: {
    status: 422,
    cause: 'The content type is not one of PDF, PNG, JPEG, text and CSV, or the bytes are something else.',
    cure: 'Convert the file, or send a link to it.',
  },
  too_many_attachments: {
    status: 422,
    cause: 'A mail has at most 3 attachments.',
    cure: 'Join the files, or send links to them.',
  },
  payload_too_large: {
    status: 413,
    cause: 'The whole request is larger than this address takes: 25 MB, less where anybody may post.',
    cure: 'Base64 makes a file a third larger: send less at once.',
  },
  request_timeout: {
    status: 408,
    cause: 'The body did not arrive within BODY_TIMEOUT_MS.',
    cure: 'Send it again over a faster connection, or smaller.',
  },
  missing_variable: {
    status: 422,
    cause: 'The template needs values that dataVariables does not have.',
    cure: 'Add those that errors lists, or give them a fallback in the template: {{name|there}}.',
  },
  auto_variable_not_allowed: {
    status: 422,
    cause: 'dataVariables has a name that the platform fills by itself.',
    cure: 'Leave it out.',
  },
  no_content: {
    status: 422,
    cause: 'The template or campaign has no content in any language that could be sent.',
    cure: 'Set the content of its primary locale.',
  },
  domain_not_verified: {
    status: 403,
    cause: 'The domain of the address is not yours as far as is known here.',
    cure: 'Publish the record that the message names, then POST /v1/sending-domains/{id}/verify; or use an address of MAIL_FROM.',
  },
  dmarc_required: {
    status: 403,
    cause: 'From trust level M2 on, campaigns need a verified domain with a DMARC record.',
    cure: 'Publish _dmarc with v=DMARC1; p=none at least, and the DKIM key of the domain.',
  },
  trust_cap_exceeded: {
    status: 403,
    cause: 'The trust level of the workspace does not allow this.',
    cure: 'Wait for the level to rise, or have the operator set it: paquebot workspace set-trust.',
  },
  rate_limit_exceeded: { status: 429, cause: 'Too many requests in a short time.', cure: later },
  signing_secret_required: {
    status: 409,
    cause: 'Payments can be switched on only when a signing secret is stored.',
    cure: 'Send enabled and signing_secret together.',
  },
  signature_missing: {
    status: 400,
    cause: 'A callback came without its signature header.',
    cure: 'Configure the signing secret at the provider.',
  },
  signature_invalid: {
    status: 400,
    cause: 'The signature does not fit the body and the stored secret, or is older than 5 minutes.',
    cure: 'Store the present secret of the provider; check the clock of the server.',
  },
  invalid_state_transition: {
    status: 409,
    cause: 'What is asked for is not possible from the present state.',
    cure: 'Read it again: its status says what can follow.',
  },
  already_initialised: {
    status: 409,
    cause: 'init was run on this database before.',
    cure: 'Make keys and users with paquebot key create and paquebot user create.',
  },
  loop_detected: {
    status: 508,
    cause: 'The request was made because of a webhook, which was made because of such a request, three times over.',
    cure: 'Let the receiver of the webhook not call what sets it off.',
  },
  database_unavailable: {
    status: 503,
    cause: 'The database is locked, full or out of reach. Nothing was changed.',
    cure: later,
  },
  outcome_unknown: {
    status: 503,
    cause:
      'The libSQL server stopped answering while it wrote. Whether the request was carried out cannot be told yet.',
    cure: 'Send it again with the same Idempotency-Key, or look first whether it is there (GET /v1/activity for mail).',
  },
  overloaded: {
    status: 503,
    cause:
      'More is being read or is waiting here than can be served: large bodies, mail, passwords. Nothing was changed.',
    cure: later,
  },
  internal_error: {
    status: 500,
    cause: 'A mistake of ours. Nothing was changed.',
    cure: 'Look into the log for the requestId, and report it.',
  },
}
