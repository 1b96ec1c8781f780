// The state of a message as a word with a colour, never as a colour alone.

import { ownValue } from '../../src/kit/own-value.ts'
import { inLanguage } from '../words.ts'

const words = inLanguage(catalogue.parts.status)

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
  made: 'good',
  missed: 'warn',
}

export function statusWord(status: string): string {
  return ownValue(words, status) ?? status
}

export function Status({ status }: { status: string }) {
  return <span class={`status ${ownValue(tones, status) ?? ''}`}>{statusWord(status)}</span>
}
