// Every error code of the API: its status, its cause, and what to do about it. The page that the `type` of a problem links to and
// docs/errors.md are generated from this.

import type { ErrorCode } from '../../kit/error.ts'

export interface ErrorCodeEntry {
  status: number
  cause: string
  cure: string
}

const later = 'Wait for the time in Retry-After, then send the same request again.'

export const errorCodeTable: Record<ErrorCode, ErrorCodeEntry> = {
  invalid_request: {
    status: 400,
    cause:
      'The Host header is missing, repeated or not a name, or the path contains a % that is not part of an encoded character.',
    cure: 'Send one Host header, and encode each part of the path (encodeURIComponent).',
  },
  invalid_json: {
    status: 400,
    cause:
      'The body is not JSON, or is ambiguous: a repeated name, half a surrogate pair, a number that would lose digits, more than 64 levels.',
    cure: 'Send UTF-8 written by a JSON library; send long numbers as strings.',
  },
  invalid_cursor: {
    status: 400,
    cause: 'The cursor was invented, edited, or belongs to another list or workspace.',
    cure: 'Use nextCursor of the previous page, or start without a cursor.',
  },
  validation_failed: {
    status: 422,
    cause: 'A field has the wrong type or a value that is not allowed.',
    cure: 'See errors: each has the path of the field and what is allowed.',
  },
  missing_required_field: {
    status: 422,
    cause: 'A required field is missing.',
    cure: 'Add the fields that errors names.',
  },
  unknown_field: {
    status: 422,
    cause: 'A setting, endpoint, key or token was sent with a field that it does not have.',
    cure: 'Use the name that the message suggests. In other requests such a field is ignored and listed in warnings.',
  },
  conflicting_fields: {
    status: 422,
    cause: 'Two names of one field were given with different values.',
    cure: 'Send one of them.',
  },
  unauthorized: {
    status: 401,
    cause: 'The request has no credential that this route accepts, or the session has ended.',
    cure: 'The message says which one it accepts: an API key as Authorization: Bearer, or the cookie of a sign-in.',
  },
  second_factor_required: {
    status: 401,
    cause: 'The password is right, but the account also requires a code from its authenticator app.',
    cure: 'Sign in again with code: six digits of the app, or a recovery code.',
  },
  invalid_api_key: {
    status: 401,
    cause: 'The API key is misspelt, revoked, or belongs to another installation.',
    cure: 'Compare its first characters with the list of keys, or create a new one: paquebot key create.',
  },
  insufficient_role: {
    status: 403,
    cause: 'The role of the signed-in person in this workspace does not allow this.',
    cure: 'The message names the role; an owner of the workspace can grant it: PATCH /v1/members/{userId}.',
  },
  insufficient_scope: {
    status: 403,
    cause: 'The API key is valid but lacks the scope for this.',
    cure: 'Use a key with the scope that the message names.',
  },
  forbidden: {
    status: 403,
    cause:
      'The credential is valid but not allowed here: another site, another kind of token, or a rule of the workspace.',
    cure: 'The message says who is allowed.',
  },
  not_found: {
    status: 404,
    cause: 'There is nothing at this URL, or no such thing in this workspace.',
    cure: 'Check the path and the id; an API key only sees its own workspace.',
  },
  method_not_allowed: {
    status: 405,
    cause: 'The URL exists but does not support this method.',
    cure: 'Use one of the methods in the Allow header.',
  },
  not_implemented: {
    status: 501,
    cause: 'A client of another service called something that this product does not have.',
    cure: 'The message says what to use instead.',
  },
  unsupported_media_type: {
    status: 415,
    cause:
      'The body is not declared as JSON, or is compressed; or an uploaded file is no picture that mail readers show.',
    cure: 'Send Content-Type: application/json and no Content-Encoding; a picture as PNG, JPEG, WebP or GIF.',
  },
  contact_exists: {
    status: 409,
    cause: 'A contact with this address or userId already exists.',
    cure: 'Use PUT /v1/contacts/update, which creates or updates.',
  },
  template_exists: {
    status: 409,
    cause: 'Another template has this slug.',
    cure: 'Choose another id, or leave it out to derive it from the name.',
  },
  conflict: {
    status: 409,
    cause: 'The request conflicts with what is stored.',
    cure: 'The message says what it conflicts with.',
  },
  revision_mismatch: {
    status: 409,
    cause: 'The template or campaign was changed after you read it.',
    cure: 'Read it again, and repeat the change with its current revision.',
  },
  template_in_use: {
    status: 409,
    cause: 'Scheduled mails, campaigns or sequences use this template.',
    cure: 'End those named in the message, or repeat with force: true, which cancels them and pauses sequences.',
  },
  media_in_use: {
    status: 409,
    cause: 'Templates, campaigns that are not sent yet, or the brand show this picture.',
    cure: 'Take it out of those that the message names, or repeat with force=true: its address then shows nothing.',
  },
  idempotency_key_in_use: {
    status: 409,
    cause: 'The first request with this Idempotency-Key is still running.',
    cure: later,
  },
  idempotency_key_mismatch: {
    status: 422,
    cause: 'This Idempotency-Key was already used with another body.',
    cure: 'Use a key for one request only: a new mail needs a new key.',
  },
  recipient_suppressed: {
    status: 422,
    cause: 'The address bounced, complained, unsubscribed or was suppressed by hand.',
    cure: 'GET /v1/contacts/suppression-status says why. Remove the suppression only if you know that the person wants mail.',
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
    cause:
      'The workspace does not allow this content type (by default PDF, PNG, JPEG, text, CSV), or the content does not match it.',
    cure: 'Convert the file, send a link to it, or let an owner allow the type in the settings of the workspace (attachmentTypes).',
  },
  too_many_attachments: {
    status: 422,
    cause: 'A mail has at most 3 attachments, including inline images, unless an owner allows more (maxAttachments).',
    cure: 'Combine the files, or send links to them.',
  },
  payload_too_large: {
    status: 413,
    cause:
      'The whole request is larger than this URL accepts: 25 MB where attachments are allowed, 10 MB for a picture, 4 MB elsewhere, 64 KB where no credential or a public one is required; or the pictures of a workspace would have more than MEDIA_WORKSPACE_MB.',
    cure: 'Base64 makes a file a third larger; send less at once. Where the pictures of the workspace are too many, delete some.',
  },
  request_timeout: {
    status: 408,
    cause: 'The body did not arrive within BODY_TIMEOUT_MS.',
    cure: 'Send a smaller body, or use a faster connection.',
  },
  missing_variable: {
    status: 422,
    cause: 'The mail needs values that dataVariables, the rule or the campaign does not give.',
    cure: 'Add those that errors lists, or give them a fallback in the template: {{name|there}}.',
  },
  auto_variable_not_allowed: {
    status: 422,
    cause: 'dataVariables has a name that the platform fills in itself.',
    cure: 'Leave it out.',
  },
  no_content: {
    status: 422,
    cause: 'The template or campaign has no content in any locale that could be sent.',
    cure: 'Set the content of its primary locale.',
  },
  domain_not_verified: {
    status: 403,
    cause: 'The domain of the address is not known to be yours.',
    cure: 'Publish the record that the message names, then POST /v1/sending-domains/{id}/verify; or use the address of MAIL_FROM.',
  },
  dmarc_required: {
    status: 403,
    cause: 'From trust level M2 on, campaigns require a verified domain with a DMARC record.',
    cure: 'Publish _dmarc with at least v=DMARC1; p=none, and the DKIM key of the domain.',
  },
  trust_cap_exceeded: {
    status: 403,
    cause: 'The trust level of the workspace does not allow this.',
    cure: 'Wait for the level to rise, or have the operator set it: paquebot workspace set-trust.',
  },
  rate_limit_exceeded: { status: 429, cause: 'Too many requests in a short time.', cure: later },
  limit_reached: {
    status: 429,
    cause:
      'The plan of the workspace allows no more: mails a day, a month or a second, or contacts. Nothing was changed.',
    cure: 'limit names it, left says how much is left, and until when more is allowed (also Retry-After; never for contacts). Who keeps the installation can raise it.',
  },
  workspace_suspended: {
    status: 403,
    cause: 'The workspace is suspended by whoever keeps the installation; the message has the reason. Its mail waits.',
    cure: 'Ask them. Its people can still sign in and read, and recipients can unsubscribe.',
  },
  signing_secret_required: {
    status: 409,
    cause: 'Payments can only be enabled once a signing secret is stored.',
    cure: 'Send enabled and signing_secret together.',
  },
  signature_missing: {
    status: 400,
    cause: 'A callback came without its signature header.',
    cure: 'Configure the signing secret at the provider.',
  },
  signature_invalid: {
    status: 400,
    cause: 'The signature does not fit the body and the stored secret, or its time is more than 5 minutes off.',
    cure: 'Store the current secret of the provider; check the clock of the server.',
  },
  invalid_state_transition: {
    status: 409,
    cause: 'The request is not possible in the current state.',
    cure: 'Read the object again: its status says what is possible.',
  },
  already_initialised: {
    status: 409,
    cause: 'init was run on this database before.',
    cure: 'Create keys and users with paquebot key create and paquebot user create.',
  },
  loop_detected: {
    status: 508,
    cause: 'The request was caused by a webhook that was itself caused by such a request, three times over.',
    cure: 'Change the receiver of the webhook so that it does not make the request that triggers it.',
  },
  database_unavailable: {
    status: 503,
    cause: 'The database is locked, full or unreachable. Nothing was changed.',
    cure: later,
  },
  outcome_unknown: {
    status: 503,
    cause:
      'The libSQL server stopped answering while it wrote. It is not known yet whether the request was carried out.',
    cure: 'Send it again with the same Idempotency-Key, or check first whether it took effect (GET /v1/activity for mail).',
  },
  overloaded: {
    status: 503,
    cause:
      'The server is busy with too much at once: large bodies, mail, passwords; or the store of pictures does not answer. Nothing was changed.',
    cure: later,
  },
  internal_error: {
    status: 500,
    cause: 'A bug in the server. Nothing was changed.',
    cure: 'Find the requestId in the log, and report it.',
  },
}
