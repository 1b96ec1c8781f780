// What a visitor may do with the id of a subscription source, which is public: add a subscription, and fill in empty fields of a contact
// that a visitor created through the same source. The answer reveals nothing about an address: the request becomes a job before the address
// is looked up, so the answer, its status and its time depend on the source alone.

import type { App } from '../../core/app.ts'
import { type Answer, idempotent } from '../../core/http/idempotency.ts'
import { enqueue } from '../../core/outbox/enqueue.ts'
import { forgetJob } from '../../core/outbox/forget.ts'
import { defineJob } from '../../core/outbox/job.ts'
import { hour, minute, second } from '../../kit/duration.ts'
import { invalidField } from '../../kit/error.ts'
import { getWorkspace, type Workspace } from '../../people/workspaces.ts'
import { waitForRoom } from '../webhooks/limit-events.ts'
import type { Click } from './click.ts'
import { firstRoom } from './confirmation-limits.ts'
import { needsConfirmation, networkFor, type OptIn, optInRoute, readyFor, subscribe } from './opt-in.ts'

/** The fields that a visitor may fill in about themselves. The rest, including custom properties, is for the owner of the contacts. */
const ownFields = ['firstName', 'lastName', 'locale', 'timezone'] as const

export interface Visit {
  /** Whose id is the key. */
  sourceId: string
  /** The network address and browser as we see them. */
  seen: Click
  /** The language of the browser, unless the page names one. */
  locale: string | null
  now: Date
}

/** An opt-in as a visitor's page may request it. Throws 422 for another source. */
export function ofVisitor(wish: OptIn, { sourceId, seen, locale, now }: Visit): OptIn {
  if (wish.sourceId !== sourceId)
    throw invalidField(
      'sourceId',
      'must be the subscription source whose id is used as the credential',
      'foreign_source',
    )
  const own = ownFields.flatMap((name) => (wish.fields[name] ? [[name, wish.fields[name]]] : []))
  return {
    sourceId,
    mailingListIds: wish.mailingListIds,
    fields: {
      ...(locale !== null && { locale }),
      ...Object.fromEntries(own),
      email: wish.fields.email,
      properties: {},
    },
    consent: { ...seen, url: wish.consent.url, givenAt: now },
    by: { kind: 'visitor', id: sourceId },
  }
}

type Payload = Omit<OptIn, 'consent'> & { consent: Click & { givenAt: number } }

export const visitorOptIn = defineJob<Payload>({
  kind: 'visitor-opt-in',
  lane: 'opt_in',
  timeoutMs: 30 * second,
  attemptsMax: 6,
  retryDelaysMs: [second, 10 * second, minute, 10 * minute, hour],

  async run(app, { workspaceId, payload }) {
    const wish: OptIn = { ...payload, consent: { ...payload.consent, givenAt: new Date(payload.consent.givenAt) } }
    const workspace = await getWorkspace(app, workspaceId)
    const ready = await readyFor(app, workspace, wish)
    return {
      outcome: 'decide',
      async decide(tx) {
        const wait = await waitForRoom(tx, workspace)
        if (wait !== null) return wait
        // If too many wait already, nothing is stored, because nobody could confirm it.
        const asksAll = ready.lists.every((list) => needsConfirmation(ready.source, list))
        const asking = { workspaceId, sourceId: wish.sourceId, email: wish.fields.email, network: networkFor(wish) }
        if (!asksAll || (await firstRoom(tx, { ...asking, why: 'opt_in' }))) await subscribe(tx, ready, wish)
        return { outcome: 'done' }
      },
    }
  },

  async ended(tx, ended) {
    for (const { job, ending } of ended) if (ending.state === 'done') await forgetJob(tx, job.id)
  },
})

/** `isCaught`: a program, which is answered like everybody else. 202 if the source or the list asks for a confirmation, else 201: the same for everybody. */
export async function acceptVisitor(
  app: App,
  workspace: Workspace,
  wish: OptIn,
  idempotency: { key: string | null; body: unknown },
  isCaught = false,
): Promise<Answer<{ success: true }> & { replayed: boolean }> {
  return await idempotent(app, { workspaceId: workspace.id, route: optInRoute, ...idempotency }, async () => {
    const { source, lists } = await readyFor(app, workspace, wish)
    const status = lists.some((list) => needsConfirmation(source, list)) ? 202 : 201
    const givenAt = wish.consent.givenAt?.getTime() ?? 0
    const { ip, userAgent, url } = wish.consent
    const payload: Payload = { ...wish, consent: { ip, userAgent, url, givenAt } }
    return async (tx) => {
      if (!isCaught) await enqueue(tx, visitorOptIn, { workspaceId: workspace.id, payload })
      return { status, response: { success: true as const } }
    }
  })
}
