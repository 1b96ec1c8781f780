// What a step does to a contact at once, in the transaction in which the run goes on: update, subscribe, unsubscribe, tell the webhooks. A
// refusal is written on the path, and the run goes on.

import type { Step } from '../../../db/tables/sequences.ts'
import type { Tx } from '../../core/app.ts'
import { listSubscriptions, moveSubscription } from '../contacts/consent/subscriptions.ts'
import { type Effect, subscribeByRule, updateByRule } from '../events/effects.ts'
import { publish } from '../webhooks/publish.ts'
import type { Traveller } from './moves.ts'

const done: Effect = { status: 'done', reason: null }

export async function act(tx: Tx, { run, step, event, situation: { contact } }: Traveller): Promise<Effect> {
  switch (step.type) {
    case 'update':
      return await updateByRule(tx, { contactProperties: step.properties }, contact, event?.properties ?? {})
    case 'subscribe':
      return await subscribeByRule(tx, { mailingListId: step.list }, contact)
    case 'unsubscribe': {
      const before = (await listSubscriptions(tx, contact.id)).find(({ mailingListId }) => mailingListId === step.list)
      if (before?.status !== 'active') return { status: 'skipped', reason: before?.status ?? 'not_on_list' }
      await moveSubscription(tx, contact, step.list, 'unsubscribed', { method: 'sequence' })
      return done
    }
    case 'webhook': {
      const { id, email, userId } = contact
      const data = {
        contactIdentity: { id, email, userId },
        sequence: { id: run.sequenceId, version: run.version, stepId: step.id, runId: run.id },
        event: event === null ? null : { id: event.id, name: event.name, properties: event.properties },
      }
      await publish(tx, run.workspaceId, 'sequence.stepReached', data)
      return done
    }
    default:
      throw new Error(`a step ${(step as Step).type} is no act`)
  }
}
