// The state of a mail, as a word with a colour: never a colour alone.

import { ownValue } from '../../src/lib/own-value.ts'
import { inLanguage } from '../words.ts'

const english: Record<string, string> = {
  queued: 'queued',
  sending: 'sending',
  sent: 'sent',
  delivered: 'delivered',
  delayed: 'delayed',
  bounced: 'bounced',
  complained: 'complained',
  suppressed: 'suppressed',
  failed: 'failed',
  cancelled: 'cancelled',
  uncertain: 'uncertain',
}
const german: Record<string, string> = {
  queued: 'wartet',
  sending: 'unterwegs',
  sent: 'gesendet',
  delivered: 'zugestellt',
  delayed: 'verzögert',
  bounced: 'zurückgewiesen',
  complained: 'beanstandet',
  suppressed: 'gesperrt',
  failed: 'gescheitert',
  cancelled: 'abgebrochen',
  uncertain: 'ungewiss',
}
const words = inLanguage({ en: english, de: german })

const tones: Record<string, 'good' | 'bad' | 'warn'> = {
  sent: 'good',
  delivered: 'good',
  bounced: 'bad',
  complained: 'bad',
  failed: 'bad',
  uncertain: 'warn',
  delayed: 'warn',
  suppressed: 'warn',
}

export function statusWord(status: string): string {
  return ownValue(words, status) ?? status
}

export function Status({ status }: { status: string }) {
  return <span class={`status ${ownValue(tones, status) ?? ''}`}>{statusWord(status)}</span>
}
