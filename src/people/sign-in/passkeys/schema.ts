// Wire shapes of passkeys: what a browser takes and gives (WebAuthn Level 3, 5.1.8 and alike), with bytes as base64url.

import { Type } from '@sinclair/typebox'
import { type TSchema, t } from 'elysia'
import { refusing } from '../../../core/http/unknown-fields.ts'
import { maxNameChars, type Passkey } from './passkeys.ts'

const base64url = (maxLength: number, example: string, description?: string) =>
  t.String({
    pattern: '^[A-Za-z0-9_-]*$',
    maxLength,
    examples: [example],
    ...(description === undefined ? {} : { description }),
  })
const dateTime = (description: string) => t.String({ format: 'date-time', description })
const orNull = <T extends TSchema>(schema: T) => t.Union([schema, t.Null()])

const exampleId = 'dGhlIGlkIG9mIGEgcGFzc2tleQ'
const credentialId = base64url(1_364, exampleId, 'The id of the credential.')
const clientData = base64url(
  8_192,
  'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
  'The client data from the browser, as base64url.',
)
const name = t.String({ minLength: 1, maxLength: maxNameChars, examples: ['Phone'] })

export const passkeyView = t.Object({
  id: t.String({ examples: ['psk_01a1fcabeb8708d89cc1576fb35b95d0'] }),
  name: t.String(),
  isBackedUp: t.Boolean({ description: 'Whether it is copied to other devices of yours, as far as is known.' }),
  createdAt: dateTime('When it was added.'),
  lastUsedAt: t.Union([t.String({ format: 'date-time' }), t.Null()], { description: 'When it last signed you in.' }),
})
export const passkeyList = t.Object({
  data: t.Array(passkeyView),
  unavailable: t.Union([t.String(), t.Null()], {
    description: 'Why passkeys are not available here; null if they are.',
  }),
})

export const beginBody = refusing(
  t.Object({
    currentPassword: t.Optional(
      t.String({ maxLength: 1024, description: 'Your password; not required if you have none.' }),
    ),
  }),
)
export const renameBody = refusing(t.Object({ name }))

/** Beside what is looked at; browsers send it, and it changes nothing. */
const aside = {
  rawId: t.Optional(t.String({ maxLength: 1_364 })),
  type: t.Optional(t.Literal('public-key')),
  authenticatorAttachment: t.Optional(orNull(t.String({ maxLength: 100 }))),
  clientExtensionResults: t.Optional(t.Object({}, { additionalProperties: true })),
}
const ignored = t.Optional(t.Unknown())

export const addBody = t.Object({
  name: t.Optional(name),
  credential: t.Object({
    id: credentialId,
    ...aside,
    response: t.Object({
      clientDataJSON: clientData,
      attestationObject: base64url(32_768, 'o2NmbXRkbm9uZQ', 'The data from the authenticator, as base64url.'),
      transports: t.Optional(t.Array(t.String({ maxLength: 32 }), { maxItems: 10 })),
      authenticatorData: ignored,
      publicKey: ignored,
      publicKeyAlgorithm: ignored,
    }),
  }),
})
export const answerBody = t.Object({
  id: credentialId,
  ...aside,
  response: t.Object({
    clientDataJSON: clientData,
    authenticatorData: base64url(8_192, 'SZYN5YgOjGh0NBcPZHZgW4', 'The data from the authenticator, as base64url.'),
    signature: base64url(2_048, 'MEUCIQ', 'Over both.'),
    userHandle: t.Optional(orNull(base64url(100, 'dXNyXzAx', 'The user handle of the passkey.'))),
    attestationObject: ignored,
  }),
})
export const loginBody = t.Object({ credential: answerBody })

const publicKeyType = t.Literal('public-key')
const challenge = base64url(43, '0'.repeat(43), 'To be signed; valid once.')
const timeout = Type.Integer({ description: 'Milliseconds.' })
const required = t.Literal('required')

export const creationView = t.Object({
  rp: t.Object({ id: t.String({ description: 'The host name of BASE_URL.' }), name: t.String() }),
  user: t.Object({ id: t.String(), name: t.String(), displayName: t.String() }),
  challenge,
  pubKeyCredParams: t.Array(t.Object({ type: publicKeyType, alg: Type.Integer() })),
  timeout,
  excludeCredentials: t.Array(t.Object({ type: publicKeyType, id: t.String(), transports: t.Array(t.String()) })),
  authenticatorSelection: t.Object({
    residentKey: required,
    requireResidentKey: t.Boolean(),
    userVerification: required,
  }),
  attestation: t.Literal('none'),
})
export const requestView = t.Object({
  rpId: t.String({ description: 'The host name of BASE_URL.' }),
  challenge,
  timeout,
  userVerification: required,
})

export function toPasskeyView({ id, name, isBackedUp, createdAt, lastUsedAt }: Passkey) {
  return {
    id,
    name,
    isBackedUp,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}
