// Sends an alarm to one address, in the form of its service: ntfy (https://docs.ntfy.sh/publish), Slack (an incoming webhook,
// https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks), or a signed webhook `installation.attention`.

import type { Config } from '../../core/config.ts'
import type { AlarmAddress } from '../../kit/alarm-address.ts'
import { second } from '../../kit/duration.ts'
import { createOperatorDialer, type Dialer } from '../../kit/outbound/dialer.ts'
import type { Random } from '../../kit/random.ts'
import { signingKey, signWebhook } from '../../kit/signature.ts'
import { version } from '../../kit/version.ts'
import type { Severity } from './rule.ts'

export interface Alarm {
  code: string
  severity: Severity
  /** What is wrong. */
  text: string
  /** In this case. */
  detail: string | null
  todo: string
  /** ISO 8601. */
  since: string
  docs: string
}

export interface News {
  begun: Alarm[]
  /** The texts of the items that are over, by code. */
  over: Map<string, string>
}

const ntfyPriorities = { urgent: 'urgent', warning: 'default', notice: 'low' } as const
const totalMs = 10 * second

export class AlarmSender {
  readonly #config: Config
  readonly #dialer: Dialer

  readonly #random: Random

  constructor(config: Config, random: Random) {
    this.#config = config
    this.#random = random
    this.#dialer = createOperatorDialer(config)
  }

  close(): void {
    this.#dialer.close()
  }

  /** Null when it was accepted; else why not. */
  async tell({ kind, url, token }: AlarmAddress, news: News, now: Date): Promise<string | null> {
    const { headers, body } = this.#messages[kind](news, now)
    const authorization: [string, string][] = token === null ? [] : [['Authorization', `Bearer ${token}`]]
    const agent: [string, string] = ['User-Agent', `Paquebot/${version}`]
    const dialed = await this.#dialer.exchange({ url, headers: [...headers, ...authorization, agent], body, totalMs })
    if (dialed.outcome === 'failed') return dialed.code
    const { status } = dialed.head
    return status >= 200 && status < 300 ? null : `it answered ${status}`
  }

  readonly #messages: Record<AlarmAddress['kind'], (news: News, now: Date) => Message> = {
    ntfy: (news) => ({
      headers: [
        ['Title', `Paquebot at ${new URL(this.#config.baseUrl).host}`],
        ['Priority', ntfyPriorities[worstSeverity(news)]],
        ['Tags', news.begun.length > 0 ? 'warning' : 'white_check_mark'],
        ['Content-Type', 'text/plain; charset=utf-8'],
      ],
      body: toLines(news).join('\n'),
    }),
    slack: (news) => ({
      headers: [['Content-Type', 'application/json']],
      body: JSON.stringify({
        text: [`*Paquebot at ${this.#config.baseUrl}*`, ...toLines(news)].map(escaped).join('\n'),
      }),
    }),
    webhook: (news, now) => this.#signed(news, now),
  }

  /** Standard Webhooks, like every other webhook of ours. */
  #signed({ begun, over }: News, now: Date): Message {
    const { baseUrl, alarms } = this.#config
    const id = `alarm_${this.#random.uuidv7(now)}`
    const data = { installation: baseUrl, begun, over: [...over.keys()] }
    const body = JSON.stringify({ type: 'installation.attention', timestamp: now.toISOString(), data })
    const timestamp = Math.floor(now.getTime() / second)
    const signature = signWebhook([signingKey(alarms.secret ?? '')], { id, timestamp, body })
    return {
      headers: [
        ['Content-Type', 'application/json'],
        ['Webhook-Id', id],
        ['Webhook-Timestamp', String(timestamp)],
        ['Webhook-Signature', signature],
      ],
      body,
    }
  }
}

interface Message {
  headers: [name: string, value: string][]
  body: string
}

function worstSeverity({ begun }: News): Severity {
  if (begun.length === 0) return 'notice'
  return begun.some(({ severity }) => severity === 'urgent') ? 'urgent' : 'warning'
}

function toLines({ begun, over }: News): string[] {
  return [
    ...begun.map(({ severity, text, detail, todo }) => {
      const what = detail === null ? text : `${text}: ${detail}`
      return `${severity.toUpperCase()}: ${what}. ${todo}`
    }),
    ...[...over.values()].map((text) => `Over: ${text}.`),
  ]
}

/** Slack reads these three as marks. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
