// What a person can change with the link in a mail: single lists, or everything. One-click unsubscribe (RFC 8058), the button of the page
// and the preference centre all use this.

import { and, eq, or } from 'drizzle-orm'
import { mailingLists } from '../../../../db/tables/lists.ts'
import { type App, type Reader, type Tx, write } from '../../../core/app.ts'
import { getWorkspace, type Workspace } from '../../../people/workspaces.ts'
import { publishEngagement } from '../../webhooks/email-events.ts'
import { type Contact, findContact } from './find-contact.ts'
import { countLeaver } from './leavers.ts'
import type { Evidence } from './ledger.ts'
import type { MailingList } from './named-lists.ts'
import {
  leaveAllLists,
  listSubscriptions,
  mayChange,
  moveSubscription,
  type Subscription,
  setSubscribed,
} from './subscriptions.ts'
import type { UnsubscribeClaim } from './unsubscribe-link.ts'

interface Choice {
  list: MailingList
  on: boolean
}

export interface Preferences {
  workspace: Workspace
  /** Null when the contact was deleted: there is nobody left to mail. */
  contact: Contact | null
  /** The list of the mail that contained the link. */
  list: MailingList | null
  /** Whether the contact is on that list, or waits for confirmation. */
  isOnList: boolean
  /** Public lists, lists the contact is on, and lists they left, so that leaving can be undone. */
  choices: Choice[]
}

export async function loadPreferences(reader: Reader, claim: UnsubscribeClaim): Promise<Preferences> {
  const workspace = await getWorkspace(reader, claim.workspaceId)
  const contact = await findContact(reader, claim.workspaceId, claim.contactId)
  const own = contact ? await listSubscriptions(reader, contact.id) : []
  const on = new Set(own.filter(({ status }) => status === 'active').map(({ mailingListId }) => mailingListId))
  const was = new Set(own.filter(({ status }) => status === 'unsubscribed').map(({ mailingListId }) => mailingListId))
  const lists = await reader.db
    .select()
    .from(mailingLists)
    .where(
      and(eq(mailingLists.workspaceId, claim.workspaceId), or(eq(mailingLists.status, 'active'), isNamedList(claim))),
    )
  return {
    workspace,
    contact,
    list: lists.find(({ id }) => id === claim.mailingListId) ?? null,
    isOnList: own.some(({ mailingListId, status }) => mailingListId === claim.mailingListId && isOn(status)),
    choices: lists
      .filter(({ id, status, isPublic }) => status === 'active' && (isPublic || on.has(id) || was.has(id)))
      .map((list) => ({ list, on: contact?.subscribed === true && on.has(list.id) })),
  }
}

function isOn(status: Subscription['status']): boolean {
  return status === 'active' || status === 'pending'
}

function isNamedList({ mailingListId }: UnsubscribeClaim) {
  return mailingListId === null ? undefined : eq(mailingLists.id, mailingListId)
}

/**
 * Unsubscribes from the list of the link, or from everything if it names none. Works for an archived list and for an unconfirmed
 * subscription; repeating it changes nothing.
 */
export async function unsubscribe(
  app: App,
  claim: UnsubscribeClaim,
  evidence: Evidence,
  from: 'list' | 'all',
): Promise<void> {
  await write(app, async (tx) => {
    const contact = await findContact(tx, claim.workspaceId, claim.contactId)
    if (!contact) return
    const { mailingListId } = claim
    const status = (await listSubscriptions(tx, contact.id)).find((one) => one.mailingListId === mailingListId)?.status
    const wasOn = contact.subscribed && (status === 'active' || mailingListId === null)
    if (wasOn && claim.messageId !== null) {
      await publishEngagement(tx, claim.messageId, 'email.unsubscribed')
      await countLeaver(tx, claim.messageId)
    }
    if (from === 'all' || mailingListId === null || status === undefined)
      return await leaveEverything(tx, contact, evidence)
    const to = status === 'pending' ? 'rejected' : 'unsubscribed'
    if (mayChange(status, to)) await moveSubscription(tx, contact, mailingListId, to, evidence)
  })
}

async function leaveEverything(tx: Tx, contact: Contact, evidence: Evidence): Promise<void> {
  await leaveAllLists(tx, contact, evidence)
  await setSubscribed(tx, contact, false, evidence)
}

/**
 * The preference centre: of the lists shown, subscribes to exactly those in `wanted`. The link came by mail, so joining needs no
 * confirmation.
 */
export async function setPreferences(
  app: App,
  claim: UnsubscribeClaim,
  evidence: Evidence,
  wanted: string[],
): Promise<void> {
  await write(app, async (tx) => {
    const { contact, choices } = await loadPreferences(tx, claim)
    if (!contact) return
    const joins = choices.some(({ list }) => wanted.includes(list.id))
    const current = new Map((await listSubscriptions(tx, contact.id)).map((one) => [one.mailingListId, one.status]))
    const { mailingListId, messageId } = claim
    const wasOn = contact.subscribed && mailingListId !== null && current.get(mailingListId) === 'active'
    if (wasOn && messageId !== null && !wanted.includes(mailingListId)) await countLeaver(tx, messageId)
    if (!joins) return await leaveEverything(tx, contact, evidence)
    const isBack = choices.some(({ list, on }) => !on && wanted.includes(list.id) && current.has(list.id))
    if (isBack && claim.messageId !== null) await publishEngagement(tx, claim.messageId, 'email.resubscribed')
    for (const { list } of choices) {
      const status = current.get(list.id)
      const to = wanted.includes(list.id) ? 'active' : status === 'pending' ? 'rejected' : 'unsubscribed'
      if (status === undefined ? to === 'active' : mayChange(status, to))
        await moveSubscription(tx, contact, list.id, to, evidence)
    }
    await setSubscribed(tx, contact, true, evidence)
  })
}
