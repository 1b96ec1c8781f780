// Everything stored about one person, as one document (GDPR, Articles 15 and 20). Every table with personal data is named here and in
// erase.ts.

import { and, eq, gt } from 'drizzle-orm'
import { campaignRecipients, campaigns, trackedMails } from '../../../db/tables/campaigns.ts'
import { events, ruleRuns } from '../../../db/tables/events.ts'
import { confirmations } from '../../../db/tables/lists.ts'
import { mailboxDrafts } from '../../../db/tables/mailboxes.ts'
import { paymentCustomers } from '../../../db/tables/payments.ts'
import type { App } from '../../core/app.ts'
import type { Contact } from '../../features/contacts/consent/find-contact.ts'
import { listConsent } from '../../features/contacts/consent/ledger.ts'
import { activeLists, listSubscriptions } from '../../features/contacts/consent/subscriptions.ts'
import { findSuppression } from '../../features/contacts/consent/suppression.ts'
import { toSuppressionView } from '../../features/contacts/consent/suppression-schema.ts'
import { toConsentView, toContactView } from '../../features/contacts/schema.ts'
import { listSegmentsWith } from '../../features/contacts/segments/members.ts'
import { listActivityById } from '../../features/sending/activity/activity.ts'
import { toActivityView } from '../../features/sending/activity/schema.ts'
import { readOwnContent, type ShownContent } from '../../features/sending/own-content.ts'
import { listContactRuns } from '../../features/sequences/forget.ts'
import { nextTurn } from '../../kit/turn.ts'
import { messagesOf } from './messages-of.ts'

/** Few enough to read in one step. */
const messagesAtOnce = 25
const eventsAtOnce = 250

export async function exportPerson(app: App, contact: Contact) {
  const { id, email, workspaceId } = contact
  const suppression = await findSuppression(app, workspaceId, email)
  const lists = await activeLists(app, [id])
  return {
    exportedAt: app.clock.now().toISOString(),
    contact: toContactView({ contact, mailingListIds: lists.get(id) ?? [] }),
    subscriptions: (await listSubscriptions(app, id)).map(({ workspaceId: _, contactId: __, ...rest }) =>
      withTextTimes(rest),
    ),
    consent: (await listConsent(app, id)).map(toConsentView),
    confirmations: await listConfirmations(app, id),
    suppression: suppression && toSuppressionView(suppression),
    messages: await listMails(app, contact),
    campaigns: (
      await app.db
        .select({
          campaignId: campaignRecipients.campaignId,
          state: campaignRecipients.state,
          reason: campaignRecipients.reason,
          variant: campaignRecipients.variant,
          openedAt: trackedMails.openedAt,
          clickedAt: trackedMails.clickedAt,
        })
        .from(campaigns)
        .innerJoin(
          campaignRecipients,
          and(eq(campaignRecipients.campaignId, campaigns.id), eq(campaignRecipients.contactId, id)),
        )
        .leftJoin(trackedMails, eq(trackedMails.messageId, campaignRecipients.messageId))
        .where(eq(campaigns.workspaceId, workspaceId))
    ).map(withTextTimes),
    mailboxDrafts: (
      await app.db
        .select()
        .from(mailboxDrafts)
        .where(and(eq(mailboxDrafts.workspaceId, workspaceId), eq(mailboxDrafts.email, email)))
    ).map(withTextTimes),
    segments: (await listSegmentsWith(app, workspaceId, id)).map(withTextTimes),
    events: await listEvents(app, contact),
    ruleRuns: (await app.db.select().from(ruleRuns).where(eq(ruleRuns.contactId, id))).map(withTextTimes),
    sequenceRuns: (await listContactRuns(app, id)).map(({ path, ...run }) => ({
      ...withTextTimes(run),
      path: path.map(withTextTimes),
    })),
    paymentCustomers: (await app.db.select().from(paymentCustomers).where(eq(paymentCustomers.contactId, id))).map(
      withTextTimes,
    ),
  }
}

/** Without the hash of their token. */
async function listConfirmations(app: App, contactId: string) {
  const rows = await app.db.select().from(confirmations).where(eq(confirmations.contactId, contactId))
  return rows.map(({ tokenHash: _, ...rest }) => withTextTimes(rest))
}

async function listMails(app: App, contact: Contact) {
  const views: (ReturnType<typeof toActivityView> & { ownContent?: ShownContent })[] = []
  for await (const ids of messagesOf(app, contact, () => messagesAtOnce)) {
    for (const record of await listActivityById(app, contact.workspaceId, ids)) {
      const view = toActivityView(record)
      const ownContent = view.content === 'own' ? await readOwnContent(app, view.messageId) : null
      views.push({ ...view, ...(ownContent && { ownContent }) })
    }
    await nextTurn(contact.workspaceId)
  }
  return views
}

async function listEvents(app: App, { id: contactId, workspaceId }: Contact) {
  const rows: Record<string, unknown>[] = []
  for (let after = ''; ; ) {
    const page = await app.db
      .select()
      .from(events)
      .where(and(eq(events.contactId, contactId), gt(events.id, after)))
      .orderBy(events.id)
      .limit(eventsAtOnce)
    rows.push(...page.map(withTextTimes))
    after = page.at(-1)?.id ?? ''
    if (page.length < eventsAtOnce) return rows
    await nextTurn(workspaceId)
  }
}

/** A row with its times as text. */
function withTextTimes(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  )
}
