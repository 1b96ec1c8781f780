// The counts of the caps, as they will be: begun with those of the store, and asked by the rule that asks them in earnest.

import { eq } from 'drizzle-orm'
import { sendingCounts } from '../../../../db/tables/campaigns.ts'
import type { Reader } from '../../../core/app.ts'
import type { CampaignSettings } from '../../../people/campaign-settings.ts'
import { MailsAhead } from '../../../people/limits.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { type Allowance, allowanceBy, lesserAllowance, type Used, windowMs, windowStep } from './caps.ts'

/** What was reserved in one step of the window. */
interface Reserved {
  since: number
  count: number
}

/** Rows of the window, oldest first, with their sum. */
class Window {
  readonly #rows: Reserved[] = []
  #sum = 0

  add(since: number, count: number): void {
    const last = this.#rows.at(-1)
    if (last?.since === since) last.count += count
    else this.#rows.push({ since, count })
    this.#sum += count
  }

  used(now: number): Used {
    while (this.#rows[0] !== undefined && this.#rows[0].since <= now - windowMs)
      this.#sum -= this.#rows.shift()?.count ?? 0
    return { used: this.#sum, first: this.#rows[0]?.since ?? null }
  }
}

export class Caps {
  readonly #workspace: Workspace
  readonly #settings: CampaignSettings
  readonly #all = new Window()
  readonly #domains = new Map<string, Window>()
  readonly #since = new Map<string, number>()
  #plan: MailsAhead | null = null

  private constructor(workspace: Workspace, settings: CampaignSettings) {
    this.#workspace = workspace
    this.#settings = settings
  }

  static async load(reader: Reader, workspace: Workspace, settings: CampaignSettings, now: Date): Promise<Caps> {
    const caps = new Caps(workspace, settings)
    caps.#plan = await MailsAhead.load(reader, workspace, now)
    const rows = await reader.db
      .select({ since: sendingCounts.since, domain: sendingCounts.domain, reserved: sendingCounts.reserved })
      .from(sendingCounts)
      .where(eq(sendingCounts.workspaceId, workspace.id))
      .orderBy(sendingCounts.since)
    for (const { since, domain, reserved } of rows) caps.#count(domain, since.getTime(), reserved)
    return caps
  }

  reserve(domain: string, at: Date, mails: number): void {
    this.#count(domain, windowStep(at).getTime(), mails)
    this.#plan?.take(at, mails)
  }

  allowance(domain: string, now: Date): Allowance {
    const used = {
      all: this.#all.used(now.getTime()),
      ofDomain: this.#window(domain).used(now.getTime()),
      domainSince: this.#since.get(domain) ?? null,
    }
    const capped = allowanceBy(this.#workspace, this.#settings, used, now)
    return this.#plan === null ? capped : lesserAllowance(capped, this.#plan.left(now))
  }

  #count(domain: string, since: number, count: number): void {
    if (!this.#since.has(domain)) this.#since.set(domain, since)
    if (count <= 0) return
    this.#all.add(since, count)
    this.#window(domain).add(since, count)
  }

  #window(domain: string): Window {
    return this.#domains.getOrInsertComputed(domain, () => new Window())
  }
}
