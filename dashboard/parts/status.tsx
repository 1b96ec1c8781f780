// The state of a message as a word with a colour, never as a colour alone.

import { ownValue } from '../../src/kit/own-value.ts'
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
  unsubscribed: 'unsubscribed',
  unconfirmed: 'unconfirmed',
  rate_guardrail: 'too often',
  held_out: 'held out',
  draft: 'draft',
  approved: 'approved',
  scheduled: 'scheduled',
  paused: 'paused',
  active: 'active',
  disabled: 'disabled',
  pending: 'waiting',
  running: 'running',
  held: 'held',
  dead: 'failed',
  ambiguous: 'uncertain',
  done: 'done',
  skipped: 'skipped',
  processed: 'became an event',
  ignored: 'ignored',
  waiting: 'waiting',
  completed: 'completed',
  exited: 'left',
  stopped: 'stopped',
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
  unsubscribed: 'abgemeldet',
  unconfirmed: 'unbestätigt',
  rate_guardrail: 'zu oft',
  held_out: 'ausgenommen',
  draft: 'Entwurf',
  approved: 'freigegeben',
  scheduled: 'geplant',
  paused: 'angehalten',
  active: 'aktiv',
  disabled: 'abgeschaltet',
  pending: 'wartet',
  running: 'läuft',
  held: 'angehalten',
  dead: 'gescheitert',
  ambiguous: 'ungewiss',
  done: 'getan',
  skipped: 'ausgelassen',
  processed: 'wurde ein Ereignis',
  ignored: 'übergangen',
  waiting: 'wartet',
  completed: 'am Ziel',
  exited: 'ging vorher',
  stopped: 'beendet',
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
  paused: 'warn',
  active: 'good',
  done: 'good',
  dead: 'bad',
  ambiguous: 'warn',
  disabled: 'warn',
  skipped: 'warn',
  processed: 'good',
  completed: 'good',
}

export function statusWord(status: string): string {
  return ownValue(words, status) ?? status
}

export function Status({ status }: { status: string }) {
  return <span class={`status ${ownValue(tones, status) ?? ''}`}>{statusWord(status)}</span>
}
