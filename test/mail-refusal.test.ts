// Whom a mail server speaks of, in its own words: replies as Postfix, Exim, Exchange, Gmail, SES and others give them.

import { expect, test } from 'bun:test'
import { aboutWhom, type Refusal, type RefusalSubject } from '../src/mail/refusal.ts'

const said: [RefusalSubject, Refusal['stage'], reply: string][] = [
  ['relay', 'banner', '554 no service for you'],
  ['relay', 'ehlo', '554 5.7.1 not you'],
  ['relay', 'auth', '535 5.7.8 Error: authentication failed'],
  ['relay', 'auth', '534 5.7.9 Application-specific password required'],
  ['relay', 'mail', '530 5.7.0 Must issue a STARTTLS command first'],
  ['relay', 'mail', '530-5.7.0 Authentication Required. For more information, go to support'],
  ['relay', 'mail', '538 5.7.11 Encryption required for requested authentication mechanism'],
  ['relay', 'rcpt', '554 5.7.1 <ada@example.net>: Relay access denied'],
  ['relay', 'rcpt', '454 4.7.1 <ada@example.net>: Relay access denied'],
  ['relay', 'rcpt', '550 relay not permitted'],
  ['relay', 'rcpt', '550 5.7.1 <ada@example.net>... Relaying denied'],
  ['relay', 'rcpt', '550 5.7.1 Unable to relay'],
  ['relay', 'rcpt', '550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain'],
  ['relay', 'mail', '530 5.7.57 Client not authenticated to send mail'],
  ['relay', 'rcpt', "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
  ['relay', 'mail', '550-5.7.1 Invalid credentials for relay [192.0.2.1]'],
  ['relay', 'dot', '550 5.4.5 Daily user sending limit exceeded'],
  ['relay', 'dot', '454 Throttling failure: Maximum sending rate exceeded.'],
  ['relay', 'dot', '554 Access denied: User is not authorized to perform ses:SendRawEmail'],
  ['relay', 'mail', '525 5.7.1 Unauthorized IP address'],
  ['relay', 'mail', '451 Authentication failed: Maximum credits exceeded'],
  ['relay', 'rcpt', '452 4.5.3 Error: too many recipients'],
  ['relay', 'rcpt', '550 5.7.1 <ada@example.net>: Recipient address rejected: Policy Rejection- Quota exceeded'],
  ['relay', 'rcpt', '452 4.2.1 quota exceeded for sender'],
  [
    'relay',
    'dot',
    '550 Domain acme.test has exceeded the max emails per hour (200/200 (100%)) allowed. Message discarded.',
  ],
  ['relay', 'mail', '421 4.4.2 Message submission rate for this client has exceeded the configured limit'],
  ['mailbox', 'rcpt', '452 4.2.2 Quota exceeded (mailbox for user is full)'],
  ['sender', 'mail', '550 5.7.1 no'],
  ['sender', 'mail', '553 5.1.8 Domain of sender address does not exist'],
  ['sender', 'rcpt', '553 5.7.1 <a@acme.test>: Sender address rejected: not owned by user shop'],
  ['sender', 'rcpt', '550 5.1.0 <a@acme.test>: Sender address rejected: User unknown in local table'],
  ['sender', 'rcpt', '550 Sender verify failed'],
  ['sender', 'dot', '550-5.7.26 This mail has been blocked because the sender is unauthenticated.'],
  ['sender', 'dot', '550 5.7.23 The message was rejected because of Sender Policy Framework violation'],
  ['sender', 'dot', '550 5.7.60 SMTP; Client does not have permissions to send as this sender'],
  ['sender', 'dot', '550 5.7.515 Access denied, sending domain does not meet the required authentication level'],
  ['sender', 'dot', '554 Message rejected: Email address is not verified. The following identities failed the check'],
  ['sender', 'dot', '550 The from address does not match a verified Sender Identity'],
  ['sender', 'dot', '554 5.7.9 Message not accepted for policy reasons'],
  ['sender', 'rcpt', '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org'],
  ['sender', 'rcpt', '550 5.7.25 The IP address sending this message does not have a PTR record setup'],
  ['message', 'mail', '552 5.3.4 Message size exceeds fixed limit'],
  ['message', 'dot', '552 too big'],
  ['message', 'dot', '554 5.7.1 Spam message rejected'],
  ['message', 'dot', '554 5.6.0 Message contains a forbidden attachment'],
  ['message', 'rcpt', '550 5.7.1 policy'],
  ['message', 'rcpt', '550 Administrative prohibition'],
  ['message', 'rcpt', '450 4.2.0 <ada@example.net>: Recipient address rejected: Greylisted'],
  ['message', 'rcpt', '450 4.7.1 Client host rejected: Greylisted'],
  ['message', 'dot', '451 4.7.1 Greylisting in action, please come back in 00:05:00'],
  ['message', 'rcpt', '550 5.7.133 Sender not authenticated for group'],
  ['address', 'rcpt', '550 5.1.1 <dkim-relay-denied@example.net>: Recipient address rejected: User unknown'],
  ['address', 'rcpt', '550 no such user'],
  ['address', 'rcpt', '550 5.1.10 null MX'],
  ['address', 'rcpt', '550 5.4.1 Recipient address rejected: Access denied.'],
  ['address', 'report', '550 5.1.1 RESOLVER.ADR.RecipNotFound; not found'],
  ['mailbox', 'rcpt', '552 5.2.2 The email account that you tried to reach is over quota'],
  ['mailbox', 'dot', '552 5.2.2 mailbox full'],
]

/** By a receiver, with no relay between. */
const saidDirectly: typeof said = [
  ['message', 'banner', '554 no service for you'],
  ['message', 'ehlo', '421 4.3.2 too busy'],
  ['message', 'starttls', '454 4.7.0 TLS not available'],
  ['message', 'rcpt', '554 5.7.1 <ada@example.net>: Relay access denied'],
  ['message', 'dot', '452 4.5.3 too many recipients'],
  ['sender', 'banner', '554 5.7.1 Client host [192.0.2.1] blocked using zen.spamhaus.org'],
  ['sender', 'rcpt', '550 5.7.25 The IP address sending this message does not have a PTR record setup'],
  ['address', 'rcpt', '550 5.1.1 no such user'],
]

const refusalOf = (stage: Refusal['stage'], reply: string): Refusal => {
  const enhanced = /^\d{3}[ -](\d\.\d+\.\d+)/.exec(reply)?.[1] ?? null
  return { stage, code: Number(reply.slice(0, 3)), enhanced, text: reply }
}

for (const [about, stage, reply] of saidDirectly)
  test(`"${reply}" at ${stage}, by a receiver itself, is about the ${about}`, () => {
    expect(aboutWhom({ ...refusalOf(stage, reply), direct: true })).toBe(about)
  })

for (const [about, stage, reply] of said) {
  test(`"${reply}" at ${stage} is about the ${about}`, () => {
    expect(aboutWhom(refusalOf(stage, reply))).toBe(about)
  })
}
