// Parses the arguments of MAIL and RCPT: a path in angle brackets, then parameters (RFC 5321, 4.1.2).

export interface MailCommand {
  /** '' = the null sender. */
  path: string
  /** Names in upper case. */
  parameters: [name: string, value: string][]
}

const maxPathLength = 320

/** RFC 6531 is not offered: a receiver without it would bounce what we had taken. */
const noUtf8 = 'addresses in UTF-8 (SMTPUTF8) are not supported; write the domain as xn--'

/** Of a path, which was read as latin1; null for ASCII. */
export function utf8Refusal(path: string): { code: number; text: string } | null {
  return /[\x80-\xff]/.test(path) ? { code: 553, text: `5.6.7 ${noUtf8}` } : null
}

/** Null when it is not `FROM:<…>` (or `TO:<…>`). */
export function readMailCommand(text: string, word: 'FROM' | 'TO'): MailCommand | null {
  const match = new RegExp(`^${word}: ?<([^<>\\x00-\\x20\\x7f]*)>((?: +[^ ]+)*)$`, 'i').exec(text)
  if (!match) return null
  const [, path = '', rest = ''] = match
  if (path.length > maxPathLength) return null
  const parameters = rest.split(' ').filter(Boolean)
  return { path, parameters: parameters.map(readParameter) }
}

/** Why these parameters of MAIL are refused; null when they are not. Who signs in may say for whom (RFC 4954, 5); nothing follows from it. */
export function parameterFault(
  parameters: MailCommand['parameters'],
  { maxMessageBytes, takesAuth }: { maxMessageBytes: number; takesAuth: boolean },
): { code: number; text: string } | null {
  for (const [name, value] of parameters) {
    if (name === 'SIZE' && /^\d{1,20}$/.test(value)) {
      if (Number(value) > maxMessageBytes) return { code: 552, text: '5.3.4 the mail is too large' }
    } else if (name === 'SMTPUTF8') {
      return { code: 555, text: `5.6.7 ${noUtf8}` }
    } else if (!(takesAuth && name === 'AUTH') && (name !== 'BODY' || !/^(7BIT|8BITMIME)$/i.test(value))) {
      return { code: 555, text: '5.5.4 unknown parameter' }
    }
  }
  return null
}

function readParameter(text: string): [string, string] {
  const [name = '', ...value] = text.split('=')
  return [name.toUpperCase(), value.join('=')]
}
