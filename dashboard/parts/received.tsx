// A mail that anybody may have written: the verdicts on its sender, its text with what is kept from agents marked in its place, its HTML in
// a frame that loads nothing of others, its files as downloads.

import { ownValue } from '../../src/kit/own-value.ts'
import { visible } from '../../src/kit/visible.ts'
import { type Got, toCall } from '../api.ts'
import { comma, count, inLanguage } from '../words.ts'
import { AttachmentText } from './attachment-text.tsx'
import { Download } from './download.tsx'
import { MailFrame } from './mail-frame.tsx'
import { marked } from './marked.tsx'

const words = inLanguage(catalogue.parts.received)

const path = '/v1/mailboxes/:mailboxId/messages/:messageId'

export type Received = Got<typeof path>
interface MessagePath {
  mailboxId: string
  messageId: string
}

export function ReceivedMail({ at, mail }: { at: MessagePath; mail: Received }) {
  const { from, auth, automatic, hidden, html, text, quotedText, isComplete } = mail
  const said = hidden.flatMap(({ reads }) => reads ?? [])
  return (
    <>
      <p class="under">
        {words.from} <strong>{visible(from.name)}</strong> {visible(from.address)}
      </p>
      <p class="chips">
        {(['spf', 'dkim', 'dmarc'] as const).map((name) => (
          <AuthVerdict key={name} name={name} auth={auth} />
        ))}
      </p>
      {auth.dmarc !== 'pass' && <p class="muted">{words.forged}</p>}
      {automatic !== null && <p class="notice">{words.automatic(automatic)}</p>}
      {!isComplete && <p class="notice">{words.incomplete}</p>}
      {hidden.length > 0 && (
        <div class="notice bad">
          <p>{words.hidden(hidden.length)}</p>
          {said.map((one) => (
            <p key={one}>{words.reads(one)}</p>
          ))}
        </div>
      )}
      <MailFrame
        title={words.mail}
        html={html}
        text={
          <>
            {marked(text, hidden, 0)}
            {quotedText !== '' && (
              <>
                {`\n\n[${words.quoted}]\n`}
                {marked(quotedText, hidden, text.length)}
              </>
            )}
          </>
        }
        isUntrusted
      />
      <Files at={at} mail={mail} />
    </>
  )
}

const tones: Record<string, string> = {
  pass: 'good',
  fail: 'bad',
  softfail: 'warn',
  permerror: 'bad',
  temperror: 'warn',
}

export function AuthVerdict({ name, auth }: { name: keyof Received['auth']; auth: Received['auth'] }) {
  const verdict = auth[name]
  return (
    <span class={`status ${ownValue(tones, verdict) ?? ''}`}>
      {name.toUpperCase()} {verdict}
    </span>
  )
}

function Files({ at, mail: { attachments } }: { at: MessagePath; mail: Received }) {
  const pathOf = (end: string) => toCall('GET', `${path}${end}`, { params: at }).path
  return (
    <>
      {attachments.length > 0 && (
        <>
          <h3>{words.files}</h3>
          <p class="muted">{words.unsafe}</p>
          <ul class="plain">
            {attachments.map(({ filename, contentType, sizeBytes }, number) => (
              <li key={`${filename} ${number}`}>
                <Download path={pathOf(`/attachments/${number + 1}`)} name={filename} says={visible(filename)} />{' '}
                <span class="muted">
                  {visible(contentType)}
                  {comma}
                  {count(sizeBytes)} B
                </span>
                <AttachmentText at={{ ...at, number: String(number + 1) }} filename={filename} />
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        <Download path={pathOf('/source')} name={`${at.messageId}.eml`} says={words.source} />
      </p>
    </>
  )
}
