// Headers that a caller may add to a mail. Headers that route, authenticate or describe the mail are reserved, and so are those that
// control a relay: they can add recipients, turn off tracking or name another account, in the operator's name.

import { AppError, type Issue } from '../../kit/error.ts'
import { isOneLine, notOneLine } from '../../kit/text.ts'

const maxHeaders = 20
const maxValueLength = 900
/** X-… and these; any other is refused by name. */
const allowed = [
  'references',
  'in-reply-to',
  'importance',
  'priority',
  'auto-submitted',
  'feedback-id',
  'list-id',
  'keywords',
  'comments',
]
/** Of mail whose content is the caller's own, which has no link of ours to unsubscribe. */
const leaving = ['list-unsubscribe', 'list-unsubscribe-post']
/** Reserved although they begin with X-: mail servers write them, and some obey them. */
const reservedExtensions =
  /^x-(originating|mailer|authenticated|auth-|sender|envelope|paquebot|forwarded|original-|rcpt|recipient|return-path|failed-recipients|bcc$|loop$)/
/** Headers that control relays, as their manuals name them: the whole name, or the part before the next hyphen. */
const ofProviders: [providers: string, names: string[]][] = [
  ['SendGrid, SendCloud', ['smtpapi', 'sg', 'sendgrid', 'sendcloud']],
  ['Mailchimp Transactional, MailChannels', ['mc', 'mandrill', 'mailchannels']],
  ['Mailgun', ['mailgun']],
  ['Postmark', ['pm', 'postmark']],
  ['Amazon SES', ['ses', 'amz', 'amzn', 'aws']],
  ['SparkPost, Bird, Momentum', ['msys', 'sparkpost', 'bird', 'binding']],
  ['Mailjet', ['mj', 'mailjet']],
  ['Brevo', ['mailin', 'sib', 'brevo']],
  ['Mailtrap', ['mt', 'mailtrap']],
  ['MailerSend', ['mailersend']],
  ['Elastic Email', ['elasticemail', 'postback']],
  ['SMTP2GO, SMTP.com, SMTPeter', ['smtp2go', 'smtpcom', 'smtpeter']],
  ['SocketLabs', ['xsmessageid', 'xsmailingid', 'socketlabs']],
  ['Netcore', ['apiheader', 'tags', 'netcore', 'pepipost']],
  ['Tipimail', ['tm', 'tipimail']],
  ['Zoho', ['zeptomail', 'zoho']],
  ['Resend, Loops, Plunk', ['resend', 'loops', 'plunk']],
  ['Emailit, Lettermint, MailPace, Maileroo, Sweego', ['emailit', 'lettermint', 'mailpace', 'maileroo', 'sweego']],
  ['Scaleway, Infobip, Dynosend', ['scw', 'infobip', 'dynosend']],
  ['MailWizz, Postal, Haraka', ['mw', 'postal', 'haraka']],
  ['PowerMTA, GreenArrow', ['virtual', 'virtualmta', 'job', 'envid', 'dsn', 'greenarrow']],
  ['MailerQ, KumoMTA, Halon', ['mq', 'mailerq', 'kumo', 'kumomta', 'halon']],
  ['Google, Microsoft', ['gm', 'google', 'ms', 'microsoft', 'msexchange', 'exchange', 'forefront']],
  ['Proofpoint, Mimecast', ['proofpoint', 'mimecast']],
]
const reserved = new RegExp(`^x-(${ofProviders.flatMap(([, names]) => names).join('|')})(-|$)`)

const namePattern = /^[A-Za-z][A-Za-z0-9-]{0,63}$/

/** The headers as given, or null. Throws `validation_failed` naming each one that may not be set. */
export function checkHeaders(
  headers: Record<string, string> | undefined,
  content: 'template' | 'own' = 'template',
): Record<string, string> | null {
  const entries = Object.entries(headers ?? {})
  if (entries.length === 0) return null
  const errors = entries.flatMap(([name, value]) => findFaults(name, value, content))
  if (content === 'own') errors.push(...leavingFaults(entries))
  if (entries.length > maxHeaders) {
    errors.unshift({
      path: 'headers',
      code: 'too_many',
      message: `at most ${maxHeaders} headers, not ${entries.length}`,
    })
  }
  if (errors.length > 0) throw new AppError('validation_failed', errors[0]?.message ?? 'headers', { errors })
  return Object.fromEntries(entries)
}

/** `name` in lower case. */
export function controlsRelay(name: string): boolean {
  return reserved.test(name)
}

/** `name` in lower case. */
export function isAllowed(name: string, content: 'template' | 'own' = 'template'): boolean {
  if (content === 'own' && leaving.includes(name)) return true
  return allowed.includes(name) || (name.startsWith('x-') && !reservedExtensions.test(name) && !controlsRelay(name))
}

/** RFC 2369, RFC 8058: addresses that a mail client can use, and one that it can post to where it is told to. */
function leavingFaults(entries: [name: string, value: string][]): Issue[] {
  const [list, post] = leaving.map((name) => entries.find(([one]) => one.toLowerCase() === name))
  const addresses = (list?.[1] ?? '').split(',').map((one) => one.trim())
  const faults: [named: [string, string] | undefined, isWrong: boolean, what: string][] = [
    [list, !addresses.every(isLeaveAddress), 'must be addresses like <https://example.com/leave>, https or mailto'],
    [post, post?.[1].trim() !== 'List-Unsubscribe=One-Click', 'must be List-Unsubscribe=One-Click'],
    [post, !addresses.some((one) => one.startsWith('<https:')), 'needs a List-Unsubscribe with an https address'],
  ]
  return faults.flatMap(([named, isWrong, what]) => {
    const path = `headers.${named?.[0]}`
    return named && isWrong ? [{ path, code: 'invalid', message: `${path}: ${what}` }] : []
  })
}

function isLeaveAddress(text: string): boolean {
  return /^<(https|mailto):[^<>\s]+>$/.test(text) && URL.canParse(text.slice(1, -1))
}

function findFaults(name: string, value: string, content: 'template' | 'own'): Issue[] {
  const path = `headers.${name.slice(0, 64)}`
  const lower = name.toLowerCase()
  if (!namePattern.test(name)) return [{ path, code: 'invalid_name', message: `${path}: not a header name` }]
  if (!isAllowed(lower, content)) {
    const message = `${path}: may not be set; allowed are ${allowed.join(', ')}, and X-… of your own, except those by which a provider is steered`
    return [{ path, code: 'not_allowed', message }]
  }
  if (!isOneLine(value)) return [{ path, code: 'control_character', message: `${path}: ${notOneLine}` }]
  if (value.length > maxValueLength)
    return [{ path, code: 'too_long', message: `${path}: at most ${maxValueLength} characters` }]
  return []
}
