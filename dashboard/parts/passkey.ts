// What a browser does with a passkey: it shows who sits before it, by signing a challenge of the server.

import type { Posted } from '../api.ts'

type Options = NonNullable<Posted<'/v1/approvals/options'>['passkey']>

/** The answer, with its bytes as base64url. Throws `NotAllowedError` when the person does not use it, or it takes too long. */
export async function signWithPasskey({ challenge, allowCredentials, ...options }: Options) {
  const allowed = allowCredentials.map(({ id, type, transports }) => ({
    type,
    id: toBytes(id),
    transports: transports as AuthenticatorTransport[],
  }))
  const publicKey = { ...options, challenge: toBytes(challenge), allowCredentials: allowed }
  const given = await navigator.credentials.get({ publicKey })
  if (!(given instanceof PublicKeyCredential) || !(given.response instanceof AuthenticatorAssertionResponse))
    throw new DOMException('no passkey answered', 'NotAllowedError')
  const { clientDataJSON, authenticatorData, signature, userHandle } = given.response
  return {
    id: given.id,
    response: {
      clientDataJSON: toText(clientDataJSON),
      authenticatorData: toText(authenticatorData),
      signature: toText(signature),
      userHandle: userHandle && toText(userHandle),
    },
  }
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
}

function toText(bytes: ArrayBuffer): string {
  const plain = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return plain.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
