// What the API can do a person can do in the dashboard, but for what is named here with its reason.

import { expect, test } from 'bun:test'
import { testApp } from './support/app.ts'
import { dashboardCalls, toCalled } from './support/dashboard-calls.ts'
import { operationsOf } from './support/openapi.ts'

/** By the reason why no screen of the dashboard calls them. */
const others: Record<string, string[]> = {
  'signing in and out have pages of their own': [
    'login',
    'logout',
    'beginPasskeyLogin',
    'loginWithPasskey',
    'beginPasskey',
    'addPasskey',
    'renamePasskey',
    'removePasskey',
  ],
  'programs send, sign up and follow; people try the first mail, write and send campaigns': [
    'send',
    'sendBatch',
    'optIn',
    'readEventFeed',
  ],
  'only others call it: a mail server, a payment provider': ['receiveMail', 'receivePaymentEvent'],
  'a screen calls its other form: that of many at once, of one by its id, or of a part': [
    'retryJob',
    'cancelJob',
    'resolveJob',
    'findContact',
    'updateContact',
    'createSubscriptionSourceAlias',
    'putSubscriptionSource',
    'updateSubscriptionSource',
    'deleteSubscriptionSource',
    'putPaymentSettings',
  ],
  'the inbox lists mails, and each leads to its conversation': ['listReceivedThreads'],
  'a file of a mail is a link at the mail': [
    'getCapturedSource',
    'getCapturedAttachment',
    'getReceivedSource',
    'getReceivedAttachment',
  ],
  'of a hoster, whose own system ends contracts and calls it': ['eraseWorkspace'],
  'between two installations: paquebot workspace move calls them': ['importWorkspace', 'getWorkspaceImport'],
  'what it says stands in what needs attention, at relays, and where mail waits': ['listSendingFaults', 'whyLane'],
  'the ledger of a campaign has the reason of each recipient': ['explainRecipient'],
  'for who writes with other tools: the editor undoes, and shows what it has': [
    'compareTemplateDraft',
    'compareCampaignDraft',
    'compareBlockDraft',
  ],
}

test('every operation of the API has a screen, or a reason why not', async () => {
  await using t = await testApp()
  const [calls, operations] = [await dashboardCalls(), await operationsOf(t)]
  const without = operations.filter(({ method, path }) => !calls.has(toCalled(method, path))).map(({ id }) => id)
  expect(without.toSorted()).toEqual(Object.values(others).flat().toSorted())
  const known = new Set(operations.map(({ method, path }) => toCalled(method, path)))
  expect([...calls].filter((call) => !known.has(call))).toEqual([])
})
