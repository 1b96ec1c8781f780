// Where a person may be sent back to with a code: exactly where the client said before (RFC 9700, 2.1), never to what a browser would run,
// and in clear only on the person's own machine (RFC 8252).

const maxChars = 1_000
/** What parsers repair or drop: white space, control characters, backslashes; a fragment (RFC 6749, 3.1.2). */
const forbidden = /[\x00-\x20\x7f-\xff\\#]|[^\x00-\xff]/
/** Names and addresses; the parser takes more, which would say something else in the policy of the page. */
const hostPattern = /^(?:[a-z0-9._-]+|\[[0-9a-f:]+\])$/
const loopback = /^(?:127\.0\.0\.1|\[::1\]|localhost)$/
/** The names that private schemes should have (RFC 8252, 7.1): that of a domain, backwards. */
const domainScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/
/** Those of programs that many have, and that do not follow it. None of them runs what it is given. */
const knownSchemes = [
  'cursor:',
  'vscode:',
  'vscode-insiders:',
  'windsurf:',
  'zed:',
  'claude:',
  'raycast:',
  'jetbrains:',
]

/** Why it is refused; null: it is good. */
export function redirectUriFault(uri: unknown): string | null {
  if (typeof uri !== 'string') return 'must be text'
  if (uri.length > maxChars) return `must have at most ${maxChars} characters`
  if (forbidden.test(uri) || !URL.canParse(uri)) return 'must be an absolute URL without a fragment'
  const url = new URL(uri)
  if (url.username !== '' || url.password !== '') return 'must not contain a user name'
  if (url.protocol === 'https:') return hostPattern.test(url.hostname) ? null : 'must have a plain host'
  if (url.protocol === 'http:')
    return isLoopback(url) ? null : 'must be https, or http on 127.0.0.1, [::1] or localhost'
  return domainScheme.test(url.protocol) || knownSchemes.includes(url.protocol)
    ? null
    : 'must be https, http on this machine, or a private scheme with a dot in its name (RFC 8252, 7.1)'
}

/** The same character by character, but for the port of a program on the person's own machine, which it learns too late (RFC 8252, 7.3). */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return registered.some(
    (one) => one === uri || (isLocal(one) && isLocal(uri) && withoutPort(one) === withoutPort(uri)),
  )
}

/** What a person reads of it: its host, or its scheme. */
export function hostOfRedirect(uri: string): string {
  const url = new URL(uri)
  return /^https?:$/.test(url.protocol) ? url.hostname : url.protocol
}

/** Whether a program on the person's own machine takes the code: any could have written that address. */
export function isOnThisMachine(uri: string): boolean {
  return new URL(uri).protocol !== 'https:'
}

/** With more parameters, whatever it has already. */
export function withParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const more = Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(more)}`
}

function isLocal(uri: string): boolean {
  const url = URL.parse(uri)
  return url?.protocol === 'http:' && isLoopback(url)
}

function isLoopback({ hostname }: URL): boolean {
  return loopback.test(hostname)
}

/** Of `http://127.0.0.1:49152/callback`; the rest stays as it is written. */
function withoutPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:\[::1\]|[^/?:]+))(?::\d{1,5})?(?=[/?]|$)/, '$1')
}
