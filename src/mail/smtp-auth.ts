// Signing in over SMTP (RFC 4954): AUTH PLAIN (RFC 4616) and AUTH LOGIN, as a chain of questions to the client.

export interface SmtpCredentials {
  user: string
  password: string
}

export type AuthStep =
  | { outcome: 'credentials'; credentials: SmtpCredentials }
  | { outcome: 'fault' }
  /** `say` in base64; `next` gets the client's line. */
  | { outcome: 'ask'; say: string; next(line: string): AuthStep }

export const authMechanisms = ['PLAIN', 'LOGIN']

const fault: AuthStep = { outcome: 'fault' }

/** `initial`: what came with the command, or null. Undefined for a mechanism that is not ours. */
export function beginAuth(mechanism: string, initial: string | null): AuthStep | undefined {
  switch (mechanism.toUpperCase()) {
    case 'PLAIN':
      return initial === null ? { outcome: 'ask', say: '', next: readPlain } : readPlain(initial)
    case 'LOGIN':
      return initial === null ? { outcome: 'ask', say: base64('Username:'), next: login } : login(initial)
  }
  return undefined
}

/** `[authorization identity] NUL user NUL password`. */
function readPlain(line: string): AuthStep {
  const parts = decoded(line)?.split('\0')
  if (parts?.length !== 3) return fault
  const [, user = '', password = ''] = parts
  return { outcome: 'credentials', credentials: { user, password } }
}

function login(line: string): AuthStep {
  const user = decoded(line)
  if (user === null) return fault
  const next = (given: string): AuthStep => {
    const password = decoded(given)
    return password === null ? fault : { outcome: 'credentials', credentials: { user, password } }
  }
  return { outcome: 'ask', say: base64('Password:'), next }
}

/** `=` stands for an empty text (RFC 4954, 4); null for what is not base64, with which a client also gives up (`*`). */
function decoded(line: string): string | null {
  if (line === '=') return ''
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(line)
    ? Buffer.from(line, 'base64').toString('utf8')
    : null
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
