// Parses the arguments of MAIL and RCPT: a path in angle brackets, then parameters (RFC 5321, 4.1.2).

export interface MailCommand {
  /** '' = the null sender. */
  path: string
  /** Names in upper case. */
  parameters: [name: string, value: string][]
}

const maxPathLength = 320

/** Null when it is not `FROM:<…>` (or `TO:<…>`). */
export function readMailCommand(text: string, word: 'FROM' | 'TO'): MailCommand | null {
  const match = new RegExp(`^${word}: ?<([^<>\\x00-\\x20\\x7f]*)>((?: +[^ ]+)*)$`, 'i').exec(text)
  if (!match) return null
  const [, path = '', rest = ''] = match
  if (path.length > maxPathLength) return null
  const parameters = rest.split(' ').filter(Boolean)
  return { path, parameters: parameters.map(readParameter) }
}

function readParameter(text: string): [string, string] {
  const [name = '', ...value] = text.split('=')
  return [name.toUpperCase(), value.join('=')]
}
