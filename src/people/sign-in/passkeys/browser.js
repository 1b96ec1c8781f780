// What only the browser can do with a passkey: make one, and sign with one. Everything is checked by the server.

const fault = document.querySelector('#passkey-fault')
const signIn = document.querySelector('#passkey-sign-in')
const add = document.querySelector('#passkey-add')

const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
const textOf = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

async function call(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.detail)
  return answer
}

async function makePasskey(name, currentPassword) {
  const options = await call('/v1/auth/passkeys/options', currentPassword ? { currentPassword } : {})
  const publicKey = {
    ...options,
    challenge: bytesOf(options.challenge),
    user: { ...options.user, id: bytesOf(options.user.id) },
    excludeCredentials: options.excludeCredentials.map((one) => ({ ...one, id: bytesOf(one.id) })),
  }
  const { id, response } = await navigator.credentials.create({ publicKey })
  const { clientDataJSON, attestationObject } = response
  await call('/v1/auth/passkeys', {
    name,
    credential: {
      id,
      response: {
        clientDataJSON: textOf(clientDataJSON),
        attestationObject: textOf(attestationObject),
        transports: response.getTransports?.() ?? [],
      },
    },
  })
}

async function signInWithPasskey() {
  const options = await call('/v1/auth/login/passkey/options')
  const { id, response } = await navigator.credentials.get({
    publicKey: { ...options, challenge: bytesOf(options.challenge) },
  })
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  await call('/v1/auth/login/passkey', {
    credential: {
      id,
      response: {
        clientDataJSON: textOf(clientDataJSON),
        authenticatorData: textOf(authenticatorData),
        signature: textOf(signature),
        userHandle: userHandle && textOf(userHandle),
      },
    },
  })
}

const words = {
  NotAllowedError: fault.dataset.notAllowed,
  InvalidStateError: fault.dataset.hasOne,
  TypeError: fault.dataset.noAnswer,
}

/** Runs `work`, and shows in words why it failed; meanwhile `button` cannot be pressed again. */
async function guarded(button, work) {
  fault.textContent = ''
  button.disabled = true
  try {
    await work()
  } catch (error) {
    fault.textContent = words[error.name] ?? error.message
    button.disabled = false
    button.focus()
  }
}

if (window.PublicKeyCredential) {
  for (const one of [signIn, add]) one?.removeAttribute('hidden')
  fault.textContent = ''
  signIn?.querySelector('button').addEventListener('click', ({ currentTarget }) =>
    guarded(currentTarget, async () => {
      await signInWithPasskey()
      location.assign(signIn.dataset.to)
    }),
  )
  add?.addEventListener('submit', (event) => {
    event.preventDefault()
    guarded(add.querySelector('button'), async () => {
      await makePasskey(add.elements.name.value, add.elements.password?.value)
      location.assign('/passkeys')
    })
  })
}
