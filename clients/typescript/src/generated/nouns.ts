// Made by generate.ts from the OpenAPI document; not to be edited.

import type { Page, Pages } from '../pages.ts'
import type { Answer, Body, Query } from '../shapes.ts'
import type { CallOptions, Transport } from '../transport.ts'

const part = encodeURIComponent

export function nouns({ json, raw, pages }: Transport) {
  return {
    activity: {
      /** Why a mail does not leave. What holds it now, each reason with since when, until when, and what to do: the strongest first. By the same rules that hold it; nothing is changed. Takes an API key with the scope `activity.read`, or the session of a viewer. */
      whyMessage: (query?: Query<'whyMessage'>, options?: CallOptions): Promise<Answer<'whyMessage'>> =>
        json<Answer<'whyMessage'>>({ method: 'GET', path: `/v1/activity/why`, query }, options),
      /** List captured mail, newest first. What capture mode kept instead of sending. A page of a search may be short and still have a next one; its `totalResults` counts those found so far. Takes an API key with the scope `activity.read`, or the session of a viewer. */
      listCaptured: (query?: Query<'listCaptured'>, options?: CallOptions): Pages<Item<Answer<'listCaptured'>>, Answer<'listCaptured'>> =>
        pages<Item<Answer<'listCaptured'>>, Answer<'listCaptured'>>({ method: 'GET', path: `/v1/activity/captured`, query }, options),
      /** Wait for a captured mail. For tests: answers with the newest mail that fits if there is one, else with the first that comes, and with `mail: null` when none came in `timeoutMs`. It takes at least one of `to`, `subject`, `q` and `after`; give `after` so that no mail of an earlier test is taken for it. At most 20 waits of a workspace at once. Takes an API key with the scope `activity.read`, or the session of a viewer. */
      waitForCaptured: (query?: Query<'waitForCaptured'>, options?: CallOptions): Promise<Answer<'waitForCaptured'>> =>
        json<Answer<'waitForCaptured'>>({ method: 'GET', path: `/v1/activity/captured/wait`, query }, options),
      /** One captured mail. Its parts, headers and links, and what is wrong with its HTML in which clients. No other host is asked. Takes an API key with the scope `activity.read`, or the session of a viewer. */
      getCaptured: (capturedId: string, options?: CallOptions): Promise<Answer<'getCaptured'>> =>
        json<Answer<'getCaptured'>>({ method: 'GET', path: `/v1/activity/captured/${part(capturedId)}` }, options),
      /** A captured mail as .eml. The raw message (RFC 5322), as a download. Takes an API key with the scope `activity.read`, or the session of a viewer. */
      getCapturedSource: (capturedId: string, options?: CallOptions): Promise<Response> =>
        raw({ method: 'GET', path: `/v1/activity/captured/${part(capturedId)}/raw` }, options),
      /** One attachment of a captured mail. As a download. Attachments are counted from 1. Takes an API key with the scope `activity.read`, or the session of a viewer. */
      getCapturedAttachment: (capturedId: string, number: string, options?: CallOptions): Promise<Response> =>
        raw({ method: 'GET', path: `/v1/activity/captured/${part(capturedId)}/attachments/${part(number)}` }, options),
      /** List messages, newest first, or search them; find the one of an Idempotency-Key. What became of each message. With `idempotencyKey`, the one message of that send: the way to find out after a time-out. With `q`, those that a search finds; `totalResults` then counts those found so far. With `Accept: text/event-stream` it is a live tail instead: server-sent events named `activity`, one for each mail that is accepted and each change of its state that `q` finds, with a heartbeat; `Last-Event-ID` goes on behind the last one seen. The stream ends with the key or session that opened it. Takes an API key with the scope `activity.read`, or the session of a viewer. */
      list: (query?: Query<'listActivity'>, options?: CallOptions): Pages<Item<Answer<'listActivity'>>, Answer<'listActivity'>> =>
        pages<Item<Answer<'listActivity'>>, Answer<'listActivity'>>({ method: 'GET', path: `/v1/activity`, query }, options),
      /** One message with its history. Its current status, and every step with its time and the reply of the mail server, and each attempt with how long it took. In capture mode also the mail itself. Takes an API key with the scope `activity.read`, or the session of a viewer. */
      get: (messageId: string, options?: CallOptions): Promise<Answer<'getActivity'>> =>
        json<Answer<'getActivity'>>({ method: 'GET', path: `/v1/activity/${part(messageId)}` }, options),
    },
    apiKeys: {
      /** Check whether the API key works. 200 with the name of the workspace when the key works. Needs no scope. Takes any API key. */
      test: (options?: CallOptions): Promise<Answer<'testApiKey'>> =>
        json<Answer<'testApiKey'>>({ method: 'GET', path: `/v1/api-key` }, options),
      /** List the API keys that work. Names, scopes and last use of all keys that were not revoked; never a key itself. Takes an API key with the scope `api-keys.read`, or the session of a viewer. */
      list: (options?: CallOptions): Promise<Answer<'listApiKeys'>> =>
        json<Answer<'listApiKeys'>>({ method: 'GET', path: `/v1/api-keys` }, options),
      /** Make an API key, shown only once. The key is in this answer and is never shown again. An API key cannot make one with more scopes than its own: 403. `test: true` makes a test key, and with the first one the test workspace; a test key makes only test keys. Takes an API key with the scope `api-keys.write`, or the session of a member. */
      create: (body: Body<'createApiKey'>, options?: CallOptions): Promise<Answer<'createApiKey'>> =>
        json<Answer<'createApiKey'>>({ method: 'POST', path: `/v1/api-keys`, body }, options),
      /** Revoke an API key at once. Requests with this key are refused from now on. This cannot be undone. Takes an API key with the scope `api-keys.write`, or the session of a member. */
      revoke: (keyId: string, options?: CallOptions): Promise<Answer<'revokeApiKey'>> =>
        json<Answer<'revokeApiKey'>>({ method: 'DELETE', path: `/v1/api-keys/${part(keyId)}` }, options),
    },
    attention: {
      /** What needs somebody’s attention: what is wrong, since when, and what to do. Empty when all is well. What concerns the machine is shown to owners and full keys of the first workspace only. Nobody outside is asked: the DNS is as it was at its last check. Takes an API key with the scope `activity.read`, or the session of a viewer. */
      list: (options?: CallOptions): Promise<Answer<'listAttention'>> =>
        json<Answer<'listAttention'>>({ method: 'GET', path: `/v1/attention` }, options),
    },
    campaigns: {
      /** Why a campaign does not move. What holds it now, each reason with since when, until when, and what to do: the strongest first. By the same rules that hold it; nothing is changed. Takes an API key with the scope `campaigns.read`, or the session of a viewer. */
      why: (campaignId: string, options?: CallOptions): Promise<Answer<'whyCampaign'>> =>
        json<Answer<'whyCampaign'>>({ method: 'GET', path: `/v1/campaigns/${part(campaignId)}/why` }, options),
      /** List campaigns, newest first. With their numbers so far; `status` picks those in one state. Takes an API key with the scope `campaigns.read`, or the session of a viewer. */
      list: (query?: Query<'listCampaigns'>, options?: CallOptions): Pages<Item<Answer<'listCampaigns'>>, Answer<'listCampaigns'>> =>
        pages<Item<Answer<'listCampaigns'>>, Answer<'listCampaigns'>>({ method: 'GET', path: `/v1/campaigns`, query }, options),
      /** Make a draft. With a content tree of its own, or the template named by `templateId`. Nothing is mailed until it is sent or scheduled. Takes an API key with the scope `campaigns.write`, or the session of a member. */
      create: (body: Body<'createCampaign'>, options?: CallOptions): Promise<Answer<'createCampaign'>> =>
        json<Answer<'createCampaign'>>({ method: 'POST', path: `/v1/campaigns`, body }, options),
      /** One campaign with its numbers. `stats` counts recipients by outcome; `contentHash` identifies exactly this content and audience, for an approval. Takes an API key with the scope `campaigns.read`, or the session of a viewer. */
      get: (campaignId: string, options?: CallOptions): Promise<Answer<'getCampaign'>> =>
        json<Answer<'getCampaign'>>({ method: 'GET', path: `/v1/campaigns/${part(campaignId)}` }, options),
      /** Change a campaign that has not started; it becomes a draft again. Only the fields that are given change. An approval or a schedule is undone. 409 once it has started. Takes an API key with the scope `campaigns.write`, or the session of a member. */
      update: (campaignId: string, body: Body<'updateCampaign'>, options?: CallOptions): Promise<Answer<'updateCampaign'>> =>
        json<Answer<'updateCampaign'>>({ method: 'PATCH', path: `/v1/campaigns/${part(campaignId)}`, body }, options),
      /** Delete a campaign that never started. 409 once it has started: cancel it instead. Takes an API key with the scope `campaigns.write`, or the session of a member. */
      delete: (campaignId: string, options?: CallOptions): Promise<Answer<'deleteCampaign'>> =>
        json<Answer<'deleteCampaign'>>({ method: 'DELETE', path: `/v1/campaigns/${part(campaignId)}` }, options),
      /** What it says, per locale. The trees that would be sent, its own or those of its template. Takes an API key with the scope `campaigns.read`, or the session of a viewer. */
      listContent: (campaignId: string, options?: CallOptions): Promise<Answer<'listCampaignContent'>> =>
        json<Answer<'listCampaignContent'>>({ method: 'GET', path: `/v1/campaigns/${part(campaignId)}/content` }, options),
      /** Set the component tree of one locale; the campaign becomes a draft again. Replaces the tree of this locale. An approval or a schedule is undone. 409 once it has started. Takes an API key with the scope `campaigns.write`, or the session of a member. */
      setContent: (campaignId: string, locale: string, body: Body<'setCampaignContent'>, options?: CallOptions): Promise<Answer<'setCampaignContent'>> =>
        json<Answer<'setCampaignContent'>>({ method: 'PUT', path: `/v1/campaigns/${part(campaignId)}/content/${part(locale)}`, body }, options),
      /** Send it at a time. It starts by itself at `scheduledAt`, at most 365 days ahead. More than an hour too late it is paused (`missed_window`) instead. Takes an API key with the scope `campaigns.send`, or the session of a member. */
      schedule: (campaignId: string, body: Body<'scheduleCampaign'>, options?: CallOptions): Promise<Answer<'scheduleCampaign'>> =>
        json<Answer<'scheduleCampaign'>>({ method: 'POST', path: `/v1/campaigns/${part(campaignId)}/schedule`, body }, options),
      /** Cancel the schedule. It becomes a draft again, or approved if it was. Takes an API key with the scope `campaigns.send`, or the session of a member. */
      unschedule: (campaignId: string, options?: CallOptions): Promise<Answer<'unscheduleCampaign'>> =>
        json<Answer<'unscheduleCampaign'>>({ method: 'POST', path: `/v1/campaigns/${part(campaignId)}/unschedule` }, options),
      /** Send it to its list, or report what would happen. It is sent in the background: see `stats` of the campaign. A second send is 409 `invalid_state_transition` and sends nothing; with the same `Idempotency-Key` it gets the first answer. `dryRun` tells who would get it, and changes nothing. Takes an API key with the scope `campaigns.send`, or the session of a member. */
      send: (campaignId: string, body: Body<'sendCampaign'>, options?: CallOptions): Promise<Answer<'sendCampaign'>> =>
        json<Answer<'sendCampaign'>>({ method: 'POST', path: `/v1/campaigns/${part(campaignId)}/send`, body, isRepeatable: true }, options),
      /** Pause sending. Mail that is being handed over right now may still be sent. Takes an API key with the scope `campaigns.send`, or the session of a member. */
      pause: (campaignId: string, options?: CallOptions): Promise<Answer<'pauseCampaign'>> =>
        json<Answer<'pauseCampaign'>>({ method: 'POST', path: `/v1/campaigns/${part(campaignId)}/pause` }, options),
      /** Resume sending. Nobody gets it twice. Refused for the same reasons as a send: no approval, a sender that may not send, no content. Takes an API key with the scope `campaigns.send`, or the session of a member. */
      resume: (campaignId: string, options?: CallOptions): Promise<Answer<'resumeCampaign'>> =>
        json<Answer<'resumeCampaign'>>({ method: 'POST', path: `/v1/campaigns/${part(campaignId)}/resume` }, options),
      /** Cancel a campaign for good. Recipients who have not got it will not get it, and the ledger says so. This cannot be undone. Takes an API key with the scope `campaigns.send`, or the session of a member. */
      cancel: (campaignId: string, options?: CallOptions): Promise<Answer<'cancelCampaign'>> =>
        json<Answer<'cancelCampaign'>>({ method: 'POST', path: `/v1/campaigns/${part(campaignId)}/cancel` }, options),
      /** Show a campaign as a mail. What it says, or its template; with `content` the tree of the request in place of that. Nothing is stored or sent. Takes an API key with the scope `campaigns.read`, or the session of a viewer. */
      preview: (campaignId: string, body: Body<'previewCampaign'>, options?: CallOptions): Promise<Answer<'previewCampaign'>> =>
        json<Answer<'previewCampaign'>>({ method: 'POST', path: `/v1/campaigns/${part(campaignId)}/preview`, body }, options),
      /** Send a campaign to members of the workspace. As it is now, in any state, or with the unsaved `content` of the request. The subject begins with “[Test]”, a header says so, its links to leave lead nowhere, and it counts for no recipient, limit or cap. 20 calls at once, then one every three minutes. Takes an API key with the scope `campaigns.send`, or the session of a member. */
      test: (campaignId: string, body: Body<'testCampaign'>, options?: CallOptions): Promise<Answer<'testCampaign'>> =>
        json<Answer<'testCampaign'>>({ method: 'POST', path: `/v1/campaigns/${part(campaignId)}/test`, body }, options),
      /** The ledger: every contact with its outcome and reason. Who was in the audience when it was sent, what became of each, and why. `state` picks those in one state. Takes an API key with the scope `campaigns.read`, or the session of a viewer. */
      listRecipients: (campaignId: string, query?: Query<'listRecipients'>, options?: CallOptions): Pages<Item<Answer<'listRecipients'>>, Answer<'listRecipients'>> =>
        pages<Item<Answer<'listRecipients'>>, Answer<'listRecipients'>>({ method: 'GET', path: `/v1/campaigns/${part(campaignId)}/recipients`, query }, options),
      /** Why a contact got it, or did not: every check, and the attempts. Every condition of a send with its present value, and each attempt to deliver, for one contact. Takes an API key with the scope `campaigns.read`, or the session of a viewer. */
      explainRecipient: (campaignId: string, contactId: string, options?: CallOptions): Promise<Answer<'explainRecipient'>> =>
        json<Answer<'explainRecipient'>>({ method: 'GET', path: `/v1/campaigns/${part(campaignId)}/recipients/${part(contactId)}` }, options),
      /** Who of the list would get it now, and who not and why. By the rule of the dry run, name by name; nothing is written. A page checks at most 20,000 members, so it may have fewer than there is room for, and still a next one. `totalResults` counts those found so far. Takes an API key with the scope `campaigns.read`, or the session of a viewer. */
      listAudience: (campaignId: string, query?: Query<'listAudience'>, options?: CallOptions): Pages<Item<Answer<'listAudience'>>, Answer<'listAudience'>> =>
        pages<Item<Answer<'listAudience'>>, Answer<'listAudience'>>({ method: 'GET', path: `/v1/campaigns/${part(campaignId)}/audience`, query }, options),
      /** Its tracked links, most clicked first. Clicks of people and of programs are counted apart. Empty unless clicks are tracked. Takes an API key with the scope `campaigns.read`, or the session of a viewer. */
      listLinks: (campaignId: string, options?: CallOptions): Promise<Answer<'listCampaignLinks'>> =>
        json<Answer<'listCampaignLinks'>>({ method: 'GET', path: `/v1/campaigns/${part(campaignId)}/links` }, options),
      /** Limits per recipient, approval, warm-up. They hold for all campaigns of the workspace. Takes an API key with the scope `campaigns.read`, or the session of a viewer. */
      getSettings: (options?: CallOptions): Promise<Answer<'getCampaignSettings'>> =>
        json<Answer<'getCampaignSettings'>>({ method: 'GET', path: `/v1/campaign-settings` }, options),
      /** List the revisions of a campaign. Newest first, of all its locales: who wrote each, and when. Takes an API key with the scope `campaigns.read`, or the session of a viewer. */
      listRevisions: (campaignId: string, query?: Query<'listCampaignRevisions'>, options?: CallOptions): Pages<Item<Answer<'listCampaignRevisions'>>, Answer<'listCampaignRevisions'>> =>
        pages<Item<Answer<'listCampaignRevisions'>>, Answer<'listCampaignRevisions'>>({ method: 'GET', path: `/v1/campaigns/${part(campaignId)}/revisions`, query }, options),
      /** Fetch a revision of a campaign. With its tree, and the sender as it was then. A revision never changes. Takes an API key with the scope `campaigns.read`, or the session of a viewer. */
      getRevision: (campaignId: string, revisionId: string, options?: CallOptions): Promise<Answer<'getCampaignRevision'>> =>
        json<Answer<'getCampaignRevision'>>({ method: 'GET', path: `/v1/campaigns/${part(campaignId)}/revisions/${part(revisionId)}` }, options),
      /** How a revision of a campaign differs from an older one. Nodes that were removed, added, moved or changed, by their paths; words of texts; subject, sender and variables. Takes an API key with the scope `campaigns.read`, or the session of a viewer. */
      compareRevisions: (campaignId: string, revisionId: string, query?: Query<'compareCampaignRevisions'>, options?: CallOptions): Promise<Answer<'compareCampaignRevisions'>> =>
        json<Answer<'compareCampaignRevisions'>>({ method: 'GET', path: `/v1/campaigns/${part(campaignId)}/revisions/${part(revisionId)}/diff`, query }, options),
      /** How a tree that is not stored differs from a revision of a campaign. As between two revisions. Nothing is stored. Takes an API key with the scope `campaigns.read`, or the session of a viewer. */
      compareDraft: (campaignId: string, revisionId: string, body: Body<'compareCampaignDraft'>, options?: CallOptions): Promise<Answer<'compareCampaignDraft'>> =>
        json<Answer<'compareCampaignDraft'>>({ method: 'POST', path: `/v1/campaigns/${part(campaignId)}/revisions/${part(revisionId)}/diff`, body }, options),
      /** Restore a revision of a campaign. Its content, subject and preview text become a new revision of its locale; the campaign is a draft again. The revisions of a campaign with a template are those of the template. Takes an API key with the scope `campaigns.write`, or the session of a member. */
      restoreRevision: (campaignId: string, revisionId: string, body: Body<'restoreCampaignRevision'>, options?: CallOptions): Promise<Answer<'restoreCampaignRevision'>> =>
        json<Answer<'restoreCampaignRevision'>>({ method: 'POST', path: `/v1/campaigns/${part(campaignId)}/revisions/${part(revisionId)}/restore`, body }, options),
    },
    contacts: {
      /** Create a contact. 409 `contact_exists` when the e-mail or userId is in use. Members that are not listed here are custom properties. Takes an API key with the scope `contacts.write`, or the session of a member. */
      create: (body: Body<'createContact'>, options?: CallOptions): Promise<Answer<'createContact'>> =>
        json<Answer<'createContact'>>({ method: 'POST', path: `/v1/contacts/create`, body }, options),
      /** Update a contact by e-mail or userId, or create it. With both, userId selects the contact and its e-mail is changed. Consent changes only when `subscribed` or `mailingLists` say so. Takes an API key with the scope `contacts.write`, or the session of a member. */
      update: (body: Body<'updateContact'>, options?: CallOptions): Promise<Answer<'updateContact'>> =>
        json<Answer<'updateContact'>>({ method: 'PUT', path: `/v1/contacts/update`, body }, options),
      /** Find a contact by e-mail, userId or both. A list with one contact, or empty. With both, the contact must have both. Takes an API key with the scope `contacts.read`, or the session of a viewer. */
      find: (query?: Query<'findContact'>, options?: CallOptions): Promise<Answer<'findContact'>> =>
        json<Answer<'findContact'>>({ method: 'GET', path: `/v1/contacts/find`, query }, options),
      /** Delete a contact by e-mail or userId. The suppression of the address and the ledger of consent are kept; to erase a person, see `DELETE /v1/contacts/{contactId}/data`. Takes an API key with the scope `contacts.write`, or the session of a member. */
      delete: (body: Body<'deleteContact'>, options?: CallOptions): Promise<Answer<'deleteContact'>> =>
        json<Answer<'deleteContact'>>({ method: 'POST', path: `/v1/contacts/delete`, body }, options),
      /** Import contacts from CSV. Stored at once and imported in the background; see GET /v1/contact-imports/{importId} for its progress. At most 1 GB. Importing the same file again changes nothing. An import never subscribes somebody who is known and not subscribed. A file without consent columns is refused unless `consent` is given. Takes an API key with the scope `contacts.write`, or the session of a member. */
      importCsv: (body: BodyInit, query?: Query<'importContacts'>, options?: CallOptions): Promise<Answer<'importContacts'>> =>
        json<Answer<'importContacts'>>({ method: 'POST', path: `/v1/contacts/import`, query, body, contentType: 'text/csv' }, options),
      /** Preview an import. What each column becomes, what the file says about consent, and the counts for the whole file. Nothing is stored. A person who appears twice, more than 500 rows apart, is counted twice. Takes an API key with the scope `contacts.write`, or the session of a member. */
      previewImport: (body: BodyInit, query?: Query<'previewImport'>, options?: CallOptions): Promise<Answer<'previewImport'>> =>
        json<Answer<'previewImport'>>({ method: 'POST', path: `/v1/contacts/import/preview`, query, body, contentType: 'text/csv' }, options),
      /** List imports of the last 30 days, newest first. Each with its state and counts. Fetch a single import to see its bad rows. Takes an API key with the scope `contacts.read`, or the session of a viewer. */
      listImports: (query?: Query<'listImports'>, options?: CallOptions): Pages<Item<Answer<'listImports'>>, Answer<'listImports'>> =>
        pages<Item<Answer<'listImports'>>, Answer<'listImports'>>({ method: 'GET', path: `/v1/contact-imports`, query }, options),
      /** Progress and result of an import, with its first bad rows. While it runs, `readBytes` of `sizeBytes` shows its progress. Bad rows are skipped and do not make it fail. Takes an API key with the scope `contacts.read`, or the session of a viewer. */
      getImport: (importId: string, options?: CallOptions): Promise<Answer<'getImport'>> =>
        json<Answer<'getImport'>>({ method: 'GET', path: `/v1/contact-imports/${part(importId)}` }, options),
      /** The rows that were skipped, as CSV: correct them and import the file. At most 100,000 of one import, each with its line and the reason. Correct them and import the file. Takes an API key with the scope `contacts.read`, or the session of a viewer. */
      getBadRows: (importId: string, options?: CallOptions): Promise<Response> =>
        raw({ method: 'GET', path: `/v1/contact-imports/${part(importId)}/bad-rows` }, options),
      /** All contacts as CSV, which imports again. One row per contact, oldest first. The file can be imported again. Takes an API key with the scope `contacts.read`, or the session of a member. */
      exportCsv: (options?: CallOptions): Promise<Response> =>
        raw({ method: 'GET', path: `/v1/contacts/export` }, options),
      /** Everything that happened with one person, the newest first. Events, mails with what became of them, changes of consent (imports among them), suppression, and campaigns that left the person out, in one order. A mail stands at the time of its acceptance, with its history; its first open and first click by a person are entries of their own, beside `openedAt` and `clickedAt` of the mail. `totalResults` counts what was shown so far and what is known to follow. Takes an API key with the scope `contacts.read`, or the session of a viewer. */
      getTimeline: (contactId: string, query?: Query<'getTimeline'>, options?: CallOptions): Pages<Item<Answer<'getTimeline'>>, Answer<'getTimeline'>> =>
        pages<Item<Answer<'getTimeline'>>, Answer<'getTimeline'>>({ method: 'GET', path: `/v1/contacts/${part(contactId)}/timeline`, query }, options),
      /** Everything that is stored about one person. GDPR, Articles 15 and 20: the contact, lists, consent, suppression, mails (with the content of those that were no template’s, while it is kept) and events. Takes an API key with the scope `contacts.read`, or the session of a member. */
      export: (contactId: string, options?: CallOptions): Promise<Answer<'exportContact'>> =>
        json<Answer<'exportContact'>>({ method: 'GET', path: `/v1/contacts/${part(contactId)}/export` }, options),
      /** Erase one person. GDPR, Article 17. Unsent mail is cancelled; of a suppression only the hash of the address is kept. This cannot be undone. Takes an API key with the scope `contacts.write`, or the session of a member. */
      erase: (contactId: string, options?: CallOptions): Promise<Answer<'eraseContact'>> =>
        json<Answer<'eraseContact'>>({ method: 'DELETE', path: `/v1/contacts/${part(contactId)}/data` }, options),
      /** List contacts, or search by e-mail prefix, property, list or state. One search at a time: the beginning of an e-mail address, a property with its value, a list, or a state. Takes an API key with the scope `contacts.read`, or the session of a viewer. */
      list: (query?: Query<'listContacts'>, options?: CallOptions): Pages<Item<Answer<'listContacts'>>, Answer<'listContacts'>> =>
        pages<Item<Answer<'listContacts'>>, Answer<'listContacts'>>({ method: 'GET', path: `/v1/contacts`, query }, options),
      /** One contact. Fields, custom properties and active lists of one contact. Takes an API key with the scope `contacts.read`, or the session of a viewer. */
      get: (contactId: string, options?: CallOptions): Promise<Answer<'getContact'>> =>
        json<Answer<'getContact'>>({ method: 'GET', path: `/v1/contacts/${part(contactId)}` }, options),
      /** The consent ledger of one person, oldest first. Each entry says what the person agreed to or withdrew, when, how, and in which words. Entries never change. Takes an API key with the scope `contacts.read`, or the session of a viewer. */
      getConsent: (contactId: string, options?: CallOptions): Promise<Answer<'getConsent'>> =>
        json<Answer<'getConsent'>>({ method: 'GET', path: `/v1/contacts/${part(contactId)}/consent` }, options),
    },
    domains: {
      /** List the sending domains. Each domain with the DNS records to publish, and what the last check found. Takes an API key with the scope `domains.read`, or the session of a viewer. */
      list: (options?: CallOptions): Promise<Answer<'listDomains'>> =>
        json<Answer<'listDomains'>>({ method: 'GET', path: `/v1/sending-domains` }, options),
      /** Add a sending domain with fresh DKIM keys. Creates DKIM keys and returns the DNS records to publish. The domain may be used once it is verified. Takes an API key with the scope `domains.write`, or the session of a member. */
      create: (body: Body<'createDomain'>, options?: CallOptions): Promise<Answer<'createDomain'>> =>
        json<Answer<'createDomain'>>({ method: 'POST', path: `/v1/sending-domains`, body }, options),
      /** Check the domain in the DNS now. Queries the DNS at once, and returns what is published, missing or wrong. Takes an API key with the scope `domains.write`, or the session of a member. */
      verify: (domainId: string, options?: CallOptions): Promise<Answer<'verifyDomain'>> =>
        json<Answer<'verifyDomain'>>({ method: 'POST', path: `/v1/sending-domains/${part(domainId)}/verify` }, options),
      /** Remove a sending domain and its keys. What is to be sent from it is refused from now on, mail that waits too, and its mailboxes get no mail, until it is added and verified again. A domain that the operator gave or named stays usable, and its mail is no longer signed. Takes an API key with the scope `domains.write`, or the session of a member. */
      delete: (domainId: string, options?: CallOptions): Promise<Answer<'deleteDomain'>> =>
        json<Answer<'deleteDomain'>>({ method: 'DELETE', path: `/v1/sending-domains/${part(domainId)}` }, options),
      /** Faults of sending: why mail is held or delayed. Empty when all is well. Nothing listed here ends a mail, counts as a bounce or suppresses anybody. Takes an API key with the scope `activity.read`, or the session of a viewer. */
      listFaults: (options?: CallOptions): Promise<Answer<'listSendingFaults'>> =>
        json<Answer<'listSendingFaults'>>({ method: 'GET', path: `/v1/sending-faults` }, options),
    },
    events: {
      /** Ingest an event; its contact, effects and delayed mails in one transaction. Creates the contact if it is unknown. Answered after the commit; delayed template jobs are scheduled by then. With an `Idempotency-Key` or an `eventId` a repeat changes nothing. Takes an API key with the scope `events.send`. */
      send: (body: Body<'sendEvent'>, options?: CallOptions): Promise<Answer<'sendEvent'>> =>
        json<Answer<'sendEvent'>>({ method: 'POST', path: `/v1/events/send`, body, isRepeatable: true }, options),
      /** List events, newest first. What was received, by name, contact and time. What an event says is in the event itself. Takes an API key with the scope `events.read`, or the session of a viewer. */
      list: (query?: Query<'listEvents'>, options?: CallOptions): Pages<Item<Answer<'listEvents'>>, Answer<'listEvents'>> =>
        pages<Item<Answer<'listEvents'>>, Answer<'listEvents'>>({ method: 'GET', path: `/v1/events`, query }, options),
      /** Fetch one event. What it said, and what rules did for it. Takes an API key with the scope `events.read`, or the session of a viewer. */
      get: (eventId: string, options?: CallOptions): Promise<Answer<'getEvent'>> =>
        json<Answer<'getEvent'>>({ method: 'GET', path: `/v1/events/${part(eventId)}` }, options),
      /** List the names of events that were seen. In alphabetical order, each with its newest event. Takes an API key with the scope `events.read`, or the session of a viewer. */
      listNames: (query?: Query<'listEventNames'>, options?: CallOptions): Pages<Item<Answer<'listEventNames'>>, Answer<'listEventNames'>> =>
        pages<Item<Answer<'listEventNames'>>, Answer<'listEventNames'>>({ method: 'GET', path: `/v1/event-names`, query }, options),
    },
    heldMails: {
      /** List the mails that wait because the database was put back, copied or moved. The first due first. Empty unless the installation is held (`sending_held` in `GET /v1/attention`). What has left already is cancelled with `POST /v1/jobs/{jobId}/cancel`; then the operator runs `paquebot resume`. Takes an API key with the scope `activity.read`, or the session of a viewer. */
      listHeldMails: (query?: Query<'listHeldMails'>, options?: CallOptions): Pages<Item<Answer<'listHeldMails'>>, Answer<'listHeldMails'>> =>
        pages<Item<Answer<'listHeldMails'>>, Answer<'listHeldMails'>>({ method: 'GET', path: `/v1/held-mails`, query }, options),
    },
    imports: {
      /** Preview the import of an export of another service. How many people are new, changed or refused and why, suppressions, the lists and properties that would be made, and which templates can be converted. Nothing is stored. Takes an API key with the scope `contacts.write`, or the session of a member. */
      previewExportImport: (body: BodyInit, query?: Query<'previewExportImport'>, options?: CallOptions): Promise<Answer<'previewExportImport'>> =>
        json<Answer<'previewExportImport'>>({ method: 'POST', path: `/v1/imports/preview`, query, body, contentType: 'application/octet-stream' }, options),
      /** Import an export of another service. Lists and drafts of templates are made at once; people are imported in the background, whoever left or was suppressed first; see GET /v1/contact-imports/{importId}. The same export again changes nothing, and consent is never raised. Refused while neither the export nor `consent` says what people agreed to. Takes an API key with the scope `contacts.write`, or the session of a member. */
      importExport: (body: BodyInit, query?: Query<'importExport'>, options?: CallOptions): Promise<Answer<'importExport'>> =>
        json<Answer<'importExport'>>({ method: 'POST', path: `/v1/imports`, query, body, contentType: 'application/octet-stream' }, options),
    },
    installation: {
      /** What runs, when it was last backed up, and whether it is held. For owners and full keys of the first workspace; 403 for others. Takes an API key with the scope `full`, or the session of an owner. */
      get: (options?: CallOptions): Promise<Answer<'getInstallation'>> =>
        json<Answer<'getInstallation'>>({ method: 'GET', path: `/v1/installation` }, options),
    },
    jobs: {
      /** Why the jobs of a lane do not move. What holds it now, each reason with since when, until when, and what to do: the strongest first. By the same rules that hold it; nothing is changed. Takes an API key with the scope `jobs.read`, or the session of a viewer. */
      whyLane: (query?: Query<'whyLane'>, options?: CallOptions): Promise<Answer<'whyLane'>> =>
        json<Answer<'whyLane'>>({ method: 'GET', path: `/v1/jobs/why`, query }, options),
      /** List jobs: waiting, running or stuck. Mail, webhooks and imports are jobs. `held` jobs are mails of a paused campaign; `dead` ones wait for somebody to retry them, `ambiguous` ones for somebody to say whether they arrived. Takes an API key with the scope `jobs.read`, or the session of a viewer. */
      list: (query?: Query<'listJobs'>, options?: CallOptions): Pages<Item<Answer<'listJobs'>>, Answer<'listJobs'>> =>
        pages<Item<Answer<'listJobs'>>, Answer<'listJobs'>>({ method: 'GET', path: `/v1/jobs`, query }, options),
      /** Run dead jobs again: those named, or all of a lane or kind. One that was retried before is no longer among those of a lane or kind. At most 1,000 in one request. Each job has its own answer: one that is refused does not affect the others. Takes an API key with the scope `jobs.write`, or the session of a member. */
      retryMany: (body: Body<'retryJobs'>, options?: CallOptions): Promise<Answer<'retryJobs'>> =>
        json<Answer<'retryJobs'>>({ method: 'POST', path: `/v1/jobs/retry`, body }, options),
      /** Cancel waiting jobs: those named, or all of a lane or kind. At most 1,000 in one request. Each job has its own answer: one that is refused does not affect the others. Takes an API key with the scope `jobs.write`, or the session of a member. */
      cancelMany: (body: Body<'cancelJobs'>, options?: CallOptions): Promise<Answer<'cancelJobs'>> =>
        json<Answer<'cancelJobs'>>({ method: 'POST', path: `/v1/jobs/cancel`, body }, options),
      /** Resolve jobs whose outcome is unknown. The connection broke after the mail was handed over, so nobody knows whether it arrived: say that it did, or have it sent again. At most 1,000 in one request. Takes an API key with the scope `jobs.write`, or the session of a member. */
      resolveMany: (body: Body<'resolveJobs'>, options?: CallOptions): Promise<Answer<'resolveJobs'>> =>
        json<Answer<'resolveJobs'>>({ method: 'POST', path: `/v1/jobs/resolve`, body }, options),
      /** Run a dead or cancelled job again, as a new one. The answer names the new job. 409 when it is not dead or cancelled. Takes an API key with the scope `jobs.write`, or the session of a member. */
      retry: (jobId: string, options?: CallOptions): Promise<Answer<'retryJob'>> =>
        json<Answer<'retryJob'>>({ method: 'POST', path: `/v1/jobs/${part(jobId)}/retry` }, options),
      /** Cancel a job that has not been handed over. A waiting job ends at once; a running one ends unless it was already handed over. 409 when it has ended. Takes an API key with the scope `jobs.write`, or the session of a member. */
      cancel: (jobId: string, options?: CallOptions): Promise<Answer<'cancelJob'>> =>
        json<Answer<'cancelJob'>>({ method: 'POST', path: `/v1/jobs/${part(jobId)}/cancel` }, options),
      /** Resolve a job whose outcome is unknown. The connection broke after the mail was handed over, so nobody knows whether it arrived: say that it did, or have it sent again. 409 for a job in any other state. Takes an API key with the scope `jobs.write`, or the session of a member. */
      resolve: (jobId: string, body: Body<'resolveJob'>, options?: CallOptions): Promise<Answer<'resolveJob'>> =>
        json<Answer<'resolveJob'>>({ method: 'POST', path: `/v1/jobs/${part(jobId)}/resolve`, body }, options),
    },
    lists: {
      /** List the active mailing lists. Active lists of the workspace, each with the number of contacts that are subscribed to it. Takes an API key with the scope `lists.read`, or the session of a viewer. */
      list: (query?: Query<'listMailingLists'>, options?: CallOptions): Pages<Item<Answer<'listMailingLists'>>, Answer<'listMailingLists'>> =>
        pages<Item<Answer<'listMailingLists'>>, Answer<'listMailingLists'>>({ method: 'GET', path: `/v1/mailing-lists`, query }, options),
      /** Create a mailing list. With `optIn: "double"` a contact joins the list only after confirming by mail. Takes an API key with the scope `lists.write`, or the session of a member. */
      create: (body: Body<'createMailingList'>, options?: CallOptions): Promise<Answer<'createMailingList'>> =>
        json<Answer<'createMailingList'>>({ method: 'POST', path: `/v1/mailing-lists`, body }, options),
      /** Fetch one mailing list. Also finds an archived list. Takes an API key with the scope `lists.read`, or the session of a viewer. */
      get: (listId: string, options?: CallOptions): Promise<Answer<'getMailingList'>> =>
        json<Answer<'getMailingList'>>({ method: 'GET', path: `/v1/mailing-lists/${part(listId)}` }, options),
      /** Change a mailing list. Only the fields that are given change. 409 for an archived list. Takes an API key with the scope `lists.write`, or the session of a member. */
      update: (listId: string, body: Body<'updateMailingList'>, options?: CallOptions): Promise<Answer<'updateMailingList'>> =>
        json<Answer<'updateMailingList'>>({ method: 'PATCH', path: `/v1/mailing-lists/${part(listId)}`, body }, options),
      /** Archive a mailing list. Nothing more is sent to it, and it is no longer listed. Its subscriptions and consent stay on record. Takes an API key with the scope `lists.write`, or the session of a member. */
      archive: (listId: string, options?: CallOptions): Promise<Answer<'archiveMailingList'>> =>
        json<Answer<'archiveMailingList'>>({ method: 'DELETE', path: `/v1/mailing-lists/${part(listId)}` }, options),
    },
    mailboxes: {
      /** List the mailboxes. Addresses that receive mail for this workspace. Their messages are not in here. Takes an API key with the scope `mailboxes.read`, or the session of a viewer. */
      list: (options?: CallOptions): Promise<Answer<'listMailboxes'>> =>
        json<Answer<'listMailboxes'>>({ method: 'GET', path: `/v1/mailboxes` }, options),
      /** Make a mailbox. The address must be at `INBOUND_DOMAIN` or at a domain that is known to be the workspace’s: else 403, or a warning in capture mode. 409 when it is taken. Takes an API key with the scope `mailboxes.write`, or the session of a member. */
      create: (body: Body<'createMailbox'>, options?: CallOptions): Promise<Answer<'createMailbox'>> =>
        json<Answer<'createMailbox'>>({ method: 'POST', path: `/v1/mailboxes`, body }, options),
      /** Read one mailbox. Address, name and status of one mailbox; none of its mail. Takes an API key with the scope `mailboxes.read`, or the session of a viewer. */
      get: (mailboxId: string, options?: CallOptions): Promise<Answer<'getMailbox'>> =>
        json<Answer<'getMailbox'>>({ method: 'GET', path: `/v1/mailboxes/${part(mailboxId)}` }, options),
      /** Rename, disable or enable a mailbox. Only the fields that are given change. A disabled mailbox receives nothing, and its tokens do not work. Takes an API key with the scope `mailboxes.write`, or the session of a member. */
      update: (mailboxId: string, body: Body<'updateMailbox'>, options?: CallOptions): Promise<Answer<'updateMailbox'>> =>
        json<Answer<'updateMailbox'>>({ method: 'PATCH', path: `/v1/mailboxes/${part(mailboxId)}`, body }, options),
    },
    mcpCalls: {
      /** List tool calls by agents, newest first. Which tool was called, with which credential, and the result; never the content. Takes an API key with the scope `activity.read`, or the session of a viewer. */
      list: (query?: Query<'listMcpCalls'>, options?: CallOptions): Pages<Item<Answer<'listMcpCalls'>>, Answer<'listMcpCalls'>> =>
        pages<Item<Answer<'listMcpCalls'>>, Answer<'listMcpCalls'>>({ method: 'GET', path: `/v1/mcp-calls`, query }, options),
    },
    members: {
      /** List the people of the workspace. Everybody who may sign in to this workspace, with their role. Takes an API key with the scope `members.read`, or the session of a viewer. */
      list: (options?: CallOptions): Promise<Answer<'listMembers'>> =>
        json<Answer<'listMembers'>>({ method: 'GET', path: `/v1/members` }, options),
    },
    messages: {
      /** The content of a message that its caller gave. Subject, HTML and text as they were sent, for a message whose `content` is `own`; it is kept for 30 days. 404 for one of a template, and later. Takes an API key with the scope `activity.read`, or the session of a member. */
      getContent: (messageId: string, options?: CallOptions): Promise<Answer<'getMessageContent'>> =>
        json<Answer<'getMessageContent'>>({ method: 'GET', path: `/v1/messages/${part(messageId)}/content` }, options),
      /** Cancel a message that was not sent yet. A scheduled or delayed message is never sent. 409 when it was sent or has ended in another way, and for mail of a campaign, which is cancelled as a whole. Takes an API key with the scope `transactional.send`, or the session of a member. */
      cancel: (messageId: string, options?: CallOptions): Promise<Answer<'cancelMessage'>> =>
        json<Answer<'cancelMessage'>>({ method: 'POST', path: `/v1/messages/${part(messageId)}/cancel` }, options),
      /** Move a message that waits to another time. Earlier or later. 409 when it does not wait any more. Takes an API key with the scope `transactional.send`, or the session of a member. */
      reschedule: (messageId: string, body: Body<'rescheduleMessage'>, options?: CallOptions): Promise<Answer<'rescheduleMessage'>> =>
        json<Answer<'rescheduleMessage'>>({ method: 'POST', path: `/v1/messages/${part(messageId)}/reschedule`, body }, options),
      /** Send a message again. The same mail, from the same revision with the same variables and attachments, as a new message that names the old one (`resendOf`). Only transactional mail of the last 30 days that has ended; 409 else. A suppressed recipient is refused as in a send. Takes an API key with the scope `transactional.send`, or the session of a member. */
      resend: (messageId: string, options?: CallOptions): Promise<Answer<'resendMessage'>> =>
        json<Answer<'resendMessage'>>({ method: 'POST', path: `/v1/messages/${part(messageId)}/resend`, isRepeatable: true }, options),
    },
    payments: {
      /** List the archive of payment events, newest first. Every event that the provider sent, whether it became a contact event, and if not, why. Takes an API key with the scope `payments.read`, or the session of a viewer. */
      list: (query?: Query<'listPaymentEvents'>, options?: CallOptions): Pages<Item<Answer<'listPaymentEvents'>>, Answer<'listPaymentEvents'>> =>
        pages<Item<Answer<'listPaymentEvents'>>, Answer<'listPaymentEvents'>>({ method: 'GET', path: `/v1/payment-events`, query }, options),
      /** Retry events that were ignored because they had no contact. For events that arrived before their contact: the oldest 1,000 are tried again. `processed` counts those that became contact events. Takes an API key with the scope `payments.write`, or the session of a member. */
      reprocessMany: (options?: CallOptions): Promise<Answer<'reprocessPaymentEvents'>> =>
        json<Answer<'reprocessPaymentEvents'>>({ method: 'POST', path: `/v1/payment-events/reprocess` }, options),
      /** Retry an ignored payment event. It becomes a contact event if its contact exists by now. 409 when it was already processed. Takes an API key with the scope `payments.write`, or the session of a member. */
      reprocess: (paymentEventId: string, options?: CallOptions): Promise<Answer<'reprocessPaymentEvent'>> =>
        json<Answer<'reprocessPaymentEvent'>>({ method: 'POST', path: `/v1/payment-events/${part(paymentEventId)}/reprocess` }, options),
    },
    rules: {
      /** List event rules, newest first. A rule says what an event with its name does: send a template, subscribe the contact, or change it. Takes an API key with the scope `rules.read`, or the session of a viewer. */
      list: (query?: Query<'listRules'>, options?: CallOptions): Pages<Item<Answer<'listRules'>>, Answer<'listRules'>> =>
        pages<Item<Answer<'listRules'>>, Answer<'listRules'>>({ method: 'GET', path: `/v1/event-rules`, query }, options),
      /** Create an event rule. It runs for events from now on. The template or list that it names must exist and be suitable. Takes an API key with the scope `rules.write`, or the session of a member. */
      create: (body: Body<'createRule'>, options?: CallOptions): Promise<Answer<'createRule'>> =>
        json<Answer<'createRule'>>({ method: 'POST', path: `/v1/event-rules`, body }, options),
      /** Fetch one event rule. One rule with its filter, its delay and what it does. Takes an API key with the scope `rules.read`, or the session of a viewer. */
      get: (ruleId: string, options?: CallOptions): Promise<Answer<'getRule'>> =>
        json<Answer<'getRule'>>({ method: 'GET', path: `/v1/event-rules/${part(ruleId)}` }, options),
      /** Change an event rule. Only the fields that are given change. Mail that is already scheduled follows the rule as it is when the mail is due. Takes an API key with the scope `rules.write`, or the session of a member. */
      update: (ruleId: string, body: Body<'updateRule'>, options?: CallOptions): Promise<Answer<'updateRule'>> =>
        json<Answer<'updateRule'>>({ method: 'PATCH', path: `/v1/event-rules/${part(ruleId)}`, body }, options),
      /** Delete an event rule; mail that it scheduled is not sent. Mail that it scheduled is not sent: each job ends as `rule_deleted` when it is due. Takes an API key with the scope `rules.write`, or the session of a member. */
      delete: (ruleId: string, options?: CallOptions): Promise<Answer<'deleteRule'>> =>
        json<Answer<'deleteRule'>>({ method: 'DELETE', path: `/v1/event-rules/${part(ruleId)}` }, options),
      /** List what a rule has scheduled, the next first. Each mail that waits for its time, with its contact and the event that it is for. Takes an API key with the scope `rules.read`, or the session of a viewer. */
      listScheduledBy: (ruleId: string, query?: Query<'listScheduledByRule'>, options?: CallOptions): Pages<Item<Answer<'listScheduledByRule'>>, Answer<'listScheduledByRule'>> =>
        pages<Item<Answer<'listScheduledByRule'>>, Answer<'listScheduledByRule'>>({ method: 'GET', path: `/v1/event-rules/${part(ruleId)}/scheduled`, query }, options),
      /** How much a rule has scheduled, by day. Days of UTC with something due, of the next 10,000 mails. Takes an API key with the scope `rules.read`, or the session of a viewer. */
      getCalendar: (ruleId: string, options?: CallOptions): Promise<Answer<'getRuleCalendar'>> =>
        json<Answer<'getRuleCalendar'>>({ method: 'GET', path: `/v1/event-rules/${part(ruleId)}/calendar` }, options),
      /** Try a rule with an event of the past. What the rule would have done with it, and why not: with the contact, the template and the list as they are now. Nothing is stored or sent. Takes an API key with the scope `rules.read`, or the session of a viewer. */
      try: (ruleId: string, body: Body<'tryRule'>, options?: CallOptions): Promise<Answer<'tryRule'>> =>
        json<Answer<'tryRule'>>({ method: 'POST', path: `/v1/event-rules/${part(ruleId)}/try`, body }, options),
    },
    segments: {
      /** Who would be in a segment. Nothing is saved. Takes an API key with the scope `contacts.read`, or the session of a viewer. */
      preview: (body: Body<'previewSegment'>, options?: CallOptions): Promise<Answer<'previewSegment'>> =>
        json<Answer<'previewSegment'>>({ method: 'POST', path: `/v1/segments/preview`, body }, options),
      /** Who is in a segment. Contacts in the order in which they were made. In a workspace of more than 20,000 the total is reckoned from the first of them. Takes an API key with the scope `contacts.read`, or the session of a viewer. */
      listContacts: (segmentId: string, query?: Query<'listSegmentContacts'>, options?: CallOptions): Pages<Item<Answer<'listSegmentContacts'>>, Answer<'listSegmentContacts'>> =>
        pages<Item<Answer<'listSegmentContacts'>>, Answer<'listSegmentContacts'>>({ method: 'GET', path: `/v1/segments/${part(segmentId)}/contacts`, query }, options),
      /** List the segments. Each with its filter, oldest first. Takes an API key with the scope `contacts.read`, or the session of a viewer. */
      list: (query?: Query<'listSegments'>, options?: CallOptions): Pages<Item<Answer<'listSegments'>>, Answer<'listSegments'>> =>
        pages<Item<Answer<'listSegments'>>, Answer<'listSegments'>>({ method: 'GET', path: `/v1/segments`, query }, options),
      /** Save a search over contacts. Who is in it is looked up whenever it is asked for; a campaign with its `segmentId` goes to those of its list who are in it then. Takes an API key with the scope `contacts.write`, or the session of a member. */
      create: (body: Body<'createSegment'>, options?: CallOptions): Promise<Answer<'createSegment'>> =>
        json<Answer<'createSegment'>>({ method: 'POST', path: `/v1/segments`, body }, options),
      /** Fetch one segment. Its name and filter. Takes an API key with the scope `contacts.read`, or the session of a viewer. */
      get: (segmentId: string, options?: CallOptions): Promise<Answer<'getSegment'>> =>
        json<Answer<'getSegment'>>({ method: 'GET', path: `/v1/segments/${part(segmentId)}` }, options),
      /** Change a segment. Campaigns that have not begun follow; an approval of theirs was for the filter of before. Takes an API key with the scope `contacts.write`, or the session of a member. */
      update: (segmentId: string, body: Body<'updateSegment'>, options?: CallOptions): Promise<Answer<'updateSegment'>> =>
        json<Answer<'updateSegment'>>({ method: 'PATCH', path: `/v1/segments/${part(segmentId)}`, body }, options),
      /** Delete a segment. 409 while a campaign that has not begun is for it. Takes an API key with the scope `contacts.write`, or the session of a member. */
      delete: (segmentId: string, options?: CallOptions): Promise<Answer<'deleteSegment'>> =>
        json<Answer<'deleteSegment'>>({ method: 'DELETE', path: `/v1/segments/${part(segmentId)}` }, options),
    },
    sources: {
      /** List the subscription sources. Sources record where consent comes from and what people agreed to. Deleted ones are not listed. Takes an API key with the scope `sources.read`, or the session of a viewer. */
      list: (query?: Query<'listSubscriptionSources'>, options?: CallOptions): Pages<Item<Answer<'listSubscriptionSources'>>, Answer<'listSubscriptionSources'>> =>
        pages<Item<Answer<'listSubscriptionSources'>>, Answer<'listSubscriptionSources'>>({ method: 'GET', path: `/v1/subscription-sources`, query }, options),
      /** Create a subscription source. A source names the lists that an opt-in through it joins, the text that people agree to, and whether they confirm by mail. Takes an API key with the scope `sources.write`, or the session of a member. */
      create: (body: Body<'createSubscriptionSource'>, options?: CallOptions): Promise<Answer<'createSubscriptionSource'>> =>
        json<Answer<'createSubscriptionSource'>>({ method: 'POST', path: `/v1/subscription-sources/create`, body }, options),
      /** Change a subscription source. Only the fields that are given change. A changed `consentText` is a new version; earlier consent keeps the version that it was given for. Takes an API key with the scope `sources.write`, or the session of a member. */
      update: (body: Body<'updateSubscriptionSource'>, options?: CallOptions): Promise<Answer<'updateSubscriptionSource'>> =>
        json<Answer<'updateSubscriptionSource'>>({ method: 'PUT', path: `/v1/subscription-sources/update`, body }, options),
      /** Delete a subscription source. It accepts no more opt-ins. Consent given through it stays on record. Takes an API key with the scope `sources.write`, or the session of a member. */
      delete: (body: Body<'deleteSubscriptionSource'>, options?: CallOptions): Promise<Answer<'deleteSubscriptionSource'>> =>
        json<Answer<'deleteSubscriptionSource'>>({ method: 'POST', path: `/v1/subscription-sources/delete`, body }, options),
      /** Fetch one subscription source. One source with its lists, its consent text and the version of the text. Takes an API key with the scope `sources.read`, or the session of a viewer. */
      get: (sourceId: string, options?: CallOptions): Promise<Answer<'getSubscriptionSource'>> =>
        json<Answer<'getSubscriptionSource'>>({ method: 'GET', path: `/v1/subscription-sources/${part(sourceId)}` }, options),
    },
    stats: {
      /** What was sent, and what became of it, over time. By hour, day or month of UTC: for the workspace, for one template, campaign or receiving domain, or with `groupBy` for those that most was sent of. A mail counts when something happens to it: sent on Monday and opened on Tuesday, it is one of Monday’s `sent` and one of Tuesday’s `opened`. Takes an API key with the scope `activity.read`, or the session of a viewer. */
      get: (query?: Query<'getStats'>, options?: CallOptions): Promise<Answer<'getStats'>> =>
        json<Answer<'getStats'>>({ method: 'GET', path: `/v1/stats`, query }, options),
    },
    subscriptions: {
      /** Subscribe a contact through a source. The contact is found by its address alone. 201: active at once. 202: a confirmation mail is sent, at most once in 10 minutes and three times a day per address; until it is confirmed, an existing contact does not change. 200: was already active. `suppression` says why the address gets no mail anyway. With the id of a source as the key: 201 or 202 depending only on the source, and always `{"success":true}`. Takes an API key with the scope `subscriptions.write`. */
      optIn: (body: Body<'optIn'>, options?: CallOptions): Promise<Answer<'optIn'>> =>
        json<Answer<'optIn'>>({ method: 'POST', path: `/v1/contact-subscriptions/opt-in`, body, isRepeatable: true }, options),
      /** Resend a double opt-in mail. Always 202, so that it does not reveal whether the address is known. At most one mail a minute and five a day per address. Takes an API key with the scope `subscriptions.write`. */
      resendConfirmation: (body: Body<'resendConfirmation'>, options?: CallOptions): Promise<Answer<'resendConfirmation'>> =>
        json<Answer<'resendConfirmation'>>({ method: 'POST', path: `/v1/contact-subscriptions/resend-confirmation`, body }, options),
    },
    suppressions: {
      /** Whether an address is suppressed. The answer is the same for an unknown address. Takes an API key with the scope `contacts.read`, or the session of a viewer. */
      status: (query?: Query<'getSuppressionStatus'>, options?: CallOptions): Promise<Answer<'getSuppressionStatus'>> =>
        json<Answer<'getSuppressionStatus'>>({ method: 'GET', path: `/v1/contacts/suppression-status`, query }, options),
      /** Take an address off the suppression list. 404 when it is not on the list. Removing a complaint counts against a quota: 429 when that is used up. The caller is recorded, and a webhook event is sent. Takes an API key with the scope `contacts.write`, or the session of a member. */
      remove: (body: Body<'removeSuppression'>, query?: Query<'removeSuppression'>, options?: CallOptions): Promise<Answer<'removeSuppression'>> =>
        json<Answer<'removeSuppression'>>({ method: 'DELETE', path: `/v1/contacts/suppression`, query, body }, options),
      /** List the addresses that are not mailed, newest first. With `email`, only that address, if it is suppressed. Takes an API key with the scope `suppressions.read`, or the session of a viewer. */
      list: (query?: Query<'listSuppressions'>, options?: CallOptions): Pages<Item<Answer<'listSuppressions'>>, Answer<'listSuppressions'>> =>
        pages<Item<Answer<'listSuppressions'>>, Answer<'listSuppressions'>>({ method: 'GET', path: `/v1/suppressions`, query }, options),
      /** Add an address; 200 when it was already there, with its first reason. Nothing is mailed to the address from now on, including scheduled mail. 201 when it was added; 200 when it was already there, with its first reason. Takes an API key with the scope `suppressions.write`, or the session of a member. */
      add: (body: Body<'addSuppression'>, options?: CallOptions): Promise<Answer<'addSuppression'>> =>
        json<Answer<'addSuppression'>>({ method: 'POST', path: `/v1/suppressions`, body }, options),
      /** Add up to 10,000 addresses; none is added if one is invalid. If one of them is not an address, none is added. Addresses that were already there keep their first reason. Takes an API key with the scope `suppressions.write`, or the session of a member. */
      addMany: (body: Body<'addSuppressions'>, options?: CallOptions): Promise<Answer<'addSuppressions'>> =>
        json<Answer<'addSuppressions'>>({ method: 'POST', path: `/v1/suppressions/bulk`, body }, options),
    },
    test: {
      /** What waits in the test workspace. How much waits there, and until when. With a key that is no test key: in the test workspace of its workspace. Takes an API key with the scope `jobs.read`, or the session of a viewer. */
      getTestClock: (options?: CallOptions): Promise<Answer<'getTestClock'>> =>
        json<Answer<'getTestClock'>>({ method: 'GET', path: `/v1/test/clock` }, options),
      /** Move the clock of the test workspace. All that waits there comes nearer by that time: delayed mails, rules with a delay, scheduled sends and campaigns, retries; links of confirmations and Idempotency-Keys expire sooner, and limits of frequency end sooner. What was written keeps its times. Real mail is never moved: with a key that is no test key it is the test workspace of its workspace. At most 10,000 jobs at once. Takes an API key with the scope `jobs.write`, or the session of a member. */
      advanceTestClock: (body: Body<'advanceTestClock'>, options?: CallOptions): Promise<Answer<'advanceTestClock'>> =>
        json<Answer<'advanceTestClock'>>({ method: 'POST', path: `/v1/test/clock`, body }, options),
    },
    transactional: {
      /** List templates. Only active templates, unless `status` asks for others. Each one has its rendered `htmlBody` and `textBody` in the primary locale, and the variables that a send must supply. Takes an API key with the scope `transactional.read`, or the session of a viewer. */
      list: (query?: Query<'listTemplates'>, options?: CallOptions): Pages<Item<Answer<'listTemplates'>>, Answer<'listTemplates'>> =>
        pages<Item<Answer<'listTemplates'>>, Answer<'listTemplates'>>({ method: 'GET', path: `/v1/transactional`, query }, options),
      /** Create a template. With `content` the template is active and can be sent at once, unless `status` is `draft`; without it, it is a draft. 409 `template_exists` when another template has this slug. Takes an API key with the scope `transactional.write`, or the session of a member. */
      create: (body: Body<'createTemplate'>, options?: CallOptions): Promise<Answer<'createTemplate'>> =>
        json<Answer<'createTemplate'>>({ method: 'POST', path: `/v1/transactional/create`, body }, options),
      /** Update a template; `content` replaces the tree of the primary locale. Only the fields that are given change; `content` replaces the whole tree of the primary locale. Mail that was accepted before is sent as it was then. Takes an API key with the scope `transactional.write`, or the session of a member. */
      update: (body: Body<'updateTemplate'>, options?: CallOptions): Promise<Answer<'updateTemplate'>> =>
        json<Answer<'updateTemplate'>>({ method: 'PUT', path: `/v1/transactional/update`, body }, options),
      /** Delete a template. Refused with 409 `template_in_use` while campaigns or delayed mails would be sent with it; `force` cancels those and deletes. Mail that was accepted before still leaves. Takes an API key with the scope `transactional.write`, or the session of a member. */
      delete: (body: Body<'deleteTemplate'>, options?: CallOptions): Promise<Answer<'deleteTemplate'>> =>
        json<Answer<'deleteTemplate'>>({ method: 'POST', path: `/v1/transactional/delete`, body }, options),
      /** Fetch the metadata of one template. Subject, sender, status, locales and variables of one template. Its component tree is at `/content/{locale}`. Takes an API key with the scope `transactional.read`, or the session of a viewer. */
      get: (templateId: string, options?: CallOptions): Promise<Answer<'getTemplate'>> =>
        json<Answer<'getTemplate'>>({ method: 'GET', path: `/v1/transactional/${part(templateId)}` }, options),
      /** Fetch the component tree of one locale. The tree as it is stored, with the subject and preview text of this locale. There is no fallback: 404 for a locale without content. Takes an API key with the scope `transactional.read`, or the session of a viewer. */
      getContent: (templateId: string, locale: string, options?: CallOptions): Promise<Answer<'getContent'>> =>
        json<Answer<'getContent'>>({ method: 'GET', path: `/v1/transactional/${part(templateId)}/content/${part(locale)}` }, options),
      /** Set the component tree of one locale. Replaces the whole tree of this locale, or adds the locale. The body is the tree itself, or an object with `content`. A draft becomes active once its primary locale has content. Takes an API key with the scope `transactional.write`, or the session of a member. */
      putContent: (templateId: string, locale: string, body: Body<'putContent'>, options?: CallOptions): Promise<Answer<'putContent'>> =>
        json<Answer<'putContent'>>({ method: 'PUT', path: `/v1/transactional/${part(templateId)}/content/${part(locale)}`, body }, options),
      /** Preview a tree that is not stored. Renders a component tree of the request as a mail, also with another brand. Nothing is stored or sent. Takes an API key with the scope `transactional.read`, or the session of a viewer. */
      previewContent: (body: Body<'previewContent'>, options?: CallOptions): Promise<Answer<'previewContent'>> =>
        json<Answer<'previewContent'>>({ method: 'POST', path: `/v1/transactional/preview`, body }, options),
      /** Show a template as a mail. Renders a stored template, also a draft; with `content`, the tree of the request in its place. Nothing is stored or sent. Takes an API key with the scope `transactional.read`, or the session of a viewer. */
      preview: (templateId: string, body: Body<'previewTemplate'>, options?: CallOptions): Promise<Answer<'previewTemplate'>> =>
        json<Answer<'previewTemplate'>>({ method: 'POST', path: `/v1/transactional/${part(templateId)}/preview`, body }, options),
      /** Send a template to members of the workspace. As it is stored, also a draft, or with the unsaved `content` of the request. The subject begins with “[Test]”, a header says so, and its links to leave lead nowhere. 20 calls at once, then one every three minutes. Takes an API key with the scope `transactional.send`, or the session of a member. */
      test: (templateId: string, body: Body<'testTemplate'>, options?: CallOptions): Promise<Answer<'testTemplate'>> =>
        json<Answer<'testTemplate'>>({ method: 'POST', path: `/v1/transactional/${part(templateId)}/test`, body }, options),
      /** Render one template and send it to one recipient. Accepted means stored, with the job that delivers it; what became of it is in Email Activity. With an `Idempotency-Key` a repeat gets the first answer (`Idempotency-Replayed: true`) and sends nothing. Takes an API key with the scope `transactional.send`. */
      send: (body: Body<'send'>, options?: CallOptions): Promise<Answer<'send'>> =>
        json<Answer<'send'>>({ method: 'POST', path: `/v1/transactional/send`, body, isRepeatable: true }, options),
      /** Send up to 500 messages in one request. Each message has its own result, in the order of the request: one that is refused does not affect the others. All that are accepted are stored in one transaction. With an `Idempotency-Key`, which is for all of them, a repeat gets the first answer. At most 1,000 recipients and 25 MB in all. Takes an API key with the scope `transactional.send`. */
      sendBatch: (body: Body<'sendBatch'>, options?: CallOptions): Promise<Answer<'sendBatch'>> =>
        json<Answer<'sendBatch'>>({ method: 'POST', path: `/v1/transactional/send-batch`, body, isRepeatable: true }, options),
      /** List the revisions of a template. Newest first, of all its locales: who wrote each, and when. Takes an API key with the scope `transactional.read`, or the session of a viewer. */
      listRevisions: (templateId: string, query?: Query<'listTemplateRevisions'>, options?: CallOptions): Pages<Item<Answer<'listTemplateRevisions'>>, Answer<'listTemplateRevisions'>> =>
        pages<Item<Answer<'listTemplateRevisions'>>, Answer<'listTemplateRevisions'>>({ method: 'GET', path: `/v1/transactional/${part(templateId)}/revisions`, query }, options),
      /** Fetch a revision of a template. With its tree, and the sender as it was then. A revision never changes. Takes an API key with the scope `transactional.read`, or the session of a viewer. */
      getRevision: (templateId: string, revisionId: string, options?: CallOptions): Promise<Answer<'getTemplateRevision'>> =>
        json<Answer<'getTemplateRevision'>>({ method: 'GET', path: `/v1/transactional/${part(templateId)}/revisions/${part(revisionId)}` }, options),
      /** How a revision of a template differs from an older one. Nodes that were removed, added, moved or changed, by their paths; words of texts; subject, sender and variables. Takes an API key with the scope `transactional.read`, or the session of a viewer. */
      compareRevisions: (templateId: string, revisionId: string, query?: Query<'compareTemplateRevisions'>, options?: CallOptions): Promise<Answer<'compareTemplateRevisions'>> =>
        json<Answer<'compareTemplateRevisions'>>({ method: 'GET', path: `/v1/transactional/${part(templateId)}/revisions/${part(revisionId)}/diff`, query }, options),
      /** How a tree that is not stored differs from a revision of a template. As between two revisions. Nothing is stored. Takes an API key with the scope `transactional.read`, or the session of a viewer. */
      compareDraft: (templateId: string, revisionId: string, body: Body<'compareTemplateDraft'>, options?: CallOptions): Promise<Answer<'compareTemplateDraft'>> =>
        json<Answer<'compareTemplateDraft'>>({ method: 'POST', path: `/v1/transactional/${part(templateId)}/revisions/${part(revisionId)}/diff`, body }, options),
      /** Restore a revision of a template. Its content, subject and preview text become a new revision of its locale; the others stay. Takes an API key with the scope `transactional.write`, or the session of a member. */
      restoreRevision: (templateId: string, revisionId: string, body: Body<'restoreTemplateRevision'>, options?: CallOptions): Promise<Answer<'restoreTemplateRevision'>> =>
        json<Answer<'restoreTemplateRevision'>>({ method: 'POST', path: `/v1/transactional/${part(templateId)}/revisions/${part(revisionId)}/restore`, body }, options),
    },
    webhooks: {
      /** Pull what happened after an event, in order. For consumers that poll instead of being called: pass `nextAfter` as `after` of the next request. Events are kept for 30 days. Takes an API key with the scope `webhooks.read`, or the session of a viewer. */
      readEventFeed: (query?: Query<'readEventFeed'>, options?: CallOptions): Promise<Answer<'readEventFeed'>> =>
        json<Answer<'readEventFeed'>>({ method: 'GET', path: `/v1/event-feed`, query }, options),
      /** List every event type with the schema of its data and an example. Every name that `eventFilters` accepts, with the JSON Schema of its `data` and an example. Takes an API key with the scope `webhooks.read`, or the session of a viewer. */
      listEventTypes: (options?: CallOptions): Promise<Answer<'listWebhookEventTypes'>> =>
        json<Answer<'listWebhookEventTypes'>>({ method: 'GET', path: `/v1/webhook-event-types` }, options),
    },
    workspace: {
      /** Read the workspace: name, brand, locale, time zone. Name, brand, primary locale, time zone and trust level of the workspace that the credential belongs to. Takes an API key with the scope `workspace.read`, or the session of a viewer. */
      get: (options?: CallOptions): Promise<Answer<'getWorkspace'>> =>
        json<Answer<'getWorkspace'>>({ method: 'GET', path: `/v1/workspace` }, options),
      /** Change name, brand, locale, time zone or attachments. Only the fields that are given change; `null` clears a field of the brand. The brand fills variables such as `company_name` in mail sent from now on. Takes an API key with the scope `workspace.write`, or the session of a member. */
      update: (body: Body<'updateWorkspace'>, options?: CallOptions): Promise<Answer<'updateWorkspace'>> =>
        json<Answer<'updateWorkspace'>>({ method: 'PATCH', path: `/v1/workspace`, body }, options),
    },
  }
}

type Item<P> = P extends Page<infer T> ? T : never
