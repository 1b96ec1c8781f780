// The mails of a step for those who may get one: a message and a job each, for which their runs wait.

import type { Tx } from '../../core/app.ts'
import { addressDomain } from '../../kit/email-address.ts'
import { AppError } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { mailsLeft, mustTakeMails } from '../../people/limits.ts'
import { countSending } from '../campaigns/reputation/caps.ts'
import type { VariableUse } from '../content/rendering/variables.ts'
import { writeMail } from '../events/deliver-template.ts'
import { queueMessages } from '../sending/queue.ts'
import { tellMet, waitMs } from '../webhooks/limit-events.ts'
import { deliverSequenceMail } from './deliver.ts'
import { digestValues, loadDigests, markMailed } from './digest.ts'
import { putOff } from './mails.ts'
import { end, fail, leave, type Traveller } from './moves.ts'
import { testedBy } from './runs.ts'
import { beginTest, isTested } from './step-tests.ts'
import type { Mailing, Page } from './world.ts'

/** The message and the job of each. */
export async function prepare(
  tx: Tx,
  { sequence, workspace }: Page,
  { step, parts, isMarketing }: Mailing,
  list: Traveller[],
): Promise<void> {
  const { sender, template } = parts
  const domain = addressDomain(sender.email)
  const purpose = isMarketing ? 'marketing' : 'transactional'
  const rule = { workspaceId: workspace.id, purpose, variables: step.variables } as const
  const from = {
    workspaceId: workspace.id,
    kind: 'sequence' as const,
    purpose: isMarketing ? null : ('transactional' as const),
    templateId: template.slug,
    sequenceId: sequence.id,
    fromName: sender.name,
    fromEmail: sender.email,
    replyTo: sender.replyTo,
    partitionKey: sequence.id,
  }
  const digests = step.type === 'digest' ? await loadDigests(tx, step, list) : null
  const rows = []
  const room = await mailsLeft(tx, workspace, tx.now)
  if (room.by !== null && list.length > room.left) {
    await tellMet(tx, workspace, room)
    const again = new Date(tx.now.getTime() + waitMs(room.until, tx.now))
    for (const traveller of list.slice(room.left)) putOff(traveller, again, 'daily_cap')
  }
  for (const traveller of list.slice(0, room.left)) {
    const { run, event, situation } = traveller
    const { contact } = situation
    const digest = digests?.get(run.id)
    if (digests !== null && digest === undefined) {
      leave(run, situation, { outcome: 'nothing_gathered' })
      continue
    }
    const own = digest && ((uses: VariableUse[]) => digestValues(digest, uses))
    const id = newId(tx, 'msg', tx.now)
    const properties = event?.properties ?? {}
    try {
      const mail = await writeMail(tx, parts, { id, rule, contact, properties, now: tx.now, own })
      const payload = { messageId: id, runId: run.id, contactId: contact.id, email: contact.email, domain, isMarketing }
      rows.push({ traveller, digest, message: { ...mail, ...from, contactId: contact.id, payload } })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      fail(run, situation, error.message)
    }
  }
  const reasons = await queueMessages(
    tx,
    deliverSequenceMail,
    rows.map(({ message }) => message),
  )
  for (const [index, { traveller, digest, message }] of rows.entries()) {
    const { run, situation } = traveller
    run.messageId = message.id
    const reason = reasons[index] ?? null
    if (reason !== null) end(run, situation, 'exited', reason)
    else {
      situation.changes.move(run, 'sending')
      if (digest !== undefined) markMailed(run, digest)
      run.dueAt = null
      run.reason = null
    }
  }
  const tested = rows.find(({ traveller: { run } }) => run.state === 'sending' && testedBy(run) !== null)?.traveller.run
  if (tested !== undefined && step.type === 'send' && isTested(step)) await beginTest(tx, tested, step)
  const reserved = reasons.filter((reason) => reason === null).length
  await mustTakeMails(tx, workspace, reserved)
  if (isMarketing && reserved > 0) await countSending(tx, { workspaceId: workspace.id, domain }, { reserved })
}
