// What steps ask of the world, and do to it, while people are moved on. In earnest that is a transaction (in-earnest.ts); a forecast answers
// from memory (features/forecast). What follows from an answer is decided once, in advance.ts, mails.ts and moves.ts.

import type { SegmentFilter } from '../../../db/tables/segments.ts'
import type { DigestStep, EventStep, SendStep } from '../../../db/tables/sequences.ts'
import type { CampaignSettings } from '../../people/campaign-settings.ts'
import type { Workspace } from '../../people/workspaces.ts'
import type { Candidate, Facts } from '../campaigns/eligibility.ts'
import type { Allowance } from '../campaigns/reputation/caps.ts'
import type { DeliveryParts } from '../events/deliver-template.ts'
import type { Effect } from '../events/effects.ts'
import type { Traveller } from './moves.ts'
import type { Run } from './runs.ts'
import type { Definitions, Sequence } from './versions.ts'

/** By the key of a mail (mails.ts): its template and purpose, and what a variant of a test says instead. */
export type MailParts = Map<string, DeliveryParts>

/** What moving people on needs of their sequence. */
export interface Page {
  sequence: Sequence
  workspace: Workspace
  definitions: Definitions
  mails: MailParts
}

/** The mails of one step. */
export interface Mailing {
  step: SendStep | DigestStep
  parts: DeliveryParts
  isMarketing: boolean
}

export interface World {
  /** Whoever is due by then is moved on. */
  until: Date
  /** When a run that is due goes on. */
  nowOf(run: Run): Date
  /** The event that a step looks back for, by the id of the run. */
  findArrived(step: EventStep, list: Traveller[]): Promise<Map<string, string>>
  /** The ids of those runs whose person opened a link of the mail of that step. */
  findClicked(stepId: string, list: Traveller[]): Promise<Set<string>>
  /** The ids of the contacts that a filter is met by. */
  findMeeting(filter: SegmentFilter, list: Traveller[]): Promise<Set<string>>
  /** Name of the variant that won the test of a step in the version of the run; null: nobody has won yet. */
  findWinner(step: SendStep, run: Run): Promise<string | null>
  settingsOf(workspaceId: string): Promise<CampaignSettings>
  /** In the order of `candidates`; `listId` null: mail to everybody who is subscribed. */
  factsOf<C extends Candidate>(
    source: { listId: string | null; workspaceId: string },
    candidates: C[],
  ): Promise<Facts<C>[]>
  allowanceOf(workspace: Workspace, sending: { settings: CampaignSettings; domain: string }): Promise<Allowance>
  /** Does what the step says to the contact. */
  act(traveller: Traveller): Promise<Effect>
  /** Sends the mail of a step to those who may get it. */
  send(page: Page, mailing: Mailing, list: Traveller[]): Promise<void>
}
