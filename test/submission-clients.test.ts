// What applications really send with, unchanged, against the SMTP port: Python's smtplib (Django), PHPMailer (WordPress), Ruby's mail
// (Rails), msmtp (cron), and the postfix of a machine whose mail all goes through us. Those that the machine does not have are left out.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { listenForSubmissions, type SubmissionListener } from '../src/doors/smtp/listen.ts'
import { type TestApp, testApp } from './support/app.ts'
import { certificateFor } from './support/certificate.ts'
import { startPostfix } from './support/postfix.ts'
import { type Sink, startSink } from './support/smtp-sink.ts'

const python = Bun.which('python3')
const msmtp = Bun.which('msmtp')
const php = Bun.which('php')
const phpMailer = join(dirname(php ?? ''), '../share/php/libphp-phpmailer/src')
const isPhpMailer = php !== null && existsSync(phpMailer)
const ruby = Bun.which('ruby')
const isRubyMail = ruby !== null && existsSync(join(dirname(ruby), '../lib/ruby/vendor_ruby/mail.rb'))
/** It is started by root only. */
const postfix = process.getuid?.() === 0 ? Bun.which('postfix') : null
const programs = { python3: python, msmtp, PHPMailer: isPhpMailer || null, "Ruby's mail": isRubyMail || null, postfix }
for (const [name, there] of Object.entries(programs))
  if (there === null) process.stderr.write(`${name} is not installed: it hands over no mail here\n`)

const directory = mkdtempSync(join(tmpdir(), 'submission-clients-'))
const files = { cert: join(directory, 'cert.pem'), key: join(directory, 'key.pem') }
const sender = 'app@house.example'

let sink: Sink
let t: TestApp
let listeners: SubmissionListener[]

beforeAll(async () => {
  const { cert, key } = certificateFor('localhost')
  writeFileSync(files.cert, cert)
  writeFileSync(files.key, key)
  sink = startSink()
  t = await testApp({
    environment: {
      SMTP_URL: sink.url,
      MAIL_FROM: `House <${sender}>`,
      SUBMISSION_PORT: '0',
      SUBMISSIONS_PORT: '0',
      SUBMISSION_TLS_CERT: files.cert,
      SUBMISSION_TLS_KEY: files.key,
    },
  })
  listeners = await listenForSubmissions(t.app, '127.0.0.1')
})

afterAll(async () => {
  await Promise.all(listeners.map((one) => one.close()))
  await t[Symbol.asyncDispose]()
  sink.stop()
  rmSync(directory, { recursive: true, force: true })
})

const port = (which: 'STARTTLS' | 'TLS') => String(listeners.find(({ says }) => says.endsWith(`(${which})`))?.port)

/** What the program says; it must succeed. */
async function run(command: string[], stdin = ''): Promise<string> {
  const env = { ...process.env, KEY: t.apiKey, CERT: files.cert }
  const child = Bun.spawn(command, { env, stdin: new Blob([stdin]), stdout: 'pipe', stderr: 'pipe' })
  const [said, told] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect([await child.exited, told]).toEqual([0, ''])
  return said
}

/** The mails that arrive of this work, by recipient: to whom, and as a reader sees them. */
async function arriving(work: () => Promise<unknown>) {
  const before = sink.received.length
  await work()
  await t.settle()
  // Those of one message leave at the same time, in either order.
  const arrived = sink.received.slice(before).sort((one, other) => String(one.to[0]).localeCompare(String(other.to[0])))
  return await Promise.all(
    arrived.map(async ({ raw, to }) => {
      const { mail } = await t.app.mailReader.read({ pieces: [raw], bytes: raw.length })
      return {
        to: to[0],
        subject: mail.subject,
        text: mail.text.trim(),
        html: mail.html,
        attachments: mail.attachments,
      }
    }),
  )
}

const inPython = `
import os, smtplib, ssl, sys
from email.message import EmailMessage
mail = EmailMessage()
mail['From'], mail['To'], mail['Cc'] = '${sender}', 'Ada <ada@example.net>', 'bob@example.net'
mail['Subject'] = 'Grüße aus Python'
mail.set_content('Über 998: ' + 'x' * 2000)
mail.add_attachment(b'%PDF-1.4', maintype='application', subtype='pdf', filename='a.pdf')
context = ssl.create_default_context(cafile=os.environ['CERT'])
with smtplib.SMTP('localhost', int(sys.argv[1])) as smtp:
    smtp.starttls(context=context)
    smtp.login('django', os.environ['KEY'])
    smtp.send_message(mail)
with smtplib.SMTP_SSL('localhost', int(sys.argv[2]), context=context) as smtp:
    smtp.login('django', os.environ['KEY'])
    try:
        smtp.sendmail('a@theirs.example', 'ada@example.net', 'Subject: x\\r\\n\\r\\nx')
    except smtplib.SMTPSenderRefused as refused:
        print(refused.smtp_code, refused.smtp_error.decode()[:6])
`

const inPhp = `
require '${phpMailer}/PHPMailer.php'; require '${phpMailer}/SMTP.php'; require '${phpMailer}/Exception.php';
$mail = new PHPMailer\\PHPMailer\\PHPMailer(true);
$mail->isSMTP();
$mail->CharSet = 'utf-8';
$mail->Host = 'localhost';
$mail->Port = (int) $argv[1];
$mail->SMTPAuth = true;
$mail->SMTPSecure = 'tls';
$mail->SMTPOptions = ['ssl' => ['cafile' => getenv('CERT')]];
$mail->Username = 'wordpress';
$mail->Password = getenv('KEY');
$mail->setFrom('${sender}', 'Größe');
$mail->addAddress('ada@example.net');
$mail->addBCC('bob@example.net');
$mail->Subject = 'Grüße aus PHP';
$mail->msgHTML('<p>Grüße</p>');
$mail->addCustomHeader('X-Paquebot-Tags', 'wordpress');
$mail->send();
echo $mail->getSMTPInstance()->getLastTransactionID();
`

const inRuby = `
require 'mail'
Mail.defaults do
  delivery_method :smtp, address: 'localhost', port: ARGV[0].to_i, user_name: 'rails', password: ENV['KEY'],
    authentication: :plain, enable_starttls: true, ca_file: ENV['CERT']
end
Mail.deliver do
  from 'Größe <${sender}>'
  to 'ada@example.net'
  bcc 'bob@example.net'
  subject 'Grüße aus Ruby'
  text_part { content_type 'text/plain; charset=UTF-8'; body 'Grüße' }
  html_part { content_type 'text/html; charset=UTF-8'; body '<p>Grüße</p>' }
  add_file filename: 'a.pdf', content: '%PDF-1.4'
end
`

describe('hands over its mail unchanged:', () => {
  test.skipIf(python === null)("Python's smtplib, over STARTTLS and TLS", async () => {
    let said = ''
    const mails = await arriving(async () => {
      said = await run([python ?? '', '-c', inPython, port('STARTTLS'), port('TLS')])
    })
    const expected = {
      subject: 'Grüße aus Python',
      text: `Über 998: ${'x'.repeat(2000)}`,
      attachments: [{ filename: 'a.pdf', contentType: 'application/pdf', sizeBytes: 8 }],
    }
    expect(mails).toMatchObject([
      { to: 'ada@example.net', ...expected },
      { to: 'bob@example.net', ...expected },
    ])
    expect(said.trim()).toBe('553 5.7.1')
  })

  test.skipIf(!isPhpMailer)('PHPMailer, over STARTTLS', async () => {
    const mails = await arriving(() => run([php ?? '', '-r', inPhp, '--', port('STARTTLS')]))
    expect(mails).toMatchObject([
      { to: 'ada@example.net', subject: 'Grüße aus PHP', text: 'Grüße', html: expect.stringContaining('<p>Grüße</p>') },
      { to: 'bob@example.net', subject: 'Grüße aus PHP' },
    ])
    const { data } = await t.get('/v1/activity?q=tag:wordpress', 200)
    expect(data).toHaveLength(2)
  })

  test.skipIf(!isRubyMail)("Ruby's mail, over STARTTLS", async () => {
    const mails = await arriving(() => run([ruby ?? '', '-W0', '-Ku', '-e', inRuby, port('STARTTLS')]))
    const expected = {
      subject: 'Grüße aus Ruby',
      text: 'Grüße',
      html: expect.stringContaining('<p>Grüße</p>'),
      attachments: [{ filename: 'a.pdf', contentType: 'application/pdf', sizeBytes: 8 }],
    }
    expect(mails).toMatchObject([
      { to: 'ada@example.net', ...expected },
      { to: 'bob@example.net', ...expected },
    ])
  })

  test.skipIf(msmtp === null)('msmtp, as cron calls it', async () => {
    const settings = join(directory, 'msmtprc')
    const lines = [
      'account default',
      'host localhost',
      `port ${port('STARTTLS')}`,
      'tls on',
      `tls_trust_file ${files.cert}`,
      'auth plain',
      'user cron',
      `password ${t.apiKey}`,
      `from ${sender}`,
      'set_from_header on',
    ]
    writeFileSync(settings, `${lines.join('\n')}\n`)
    chmodSync(settings, 0o600)
    const mail =
      'From: root (Cron Daemon)\nTo: ada@example.net\nSubject: Cron <root@shop> backup – Größe\n\n.dot\nGröße\n'
    const mails = await arriving(() => run([msmtp ?? '', `--file=${settings}`, '-t', '-oi'], mail))
    expect(mails).toMatchObject([
      { to: 'ada@example.net', subject: 'Cron <root@shop> backup – Größe', text: expect.stringContaining('.dot') },
    ])
  })

  test.skipIf(postfix === null)(
    'postfix, of all that sendmail takes; what we refuse comes back to its sender',
    async () => {
      await using theirs = startSink()
      const password = join(directory, 'sasl_passwd')
      writeFileSync(password, `[localhost]:${port('STARTTLS')} postfix:${t.apiKey}\n`, { mode: 0o600 })
      await using relay = await startPostfix(directory, {
        root: join(dirname(postfix ?? ''), '../..'),
        relayPort: Number(port('STARTTLS')),
        connections: 2,
        settings: {
          smtp_tls_security_level: 'secure',
          smtp_tls_CAfile: files.cert,
          smtp_sasl_auth_enable: 'yes',
          smtp_sasl_password_maps: `texthash:${password}`,
          smtp_sasl_tls_security_options: 'noanonymous',
          smtputf8_enable: 'no',
          // Where its bounces go, past us.
          transport_maps: `inline:{theirs.example=smtp:[127.0.0.1]:${theirs.port}}`,
          smtp_tls_policy_maps: `inline:{[127.0.0.1]:${theirs.port}=none}`,
        },
      })
      const body = '.dot\n..dots \n\nGröße: x\tx \n-- \nFrom here on\n\n'
      const mail = (from: string) => `From: ${from}\nTo: Ada <ada@example.net>\nSubject: Größe\n\n${body}`
      const mails = await arriving(async () => {
        await relay.sendmail(['-t', '-i', '-f', sender], mail(sender))
        expect(await relay.whenLogged(/status=.*\n/)).toMatch(
          /^status=sent \(250 2\.0\.0 accepted as msg_[0-9a-f]{32}\)\n$/,
        )
      })
      expect(mails).toMatchObject([{ to: 'ada@example.net', subject: 'Größe' }])
      const raw = sink.received.at(-1)?.raw.toString() ?? ''
      expect(raw.slice(raw.indexOf('\r\n\r\n') + 4)).toBe(body.replaceAll('\n', '\r\n'))

      const refused = await arriving(async () => {
        await relay.sendmail(['-t', '-i', '-f', 'a@theirs.example'], mail('a@theirs.example'))
        await theirs.whenReceived(1)
      })
      expect(refused).toEqual([])
      const [bounce] = theirs.received
      expect(bounce).toMatchObject({ from: '', to: ['a@theirs.example'] })
      expect(bounce?.raw.toString()).toMatch(/Action: failed\r\nStatus: 5\.7\.1.*Diagnostic-Code: smtp; 553 5\.7\.1 /s)
    },
  )
})
