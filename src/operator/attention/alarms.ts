// Alerts the operator when the installation needs attention and when it no longer does: by ntfy, Slack or a signed webhook, never by mail,
// because mail may be what has stopped. It is no job of the outbox for the same reason. An alarm that an address did not accept is sent
// again a minute later; accepted ones are remembered, so that a restart repeats nothing.

import { eq } from 'drizzle-orm'
import { putInstallationValue } from '../../../db/installation-value.ts'
import { installation } from '../../../db/tables/workspaces.ts'
import { type App, write } from '../../core/app.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { minute } from '../../kit/duration.ts'
import type { Vitals } from '../health/vitals.ts'
import { type Alarm, AlarmSender } from './alarm-sender.ts'
import { attentionOfInstallation } from './attention.ts'
import { toItemView } from './schema.ts'

const lookEveryMs = minute
/** Of several processes that share a database, the one that checked within this time continues to check. */
const leaseMs = 3 * minute
const ledBy = 'alarms led by'
const toldName = 'alarms told'
const unreadable = {
  code: 'database_unavailable',
  severity: 'urgent',
  text: 'The database cannot be read',
  todo: 'Read the log of the server: the disk, or the libSQL server, does not answer.',
  docs: 'docs/troubleshooting.md',
} as const

/** Accepted alarms that are not over, for each address: texts by code, by a digest of the address, which may contain a secret. */
type SentAlarms = Map<string, Map<string, string>>

/** Looks each minute until the returned function is called. */
export function watchAttention(app: App, vitals: Pick<Vitals, 'lastTickAt'>): () => void {
  if (app.config.alarms.to.length === 0) return () => {}
  const alarms = new Alarms(app, vitals)
  const timer = setInterval(() => void alarms.look(), lookEveryMs)
  return () => {
    clearInterval(timer)
    alarms.close()
  }
}

export class Alarms {
  readonly #app: App
  readonly #vitals: Pick<Vitals, 'lastTickAt'>
  readonly #sender: AlarmSender
  readonly #me: string
  #told: SentAlarms | null = null
  /** The items of the previous check. An item that lasts only a moment is not reported. */
  #before = new Set<string>()

  constructor(app: App, vitals: Pick<Vitals, 'lastTickAt'>) {
    this.#app = app
    this.#vitals = vitals
    this.#sender = new AlarmSender(app.config, app.random)
    this.#me = app.random.uuidv7(app.clock.now())
  }

  close(): void {
    this.#sender.close()
  }

  async look(): Promise<void> {
    const items = await this.#items()
    const now = new Set(items.map(({ code }) => code))
    const before = this.#before
    this.#before = now
    if (!(await this.#leads())) return
    const sent = await this.#toldBefore()
    let changed = false
    for (const address of this.#app.config.alarms.to) {
      const taken = sent.getOrInsertComputed(sha256Hex(address.url), () => new Map())
      const begun = items.filter(({ code }) => before.has(code) && !taken.has(code))
      const over = new Map([...taken].filter(([code]) => !before.has(code) && !now.has(code)))
      if (begun.length + over.size === 0) continue
      const failure = await this.#sender.tell(address, { begun, over }, this.#app.clock.now())
      if (failure !== null) {
        this.#app.log.warn('an alarm was not delivered', {
          kind: address.kind,
          host: new URL(address.url).host,
          failure,
        })
        continue
      }
      for (const { code, text } of begun) taken.set(code, text)
      for (const code of over.keys()) taken.delete(code)
      changed = true
    }
    if (changed) await this.#remember(sent)
  }

  /** What is worse than a notice. A database that cannot be read is the worst. */
  async #items(): Promise<Alarm[]> {
    try {
      const items = await attentionOfInstallation(this.#app, this.#vitals)
      return items.filter(({ severity }) => severity !== 'notice').map(toItemView)
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      return [{ ...unreadable, since: this.#app.clock.now().toISOString(), detail }]
    }
  }

  /** Whether this process sends the alarms. When the database is unavailable, every process does. */
  async #leads(): Promise<boolean> {
    try {
      return await write(this.#app, async (tx) => {
        const [row] = await tx.db.select().from(installation).where(eq(installation.name, ledBy))
        const isFree = !row || row.value === this.#me || tx.now.getTime() - row.updatedAt.getTime() > leaseMs
        if (isFree) await putInstallationValue(tx, ledBy, this.#me)
        return isFree
      })
    } catch {
      return true
    }
  }

  async #toldBefore(): Promise<SentAlarms> {
    if (this.#told) return this.#told
    const stored = await this.#stored().catch(() => ({}))
    this.#told = new Map(Object.entries(stored).map(([address, texts]) => [address, new Map(Object.entries(texts))]))
    return this.#told
  }

  async #stored(): Promise<Record<string, Record<string, string>>> {
    const [row] = await this.#app.db.select().from(installation).where(eq(installation.name, toldName))
    return row ? JSON.parse(row.value) : {}
  }

  async #remember(sent: SentAlarms): Promise<void> {
    const value = JSON.stringify(
      Object.fromEntries([...sent].map(([address, texts]) => [address, Object.fromEntries(texts)])),
    )
    await write(this.#app, (tx) => putInstallationValue(tx, toldName, value)).catch(() => {})
  }
}
