// Made by generate.ts from the OpenAPI document; not to be edited.

export interface paths {
    "/v1/api-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["testApiKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApiKeys"];
        put?: never;
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateWorkspace"];
        trace?: never;
    };
    "/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTestClock"];
        put?: never;
        post: operations["advanceTestClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactional": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactional/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactional/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["updateTemplate"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactional/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["deleteTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactional/{templateId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactional/{templateId}/content/{locale}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getContent"];
        put: operations["putContent"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactional/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewContent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactional/{templateId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactional/{templateId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactional/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactional/send-batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sending-domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDomains"];
        put?: never;
        post: operations["createDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sending-domains/{domainId}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sending-domains/{domainId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteDomain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sending-faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSendingFaults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{messageId}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMessageContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{messageId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{messageId}/reschedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rescheduleMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{messageId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAttention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/installation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInstallation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/held-mails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listHeldMails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["whyLane"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{campaignId}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["whyCampaign"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/activity/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["whyMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mailing-lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMailingLists"];
        put?: never;
        post: operations["createMailingList"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mailing-lists/{listId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMailingList"];
        put?: never;
        post?: never;
        delete: operations["archiveMailingList"];
        options?: never;
        head?: never;
        patch: operations["updateMailingList"];
        trace?: never;
    };
    "/v1/subscription-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSubscriptionSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscription-sources/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createSubscriptionSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscription-sources/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["updateSubscriptionSource"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscription-sources/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["deleteSubscriptionSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscription-sources/{sourceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSubscriptionSource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contact-subscriptions/opt-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["optIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contact-subscriptions/resend-confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRules"];
        put?: never;
        post: operations["createRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-rules/{ruleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRule"];
        put?: never;
        post?: never;
        delete: operations["deleteRule"];
        options?: never;
        head?: never;
        patch: operations["updateRule"];
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{eventId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-names": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEventNames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-rules/{ruleId}/scheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listScheduledByRule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-rules/{ruleId}/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRuleCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-rules/{ruleId}/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["tryRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPaymentEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-events/reprocess": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["reprocessPaymentEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-events/{paymentEventId}/reprocess": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["reprocessPaymentEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/activity/captured": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCaptured"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/activity/captured/wait": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["waitForCaptured"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/activity/captured/{capturedId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCaptured"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/activity/captured/{capturedId}/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCapturedSource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/activity/captured/{capturedId}/attachments/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCapturedAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/activity/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mailboxes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMailboxes"];
        put?: never;
        post: operations["createMailbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mailboxes/{mailboxId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMailbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateMailbox"];
        trace?: never;
    };
    "/v1/mcp-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMcpCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/event-feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readEventFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhookEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["updateContact"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["findContact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["deleteContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/segments/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/segments/{segmentId}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSegmentContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSegments"];
        put?: never;
        post: operations["createSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/segments/{segmentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSegment"];
        put?: never;
        post?: never;
        delete: operations["deleteSegment"];
        options?: never;
        head?: never;
        patch: operations["updateSegment"];
        trace?: never;
    };
    "/v1/contacts/suppression-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSuppressionStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/suppression": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeSuppression"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSuppressions"];
        put?: never;
        post: operations["addSuppression"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suppressions/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addSuppressions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["importContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/import/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contact-imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listImports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contact-imports/{importId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contact-imports/{importId}/bad-rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBadRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewExportImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["importExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{contactId}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{contactId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportContact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{contactId}/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["eraseContact"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{contactId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getContact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{contactId}/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getConsent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["retryJobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelJobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resolveJobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["retryJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resolveJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCampaigns"];
        put?: never;
        post: operations["createCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{campaignId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCampaign"];
        put?: never;
        post?: never;
        delete: operations["deleteCampaign"];
        options?: never;
        head?: never;
        patch: operations["updateCampaign"];
        trace?: never;
    };
    "/v1/campaigns/{campaignId}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCampaignContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{campaignId}/content/{locale}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["setCampaignContent"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{campaignId}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["scheduleCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{campaignId}/unschedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["unscheduleCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{campaignId}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{campaignId}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["pauseCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{campaignId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resumeCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{campaignId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{campaignId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{campaignId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{campaignId}/recipients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{campaignId}/recipients/{contactId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["explainRecipient"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{campaignId}/audience": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAudience"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{campaignId}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCampaignLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaign-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCampaignSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactional/{templateId}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listTemplateRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactional/{templateId}/revisions/{revisionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTemplateRevision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactional/{templateId}/revisions/{revisionId}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["compareTemplateRevisions"];
        put?: never;
        post: operations["compareTemplateDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactional/{templateId}/revisions/{revisionId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restoreTemplateRevision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{campaignId}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCampaignRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{campaignId}/revisions/{revisionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCampaignRevision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{campaignId}/revisions/{revisionId}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["compareCampaignRevisions"];
        put?: never;
        post: operations["compareCampaignDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{campaignId}/revisions/{revisionId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restoreCampaignRevision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "contact.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onContactCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onContactUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.unsubscribed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onContactUnsubscribed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onContactDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.mailingList.subscribed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onContactMailingListSubscribed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.mailingList.unsubscribed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onContactMailingListUnsubscribed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onSubscriptionPending"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.confirmed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onSubscriptionConfirmed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.held": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onSubscriptionHeld"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transactional.email.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onTransactionalEmailSent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.email.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCampaignEmailSent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "rule.email.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onRuleEmailSent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.queued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onEmailQueued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.delayed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onEmailDelayed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.delivered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onEmailDelivered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.softBounced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onEmailSoftBounced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.hardBounced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onEmailHardBounced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onEmailFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.suppressed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onEmailSuppressed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.uncertain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onEmailUncertain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onEmailOpened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.clicked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onEmailClicked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.unsubscribed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onEmailUnsubscribed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.resubscribed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onEmailResubscribed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "email.spamReported": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onEmailSpamReported"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "suppression.added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onSuppressionAdded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "suppression.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onSuppressionRemoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.scheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCampaignScheduled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCampaignStarted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCampaignPaused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCampaignCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "mailbox.email.received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onMailboxEmailReceived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "mailbox.email.replied": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onMailboxEmailReplied"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.verified": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onDomainVerified"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onDomainFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "event.received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onEventReceived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workspace.trustLevelChanged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onWorkspaceTrustLevelChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhookEndpoint.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onWebhookEndpointDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "testing.testEvent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onTestingTestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        TestApiKeyAnswer: {
            /** @constant */
            success: true;
            /** @description The name of the workspace. */
            teamName: string;
        };
        ApiKeyList: {
            data: components["schemas"]["ApiKeyItem"][];
        };
        ApiKeyItem: {
            id: string;
            name: string;
            /** @description How the key begins, to tell keys apart. */
            prefix: string;
            scopes: string[];
            /** @description Whether it is a key of the test workspace. */
            test: boolean;
            /**
             * Format: date-time
             * @description When the key was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description To the minute.
             */
            lastUsedAt: string | null;
        };
        CreateApiKeyBody: {
            name?: string;
            /** @description What the key may do. Default: `full`. */
            scopes?: ("full" | "transactional.read" | "transactional.send" | "transactional.write" | "contacts.read" | "contacts.write" | "lists.read" | "lists.write" | "subscriptions.write" | "events.send" | "events.read" | "sources.read" | "sources.write" | "mcp" | "activity.read" | "api-keys.read" | "api-keys.write" | "campaigns.read" | "campaigns.write" | "campaigns.send" | "domains.read" | "domains.write" | "jobs.read" | "jobs.write" | "mailboxes.read" | "mailboxes.write" | "members.read" | "payments.read" | "payments.write" | "rules.read" | "rules.write" | "suppressions.read" | "suppressions.write" | "webhooks.read" | "workspace.read" | "workspace.write")[];
            /** @description True: a key of the test workspace, `pqk_test_…`: nothing that is sent with it leaves. Default: a key of the workspace that asks. */
            test?: boolean;
        };
        CreateApiKeyAnswer: {
            id: string;
            name: string;
            /** @description How the key begins, to tell keys apart. */
            prefix: string;
            scopes: string[];
            /** @description Whether it is a key of the test workspace. */
            test: boolean;
            /**
             * Format: date-time
             * @description When the key was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description To the minute.
             */
            lastUsedAt: string | null;
            /** @description The key itself, shown only once. */
            apiKey: string;
        };
        /** @description What every write returns besides its own members. */
        Warned: {
            /** @description Questionable, but accepted. */
            warnings: components["schemas"]["Issue"][];
        };
        /** @description Something that is wrong, or questionable. */
        Issue: {
            /**
             * @description Where in the request.
             * @example content[2].href
             */
            path: string;
            /** @description For people. */
            message: string;
            /**
             * @description For programs.
             * @example unknown_field
             */
            code: string;
        };
        LogoutAnswer: {
            /** @constant */
            success: true;
            message: string;
        };
        Workspace: {
            id: string;
            /** @description Its name on the command line. */
            slug: string;
            name: string;
            /** @description M0 to M4: how many campaign mails may be sent in 24 h. */
            trustLevel: string;
            primaryLocale: string;
            timeZone: string;
            brand: {
                companyName?: string;
                companyAddress?: string;
                website?: string;
                supportEmail?: string;
                senderName?: string;
                logoUrl?: string;
                primaryColor?: string;
            };
            /** @description Content types that may be attached. */
            attachmentTypes: string[];
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
        };
        UpdateWorkspaceBody: {
            name?: string;
            /** @description BCP 47, e.g. pt-BR. */
            primaryLocale?: string;
            /** @description IANA name, e.g. Europe/Paris. */
            timeZone?: string;
            brand?: {
                /** @description Fills company_name. */
                companyName?: string | null;
                /** @description Fills company_address; required by law for campaigns. */
                companyAddress?: string | null;
                /** @description Fills company_website and workspace.website_url. */
                website?: string | null;
                /** @description Fills support_email. */
                supportEmail?: string | null;
                /** @description Fills sender_name. */
                senderName?: string | null;
                /** @description The logo of headers that name none. */
                logoUrl?: string | null;
                /** @description Colour of buttons and links, as hex. */
                primaryColor?: string | null;
            };
            /**
             * @description All content types that may be attached, without parameters; never programs. `null`: the default.
             * @example [
             *       "application/pdf",
             *       "image/png",
             *       "application/zip",
             *       "text/calendar"
             *     ]
             */
            attachmentTypes?: string[] | null;
        };
        MemberList: {
            data: components["schemas"]["MemberItem"][];
        };
        MemberItem: {
            userId: string;
            email: string;
            name: string | null;
            /**
             * @description `viewer` reads, `member` also changes things, `owner` also decides who is in the workspace.
             * @enum {string}
             */
            role: "viewer" | "member" | "owner";
            /** @description Whether mail to the address is known to reach them. */
            isEmailProven: boolean;
            /**
             * Format: date-time
             * @description When they joined.
             */
            createdAt: string;
        };
        TestClock: {
            /**
             * Format: date-time
             * @description The time of the server, which never moves.
             */
            now: string;
            /** @description Jobs that wait in the test workspace. */
            waiting: number;
            /**
             * Format: date-time
             * @description When the first of them is due.
             */
            nextDueAt: string | null;
        };
        AdvanceTestClockBody: {
            /**
             * @description By how much: `90s`, `15m`, `12h`, `7d`; at most `400d`.
             * @example 7d
             */
            advance: string;
        };
        AdvanceTestClockAnswer: {
            /** @constant */
            success: true;
            /** @description How many jobs came nearer; what is due now runs at once. */
            moved: number;
            /**
             * Format: date-time
             * @description The time of the server, which never moves.
             */
            now: string;
            /** @description Jobs that wait in the test workspace. */
            waiting: number;
            /**
             * Format: date-time
             * @description When the first of them is due.
             */
            nextDueAt: string | null;
        };
        TemplateList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["TemplateItem"][];
        };
        Pagination: {
            /** @description For lists longer than 10,000 counting may stop there. */
            totalResults: number;
            /** @description On this page. */
            returnedResults: number;
            perPage: number;
            totalPages: number;
            /** @description For `cursor` of the next request; null on the last page. */
            nextCursor: string | null;
            /** @description URL of the next page. */
            nextPage: string | null;
        };
        TemplateItem: {
            /** @description The slug. */
            id: string;
            name: string;
            subject: string;
            previewText: string;
            fromName: string | null;
            fromEmail: string | null;
            replyTo: string | null;
            /**
             * @description Only an active one can be sent.
             * @enum {string}
             */
            status: "active" | "draft" | "archived";
            /** @description Those that have content. */
            locales: string[];
            primaryLocale: string;
            /** @description Changes with every change; see `expectedRevisionId`. */
            revisionId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description What the caller supplies in `dataVariables`, over all locales. */
            variables: string[];
            /** @description What the platform fills in. */
            autoResolvedVariables: string[];
            /** @description Each variable with its kind and type. */
            variableDescriptors: components["schemas"]["TemplateVariableDescriptor"][];
            /** @description The same as `variables`. */
            dataVariables: string[];
            /** @description Rendered HTML of the primary locale, placeholders preserved. */
            htmlBody: string;
            /** @description Rendered text of the primary locale, placeholders preserved. */
            textBody: string;
        };
        /** @description A variable descriptor record. */
        TemplateVariableDescriptor: {
            name: string;
            /** @description For people. */
            label: string;
            /** @description `custom`, `contact`, `event`, `workspace`, `system` or `collection`. */
            kind: string;
            /** @description `string`, `number`, `boolean`, `date`, `url`, `list` or `object`. */
            data_type: string;
            /** @description False where the template has a fallback: `{{name|there}}`. */
            required: boolean;
            /** @description The platform fills it; callers must not. */
            auto_resolved: boolean;
            /** @description An event rule may fill it. */
            editable_in_rule: boolean;
            /** @description Where its value comes from. */
            sources?: string[];
            /** @description Descriptors of what a list or object holds. */
            child_fields?: unknown[];
            /** @description Other names that mean the same. */
            legacy_aliases?: string[];
            /** @description The locales that use it. */
            locales?: string[];
        };
        CreateTemplateBody: {
            name: string;
            /** @description The slug: 1-64 of a-z, 0-9, "_", "-". Alias: `slug`. Default: made from the name. */
            id?: string;
            /** @description The same as `id`. */
            slug?: string;
            subject: string;
            /** @description Shown by mail clients after the subject. */
            previewText?: string;
            /** @description Who it is from. Default: the sender of the brand. */
            fromName?: string | null;
            /** @description At a domain that may be used here. Default: the address of MAIL_FROM. */
            fromEmail?: string | null;
            /** @description Where answers go. Default: to the sender. */
            replyTo?: string | null;
            /** @description BCP 47. Default: the locale of the brand. */
            primaryLocale?: string;
            /**
             * @description Only an active one can be sent.
             * @enum {string}
             */
            status?: "active" | "draft" | "archived";
            /** @description Nodes in order. */
            content?: components["schemas"]["ComponentTree"];
        };
        /** @description Nodes in order, at most 500 in all, 8 deep, 100 KB of JSON. Text may hold `{{variable}}` and `{{variable|fallback}}`. In a request, properties may also stand in `props`, and a property that a node does not have is left out with a warning. */
        ComponentTree: components["schemas"]["Node"][];
        /** @description One component. `type` says which, and which properties it has. */
        Node: components["schemas"]["ContainerNode"] | components["schemas"]["SectionNode"] | components["schemas"]["HeaderNode"] | components["schemas"]["FooterNode"] | components["schemas"]["HeadingNode"] | components["schemas"]["TextNode"] | components["schemas"]["ButtonNode"] | components["schemas"]["LinkNode"] | components["schemas"]["ImageNode"] | components["schemas"]["ListNode"];
        /** @description A box, e.g. a card, or a column of a section. */
        ContainerNode: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "container";
            /** @description text of at most 100 characters */
            id?: string;
            /** @description a whole number of pixels from 320 to 800 */
            width?: number;
            /** @description a colour such as #1a2b3c or #123 */
            backgroundColor?: string;
            /** @description a whole number of pixels from 0 to 120 */
            padding?: number;
            /** @description a whole number of pixels from 0 to 64 */
            borderRadius?: number;
            /**
             * @description one of left, center, right
             * @enum {string}
             */
            align?: "left" | "center" | "right";
            children?: components["schemas"]["Node"][];
        };
        /** @description A band across the mail; with `columns`, its children stand side by side. Not inside another section. */
        SectionNode: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "section";
            /** @description text of at most 100 characters */
            id?: string;
            /** @description a colour such as #1a2b3c or #123 */
            backgroundColor?: string;
            /** @description a whole number of pixels from 0 to 120 */
            padding?: number;
            /** @description a whole number of pixels from 0 to 120 */
            paddingTop?: number;
            /** @description a whole number of pixels from 0 to 120 */
            paddingRight?: number;
            /** @description a whole number of pixels from 0 to 120 */
            paddingBottom?: number;
            /** @description a whole number of pixels from 0 to 120 */
            paddingLeft?: number;
            /** @description a whole number of pixels from 0 to 64 */
            borderRadius?: number;
            /** @description a URL (http, https, mailto or tel) of at most 8,000 characters; placeholders are allowed */
            href?: string;
            /** @description a whole number from 1 to 4 */
            columns?: number;
            /**
             * @description one of top, bottom
             * @enum {string}
             */
            divider?: "top" | "bottom";
            /** @description a whole number of pixels from 1 to 200 */
            height?: number;
            children?: components["schemas"]["Node"][];
        };
        /** @description The head of the mail: a logo, a text or both. Not inside a header or footer. */
        HeaderNode: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "header";
            /** @description text of at most 100 characters */
            id?: string;
            /** @description an image URL (http or https) of at most 8,000 characters; placeholders are allowed */
            logoUrl?: string;
            /** @description an image URL (http or https) of at most 8,000 characters; placeholders are allowed */
            darkLogoUrl?: string;
            /** @description text */
            logoAlt?: string;
            /** @description a URL (http, https, mailto or tel) of at most 8,000 characters; placeholders are allowed */
            href?: string;
            /** @description text */
            text?: string;
            /**
             * @description one of left, center, right
             * @enum {string}
             */
            align?: "left" | "center" | "right";
            /** @description a colour such as #1a2b3c or #123 */
            backgroundColor?: string;
            children?: components["schemas"]["Node"][];
        };
        /** @description The foot of the mail: company, address, and the link to unsubscribe. Not inside a header or footer. */
        FooterNode: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "footer";
            /** @description text of at most 100 characters */
            id?: string;
            /** @description text */
            text?: string;
            /** @description text */
            companyName?: string;
            /** @description text */
            address?: string;
            /** @description true or false */
            showUnsubscribe?: boolean;
            /**
             * @description one of left, center, right
             * @enum {string}
             */
            align?: "left" | "center" | "right";
            /** @description a colour such as #1a2b3c or #123 */
            color?: string;
            children?: components["schemas"]["Node"][];
        };
        /** @description A heading of level 1 (default) to 3. */
        HeadingNode: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "heading";
            /** @description text of at most 100 characters */
            id?: string;
            /** @description text */
            text: string;
            /** @description a whole number from 1 to 3 */
            level?: number;
            /**
             * @description one of left, center, right
             * @enum {string}
             */
            align?: "left" | "center" | "right";
            /** @description a colour such as #1a2b3c or #123 */
            color?: string;
            /** @description a whole number of pixels from 12 to 64 */
            fontSize?: number;
            /** @description a line height in per cent from 100 to 300 */
            lineHeight?: number;
        };
        /** @description A paragraph. With `format: "markdown"`: bold, italics, links and line breaks, nothing else. */
        TextNode: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text";
            /** @description text of at most 100 characters */
            id?: string;
            /** @description text */
            text: string;
            /**
             * @description one of plain, markdown
             * @enum {string}
             */
            format?: "plain" | "markdown";
            /**
             * @description one of left, center, right
             * @enum {string}
             */
            align?: "left" | "center" | "right";
            /** @description a colour such as #1a2b3c or #123 */
            color?: string;
            /** @description a whole number of pixels from 12 to 64 */
            fontSize?: number;
            /** @description a line height in per cent from 100 to 300 */
            lineHeight?: number;
        };
        /** @description A link that looks like a button. */
        ButtonNode: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "button";
            /** @description text of at most 100 characters */
            id?: string;
            /** @description text */
            text: string;
            /** @description a URL (http, https, mailto or tel) of at most 8,000 characters; placeholders are allowed */
            href: string;
            /**
             * @description one of left, center, right
             * @enum {string}
             */
            align?: "left" | "center" | "right";
            /** @description a colour such as #1a2b3c or #123 */
            backgroundColor?: string;
            /** @description a colour such as #1a2b3c or #123 */
            textColor?: string;
            /** @description a whole number of pixels from 0 to 64 */
            borderRadius?: number;
            /** @description a colour such as #1a2b3c or #123 */
            borderColor?: string;
            /** @description a whole number of pixels from 0 to 8 */
            borderWidth?: number;
            /** @description a whole number of pixels from 0 to 80 */
            paddingX?: number;
            /** @description a whole number of pixels from 0 to 40 */
            paddingY?: number;
            /** @description true or false */
            fullWidth?: boolean;
            /** @description true or false */
            notrack?: boolean;
        };
        /** @description A link on a line of its own, or in a list. */
        LinkNode: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "link";
            /** @description text of at most 100 characters */
            id?: string;
            /** @description text */
            text: string;
            /** @description a URL (http, https, mailto or tel) of at most 8,000 characters; placeholders are allowed */
            href: string;
            /** @description a colour such as #1a2b3c or #123 */
            color?: string;
            /** @description true or false */
            underline?: boolean;
            /**
             * @description one of left, center, right
             * @enum {string}
             */
            align?: "left" | "center" | "right";
            /** @description true or false */
            notrack?: boolean;
        };
        /** @description A picture from the web; in a template also one that each send attaches (`cid:` and its `contentId`). `alt` is read out, and shown where pictures are not loaded. */
        ImageNode: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "image";
            /** @description text of at most 100 characters */
            id?: string;
            /** @description an image URL (http or https) of at most 8,000 characters; placeholders are allowed */
            src: string;
            /** @description text */
            alt?: string;
            /** @description a URL (http, https, mailto or tel) of at most 8,000 characters; placeholders are allowed */
            href?: string;
            /** @description a whole number of pixels from 12 to 600 */
            width?: number;
            /** @description a whole number of pixels from 1 to 2000 */
            height?: number;
            /**
             * @description one of left, center, right
             * @enum {string}
             */
            align?: "left" | "center" | "right";
            /** @description a whole number of pixels from 0 to 300 */
            borderRadius?: number;
            /** @description true or false */
            notrack?: boolean;
        };
        /** @description Bullets or numbers; a table when its items are rows. `head`, `totals` and `cellAlign` are for rows, which all have the same number of cells. */
        ListNode: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "list";
            /** @description text of at most 100 characters */
            id?: string;
            /** @description true or false */
            ordered?: boolean;
            /** @description a whole number from 0 to 100000 */
            start?: number;
            /** @description At most 200: all entries, or all rows. */
            items: (string | components["schemas"]["TextNode"] | components["schemas"]["LinkNode"])[] | components["schemas"]["TableRow"][];
            head?: components["schemas"]["TableRow"];
            /** @description at most 20 rows that stand once, after the items */
            totals?: components["schemas"]["TableRow"][];
            /** @description left, center or right for each column of its rows */
            cellAlign?: ("left" | "center" | "right")[];
            /** @description the name of an array variable; entries use {{item.field}} */
            itemsVariable?: string;
            /**
             * @description one of left, center, right
             * @enum {string}
             */
            align?: "left" | "center" | "right";
            /** @description a colour such as #1a2b3c or #123 */
            color?: string;
        };
        /** @description The cells of a row. */
        TableRow: string[];
        CreateTemplateAnswer: {
            /** @description The slug. */
            id: string;
            name: string;
            subject: string;
            previewText: string;
            fromName: string | null;
            fromEmail: string | null;
            replyTo: string | null;
            /**
             * @description Only an active one can be sent.
             * @enum {string}
             */
            status: "active" | "draft" | "archived";
            /** @description Those that have content. */
            locales: string[];
            primaryLocale: string;
            /** @description Changes with every change; see `expectedRevisionId`. */
            revisionId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description What the caller supplies in `dataVariables`, over all locales. */
            variables: string[];
            /** @description What the platform fills in. */
            autoResolvedVariables: string[];
            /** @description Each variable with its kind and type. */
            variableDescriptors: components["schemas"]["TemplateVariableDescriptor"][];
            /** @description The same as `variables`. */
            dataVariables: string[];
        };
        UpdateTemplateBody: {
            /** @description The slug. Aliases: `templateId`, `transactionalId`. */
            id?: string;
            /** @description The same as `id`. */
            templateId?: string;
            /** @description The same as `id`. */
            transactionalId?: string;
            name?: string;
            subject?: string;
            /** @description Shown by mail clients after the subject. */
            previewText?: string;
            /** @description Who it is from. Default: the sender of the brand. */
            fromName?: string | null;
            /** @description At a domain that may be used here. Default: the address of MAIL_FROM. */
            fromEmail?: string | null;
            /** @description Where answers go. Default: to the sender. */
            replyTo?: string | null;
            /** @description BCP 47. Default: the locale of the brand. */
            primaryLocale?: string;
            /**
             * @description Only an active one can be sent.
             * @enum {string}
             */
            status?: "active" | "draft" | "archived";
            /** @description Nodes in order. */
            content?: components["schemas"]["ComponentTree"];
            /** @description Refuses the update with 409 unless this is the current revision. */
            expectedRevisionId?: string;
        } & (unknown | unknown | unknown);
        DeleteTemplateBody: {
            /** @description The slug. Aliases: `templateId`, `transactionalId`. */
            id?: string;
            /** @description The same as `id`. */
            templateId?: string;
            /** @description The same as `id`. */
            transactionalId?: string;
            /** @description Cancels the campaigns and the delayed mails that would be sent with it. */
            force?: boolean;
        } & (unknown | unknown | unknown);
        Template: {
            /** @description The slug. */
            id: string;
            name: string;
            subject: string;
            previewText: string;
            fromName: string | null;
            fromEmail: string | null;
            replyTo: string | null;
            /**
             * @description Only an active one can be sent.
             * @enum {string}
             */
            status: "active" | "draft" | "archived";
            /** @description Those that have content. */
            locales: string[];
            primaryLocale: string;
            /** @description Changes with every change; see `expectedRevisionId`. */
            revisionId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description What the caller supplies in `dataVariables`, over all locales. */
            variables: string[];
            /** @description What the platform fills in. */
            autoResolvedVariables: string[];
            /** @description Each variable with its kind and type. */
            variableDescriptors: components["schemas"]["TemplateVariableDescriptor"][];
            /** @description The same as `variables`. */
            dataVariables: string[];
            /** @description Questionable, but accepted. */
            warnings?: components["schemas"]["Issue"][];
        };
        Content: {
            locale: string;
            /** @description Nodes in order. */
            content: components["schemas"]["ComponentTree"];
            subject: string;
            previewText: string;
            revisionId: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Questionable, but accepted. */
            warnings?: components["schemas"]["Issue"][];
        };
        PutContentAnswer: {
            locale: string;
            /** @description Nodes in order. */
            content: components["schemas"]["ComponentTree"];
            subject: string;
            previewText: string;
            revisionId: string;
            /** Format: date-time */
            updatedAt: string;
        };
        PreviewContentBody: {
            /** @description Nodes in order. */
            content: components["schemas"]["ComponentTree"];
            /** @example Order {{order}} is on its way */
            subject: string;
            /** @example On its way to you */
            previewText?: string;
            /**
             * @description BCP 47; found as in a send. Default: the primary locale.
             * @example de
             */
            locale?: string;
            /**
             * @description Whose `contact.*` is shown. Default: no contact, so that fallbacks show.
             * @example ada@example.net
             */
            email?: string;
            /** @description Values of the variables of the template, by name: strings, numbers, booleans, or lists of objects. */
            dataVariables?: {
                [key: string]: unknown;
            };
            /** @description The HTML says in comments which node made what: `<!--content[0]-->` … `<!--/content[0]-->`. Default: as it would be sent. */
            marks?: boolean;
            /** @description The brand to show it with: members that are given stand in place of the stored ones. */
            brand?: {
                /** @description Fills company_name. */
                companyName?: string | null;
                /** @description Fills company_address; required by law for campaigns. */
                companyAddress?: string | null;
                /** @description Fills company_website and workspace.website_url. */
                website?: string | null;
                /** @description Fills support_email. */
                supportEmail?: string | null;
                /** @description Fills sender_name. */
                senderName?: string | null;
                /** @description The logo of headers that name none. */
                logoUrl?: string | null;
                /** @description Colour of buttons and links, as hex. */
                primaryColor?: string | null;
            };
        };
        PreviewContentAnswer: {
            /** @description The one that was found. */
            locale: string;
            /** @description The one that was asked for. */
            requestedLocale: string;
            subject: string;
            previewText: string;
            /** @description As it would be sent; its links to unsubscribe, to confirm and to settings do nothing. */
            html: string;
            text: string;
            /** @description The size in bytes; Gmail clips a mail at 102 KB. */
            htmlBytes: number;
            textBytes: number;
            /** @description Gmail cuts it, and hides the end with the link to unsubscribe. */
            isClipped: boolean;
            /** @description Its row in a list of mails. */
            inbox: components["schemas"]["PreviewContentAnswerInbox"][];
            /** @description What it uses. */
            variables: components["schemas"]["PreviewContentAnswerVariable"][];
            /** @description Required and not supplied: a send would be refused. They are shown as `{{name}}`. */
            missingVariables: string[];
            /** @description Supplied, and nowhere in it. */
            unusedVariables: string[];
            /** @description Those of the author. */
            links: components["schemas"]["CapturedLink"][];
            /** @description The link with which a reader leaves the list; campaigns always have it. */
            hasUnsubscribeLink: boolean;
            /** @description What is wrong or doubtful, the warnings among it. */
            findings: components["schemas"]["CapturedFinding"][];
            /** @description What it uses that some client does not know; each is bridged. What is not is among the findings. */
            clientGaps: components["schemas"]["CapturedClientGap"][];
        };
        /** @description Cut about where the client cuts, which measures in pixels. */
        PreviewContentAnswerInbox: {
            /** @enum {string} */
            client: "gmail_desktop" | "gmail_phone" | "apple_mail_phone";
            subject: string;
            /** @description The first words of the mail where it has no preview text. */
            previewText: string;
            /** @description The subject goes on, and is not seen. */
            isSubjectCut: boolean;
            /** @description The preview text goes on, and is not seen. */
            isPreviewCut: boolean;
        };
        PreviewContentAnswerVariable: {
            name: string;
            /** @description `string`, `number`, `boolean`, `date`, `url`, `list` or `object`. */
            dataType: string;
            /**
             * @description `fallback`: not supplied, and the template says what stands there; `automatic`: the platform fills it.
             * @enum {string}
             */
            state: "given" | "missing" | "fallback" | "automatic";
        };
        CapturedLink: {
            path: string;
            /** @description What is clicked; of a picture its alternative text. */
            text: string;
            /** @description Empty where it is sent as plain text or leads nowhere. */
            href: string;
            /** @description Codes of the findings about it. */
            problems: string[];
        };
        CapturedFinding: {
            /** @description Stays the same, for programs. */
            code: string;
            /**
             * @description `error`: it would not be sent, or leads nowhere; `warning`: some readers lose something; `info`: good to know.
             * @enum {string}
             */
            severity: "error" | "warning" | "info";
            /** @description Where, e.g. `content[0].children[2].href`. */
            path: string;
            message: string;
        };
        CapturedClientGap: {
            /** @description See https://www.caniemail.com/features/{feature}/. */
            feature: string;
            /** @description Clients without it, as caniemail.com names them. */
            clients: string[];
            /** @description What their readers see. */
            instead: string;
        };
        PreviewTemplateBody: {
            /**
             * @description BCP 47; found as in a send. Default: the primary locale.
             * @example de
             */
            locale?: string;
            /**
             * @description Whose `contact.*` is shown. Default: no contact, so that fallbacks show.
             * @example ada@example.net
             */
            email?: string;
            /** @description Values of the variables of the template, by name: strings, numbers, booleans, or lists of objects. */
            dataVariables?: {
                [key: string]: unknown;
            };
            /** @description An unsaved tree in place of the stored one. */
            content?: components["schemas"]["ComponentTree"];
            /** @example Order {{order}} is on its way */
            subject?: string;
            /** @example On its way to you */
            previewText?: string;
            /** @description The HTML says in comments which node made what: `<!--content[0]-->` … `<!--/content[0]-->`. Default: as it would be sent. */
            marks?: boolean;
        };
        TestTemplateBody: {
            /**
             * @description Addresses of members of the workspace. Default: the address of the signed-in member.
             * @example [
             *       "ada@example.net"
             *     ]
             */
            emails?: string[];
            /**
             * @description BCP 47; found as in a send. Default: the primary locale.
             * @example de
             */
            locale?: string;
            /** @description Values of the variables of the template, by name: strings, numbers, booleans, or lists of objects. */
            dataVariables?: {
                [key: string]: unknown;
            };
            /** @description An unsaved tree in place of the stored one. */
            content?: components["schemas"]["ComponentTree"];
            /** @example Order {{order}} is on its way */
            subject?: string;
            /** @example On its way to you */
            previewText?: string;
        };
        TestTemplateAnswer: {
            /** @constant */
            success: true;
            tests: components["schemas"]["TestTemplateAnswerTest"][];
        };
        TestTemplateAnswerTest: {
            email: string;
            /** @description In Email Activity, with the kind `test`. */
            messageId: string;
            /** @enum {string} */
            status: "queued" | "suppressed";
        };
        SendBody: {
            /** @description The one recipient. Alias: `to`, which may name several. */
            email?: string;
            /**
             * @description The same as `email`, also as `Name <address>`, or a list. Each recipient gets an envelope, a `messageId` and an outcome of their own, and sees all that is in `to` and `cc`. At most 50 in `to`, `cc` and `bcc` together; who is named twice is mailed once.
             * @example ada@example.net
             * @example [
             *       "Ada Lovelace <ada@example.net>",
             *       "grace@example.net"
             *     ]
             */
            to?: string | string[];
            /** @description Further recipients, one or a list, shown to all as copied. */
            cc?: string | string[];
            /** @description Further recipients, one or a list, who are shown to nobody. */
            bcc?: string | string[];
            /** @description Instead of `email`: the userId of a contact. */
            userId?: string;
            /** @description Slug of the template. Alias: `transactionalId`. */
            templateId?: string;
            /** @description The same as `templateId`. */
            transactionalId?: string;
            /** @description Values of the variables of the template, by name: strings, numbers, booleans, or lists of objects. */
            dataVariables?: {
                [key: string]: unknown;
            };
            /** @description Create or link the recipient as a contact, without changing consent. Alias: `addToAudience`. */
            addToContact?: boolean;
            /** @description The same as `addToContact`. */
            addToAudience?: boolean;
            /** @description At most 3, and 6 with a `contentId`; 10 MB each and 20 MB in all, decoded. */
            attachments?: components["schemas"]["SendBodyAttachment"][];
            /** @description BCP 47, e.g. `pt-BR`. Default: the locale of the contact, else of the brand. */
            locale?: string;
            /** @description Instead of the name of the template. */
            fromName?: string;
            /** @description One address, instead of that of the template. */
            replyTo?: string;
            /** @description X-… and a few others. */
            headers?: {
                [key: string]: string;
            };
            /** @description Your own, shown in Email Activity; never sent. */
            tags?: string[];
            /** @description Kept with the message, never sent. */
            metadata?: {
                [key: string]: string;
            };
            /** @description ISO 8601 with its offset, e.g. `2027-01-15T12:00:00Z`; at most 365 days ahead. One that has passed means now. */
            scheduledAt?: string;
        } & ((unknown | unknown | unknown) & (unknown | unknown));
        SendBodyAttachment: {
            /** @description In any script, at most 255 bytes. Alias: `name`. */
            filename?: string;
            /** @description The same as `filename`. */
            name?: string;
            /** @description In any case, with or without parameters. Alias: `content_type`. */
            contentType?: string;
            /** @description The same as `contentType`. */
            content_type?: string;
            /** @description Base64. Alias: `content`. */
            data?: string;
            /** @description The same as `data`. */
            content?: string;
            /** @description Shows it in the HTML instead of attaching it: `logo` for `cid:logo`. Alias: `content_id`. */
            contentId?: string;
            /** @description The same as `contentId`. */
            content_id?: string;
        } & ((unknown | unknown) & (unknown | unknown) & (unknown | unknown));
        SendAnswer: {
            success: boolean;
            /** @description The public Activity id of the message; with several recipients, of the first that will be mailed. */
            messageId: string;
            /** @description Only with several recipients: what became of each, in the order of `to`, `cc` and `bcc`. */
            messages?: components["schemas"]["SendAnswerMessage"][];
        };
        SendAnswerMessage: {
            email: string;
            messageId: string;
            /** @enum {string} */
            status: "queued" | "suppressed";
            /** @description Why it is suppressed, e.g. `hard_bounce`. */
            reason?: string;
        };
        SendBatchAnswer: {
            /** @constant */
            success: true;
            /** @description How many were accepted. */
            accepted: number;
            /** @description One for each, in the order of the request. */
            results: components["schemas"]["SendBatchAnswerResult"][];
        };
        SendBatchAnswerResult: {
            /** @description Whether this one was accepted. */
            success: boolean;
            /** @description As of a single send, also of a refusal that is logged. */
            messageId?: string;
            /** @description Only with several recipients: what became of each, in the order of `to`, `cc` and `bcc`. */
            messages?: components["schemas"]["SendAnswerMessage"][];
            warnings?: components["schemas"]["Issue"][];
            /** @description Why it was refused, as a single send would be. */
            code?: string;
            /** @description The same for people. */
            message?: string;
            /** @description What is wrong, with its place in the request: `messages[3].email`. */
            errors?: components["schemas"]["Issue"][];
        };
        DomainList: {
            data: components["schemas"]["DomainItem"][];
        };
        DomainItem: {
            id: string;
            domain: string;
            /** @description To publish: whose the domain is, the DKIM keys, SPF merged with what is published and what the relay needs, DMARC. */
            dnsRecords: components["schemas"]["DomainItemDnsRecord"][];
            /**
             * @description pending: the DNS was not asked yet. verified: the domain is this workspace's, and what says so stands: a record of the DNS, or the word of the operator.
             * @enum {string}
             */
            status: "pending" | "verified" | "failed";
            /** @description How it is known that the domain is this workspace's; without one it may not be used. dns: a record was found. operator: given on the command line. kept: in use since before domains had owners. */
            proof: "dns" | "operator" | "kept" | null;
            /**
             * @description What the DNS says of whose it is, by the ownership record or the DKIM key. wrong: another workspace has the domain.
             * @enum {string|null}
             */
            ownership: "ok" | "missing" | "wrong" | "unknown" | null;
            /** @enum {string|null} */
            dkim: "ok" | "missing" | "wrong" | "unknown" | null;
            /** @enum {string|null} */
            spf: "ok" | "missing" | "wrong" | "unknown" | null;
            /**
             * @description Campaigns need one from trust level M2 on.
             * @enum {string|null}
             */
            dmarc: "ok" | "missing" | "wrong" | "unknown" | null;
            /** @description What is missing or wrong. */
            detail: string | null;
            /** Format: date-time */
            checkedAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        DomainItemDnsRecord: {
            /** @constant */
            type: "TXT";
            name: string;
            value: string;
        };
        CreateDomainBody: {
            domain: string;
        };
        SendingFaultList: {
            data: components["schemas"]["SendingFaultItem"][];
        };
        SendingFaultItem: {
            /**
             * @description `relay`: the mail server accepts nothing from this installation. `workspace`: it refuses mail of this workspace.
             * @enum {string}
             */
            scope: "relay" | "workspace";
            /**
             * @description Whom the reply is about. `relay`: our sign-in, our right to use the server, its quota. `sender`: our domain or address (SPF, DKIM, DMARC, block lists). The others: every mail is refused with the same text, so it is not taken literally.
             * @enum {string}
             */
            about: "relay" | "sender" | "message" | "address" | "mailbox";
            /** @description The last reply of the mail server. */
            reply: string;
            /** @description In a row. */
            refusals: number;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            lastAt: string;
            /**
             * Format: date-time
             * @description Mail is held, and a single one is tried at this time. Null: sending goes on, and mail refused for this reason is delayed.
             */
            heldUntil: string | null;
        };
        MessageContent: {
            messageId: string;
            subject: string;
            html: string | null;
            text: string | null;
        };
        CancelMessageAnswer: {
            /** @constant */
            success: true;
            messageId: string;
            /**
             * @description `cancel_requested`: it is being sent at this moment, and stops if the mail server does not have it yet; its status will tell.
             * @enum {string}
             */
            outcome: "cancelled" | "cancel_requested";
        };
        RescheduleMessageBody: {
            /** @description ISO 8601 with its offset, e.g. `2027-01-15T12:00:00Z`; at most 365 days ahead. One that has passed means now. */
            scheduledAt: string;
        };
        RescheduleMessageAnswer: {
            /** @constant */
            success: true;
            messageId: string;
            /** Format: date-time */
            scheduledAt: string;
        };
        ResendMessageAnswer: {
            /** @constant */
            success: true;
            /** @description The new message. */
            messageId: string;
            /** @description The one that it sends again. */
            resendOf: string;
        };
        AttentionList: {
            /** @description Worst first, then the oldest. Of one kind at most twenty. */
            data: components["schemas"]["AttentionItem"][];
        };
        AttentionItem: {
            /**
             * @description What is wrong. Stable: new ones are added, none changes its meaning.
             * @enum {string}
             */
            code: "sending_held" | "database_behind" | "server_off" | "dispatcher_stopped" | "checkpoints_overtake" | "clock_set_back" | "disk_full" | "disk_low" | "wal_large" | "backup_late" | "backup_none" | "archive_late" | "archive_gap" | "archive_second_writer" | "links_local" | "bounces_unseen" | "capture_mode" | "mail_held" | "mail_refused" | "jobs_late" | "jobs_dead" | "mail_uncertain" | "mail_failed" | "domain_unproven" | "domain_taken" | "domain_broken" | "domain_unverified" | "dmarc_missing" | "endpoint_disabled" | "endpoint_failing" | "sign_ups_held" | "campaign_stopped" | "campaign_paused" | "rates_high" | "trust_dropped" | "hook_unconfirmed" | "hook_unsigned" | "payments_closed" | "mailbox_unreachable" | "replies_waiting" | "import_failed" | "import_stuck";
            /**
             * @description `urgent`: mail is stopped, or lost until somebody acts.
             * @enum {string}
             */
            severity: "urgent" | "warning" | "notice";
            /**
             * @description What it is about.
             * @enum {string}
             */
            area: "quarantine" | "server" | "room" | "backup" | "archive" | "address" | "bounces" | "sending" | "outbox" | "domains" | "webhooks" | "lists" | "campaigns" | "reputation" | "payments" | "mailboxes" | "imports";
            /**
             * @description Whether others see it too.
             * @enum {string}
             */
            scope: "workspace" | "installation";
            /**
             * Format: date-time
             * @description Since when it is so; where nothing tells that, since it was first seen.
             */
            since: string;
            /** @description What is wrong. */
            text: string;
            /** @description In this case: a reply, a number, a reason. */
            detail: string | null;
            /** @description The one that it is about: a campaign, a domain, an endpoint … */
            thing: {
                id: string;
                name: string;
            } | null;
            /** @description What to do. */
            todo: string;
            /** @description Where it is explained. */
            docs: string;
        };
        Installation: {
            /** @description Of the server that answers. */
            version: string;
            backup: {
                /** @description When the server takes one (cron, in UTC); null where it takes none by itself. */
                schedule: string | null;
                /** @description The last one; null before the first. */
                last: {
                    /** @description The file on the server, or its `s3://` address. */
                    path: string;
                    sizeBytes: number;
                    /**
                     * Format: date-time
                     * @description As of when the database is in it. It was restored and checked right then.
                     */
                    takenAt: string;
                } | null;
            };
            /** @description A database that was put back, copied or moved sends nothing until `paquebot resume`. Null: it sends. */
            held: {
                reason: string;
                /**
                 * Format: date-time
                 * @description When the server found it.
                 */
                since: string;
                /**
                 * Format: date-time
                 * @description What was due by then may have left already.
                 */
                servedUntil: string | null;
            } | null;
        };
        HeldMailList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["HeldMailItem"][];
        };
        HeldMailItem: {
            jobId: string;
            /** @description What the job does, e.g. `deliver-message`. */
            kind: string;
            /** Format: date-time */
            dueAt: string;
            /** @description It was there, and due or on its way, while this database was last served: it may have been sent already. */
            mayHaveLeft: boolean;
            /** @description Null for what only becomes a mail when it runs, like an event’s mail for later. */
            messageId: string | null;
            email: string | null;
            subject: string | null;
        };
        WhyLaneAnswer: {
            /** @description The strongest first: what stops it, then what it waits for. */
            data: components["schemas"]["WhyLaneAnswerData"][];
        };
        WhyLaneAnswerData: {
            /**
             * @description Stable: new ones are added, none changes its meaning.
             * @enum {string}
             */
            code: "database_hangs" | "campaign_draft" | "approval_missing" | "campaign_approved" | "sender_refused" | "not_eligible" | "campaign_scheduled" | "capped" | "many_delayed" | "receiver_slows" | "others_first" | "endpoint_paused" | "tried_again" | "scheduled" | "due" | "held" | "running" | "preparing" | "no_job" | "ended" | "sending_held" | "database_behind" | "server_off" | "dispatcher_stopped" | "checkpoints_overtake" | "clock_set_back" | "disk_full" | "disk_low" | "wal_large" | "backup_late" | "backup_none" | "archive_late" | "archive_gap" | "archive_second_writer" | "links_local" | "bounces_unseen" | "capture_mode" | "mail_held" | "mail_refused" | "jobs_late" | "jobs_dead" | "mail_uncertain" | "mail_failed" | "domain_unproven" | "domain_taken" | "domain_broken" | "domain_unverified" | "dmarc_missing" | "endpoint_disabled" | "endpoint_failing" | "sign_ups_held" | "campaign_stopped" | "campaign_paused" | "rates_high" | "trust_dropped" | "hook_unconfirmed" | "hook_unsigned" | "payments_closed" | "mailbox_unreachable" | "replies_waiting" | "import_failed" | "import_stuck";
            /**
             * @description `stopped`: until somebody acts. `waiting`: it goes on by itself.
             * @enum {string}
             */
            state: "stopped" | "waiting" | "moving" | "over";
            /**
             * Format: date-time
             * @description Since when it is so; null where nothing tells that.
             */
            since: string | null;
            /**
             * Format: date-time
             * @description When it goes on or is tried again by itself; null where nobody knows.
             */
            until: string | null;
            /** @description Why. */
            text: string;
            /** @description In this case: a reply, a number. */
            detail: string | null;
            /** @description What it is about: a campaign, an endpoint, a receiving domain. */
            thing: {
                id: string;
                name: string;
            } | null;
            /** @description What to do. */
            todo: string;
        };
        MailingListList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["MailingList"][];
        };
        MailingList: {
            id: string;
            name: string;
            description: string | null;
            isPublic: boolean;
            /** @enum {string} */
            status: "active" | "archived";
            /**
             * @description `double`: a contact joins only after confirming by mail.
             * @enum {string}
             */
            optIn: "single" | "double";
            /** @description Contacts with an active subscription. */
            contactCount: number;
            /** Format: date-time */
            createdAt: string;
        };
        CreateMailingListBody: {
            name: string;
            /** @description Shown in the preference centre. */
            description?: string | null;
            /** @description Shown in the preference centre to everybody, not only to its subscribers. Default false. */
            isPublic?: boolean;
            /**
             * @description `double`: a contact joins only after confirming by mail.
             * @enum {string}
             */
            optIn?: "single" | "double";
        };
        UpdateMailingListBody: {
            name?: string;
            /** @description Shown in the preference centre. */
            description?: string | null;
            /** @description Shown in the preference centre to everybody, not only to its subscribers. Default false. */
            isPublic?: boolean;
            /**
             * @description `double`: a contact joins only after confirming by mail.
             * @enum {string}
             */
            optIn?: "single" | "double";
        };
        SubscriptionSourceList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["SubscriptionSource"][];
        };
        SubscriptionSource: {
            id: string;
            name: string;
            /** @enum {string} */
            type: "form" | "api" | "import" | "checkout" | "manual" | "integration";
            mailingListIds: string[];
            /** @description `list` (default): the setting of each mailing list. */
            optIn: ("single" | "double") | "list";
            consentText: string;
            /** @description Goes up with each change of the text. */
            consentTextVersion: number;
            confirmationTemplateId: string | null;
            redirectUrl: string | null;
            formRedirectUrl: string | null;
            allowedOrigins: string[];
            /** @description What keeps programs away from opt-ins by visitors. */
            guards: {
                honeypot: string | null;
                leastSeconds: number;
                proofOfWork: boolean;
            };
            active: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        CreateSubscriptionSourceBody: {
            name: string;
            /** @enum {string} */
            type?: "form" | "api" | "import" | "checkout" | "manual" | "integration";
            /** @description The lists that an opt-in through it joins; empty: those that the opt-in names. */
            mailingListIds?: string[];
            /** @description `list` (default): the setting of each mailing list. */
            optIn?: ("single" | "double") | "list";
            /** @description What the person agrees to, word for word. A changed text is a new version. */
            consentText?: string;
            /** @description Slug of a template with {{confirm_url}}. Default: the built-in one. */
            confirmationTemplateId?: string | null;
            /** @description Where the confirm button leads. Default: the built-in page. */
            redirectUrl?: string | null;
            /** @description Where the form without a script (`/f/{sourceId}`) leads once it was sent: https, whoever sent it. Default: the built-in page. */
            formRedirectUrl?: string | null;
            /** @description Origins whose pages may send opt-ins with the id of the source as the key, e.g. `https://example.com`. */
            allowedOrigins?: string[];
            /** @description What keeps programs away from opt-ins by visitors. Null: nothing. What is not named is off. */
            guards?: {
                /** @description The name of a field that people do not see and leave empty, e.g. `website`. Who fills it is answered as everybody else, and not subscribed. */
                honeypot?: string | null;
                /** @description Between seeing the form and sending it. Default 0. */
                leastSeconds?: number;
                /** @description The browser works for about a second (ALTCHA), from `/f/{sourceId}/challenge`. */
                proofOfWork?: boolean;
            } | null;
            /** @description False: it accepts no opt-ins. Default true. */
            active?: boolean;
        };
        UpdateSubscriptionSourceBody: {
            id: string;
            name?: string;
            /** @enum {string} */
            type?: "form" | "api" | "import" | "checkout" | "manual" | "integration";
            /** @description The lists that an opt-in through it joins; empty: those that the opt-in names. */
            mailingListIds?: string[];
            /** @description `list` (default): the setting of each mailing list. */
            optIn?: ("single" | "double") | "list";
            /** @description What the person agrees to, word for word. A changed text is a new version. */
            consentText?: string;
            /** @description Slug of a template with {{confirm_url}}. Default: the built-in one. */
            confirmationTemplateId?: string | null;
            /** @description Where the confirm button leads. Default: the built-in page. */
            redirectUrl?: string | null;
            /** @description Where the form without a script (`/f/{sourceId}`) leads once it was sent: https, whoever sent it. Default: the built-in page. */
            formRedirectUrl?: string | null;
            /** @description Origins whose pages may send opt-ins with the id of the source as the key, e.g. `https://example.com`. */
            allowedOrigins?: string[];
            /** @description What keeps programs away from opt-ins by visitors. Null: nothing. What is not named is off. */
            guards?: {
                /** @description The name of a field that people do not see and leave empty, e.g. `website`. Who fills it is answered as everybody else, and not subscribed. */
                honeypot?: string | null;
                /** @description Between seeing the form and sending it. Default 0. */
                leastSeconds?: number;
                /** @description The browser works for about a second (ALTCHA), from `/f/{sourceId}/challenge`. */
                proofOfWork?: boolean;
            } | null;
            /** @description False: it accepts no opt-ins. Default true. */
            active?: boolean;
        };
        DeleteSubscriptionSourceBody: {
            id: string;
        };
        /** @description Further members are fields and custom properties of the contact. */
        OptInBody: ({
            email: string;
            /** @description Your id for this person; 409 when another contact has it. */
            userId?: string | null;
            /** @description The subscription source of the opt-in. */
            sourceId?: string;
            /** @description Alias of `sourceId`. */
            source?: string;
            /** @description Some of the lists of the source. Default: all of them. */
            mailingListIds?: string[];
            /** @description Alias of `mailingListIds`. */
            mailingLists?: {
                [key: string]: boolean;
            };
            /** @description Where and when the person agreed, as you saw it. Recorded in the ledger of consent. */
            consent?: {
                ip?: string;
                userAgent?: string;
                url?: string;
                /** @description ISO 8601; not in the future. */
                timestamp?: string;
            };
        } & {
            [key: string]: unknown;
        }) & (unknown | unknown);
        OptInAnswer: {
            /** @constant */
            success: true;
            /** @description The first of `subscriptions`. */
            subscriptionId: string;
            contactId: string;
            /**
             * @description `pending`: waits for the confirmation by mail.
             * @enum {string}
             */
            status: "active" | "pending";
            subscriptions: components["schemas"]["OptInAnswerSubscription"][];
            /**
             * Format: date-time
             * @description When the confirmation mail was sent.
             */
            confirmationSentAt?: string;
            /**
             * Format: date-time
             * @description When it is sent instead: too many were asked for by this address, from this network or through this source.
             */
            confirmationHeldUntil?: string;
            /** @description Why this address gets no mail. */
            suppression?: string;
        };
        OptInAnswerSubscription: {
            id: string;
            mailingListId: string;
            /**
             * @description `pending`: waits for the confirmation by mail.
             * @enum {string}
             */
            status: "active" | "pending";
        };
        /** @description With the id of a source as the key: the same for everybody. */
        VisitorAnswer: {
            /** @constant */
            success: true;
        };
        ResendConfirmationBody: {
            email: string;
            /** @description Only opt-ins through this source. */
            sourceId?: string;
            /** @description Only the confirmation of this list. */
            mailingListId?: string;
        };
        ResendConfirmationAnswer: {
            /** @constant */
            success: true;
        };
        /** @description Further members are custom properties of the contact. */
        SendEventBody: ({
            /** @description What happened: 1 to 100 of letters, digits, `_`, `.`, `:`, `-`, and spaces between them. */
            eventName: string;
            /** @description Whose event it is: this, or `userId`. */
            email?: string;
            /** @description Your id for the contact. */
            userId?: string;
            /** @description What rules look at and mails show. Any JSON; at most 100 names, 64 KB. */
            eventProperties?: {
                [key: string]: unknown;
            };
            /** @description Fields and custom properties of the contact; they may stand at the top level as well. */
            contactProperties?: {
                [key: string]: unknown;
            };
            /** @description List id: true or false. */
            mailingLists?: {
                [key: string]: unknown;
            };
            /** @description ISO 8601 with its offset. Default: now. */
            occurredAt?: string;
            /** @description Your own id for the event: a second event with the same id is a repeat. */
            eventId?: string;
        } & {
            [key: string]: unknown;
        }) & (unknown | unknown);
        SendEventAnswer: {
            /** @constant */
            success: true;
            /** @description Your own id, or a generated one. */
            eventId: string;
            /** @description The template jobs that rules scheduled. */
            jobs: components["schemas"]["SendEventAnswerJob"][];
        };
        SendEventAnswerJob: {
            jobId: string;
            templateId: string;
            /** Format: date-time */
            runAt: string;
        };
        RuleList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["Rule"][];
        };
        Rule: {
            id: string;
            name: string;
            eventName: string;
            filter: components["schemas"]["RuleFilter"][];
            /**
             * @description `send_template` needs `templateId`, `subscribe` needs `mailingListId`, `update_contact` needs `contactProperties`.
             * @enum {string}
             */
            action: "send_template" | "subscribe" | "update_contact";
            templateId: string | null;
            delay: {
                amount: number;
                /**
                 * @description Minutes, hours, days of 24 hours.
                 * @enum {string}
                 */
                unit: "m" | "h" | "d";
            };
            variables: {
                [key: string]: unknown;
            };
            cancelOn: string[];
            mailingListId: string | null;
            contactProperties: {
                [key: string]: unknown;
            };
            reEligible: boolean;
            enabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        RuleFilter: {
            /** @description A property of the event; dots access nested objects. */
            property: string;
            /** @enum {string} */
            operator: "equals" | "notEquals" | "greaterThan" | "lessThan" | "exists" | "notExists" | "contains";
            /** @description What it is compared with; not used by `exists` and `notExists`. */
            value?: string | number | boolean;
        };
        CreateRuleBody: {
            /** @description The event that starts it. */
            eventName: string;
            /**
             * @description `send_template` needs `templateId`, `subscribe` needs `mailingListId`, `update_contact` needs `contactProperties`.
             * @enum {string}
             */
            action: "send_template" | "subscribe" | "update_contact";
            /** @description Display name. Default: the name of the event. */
            name?: string;
            /** @description All must hold. */
            filter?: components["schemas"]["RuleFilter"][];
            /** @description Slug of the template that `send_template` sends. */
            templateId?: string | null;
            /** @description At most 365 days. Default: at once, by the worker. */
            delay?: {
                amount: number;
                /**
                 * @description Minutes, hours, days of 24 hours.
                 * @enum {string}
                 */
                unit: "m" | "h" | "d";
            } | null;
            /** @description Of the template, by name: a constant, or text with `{{event.x}}` and `{{contact.x}}`. */
            variables?: {
                [key: string]: unknown;
            };
            /** @description Events that cancel what is scheduled for their contact. */
            cancelOn?: string[];
            /** @description The list that `subscribe` puts the contact on. */
            mailingListId?: string | null;
            /** @description What `update_contact` sets: as `variables`; null clears. */
            contactProperties?: {
                [key: string]: unknown;
            };
            /** @description Whether it may run again for the same contact. Default: false. */
            reEligible?: boolean;
            /** @description Default: true. */
            enabled?: boolean;
        };
        UpdateRuleBody: {
            /** @description The event that starts it. */
            eventName?: string;
            /**
             * @description `send_template` needs `templateId`, `subscribe` needs `mailingListId`, `update_contact` needs `contactProperties`.
             * @enum {string}
             */
            action?: "send_template" | "subscribe" | "update_contact";
            /** @description Display name. Default: the name of the event. */
            name?: string;
            /** @description All must hold. */
            filter?: components["schemas"]["RuleFilter"][];
            /** @description Slug of the template that `send_template` sends. */
            templateId?: string | null;
            /** @description At most 365 days. Default: at once, by the worker. */
            delay?: {
                amount: number;
                /**
                 * @description Minutes, hours, days of 24 hours.
                 * @enum {string}
                 */
                unit: "m" | "h" | "d";
            } | null;
            /** @description Of the template, by name: a constant, or text with `{{event.x}}` and `{{contact.x}}`. */
            variables?: {
                [key: string]: unknown;
            };
            /** @description Events that cancel what is scheduled for their contact. */
            cancelOn?: string[];
            /** @description The list that `subscribe` puts the contact on. */
            mailingListId?: string | null;
            /** @description What `update_contact` sets: as `variables`; null clears. */
            contactProperties?: {
                [key: string]: unknown;
            };
            /** @description Whether it may run again for the same contact. Default: false. */
            reEligible?: boolean;
            /** @description Default: true. */
            enabled?: boolean;
        };
        EventList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["EventItem"][];
        };
        EventItem: {
            /** @description `evt_…` */
            id: string;
            name: string;
            contactId: string;
            /** @description Of the contact; null: it was deleted. */
            email: string | null;
            /** @enum {string} */
            origin: "api" | "payments";
            /** @description The `eventId` that it was sent with. */
            callerEventId: string | null;
            /** Format: date-time */
            occurredAt: string;
            /**
             * Format: date-time
             * @description When it was received.
             */
            createdAt: string;
        };
        Event: {
            /** @description `evt_…` */
            id: string;
            name: string;
            contactId: string;
            /** @description Of the contact; null: it was deleted. */
            email: string | null;
            /** @enum {string} */
            origin: "api" | "payments";
            /** @description The `eventId` that it was sent with. */
            callerEventId: string | null;
            /** Format: date-time */
            occurredAt: string;
            /**
             * Format: date-time
             * @description When it was received.
             */
            createdAt: string;
            /** @description The `eventProperties` that it was sent with. */
            properties: {
                [key: string]: unknown;
            };
            /** @description What rules did for it. */
            runs: components["schemas"]["EventRun"][];
        };
        EventRun: {
            ruleId: string;
            /** @description Null: the rule was deleted. */
            ruleName: string | null;
            action: "send_template" | "subscribe" | "update_contact" | null;
            /** @enum {string} */
            status: "scheduled" | "done" | "skipped" | "cancelled" | "failed";
            /** @description Why it was skipped, cancelled or failed. */
            reason: string | null;
            jobId: string | null;
            /** @description The mail that came of it. */
            messageId: string | null;
            /**
             * Format: date-time
             * @description When its job is or was due, as long as the job is kept.
             */
            runAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        EventNameList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["EventNameItem"][];
        };
        EventNameItem: {
            name: string;
            lastEventId: string;
            /** Format: date-time */
            lastAt: string;
        };
        ScheduledByRuleList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["ScheduledByRuleItem"][];
        };
        ScheduledByRuleItem: {
            jobId: string;
            /** Format: date-time */
            runAt: string;
            eventId: string;
            contactId: string;
            email: string | null;
        };
        RuleCalendar: {
            /** @description What was counted: at most 10,000. */
            total: number;
            /** @description False: more is scheduled, later. */
            isComplete: boolean;
            days: components["schemas"]["RuleCalendarDay"][];
        };
        RuleCalendarDay: {
            /**
             * Format: date
             * @description In UTC.
             */
            day: string;
            count: number;
        };
        TryRuleBody: {
            /** @description An event of the last time, `evt_…`. */
            eventId: string;
        };
        TryRuleAnswer: {
            ruleId: string;
            eventId: string;
            /** @description Whether every check is `ok`. */
            wouldRun: boolean;
            /** @description In the order in which they are asked; the first that is not `ok` is why nothing would be done. */
            checks: components["schemas"]["TryRuleAnswerCheck"][];
            conditions: components["schemas"]["TryRuleAnswerCondition"][];
            /**
             * Format: date-time
             * @description When the mail would have left; null: at once.
             */
            runAt: string | null;
            mail: {
                to: string;
                subject: string;
                locale: string;
                /** @description Of the template, as they are filled in. */
                variables: {
                    [key: string]: unknown;
                };
            } | null;
            /** @description What `update_contact` would set. */
            contactProperties: Record<string, never> | null;
            /** @description What the rule really did with the event. */
            ran: {
                ruleId: string;
                /** @description Null: the rule was deleted. */
                ruleName: string | null;
                action: "send_template" | "subscribe" | "update_contact" | null;
                /** @enum {string} */
                status: "scheduled" | "done" | "skipped" | "cancelled" | "failed";
                /** @description Why it was skipped, cancelled or failed. */
                reason: string | null;
                jobId: string | null;
                /** @description The mail that came of it. */
                messageId: string | null;
                /**
                 * Format: date-time
                 * @description When its job is or was due, as long as the job is kept.
                 */
                runAt: string | null;
                /** Format: date-time */
                createdAt: string;
            } | null;
        };
        TryRuleAnswerCheck: {
            /** @enum {string} */
            check: "event" | "enabled" | "conditions" | "once" | "cancelled" | "contact" | "action";
            ok: boolean;
            value: string;
        };
        TryRuleAnswerCondition: {
            /** @description A property of the event; dots access nested objects. */
            property: string;
            /** @enum {string} */
            operator: "equals" | "notEquals" | "greaterThan" | "lessThan" | "exists" | "notExists" | "contains";
            /** @description What it is compared with; not used by `exists` and `notExists`. */
            value?: string | number | boolean;
            /** @description What the event says; left out: nothing. */
            found?: unknown;
            isMet: boolean;
        };
        PaymentEventList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["PaymentEventItem"][];
        };
        PaymentEventItem: {
            /** @description The id of the event at the provider. */
            eventId: string;
            type: string;
            /** @enum {string} */
            status: "processed" | "ignored";
            /** @description Why it was ignored: `unsupported_type` or `no_contact`. */
            reason: string | null;
            /** @description The event that it became. */
            contactEventId: string | null;
            contactId: string | null;
            /** @description The same id came again with other content; the first one counts. */
            conflict: boolean;
            /** Format: date-time */
            receivedAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ReprocessPaymentEventsAnswer: {
            /** @constant */
            success: true;
            /** @description Events that were tried. */
            tried: number;
            /** @description Events that became contact events. */
            processed: number;
        };
        ReprocessPaymentEventAnswer: {
            /** @constant */
            success: true;
            /** @enum {string} */
            status: "processed" | "ignored";
            reason?: string;
            contactEventId?: string;
        };
        CapturedList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["CapturedItem"][];
        };
        CapturedItem: {
            /** @description Later mail has a higher one. */
            capturedId: string;
            /** @description Its Activity; null for a mail of the installation itself, such as a notice to the owners. */
            messageId: string | null;
            from: string;
            to: string;
            subject: string;
            /** Format: date-time */
            createdAt: string;
        };
        WaitForCapturedAnswer: {
            /** @description Null when none came in that time. */
            mail: {
                /** @description Later mail has a higher one. */
                capturedId: string;
                /** @description Its Activity; null for a mail of the installation itself, such as a notice to the owners. */
                messageId: string | null;
                from: string;
                to: string;
                subject: string;
                /** Format: date-time */
                createdAt: string;
                /** @description The mail alone, in a sandbox; for a signed-in member. */
                url: string;
                html: string | null;
                text: string | null;
                /** @description In their order, unfolded. */
                headers: {
                    name: string;
                    value: string;
                }[];
                attachments: {
                    number: number;
                    filename: string | null;
                    contentType: string;
                    sizeBytes: number;
                }[];
                /** @description Every link of the HTML, or of a mail of text alone; none of them is asked. */
                links: {
                    path: string;
                    /** @description What is clicked; of a picture its alternative text. */
                    text: string;
                    /** @description Empty where it is sent as plain text or leads nowhere. */
                    href: string;
                    /** @description Codes of the findings about it. */
                    problems: string[];
                }[];
                /** @description Null for a mail without the header. */
                unsubscribe: {
                    /** @description Of the List-Unsubscribe header (RFC 2369). */
                    addresses: string[];
                    /** @description RFC 8058: an https address, and List-Unsubscribe-Post. */
                    isOneClick: boolean;
                } | null;
                /** @description What is wrong with the HTML, or doubtful. */
                findings: {
                    /** @description Stays the same, for programs. */
                    code: string;
                    /**
                     * @description `error`: it would not be sent, or leads nowhere; `warning`: some readers lose something; `info`: good to know.
                     * @enum {string}
                     */
                    severity: "error" | "warning" | "info";
                    /** @description Where, e.g. `content[0].children[2].href`. */
                    path: string;
                    message: string;
                }[];
                /** @description What it uses that some client does not know. */
                clientGaps: {
                    /** @description See https://www.caniemail.com/features/{feature}/. */
                    feature: string;
                    /** @description Clients without it, as caniemail.com names them. */
                    clients: string[];
                    /** @description What their readers see. */
                    instead: string;
                }[];
                htmlBytes: number;
                /** @description Gmail cuts it. */
                isClipped: boolean;
                /** @description The whole message as it would have been sent. */
                source: string;
            } | null;
        };
        Captured: {
            /** @description Later mail has a higher one. */
            capturedId: string;
            /** @description Its Activity; null for a mail of the installation itself, such as a notice to the owners. */
            messageId: string | null;
            from: string;
            to: string;
            subject: string;
            /** Format: date-time */
            createdAt: string;
            /** @description The mail alone, in a sandbox; for a signed-in member. */
            url: string;
            html: string | null;
            text: string | null;
            /** @description In their order, unfolded. */
            headers: components["schemas"]["CapturedHeader"][];
            attachments: components["schemas"]["CapturedAttachment"][];
            /** @description Every link of the HTML, or of a mail of text alone; none of them is asked. */
            links: components["schemas"]["CapturedLink"][];
            /** @description Null for a mail without the header. */
            unsubscribe: {
                /** @description Of the List-Unsubscribe header (RFC 2369). */
                addresses: string[];
                /** @description RFC 8058: an https address, and List-Unsubscribe-Post. */
                isOneClick: boolean;
            } | null;
            /** @description What is wrong with the HTML, or doubtful. */
            findings: components["schemas"]["CapturedFinding"][];
            /** @description What it uses that some client does not know. */
            clientGaps: components["schemas"]["CapturedClientGap"][];
            htmlBytes: number;
            /** @description Gmail cuts it. */
            isClipped: boolean;
            /** @description The whole message as it would have been sent. */
            source: string;
        };
        CapturedHeader: {
            name: string;
            value: string;
        };
        CapturedAttachment: {
            number: number;
            filename: string | null;
            contentType: string;
            sizeBytes: number;
        };
        ActivityList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["Activity"][];
        };
        Activity: {
            /** @description The Activity id, as returned by a send. */
            messageId: string;
            /**
             * @description Its current or final state.
             * @enum {string}
             */
            status: "queued" | "sending" | "sent" | "delivered" | "delayed" | "bounced" | "complained" | "suppressed" | "failed" | "uncertain" | "cancelled";
            /** @description `transactional`, `campaign`, `rule`, `test` … */
            kind: string;
            email: string;
            /**
             * @description It is of a test workspace, and never left.
             * @constant
             */
            test?: true;
            contactId: string | null;
            templateId?: string;
            campaignId?: string;
            ruleId?: string;
            /**
             * @description Its content is what the caller sent, and not that of a template.
             * @constant
             */
            content?: "own";
            subject: string;
            locale: string;
            tags: string[];
            metadata: {
                [key: string]: string;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Its history, oldest first. */
            events: components["schemas"]["ActivityEvent"][];
            /** @description Attempts to hand it to the mail server. */
            attempts: number;
            /** @description Of a single message: each attempt, oldest first, how long it took and what the mail server replied. Kept for 30 days after the last. */
            attemptLog?: components["schemas"]["ActivityAttemptLog"][];
            /** @description The message that this one sends again. */
            resendOf?: string;
            /** @description Of a single message that was sent to several, or to somebody by name: everybody who was named, each with a message of their own. `bcc` was shown to nobody. */
            recipients?: components["schemas"]["ActivityRecipient"][];
            /** @description Only in capture mode: the mail that was kept instead of sent. */
            captured?: {
                capturedId: string;
                /** @description The page that shows it. */
                url: string;
                from: string;
                to: string;
                subject: string;
                html: string | null;
                text: string | null;
                /** @description The whole message as it would have been sent. */
                source: string;
                attachments: {
                    filename: string | null;
                    contentType: string;
                    sizeBytes: number;
                }[];
            };
        };
        ActivityEvent: {
            /** @enum {string} */
            status: "queued" | "sending" | "sent" | "delivered" | "delayed" | "bounced" | "complained" | "suppressed" | "failed" | "uncertain" | "cancelled";
            /** Format: date-time */
            at: string;
            /** @description SMTP code, or what happened: `250`, `550 5.1.1`, `crashed`. */
            code?: string;
            /** @description The reply of the mail server, or an explanation. */
            detail?: string;
        };
        ActivityAttemptLog: {
            /** Format: date-time */
            startedAt: string;
            /**
             * Format: date-time
             * @description Null while it runs.
             */
            endedAt: string | null;
            durationMs: number | null;
            outcome: string | null;
            code: string | null;
            detail: string | null;
        };
        ActivityRecipient: {
            /** @enum {string} */
            as: "to" | "cc" | "bcc";
            name: string | null;
            email: string;
            messageId: string;
        };
        Stats: {
            /** Format: date-time */
            from: string;
            /**
             * Format: date-time
             * @description The end of the last bucket.
             */
            to: string;
            /** @enum {string} */
            bucket: "hour" | "day" | "month";
            /** @description False while what was sent before an upgrade is being counted. */
            complete: boolean;
            /** @description Of all buckets. */
            totals: {
                /** @description Taken by the mail server. */
                sent: number;
                /** @description Of which a receiver said that they arrived; few do. */
                delivered: number;
                bounced: number;
                /** @description Called spam. */
                complained: number;
                /** @description Not sent, for the recipient is on the suppression list. */
                suppressed: number;
                /** @description Given up. */
                failed: number;
                /** @description Mails that a person opened. */
                opened: number;
                /** @description Mails in which a person followed a link. */
                clicked: number;
                /** @description Mails that a program opened: a scanner, a proxy. */
                machineOpened: number;
                machineClicked: number;
            };
            /** @description Every bucket of that time, also those where nothing happened, oldest first. */
            data: components["schemas"]["StatsData"][];
            /** @description With `groupBy`: most sent first. */
            groups?: components["schemas"]["StatsGroup"][];
        };
        StatsData: {
            /** Format: date-time */
            at: string;
            /** @description Taken by the mail server. */
            sent: number;
            /** @description Of which a receiver said that they arrived; few do. */
            delivered: number;
            bounced: number;
            /** @description Called spam. */
            complained: number;
            /** @description Not sent, for the recipient is on the suppression list. */
            suppressed: number;
            /** @description Given up. */
            failed: number;
            /** @description Mails that a person opened. */
            opened: number;
            /** @description Mails in which a person followed a link. */
            clicked: number;
            /** @description Mails that a program opened: a scanner, a proxy. */
            machineOpened: number;
            machineClicked: number;
        };
        StatsGroup: {
            /** @description Slug, id or domain; `other` for the rest of domains. */
            group: string;
            /** @description Of all buckets. */
            totals: {
                /** @description Taken by the mail server. */
                sent: number;
                /** @description Of which a receiver said that they arrived; few do. */
                delivered: number;
                bounced: number;
                /** @description Called spam. */
                complained: number;
                /** @description Not sent, for the recipient is on the suppression list. */
                suppressed: number;
                /** @description Given up. */
                failed: number;
                /** @description Mails that a person opened. */
                opened: number;
                /** @description Mails in which a person followed a link. */
                clicked: number;
                /** @description Mails that a program opened: a scanner, a proxy. */
                machineOpened: number;
                machineClicked: number;
            };
            /** @description Every bucket of that time, also those where nothing happened, oldest first. */
            data: components["schemas"]["StatsData"][];
        };
        MailboxeList: {
            data: components["schemas"]["Mailbox"][];
        };
        Mailbox: {
            id: string;
            address: string;
            name: string;
            /**
             * @description A disabled one receives nothing, and its tokens do not work.
             * @enum {string}
             */
            status: "active" | "disabled";
            /** @description What agents reply waits for a person. */
            holdReplies: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        CreateMailboxBody: {
            /** @description The address, or its part before the @ of INBOUND_DOMAIN. */
            address: string;
            /** @description Who its answers are from. */
            name?: string;
        };
        UpdateMailboxBody: {
            /** @description Who its answers are from. */
            name?: string;
            /**
             * @description A disabled one receives nothing, and its tokens do not work.
             * @enum {string}
             */
            status?: "active" | "disabled";
            /** @description What agents reply waits for a person (`/v1/approvals`). Set by a signed-in person only. */
            holdReplies?: boolean;
        };
        McpCallList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["McpCallItem"][];
        };
        McpCallItem: {
            id: string;
            tool: string;
            /** @description `ok`, or the code of the error. */
            outcome: string;
            /** @description The API key or mailbox token. */
            credentialId: string;
            /** @description Set when a mailbox token made the call. */
            mailboxId: string | null;
            durationMs: number;
            /** Format: date-time */
            at: string;
        };
        ReadEventFeedAnswer: {
            /** @description In the order in which it happened. */
            data: components["schemas"]["ReadEventFeedAnswerData"][];
            /** @description True: ask again at once. */
            hasMore: boolean;
            /** @description For `after` of the next request; unchanged if there was nothing new. */
            nextAfter: string | null;
        };
        ReadEventFeedAnswerData: {
            /** @description The Webhook-Id under which it is delivered. */
            id: string;
            type: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Exactly what is delivered. */
            payload: {
                [key: string]: unknown;
            };
        };
        WebhookEventTypeList: {
            data: components["schemas"]["WebhookEventTypeItem"][];
        };
        WebhookEventTypeItem: {
            name: string;
            description: string;
            /** @description JSON Schema of `data`. */
            schema: {
                [key: string]: unknown;
            };
            /** @description An example of `data`. */
            example: {
                [key: string]: unknown;
            };
        };
        /** @description Other names are custom properties: `planName` or `plan_name`; string, number or boolean; null clears. The first value determines the type. */
        CreateContactBody: {
            /** @description One plain address. */
            email: string;
            /** @description Your id for this person, unique in the workspace; at most 255 characters. */
            userId?: string | null;
            /** @description At most 200 characters. */
            firstName?: string | null;
            /** @description At most 200 characters. */
            lastName?: string | null;
            /** @description Where the contact comes from; at most 200 characters. */
            source?: string | null;
            /** @description Consent to marketing mail. Default for a new contact: true. It changes only when it is given. */
            subscribed?: boolean;
            /** @description At most 200 characters. */
            userGroup?: string | null;
            /** @description BCP 47, e.g. pt-BR. */
            locale?: string | null;
            /** @description IANA name, e.g. Europe/Paris. */
            timezone?: string | null;
            /** @description List id: true or false. On a list with double opt-in, true sends a confirmation mail first. */
            mailingLists?: {
                [key: string]: boolean;
            };
        } & {
            [key: string]: unknown;
        };
        CreateContactAnswer: {
            /** @constant */
            success: true;
            id: string;
        };
        /** @description Other names are custom properties: `planName` or `plan_name`; string, number or boolean; null clears. The first value determines the type. */
        UpdateContactBody: ({
            /** @description One plain address. */
            email?: string;
            /** @description Your id for this person, unique in the workspace; at most 255 characters. */
            userId?: string | null;
            /** @description At most 200 characters. */
            firstName?: string | null;
            /** @description At most 200 characters. */
            lastName?: string | null;
            /** @description Where the contact comes from; at most 200 characters. */
            source?: string | null;
            /** @description Consent to marketing mail. Default for a new contact: true. It changes only when it is given. */
            subscribed?: boolean;
            /** @description At most 200 characters. */
            userGroup?: string | null;
            /** @description BCP 47, e.g. pt-BR. */
            locale?: string | null;
            /** @description IANA name, e.g. Europe/Paris. */
            timezone?: string | null;
            /** @description List id: true or false. On a list with double opt-in, true sends a confirmation mail first. */
            mailingLists?: {
                [key: string]: boolean;
            };
        } & {
            [key: string]: unknown;
        }) & (unknown | unknown);
        DeleteContactBody: {
            /** @description The address of the contact. */
            email?: string;
            /** @description Your id for the contact, instead of its address. */
            userId?: string;
        } & (unknown | unknown);
        PreviewSegmentBody: {
            /** @description Which contacts are in it. */
            filter: components["schemas"]["SegmentFilter"];
        };
        /** @description A condition on contacts, or several: at most 50 in all, 5 deep. */
        SegmentFilter: {
            all: components["schemas"]["SegmentFilter"][];
        } | {
            any: components["schemas"]["SegmentFilter"][];
        } | {
            not: components["schemas"]["SegmentFilter"];
        } | {
            field: string;
            /** @enum {string} */
            op: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "contains" | "exists" | "withinDays";
            value?: string | number | boolean;
        } | {
            list: string;
            /**
             * @default active
             * @enum {string}
             */
            status: "pending" | "active" | "unsubscribed" | "rejected" | "expired" | "bounced" | "complained";
        } | {
            event: string;
            withinDays?: number;
            atLeast?: number;
        } | {
            /** @enum {string} */
            campaign: "sent" | "opened" | "clicked";
            campaignId?: string;
            withinDays?: number;
            atLeast?: number;
        };
        PreviewSegmentAnswer: {
            /** @description How many are in it now. */
            contacts: number;
            /** @description False where that is reckoned from the first 20,000 contacts of the workspace. */
            exact: boolean;
            /** @description The first ten of them. */
            data: components["schemas"]["SegmentContactItem"][];
        };
        SegmentContactItem: {
            id: string;
            email: string;
            userId: string | null;
            firstName: string | null;
            lastName: string | null;
            subscribed: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        SegmentContactList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["SegmentContactItem"][];
        };
        SegmentList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["Segment"][];
        };
        Segment: {
            id: string;
            name: string;
            /** @description Which contacts are in it. */
            filter: components["schemas"]["SegmentFilter"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        CreateSegmentBody: {
            name: string;
            /** @description Which contacts are in it. */
            filter: components["schemas"]["SegmentFilter"];
        };
        UpdateSegmentBody: {
            name?: string;
            /** @description Which contacts are in it. */
            filter?: components["schemas"]["SegmentFilter"];
        };
        SuppressionStatus: {
            email: string;
            isSuppressed: boolean;
            /**
             * @description Why the address is suppressed. Default in a request: `manual`.
             * @enum {string|null}
             */
            reason: "hardBounce" | "complaint" | "manual" | "unsubscribe" | null;
            /** Format: date-time */
            suppressedAt: string | null;
            /** @description Removals of complaints in 30 days. */
            removalQuota: {
                limit: number;
                remaining: number;
            };
        };
        RemoveSuppressionBody: {
            /** @description The address to take off the list. */
            email?: string;
            /** @description The userId of a contact, instead of its address. */
            userId?: string;
        };
        RemoveSuppressionAnswer: {
            /** @constant */
            success: true;
            message: string;
            /** @description Removals of complaints in 30 days. */
            removalQuota: {
                limit: number;
                remaining: number;
            };
        };
        SuppressionList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["SuppressionItem"][];
        };
        SuppressionItem: {
            /** @description Null when the person was erased. */
            email: string | null;
            /** @description SHA-256 of the address in lower case, hex. */
            emailHash: string;
            /**
             * @description Why the address is suppressed. Default in a request: `manual`.
             * @enum {string}
             */
            reason: "hardBounce" | "complaint" | "manual" | "unsubscribe";
            messageId: string | null;
            detail: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        AddSuppressionBody: {
            /** @description The address to suppress. */
            email: string;
            /**
             * @description Why the address is suppressed. Default in a request: `manual`.
             * @enum {string}
             */
            reason?: "hardBounce" | "complaint" | "manual" | "unsubscribe";
            /** @description Why, for people. */
            detail?: string;
        };
        AddSuppressionsBody: {
            /** @description Addresses; case is ignored. */
            emails: string[];
            /**
             * @description Why the address is suppressed. Default in a request: `manual`.
             * @enum {string}
             */
            reason?: "hardBounce" | "complaint" | "manual" | "unsubscribe";
            /** @description Why, for people. */
            detail?: string;
        };
        AddSuppressionsAnswer: {
            /** @constant */
            success: true;
            /** @description Addresses that were not on the list before. */
            added: number;
            /** @description Addresses that were already on the list, or repeated in the request. */
            unchanged: number;
        };
        Import: {
            id: string;
            /** @description The service whose export it is; null for a CSV of your own. */
            format: string | null;
            /** @description For an export of another service. */
            report: {
                files: {
                    name: string;
                    holds: string;
                    entries: number;
                }[];
                /** @description The lists of the export, found here by their names or to be made. */
                lists: {
                    name: string;
                    /** @description Null until it is made. */
                    mailingListId: string | null;
                    isNew: boolean;
                    contacts: number;
                }[];
                /** @description Of contacts. */
                properties: {
                    name: string;
                    type: string;
                }[];
                templates: {
                    name: string;
                    converted: boolean;
                    /** @description The draft that was made of it. */
                    templateId: string | null;
                    /** @description Why it is left out, or what of its look is not taken over. */
                    problems: string[];
                }[];
                /** @description What could not be read as a row; beside `badRows`. */
                refused: {
                    where: string;
                    reason: string;
                }[];
                notes: string[];
                /** @description People of whom the export does not say whether they agreed. */
                silent: number;
            } | null;
            /**
             * @description Bad rows do not make an import fail.
             * @enum {string}
             */
            state: "waiting" | "running" | "done" | "failed";
            /** @description Why it failed. */
            detail: string | null;
            dryRun: boolean;
            mailingListId: string | null;
            sizeBytes: number;
            /** @description How much of the file has been read. */
            readBytes: number;
            readLines: number;
            created: number;
            updated: number;
            unchanged: number;
            /** @description Rows that would have given consent that the person had withdrawn or never given; it was not changed. */
            consentKept: number;
            /** @description Rows that were skipped. */
            bad: number;
            /** @description Imported rows that say yes to marketing mail, or for which the caller says so. */
            subscribed: number;
            /** @description Imported rows that say no. */
            unsubscribed: number;
            /** @description Imported rows that say never: bounced, complained, blocked. */
            suppressed: number;
            /** @description Imported rows that say nothing about consent. */
            withoutConsent: number;
            /** @description The first 100, only when fetching a single import; /bad-rows has all of them as a file. */
            badRows: components["schemas"]["ImportBadRow"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ImportBadRow: {
            line: number;
            reason: string;
            /** @description File and line of the export of another service. */
            where?: string;
        };
        PreviewImportAnswer: {
            columns: components["schemas"]["PreviewImportAnswerColumn"][];
            delimiter: string;
            /** @description No column is an email or userId, so every row is bad and the import is refused: map one with `columns`. */
            identityNeeded: boolean;
            /** @description The import requires `consent`: what these people agreed to. */
            consentNeeded: boolean;
            rows: number;
            created: number;
            updated: number;
            unchanged: number;
            /** @description Rows that would have given consent that the person had withdrawn or never given; it was not changed. */
            consentKept: number;
            /** @description Imported rows that say yes to marketing mail, or for which the caller says so. */
            subscribed: number;
            /** @description Imported rows that say no. */
            unsubscribed: number;
            /** @description Imported rows that say never: bounced, complained, blocked. */
            suppressed: number;
            /** @description Imported rows that say nothing about consent. */
            withoutConsent: number;
            bad: number;
            /** @description The first 100, only when fetching a single import; /bad-rows has all of them as a file. */
            badRows: components["schemas"]["ImportBadRow"][];
        };
        PreviewImportAnswerColumn: {
            header: string;
            /**
             * @description `nameless`: it has no header; rows with a value in it are bad unless `columns` says what it is.
             * @enum {string}
             */
            becomes: "field" | "consent" | "property" | "nothing" | "nameless" | "evidence";
            name: string | null;
            /** @description Of a property. */
            type?: string;
            /** @description Its first value. */
            example: string | null;
        };
        ImportList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["Import"][];
        };
        PreviewExportImportAnswer: {
            format: string;
            delimiter: string;
            /** @description No column is an email or userId, so every row is bad and the import is refused: map one with `columns`. */
            identityNeeded: boolean;
            /** @description The import requires `consent`: what these people agreed to. */
            consentNeeded: boolean;
            rows: number;
            created: number;
            updated: number;
            unchanged: number;
            /** @description Rows that would have given consent that the person had withdrawn or never given; it was not changed. */
            consentKept: number;
            /** @description Imported rows that say yes to marketing mail, or for which the caller says so. */
            subscribed: number;
            /** @description Imported rows that say no. */
            unsubscribed: number;
            /** @description Imported rows that say never: bounced, complained, blocked. */
            suppressed: number;
            /** @description Imported rows that say nothing about consent. */
            withoutConsent: number;
            bad: number;
            /** @description The first 100, only when fetching a single import; /bad-rows has all of them as a file. */
            badRows: components["schemas"]["ImportBadRow"][];
            report: {
                files: {
                    name: string;
                    holds: string;
                    entries: number;
                }[];
                /** @description The lists of the export, found here by their names or to be made. */
                lists: {
                    name: string;
                    /** @description Null until it is made. */
                    mailingListId: string | null;
                    isNew: boolean;
                    contacts: number;
                }[];
                /** @description Of contacts. */
                properties: {
                    name: string;
                    type: string;
                }[];
                templates: {
                    name: string;
                    converted: boolean;
                    /** @description The draft that was made of it. */
                    templateId: string | null;
                    /** @description Why it is left out, or what of its look is not taken over. */
                    problems: string[];
                }[];
                /** @description What could not be read as a row; beside `badRows`. */
                refused: {
                    where: string;
                    reason: string;
                }[];
                notes: string[];
                /** @description People of whom the export does not say whether they agreed. */
                silent: number;
            };
        };
        Timeline: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["TimelineData"][];
        };
        TimelineData: {
            /**
             * @description Which of the members below is there.
             * @enum {string}
             */
            type: "mail" | "event" | "consent" | "suppression" | "campaign" | "open" | "click";
            /** Format: date-time */
            at: string;
            mail?: {
                /** @description The Activity id, as returned by a send. */
                messageId: string;
                /**
                 * @description Its current or final state.
                 * @enum {string}
                 */
                status: "queued" | "sending" | "sent" | "delivered" | "delayed" | "bounced" | "complained" | "suppressed" | "failed" | "uncertain" | "cancelled";
                /** @description `transactional`, `campaign`, `rule`, `test` … */
                kind: string;
                email: string;
                /**
                 * @description It is of a test workspace, and never left.
                 * @constant
                 */
                test?: true;
                contactId: string | null;
                templateId?: string;
                campaignId?: string;
                ruleId?: string;
                /**
                 * @description Its content is what the caller sent, and not that of a template.
                 * @constant
                 */
                content?: "own";
                subject: string;
                locale: string;
                tags: string[];
                metadata: {
                    [key: string]: string;
                };
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                updatedAt: string;
                /** @description Its history, oldest first. */
                events: {
                    /** @enum {string} */
                    status: "queued" | "sending" | "sent" | "delivered" | "delayed" | "bounced" | "complained" | "suppressed" | "failed" | "uncertain" | "cancelled";
                    /** Format: date-time */
                    at: string;
                    /** @description SMTP code, or what happened: `250`, `550 5.1.1`, `crashed`. */
                    code?: string;
                    /** @description The reply of the mail server, or an explanation. */
                    detail?: string;
                }[];
                /** @description Attempts to hand it to the mail server. */
                attempts: number;
                /** @description Of a single message: each attempt, oldest first, how long it took and what the mail server replied. Kept for 30 days after the last. */
                attemptLog?: {
                    /** Format: date-time */
                    startedAt: string;
                    /**
                     * Format: date-time
                     * @description Null while it runs.
                     */
                    endedAt: string | null;
                    durationMs: number | null;
                    outcome: string | null;
                    code: string | null;
                    detail: string | null;
                }[];
                /** @description The message that this one sends again. */
                resendOf?: string;
                /** @description Of a single message that was sent to several, or to somebody by name: everybody who was named, each with a message of their own. `bcc` was shown to nobody. */
                recipients?: {
                    /** @enum {string} */
                    as: "to" | "cc" | "bcc";
                    name: string | null;
                    email: string;
                    messageId: string;
                }[];
                /** @description Only in capture mode: the mail that was kept instead of sent. */
                captured?: {
                    capturedId: string;
                    /** @description The page that shows it. */
                    url: string;
                    from: string;
                    to: string;
                    subject: string;
                    html: string | null;
                    text: string | null;
                    /** @description The whole message as it would have been sent. */
                    source: string;
                    attachments: {
                        filename: string | null;
                        contentType: string;
                        sizeBytes: number;
                    }[];
                };
            };
            /** Format: date-time */
            openedAt?: string | null;
            /** Format: date-time */
            clickedAt?: string | null;
            /** @description The mail that they opened, at its first time. */
            open?: {
                messageId: string;
                campaignId: string;
                name: string;
            };
            /** @description The mail in which they followed a link, at its first time. */
            click?: {
                messageId: string;
                campaignId: string;
                name: string;
            };
            event?: {
                id: string;
                name: string;
                properties: {
                    [key: string]: unknown;
                };
                origin: string;
                /** Format: date-time */
                occurredAt: string;
            };
            consent?: {
                id: string;
                /** @description What happened: `granted`, `confirmed`, `withdrawn` … */
                action: string;
                /** @description Null: all mail of this workspace. */
                mailingListId: string | null;
                /** @description How it came: `opt_in`, `one_click`, `api`, `import` … */
                method: string;
                /** @description The request that made the change. */
                route: string | null;
                /** @description The API key or user that made the request. */
                actorId: string | null;
                sourceId: string | null;
                consentText: string | null;
                consentTextVersion: number | null;
                ip: string | null;
                userAgent: string | null;
                url: string | null;
                /**
                 * Format: date-time
                 * @description When the person did it; `createdAt` is when it was recorded.
                 */
                givenAt: string;
                /** Format: date-time */
                createdAt: string;
            };
            suppression?: {
                /** @description Null when the person was erased. */
                email: string | null;
                /** @description SHA-256 of the address in lower case, hex. */
                emailHash: string;
                /**
                 * @description Why the address is suppressed. Default in a request: `manual`.
                 * @enum {string}
                 */
                reason: "hardBounce" | "complaint" | "manual" | "unsubscribe";
                messageId: string | null;
                detail: string | null;
                /** Format: date-time */
                createdAt: string;
            };
            /** @description One that did not mail them, and why. */
            campaign?: {
                campaignId: string;
                name: string;
                state: string;
                reason: string | null;
            };
        };
        ExportContactAnswer: {
            /** Format: date-time */
            exportedAt: string;
            contact: {
                [key: string]: unknown;
            };
            subscriptions: {
                [key: string]: unknown;
            }[];
            consent: {
                [key: string]: unknown;
            }[];
            confirmations: {
                [key: string]: unknown;
            }[];
            suppression: Record<string, never> | null;
            messages: {
                [key: string]: unknown;
            }[];
            events: {
                [key: string]: unknown;
            }[];
            ruleRuns: {
                [key: string]: unknown;
            }[];
            paymentCustomers: {
                [key: string]: unknown;
            }[];
        };
        EraseContactAnswer: {
            /** @constant */
            success: true;
            message: string;
            messages: number;
            events: number;
            consentRecords: number;
            /** @description Whether the hash of the address stays suppressed. */
            suppressed: boolean;
        };
        ContactList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["Contact"][];
        };
        /** @description Custom properties are further members. */
        Contact: {
            id: string;
            email: string;
            /** @description Your id for this person. */
            userId: string | null;
            firstName: string | null;
            lastName: string | null;
            /** @description Where the contact comes from. */
            source: string | null;
            /** @description Consent to marketing mail. */
            subscribed: boolean;
            userGroup: string | null;
            locale: string | null;
            timezone: string | null;
            /** @description List id: true, for each active subscription. */
            mailingLists: {
                [key: string]: unknown;
            };
            /**
             * @description The state of the last confirmation request; null when there was none.
             * @enum {string|null}
             */
            optInStatus: "pending" | "accepted" | "rejected" | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Consent: {
            data: components["schemas"]["ConsentData"][];
        };
        ConsentData: {
            id: string;
            /** @description What happened: `granted`, `confirmed`, `withdrawn` … */
            action: string;
            /** @description Null: all mail of this workspace. */
            mailingListId: string | null;
            /** @description How it came: `opt_in`, `one_click`, `api`, `import` … */
            method: string;
            /** @description The request that made the change. */
            route: string | null;
            /** @description The API key or user that made the request. */
            actorId: string | null;
            sourceId: string | null;
            consentText: string | null;
            consentTextVersion: number | null;
            ip: string | null;
            userAgent: string | null;
            url: string | null;
            /**
             * Format: date-time
             * @description When the person did it; `createdAt` is when it was recorded.
             */
            givenAt: string;
            /** Format: date-time */
            createdAt: string;
        };
        JobList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["JobItem"][];
        };
        JobItem: {
            jobId: string;
            /** @description The queue that it belongs to. */
            lane: string;
            /** @description What it does. */
            kind: string;
            /** @enum {string} */
            state: "pending" | "held" | "running" | "ambiguous" | "done" | "dead" | "cancelled";
            /**
             * Format: date-time
             * @description For a held job: its time before it was held.
             */
            dueAt: string;
            /** @description Attempts so far. */
            attempt: number;
            /** @description After this many it is `dead`. */
            attemptsMax: number;
            /** @description How it ended last, e.g. `missing_variable`. */
            code: string | null;
            detail: string | null;
            /** @description The job that this one repeats. */
            parentId: string | null;
            /** @description The job that repeats this one; it is the one to retry. */
            retriedAs: string | null;
            /** @description What it is about, as ids. */
            payload: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        RetryJobsBody: {
            /** @description The ids of the jobs. */
            jobIds?: string[];
            /**
             * @description All such jobs of this lane, at most 1,000.
             * @enum {string}
             */
            lane?: "mail.tx" | "mail.optin" | "opt_in" | "mail.campaign" | "webhook" | "template_job" | "campaign.page" | "import" | "maintenance";
            /** @description With or without `lane`: all such jobs, at most 1,000. */
            kind?: string;
        } & (unknown | unknown | unknown);
        RetryJobsAnswer: {
            /** @constant */
            success: true;
            results: components["schemas"]["RetryJobsAnswerResult"][];
        };
        RetryJobsAnswerResult: {
            jobId: string;
            /** @description As for one job, or `refused`. */
            outcome: string;
            newJobId?: string;
            /** @description Why it was refused, e.g. `not_found`. */
            code?: string;
        };
        ResolveJobsBody: {
            /**
             * @description `done`: it did arrive. `resend`: send it again.
             * @enum {string}
             */
            verdict: "done" | "resend";
            /** @description The ids of the jobs. */
            jobIds?: string[];
            /**
             * @description All such jobs of this lane, at most 1,000.
             * @enum {string}
             */
            lane?: "mail.tx" | "mail.optin" | "opt_in" | "mail.campaign" | "webhook" | "template_job" | "campaign.page" | "import" | "maintenance";
            /** @description With or without `lane`: all such jobs, at most 1,000. */
            kind?: string;
        } & (unknown | unknown | unknown);
        RetryJobAnswer: {
            /** @constant */
            success: true;
            jobId: string;
            /** @description `retried`, `cancelled`, `cancel_requested`, `done` or `resent`. */
            outcome: string;
            /** @description The job that continues. */
            newJobId?: string;
        };
        ResolveJobBody: {
            /**
             * @description `done`: it did arrive. `resend`: send it again.
             * @enum {string}
             */
            verdict: "done" | "resend";
        };
        CampaignList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["CampaignItem"][];
        };
        CampaignItem: {
            id: string;
            /** @description The same as `id`. */
            campaignId: string;
            name: string;
            /** @enum {string} */
            status: "draft" | "approved" | "scheduled" | "sending" | "paused" | "sent" | "cancelled" | "failed";
            subject: string;
            previewText: string;
            fromName: string | null;
            fromEmail: string | null;
            replyTo: string | null;
            mailingListId: string;
            templateId: string | null;
            locale: string;
            audienceFilter: components["schemas"]["CampaignAudienceFilter"][] | null;
            segmentId: string | null;
            ignoreGuardrail: boolean;
            /** Format: date-time */
            approvedAt: string | null;
            /** @description The id of the member who approved it. */
            approvedBy: string | null;
            /** Format: date-time */
            scheduledAt: string | null;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            endedAt: string | null;
            /** @description `manual`, `missed_window`, `bounce_rate`, `complaint_rate`, `dmarc_required`, `restored` … */
            pauseReason: string | null;
            /**
             * Format: date-time
             * @description While the trust level holds it back: when more may be sent.
             */
            nextSendAt: string | null;
            stats: {
                /** @description Everybody in the ledger. */
                audience: number;
                /** @description No mail yet. */
                queued: number;
                sending: number;
                /** @description Tried again later. */
                delayed: number;
                sent: number;
                bounced: number;
                suppressed: number;
                unconfirmed: number;
                unsubscribed: number;
                rate_guardrail: number;
                failed: number;
                uncertain: number;
                cancelled: number;
                complained: number;
                /** @description Mails whose picture a person loaded; 0 unless opens are tracked. */
                opened: number;
                /** @description Mails whose picture a program loaded: a scanner, or a mail service that loads all of them. */
                machineOpened: number;
                /** @description Mails of which a person followed a link; 0 unless clicks are tracked. */
                clicked: number;
                /** @description Mails with a link that a program opened. */
                machineClicked: number;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        CampaignAudienceFilter: {
            /** @description A field or custom property of the contact. */
            field: string;
            /**
             * @description Equal, not equal, has a value, greater than, less than.
             * @enum {string}
             */
            op: "eq" | "ne" | "exists" | "gt" | "lt";
            /** @description What the field is compared with; not for `exists`. */
            value?: string | number | boolean;
        };
        CreateCampaignBody: {
            name: string;
            subject: string;
            /** @description The list it goes to. */
            mailingListId: string;
            /** @description Shown by mail clients after the subject. */
            previewText?: string;
            /** @description Who it is from. Default: the sender of the brand. */
            fromName?: string | null;
            /** @description At an address of MAIL_FROM or of a sending domain. */
            fromEmail?: string | null;
            /** @description Where answers go. Default: to the sender. */
            replyTo?: string | null;
            /** @description Slug of a template to send instead of content. */
            templateId?: string | null;
            /** @description BCP 47: the language of `content`. Default: the locale of the brand. */
            locale?: string;
            /** @description A contact must meet all of them. */
            audienceFilter?: components["schemas"]["CampaignAudienceFilter"][] | null;
            /** @description Only who is in this segment when the campaign begins. */
            segmentId?: string | null;
            /** @description Send in spite of the frequency limit; only for signed-in members. */
            ignoreGuardrail?: boolean;
            /** @description Nodes in order. */
            content?: components["schemas"]["ComponentTree"];
        };
        CreateCampaignAnswer: {
            id: string;
            /** @description The same as `id`. */
            campaignId: string;
            name: string;
            /** @enum {string} */
            status: "draft" | "approved" | "scheduled" | "sending" | "paused" | "sent" | "cancelled" | "failed";
            subject: string;
            previewText: string;
            fromName: string | null;
            fromEmail: string | null;
            replyTo: string | null;
            mailingListId: string;
            templateId: string | null;
            locale: string;
            audienceFilter: components["schemas"]["CampaignAudienceFilter"][] | null;
            segmentId: string | null;
            ignoreGuardrail: boolean;
            /** @description A hash of everything recipients will see and of who they are. An approval names it. */
            contentHash: string;
            /** Format: date-time */
            approvedAt: string | null;
            /** @description The id of the member who approved it. */
            approvedBy: string | null;
            /** Format: date-time */
            scheduledAt: string | null;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            endedAt: string | null;
            /** @description `manual`, `missed_window`, `bounce_rate`, `complaint_rate`, `dmarc_required`, `restored` … */
            pauseReason: string | null;
            /**
             * Format: date-time
             * @description While the trust level holds it back: when more may be sent.
             */
            nextSendAt: string | null;
            stats: {
                /** @description Everybody in the ledger. */
                audience: number;
                /** @description No mail yet. */
                queued: number;
                sending: number;
                /** @description Tried again later. */
                delayed: number;
                sent: number;
                bounced: number;
                suppressed: number;
                unconfirmed: number;
                unsubscribed: number;
                rate_guardrail: number;
                failed: number;
                uncertain: number;
                cancelled: number;
                complained: number;
                /** @description Mails whose picture a person loaded; 0 unless opens are tracked. */
                opened: number;
                /** @description Mails whose picture a program loaded: a scanner, or a mail service that loads all of them. */
                machineOpened: number;
                /** @description Mails of which a person followed a link; 0 unless clicks are tracked. */
                clicked: number;
                /** @description Mails with a link that a program opened. */
                machineClicked: number;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Campaign: {
            id: string;
            /** @description The same as `id`. */
            campaignId: string;
            name: string;
            /** @enum {string} */
            status: "draft" | "approved" | "scheduled" | "sending" | "paused" | "sent" | "cancelled" | "failed";
            subject: string;
            previewText: string;
            fromName: string | null;
            fromEmail: string | null;
            replyTo: string | null;
            mailingListId: string;
            templateId: string | null;
            locale: string;
            audienceFilter: components["schemas"]["CampaignAudienceFilter"][] | null;
            segmentId: string | null;
            ignoreGuardrail: boolean;
            /** @description A hash of everything recipients will see and of who they are. An approval names it. */
            contentHash: string;
            /** Format: date-time */
            approvedAt: string | null;
            /** @description The id of the member who approved it. */
            approvedBy: string | null;
            /** Format: date-time */
            scheduledAt: string | null;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            endedAt: string | null;
            /** @description `manual`, `missed_window`, `bounce_rate`, `complaint_rate`, `dmarc_required`, `restored` … */
            pauseReason: string | null;
            /**
             * Format: date-time
             * @description While the trust level holds it back: when more may be sent.
             */
            nextSendAt: string | null;
            stats: {
                /** @description Everybody in the ledger. */
                audience: number;
                /** @description No mail yet. */
                queued: number;
                sending: number;
                /** @description Tried again later. */
                delayed: number;
                sent: number;
                bounced: number;
                suppressed: number;
                unconfirmed: number;
                unsubscribed: number;
                rate_guardrail: number;
                failed: number;
                uncertain: number;
                cancelled: number;
                complained: number;
                /** @description Mails whose picture a person loaded; 0 unless opens are tracked. */
                opened: number;
                /** @description Mails whose picture a program loaded: a scanner, or a mail service that loads all of them. */
                machineOpened: number;
                /** @description Mails of which a person followed a link; 0 unless clicks are tracked. */
                clicked: number;
                /** @description Mails with a link that a program opened. */
                machineClicked: number;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            warnings?: components["schemas"]["Issue"][];
        };
        UpdateCampaignBody: {
            name?: string;
            subject?: string;
            /** @description The list it goes to. */
            mailingListId?: string;
            /** @description Shown by mail clients after the subject. */
            previewText?: string;
            /** @description Who it is from. Default: the sender of the brand. */
            fromName?: string | null;
            /** @description At an address of MAIL_FROM or of a sending domain. */
            fromEmail?: string | null;
            /** @description Where answers go. Default: to the sender. */
            replyTo?: string | null;
            /** @description Slug of a template to send instead of content. */
            templateId?: string | null;
            /** @description BCP 47: the language of `content`. Default: the locale of the brand. */
            locale?: string;
            /** @description A contact must meet all of them. */
            audienceFilter?: components["schemas"]["CampaignAudienceFilter"][] | null;
            /** @description Only who is in this segment when the campaign begins. */
            segmentId?: string | null;
            /** @description Send in spite of the frequency limit; only for signed-in members. */
            ignoreGuardrail?: boolean;
            /** @description Nodes in order. */
            content?: components["schemas"]["ComponentTree"];
        };
        CampaignContentList: {
            data: components["schemas"]["CampaignContentItem"][];
        };
        CampaignContentItem: {
            locale: string;
            subject: string;
            previewText: string;
            /** @description Nodes in order. */
            content: components["schemas"]["ComponentTree"];
            revisionId: string;
            warnings?: components["schemas"]["Issue"][];
        };
        SetCampaignContentBody: {
            /** @description Nodes in order. */
            content: components["schemas"]["ComponentTree"];
            subject?: string;
            previewText?: string;
            /** @description Refuses the change with 409 unless this is the current revision of this locale. */
            expectedRevisionId?: string;
        };
        SetCampaignContentAnswer: {
            locale: string;
            subject: string;
            previewText: string;
            /** @description Nodes in order. */
            content: components["schemas"]["ComponentTree"];
            revisionId: string;
        };
        ScheduleCampaignBody: {
            /** @description As in send. */
            scheduledAt: string;
            /** @description `contentHash` of the campaign as seen: 409 if it has changed since. */
            contentHash?: string;
        };
        SendCampaignBody: {
            /** @description ISO 8601, with an offset or in the time zone of the workspace. Default: now. */
            scheduledAt?: string;
            /** @description Report what would happen, and change nothing. */
            dryRun?: boolean;
            /** @description `contentHash` of the campaign as seen: 409 if it has changed since. */
            contentHash?: string;
        };
        SendCampaignAnswer: {
            campaignId: string;
            /** @enum {string} */
            status: "draft" | "approved" | "scheduled" | "sending" | "paused" | "sent" | "cancelled" | "failed";
            /** @description Who would get it now. */
            recipients: number;
            /** @description By reason. */
            skipped: {
                [key: string]: number;
            };
            /** @description Recipients that may be reached now; null = unlimited. */
            capRemaining: number | null;
            /**
             * Format: date-time
             * @description When it begins, or when more may be sent.
             */
            nextSendAt: string | null;
            /**
             * @description For people.
             * @example finishes in 3 days at M1
             */
            forecast: string;
            /** @description False when the list is long and the numbers are estimated from its first 20,000 members. */
            exact: boolean;
            /** @description A hash of everything recipients will see and of who they are. An approval names it. */
            contentHash: string;
        };
        PreviewCampaignBody: {
            /**
             * @description BCP 47; found as in a send. Default: the primary locale.
             * @example de
             */
            locale?: string;
            /**
             * @description Whose `contact.*` is shown. Default: no contact, so that fallbacks show.
             * @example ada@example.net
             */
            email?: string;
            /** @description An unsaved tree in place of the stored one. */
            content?: components["schemas"]["ComponentTree"];
            /** @example Order {{order}} is on its way */
            subject?: string;
            /** @example On its way to you */
            previewText?: string;
        };
        TestCampaignBody: {
            /**
             * @description Addresses of members of the workspace. Default: the address of the signed-in member.
             * @example [
             *       "ada@example.net"
             *     ]
             */
            emails?: string[];
            /**
             * @description BCP 47; found as in a send. Default: the primary locale.
             * @example de
             */
            locale?: string;
            /** @description An unsaved tree in place of the stored one. */
            content?: components["schemas"]["ComponentTree"];
            /** @example Order {{order}} is on its way */
            subject?: string;
            /** @example On its way to you */
            previewText?: string;
        };
        RecipientList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["RecipientItem"][];
        };
        RecipientItem: {
            contactId: string;
            email: string | null;
            /** @enum {string} */
            state: "queued" | "sending" | "delayed" | "sent" | "bounced" | "suppressed" | "unconfirmed" | "unsubscribed" | "rate_guardrail" | "failed" | "uncertain" | "cancelled";
            reason: string | null;
            messageId: string | null;
            /** Format: date-time */
            updatedAt: string;
        };
        ExplainRecipientAnswer: {
            email: string | null;
            recipient: {
                contactId: string;
                /** @enum {string} */
                state: "queued" | "sending" | "delayed" | "sent" | "bounced" | "suppressed" | "unconfirmed" | "unsubscribed" | "rate_guardrail" | "failed" | "uncertain" | "cancelled";
                reason: string | null;
                messageId: string | null;
                /** Format: date-time */
                updatedAt: string;
            } | null;
            /** @description The outcome that the contact would have now, and why; null when a mail may go to it. */
            objection: {
                outcome: string;
                reason: string;
                message: string;
            } | null;
            /** @description As they are now, in the order in which they are checked. */
            checks: components["schemas"]["ExplainRecipientAnswerCheck"][];
            attempts: components["schemas"]["ExplainRecipientAnswerAttempt"][];
        };
        ExplainRecipientAnswerCheck: {
            check: string;
            ok: boolean;
            value: string;
        };
        ExplainRecipientAnswerAttempt: {
            status: string;
            /** Format: date-time */
            at: string;
            code: string | null;
            detail: string | null;
        };
        AudienceList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["AudienceItem"][];
        };
        AudienceItem: {
            contactId: string;
            email: string;
            /** @enum {string} */
            outcome: "recipients" | "sent" | "bounced" | "suppressed" | "unconfirmed" | "unsubscribed" | "rate_guardrail" | "failed" | "uncertain" | "cancelled";
            /** @description Null for who would get it. */
            reason: string | null;
            /** @description What was found, in words. */
            message: string | null;
        };
        CampaignLinkList: {
            data: components["schemas"]["CampaignLinkItem"][];
        };
        CampaignLinkItem: {
            url: string;
            /** @description Of people. */
            clicks: number;
            /** @description Of programs. */
            machineClicks: number;
        };
        CampaignSettings: {
            hoursBetween: number;
            mailsPerWeek: number;
            agentsNeedApproval: boolean;
            warmUp: boolean;
            trackOpens: boolean;
            trackClicks: boolean;
            /** @description Recipients in 24 h instead of those of the trust level; set on the command line. */
            dailyCap: number | null;
        };
        TemplateRevisionList: {
            pagination: components["schemas"]["Pagination"];
            data: components["schemas"]["TemplateRevisionItem"][];
        };
        TemplateRevisionItem: {
            id: string;
            locale: string;
            subject: string;
            previewText: string;
            /** @description Who wrote it; null when it is older than this field. */
            author: {
                /**
                 * @description `operator` is the command line of the installation, `source` a subscription form, `visitor` somebody without a credential.
                 * @enum {string}
                 */
                kind: "person" | "api_key" | "mailbox_token" | "source" | "operator" | "system" | "visitor";
                id: string;
                /** @description The address of a person, the name of a key or token. */
                name: string | null;
            } | null;
            /** Format: date-time */
            createdAt: string;
            /** @description It is what is sent now. */
            isCurrent: boolean;
        };
        TemplateRevision: {
            id: string;
            locale: string;
            subject: string;
            previewText: string;
            /** @description Who wrote it; null when it is older than this field. */
            author: {
                /**
                 * @description `operator` is the command line of the installation, `source` a subscription form, `visitor` somebody without a credential.
                 * @enum {string}
                 */
                kind: "person" | "api_key" | "mailbox_token" | "source" | "operator" | "system" | "visitor";
                id: string;
                /** @description The address of a person, the name of a key or token. */
                name: string | null;
            } | null;
            /** Format: date-time */
            createdAt: string;
            /** @description It is what is sent now. */
            isCurrent: boolean;
            /** @description Nodes in order. */
            content: components["schemas"]["ComponentTree"];
            /** @description Sender and, of a campaign, audience, as they were then. */
            settings: {
                [key: string]: unknown;
            };
        };
        CompareTemplateRevisionsAnswer: {
            /** @description Null where there is none before. */
            from: {
                id: string;
                locale: string;
                subject: string;
                previewText: string;
                /** @description Who wrote it; null when it is older than this field. */
                author: {
                    /**
                     * @description `operator` is the command line of the installation, `source` a subscription form, `visitor` somebody without a credential.
                     * @enum {string}
                     */
                    kind: "person" | "api_key" | "mailbox_token" | "source" | "operator" | "system" | "visitor";
                    id: string;
                    /** @description The address of a person, the name of a key or token. */
                    name: string | null;
                } | null;
                /** Format: date-time */
                createdAt: string;
                /** @description It is what is sent now. */
                isCurrent: boolean;
            } | null;
            to: {
                id: string;
                locale: string;
                subject: string;
                previewText: string;
                /** @description Who wrote it; null when it is older than this field. */
                author: {
                    /**
                     * @description `operator` is the command line of the installation, `source` a subscription form, `visitor` somebody without a credential.
                     * @enum {string}
                     */
                    kind: "person" | "api_key" | "mailbox_token" | "source" | "operator" | "system" | "visitor";
                    id: string;
                    /** @description The address of a person, the name of a key or token. */
                    name: string | null;
                } | null;
                /** Format: date-time */
                createdAt: string;
                /** @description It is what is sent now. */
                isCurrent: boolean;
            };
            /** @description `same` and `removed` are the old text, `same` and `added` the new one. */
            subject: components["schemas"]["CompareTemplateRevisionsAnswerSubject"][] | null;
            /** @description `same` and `removed` are the old text, `same` and `added` the new one. */
            previewText: components["schemas"]["CompareTemplateRevisionsAnswerSubject"][] | null;
            settings: components["schemas"]["CompareTemplateRevisionsAnswerSetting"][];
            /** @description What a send must supply. */
            variables: {
                added: string[];
                removed: string[];
            };
            content: components["schemas"]["CompareTemplateRevisionsAnswerContent"][];
        };
        CompareTemplateRevisionsAnswerSubject: {
            /** @enum {string} */
            kind: "same" | "removed" | "added";
            text: string;
        };
        CompareTemplateRevisionsAnswerSetting: {
            name: string;
            from: unknown;
            to: unknown;
        };
        /** @description One change of a tree. All of them, applied to the old tree, make the new one. */
        CompareTemplateRevisionsAnswerContent: {
            /** @enum {string} */
            op: "removed" | "added" | "moved" | "changed";
            /** @description Its path in the old tree. */
            from?: string;
            /** @description Its path in the new tree. */
            path?: string;
            /** @description Of the node. */
            type?: string;
            /** @description What was removed or added, with what is below it and did not move. */
            node?: unknown;
            /** @description Of a changed node; without `from` it is new, without `to` it is gone. */
            properties?: components["schemas"]["CompareTemplateRevisionsAnswerContentProperty"][];
        };
        CompareTemplateRevisionsAnswerContentProperty: {
            name: string;
            from?: unknown;
            to?: unknown;
            /** @description `same` and `removed` are the old text, `same` and `added` the new one. */
            words?: components["schemas"]["CompareTemplateRevisionsAnswerSubject"][];
        };
        CompareTemplateDraftBody: {
            /** @description Nodes in order. */
            content: components["schemas"]["ComponentTree"];
            /** @description Default: that of the revision. */
            subject?: string;
            previewText?: string;
        };
        CompareTemplateDraftAnswer: {
            from: {
                id: string;
                locale: string;
                subject: string;
                previewText: string;
                /** @description Who wrote it; null when it is older than this field. */
                author: {
                    /**
                     * @description `operator` is the command line of the installation, `source` a subscription form, `visitor` somebody without a credential.
                     * @enum {string}
                     */
                    kind: "person" | "api_key" | "mailbox_token" | "source" | "operator" | "system" | "visitor";
                    id: string;
                    /** @description The address of a person, the name of a key or token. */
                    name: string | null;
                } | null;
                /** Format: date-time */
                createdAt: string;
                /** @description It is what is sent now. */
                isCurrent: boolean;
            };
            /** @description It is not stored. */
            to: null;
            /** @description `same` and `removed` are the old text, `same` and `added` the new one. */
            subject: components["schemas"]["CompareTemplateRevisionsAnswerSubject"][] | null;
            /** @description `same` and `removed` are the old text, `same` and `added` the new one. */
            previewText: components["schemas"]["CompareTemplateRevisionsAnswerSubject"][] | null;
            settings: components["schemas"]["CompareTemplateRevisionsAnswerSetting"][];
            /** @description What a send must supply. */
            variables: {
                added: string[];
                removed: string[];
            };
            content: components["schemas"]["CompareTemplateRevisionsAnswerContent"][];
        };
        RestoreTemplateRevisionBody: {
            /** @description Refuses it with 409 unless this is the current revision of its locale. */
            expectedRevisionId?: string;
        };
        /** @description Problem details (RFC 9457) with `success` and `message` for Loops clients. */
        Problem: {
            /** Format: uri */
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @description The path of the request. */
            instance: string;
            /** @description Stable; decide by this. */
            code: string;
            requestId: string;
            errors: components["schemas"]["Issue"][];
            /** @enum {boolean} */
            success: false;
            /** @description The same as `detail`. */
            message: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    testApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestApiKeyAnswer"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome",
                 *       "scopes": [
                 *         "full"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateApiKeyBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateApiKeyAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the API key, `key_…`, not the key itself. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogoutAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome",
                 *       "primaryLocale": "en"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWorkspaceBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
        };
    };
    getTestClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestClock"];
                };
            };
        };
    };
    advanceTestClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "advance": "7d"
                 *     }
                 */
                "application/json": components["schemas"]["AdvanceTestClockBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdvanceTestClockAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                /** @description Default: `active`. */
                status?: "active" | "draft" | "archived" | "all";
                /** @description A part of the name or of the slug. */
                q?: string;
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateList"];
                };
            };
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome",
                 *       "subject": "Welcome, {{name}}"
                 *     }
                 */
                "application/json": components["schemas"]["CreateTemplateBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateTemplateAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    updateTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "welcome"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateTemplateBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateTemplateAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "welcome"
                 *     }
                 */
                "application/json": components["schemas"]["DeleteTemplateBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogoutAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the template. */
                templateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    getContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the template. */
                templateId: string;
                /** @description A language tag (BCP 47), e.g. `pt-BR`; case is ignored. */
                locale: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Content"];
                };
            };
        };
    };
    putContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the template. */
                templateId: string;
                /** @description A language tag (BCP 47), e.g. `pt-BR`; case is ignored. */
                locale: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": [
                 *         {
                 *           "type": "text",
                 *           "text": "Hello {{name}}"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Nodes in order. */
                    content: components["schemas"]["ComponentTree"];
                    /** @description In this locale. Default: as before, or as in the template. */
                    subject?: string;
                    /** @description In this locale. */
                    previewText?: string;
                    /** @description Refuses the change with 409 unless this is the current revision of this locale. */
                    expectedRevisionId?: string;
                } | components["schemas"]["ComponentTree"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutContentAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    previewContent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": [
                 *         {
                 *           "type": "text",
                 *           "text": "Hello {{name}}"
                 *         }
                 *       ],
                 *       "subject": "Order {{order}} is on its way"
                 *     }
                 */
                "application/json": components["schemas"]["PreviewContentBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewContentAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    previewTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the template. */
                templateId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "locale": "de",
                 *       "email": "ada@example.net"
                 *     }
                 */
                "application/json": components["schemas"]["PreviewTemplateBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewContentAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    testTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the template. */
                templateId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "emails": [
                 *         "ada@example.net"
                 *       ],
                 *       "locale": "de"
                 *     }
                 */
                "application/json": components["schemas"]["TestTemplateBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestTemplateAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    send: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.net",
                 *       "templateId": "welcome"
                 *     }
                 */
                "application/json": components["schemas"]["SendBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    sendBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description An object with `messages`, or the bare list. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "messages": [
                 *         {
                 *           "email": "ada@example.net",
                 *           "templateId": "welcome",
                 *           "dataVariables": {
                 *             "name": "Ada"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description At most 500, each as in a single send.
                     * @example [
                     *       {
                     *         "email": "ada@example.net",
                     *         "templateId": "welcome",
                     *         "dataVariables": {
                     *           "name": "Ada"
                     *         }
                     *       }
                     *     ]
                     */
                    messages: components["schemas"]["SendBody"][];
                } | components["schemas"]["SendBody"][];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendBatchAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    listDomains: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainList"];
                };
            };
        };
    };
    createDomain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "domain": "mail.example.com"
                 *     }
                 */
                "application/json": components["schemas"]["CreateDomainBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainItem"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    verifyDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the sending domain. */
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainItem"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    deleteDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the sending domain. */
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogoutAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    listSendingFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendingFaultList"];
                };
            };
        };
    };
    getMessageContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the message. */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageContent"];
                };
            };
        };
    };
    cancelMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the message. */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelMessageAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    rescheduleMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the message. */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scheduledAt": "2027-01-15T12:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["RescheduleMessageBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RescheduleMessageAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    resendMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the message. */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResendMessageAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    listAttention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttentionList"];
                };
            };
        };
    };
    getInstallation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Installation"];
                };
            };
        };
    };
    listHeldMails: {
        parameters: {
            query?: {
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldMailList"];
                };
            };
        };
    };
    whyLane: {
        parameters: {
            query: {
                /** @description Which lane. */
                lane: "mail.tx" | "mail.optin" | "opt_in" | "mail.campaign" | "webhook" | "template_job" | "campaign.page" | "import" | "maintenance";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhyLaneAnswer"];
                };
            };
        };
    };
    whyCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhyLaneAnswer"];
                };
            };
        };
    };
    whyMessage: {
        parameters: {
            query: {
                /** @description Which mail. */
                messageId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhyLaneAnswer"];
                };
            };
        };
    };
    listMailingLists: {
        parameters: {
            query?: {
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailingListList"];
                };
            };
        };
    };
    createMailingList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome"
                 *     }
                 */
                "application/json": components["schemas"]["CreateMailingListBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailingList"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    getMailingList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the mailing list, `lst_…`. */
                listId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailingList"];
                };
            };
        };
    };
    archiveMailingList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the mailing list, `lst_…`. */
                listId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogoutAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    updateMailingList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the mailing list, `lst_…`. */
                listId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome",
                 *       "description": "text"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateMailingListBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailingList"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    listSubscriptionSources: {
        parameters: {
            query?: {
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionSourceList"];
                };
            };
        };
    };
    createSubscriptionSource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome"
                 *     }
                 */
                "application/json": components["schemas"]["CreateSubscriptionSourceBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionSource"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    updateSubscriptionSource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "welcome"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateSubscriptionSourceBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionSource"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    deleteSubscriptionSource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "welcome"
                 *     }
                 */
                "application/json": components["schemas"]["DeleteSubscriptionSourceBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogoutAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    getSubscriptionSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription source, `src_…`. */
                sourceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionSource"];
                };
            };
        };
    };
    optIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Further members are fields and custom properties of the contact. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.net",
                 *       "sourceId": "src_01a1fcabeb8708d89cc1576fb35b95d1"
                 *     }
                 */
                "application/json": components["schemas"]["OptInBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptInAnswer"] & components["schemas"]["Warned"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": (components["schemas"]["OptInAnswer"] & components["schemas"]["Warned"]) | components["schemas"]["VisitorAnswer"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": (components["schemas"]["OptInAnswer"] & components["schemas"]["Warned"]) | components["schemas"]["VisitorAnswer"];
                };
            };
        };
    };
    resendConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.net"
                 *     }
                 */
                "application/json": components["schemas"]["ResendConfirmationBody"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResendConfirmationAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    sendEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Further members are custom properties of the contact. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "eventName": "signup",
                 *       "email": "ada@example.net"
                 *     }
                 */
                "application/json": components["schemas"]["SendEventBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendEventAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    listRules: {
        parameters: {
            query?: {
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleList"];
                };
            };
        };
    };
    createRule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "eventName": "signup",
                 *       "action": "send_template"
                 *     }
                 */
                "application/json": components["schemas"]["CreateRuleBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rule"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    getRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the event rule. */
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rule"];
                };
            };
        };
    };
    deleteRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the event rule. */
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogoutAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    updateRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the event rule. */
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "eventName": "signup",
                 *       "action": "send_template"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateRuleBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rule"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events of this name. */
                name?: string;
                /** @description Only those of the contact with this address. */
                email?: string;
                /** @description Received at this time or later. */
                from?: string;
                /** @description Received before this time. */
                until?: string;
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the event, `evt_…`. */
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
        };
    };
    listEventNames: {
        parameters: {
            query?: {
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventNameList"];
                };
            };
        };
    };
    listScheduledByRule: {
        parameters: {
            query?: {
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the event rule. */
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledByRuleList"];
                };
            };
        };
    };
    getRuleCalendar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the event rule. */
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleCalendar"];
                };
            };
        };
    };
    tryRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the event rule. */
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "eventId": "text"
                 *     }
                 */
                "application/json": components["schemas"]["TryRuleBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TryRuleAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    listPaymentEvents: {
        parameters: {
            query?: {
                /** @description Only those with this status. */
                status?: "processed" | "ignored";
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentEventList"];
                };
            };
        };
    };
    reprocessPaymentEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReprocessPaymentEventsAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    reprocessPaymentEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the event at the payment provider. */
                paymentEventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReprocessPaymentEventAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    listCaptured: {
        parameters: {
            query?: {
                /** @description Words; each must be in an address or the subject. Case is ignored. */
                q?: string;
                /** @description Only to this address; case is ignored. */
                to?: string;
                /** @description Only with this in the subject; case is ignored. */
                subject?: string;
                /** @description Only what was captured after the mail with this `capturedId`, or not before this time (ISO 8601). */
                after?: string;
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CapturedList"];
                };
            };
        };
    };
    waitForCaptured: {
        parameters: {
            query?: {
                /** @description Words; each must be in an address or the subject. Case is ignored. */
                q?: string;
                /** @description Only to this address; case is ignored. */
                to?: string;
                /** @description Only with this in the subject; case is ignored. */
                subject?: string;
                /** @description Only what was captured after the mail with this `capturedId`, or not before this time (ISO 8601). */
                after?: string;
                /** @description How long to wait. Default 10000; at most 25000. */
                timeoutMs?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitForCapturedAnswer"];
                };
            };
        };
    };
    getCaptured: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the captured mail, a number. */
                capturedId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Captured"];
                };
            };
        };
    };
    getCapturedSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the captured mail, a number. */
                capturedId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "message/rfc822": string;
                };
            };
        };
    };
    getCapturedAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the captured mail, a number. */
                capturedId: string;
                /** @description Which attachment: 1 is the first. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    listActivity: {
        parameters: {
            query?: {
                /** @description A search: `to:ada@example.net status:bounced,failed -tag:beta after:7d "your invoice"`. Fields: to, domain, template, campaign, contact, tag, key, status, after, before. Several values of a field are alternatives; everything else must hold together; - is not; what has no field is a word of the address or the subject. A page may be shorter than `perPage` and still have a next one. */
                q?: string;
                /** @description The Idempotency-Key of the send: the way to find it after a time-out. */
                idempotencyKey?: string;
                /** @description Only messages with this status. */
                status?: "queued" | "sending" | "sent" | "delivered" | "delayed" | "bounced" | "complained" | "suppressed" | "failed" | "uncertain" | "cancelled";
                /** @description Only to this address; case is ignored. */
                email?: string;
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityList"];
                };
            };
        };
    };
    getActivity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the message. */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Activity"];
                };
            };
        };
    };
    getStats: {
        parameters: {
            query?: {
                /** @description A moment, or a day: `2027-01-15`. Default: 24 hours, 30 days or 12 months ago. */
                from?: string;
                /** @description Up to this moment. Default: now. */
                to?: string;
                /** @description What the figures are summed over; in UTC. Default `day`. */
                bucket?: "hour" | "day" | "month";
                /** @description Those that most was sent of or to, each on its own. */
                groupBy?: "template" | "campaign" | "domain";
                /** @description Groups. Default 10; at most 20. */
                limit?: number;
                /** @description Only of this template. */
                templateId?: string;
                /** @description Only of this campaign. */
                campaignId?: string;
                /** @description Only to this receiving domain; by day. */
                domain?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stats"];
                };
            };
        };
    };
    listMailboxes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailboxeList"];
                };
            };
        };
    };
    createMailbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "ada@example.net"
                 *     }
                 */
                "application/json": components["schemas"]["CreateMailboxBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Mailbox"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    getMailbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the mailbox, `mbx_…`. */
                mailboxId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Mailbox"];
                };
            };
        };
    };
    updateMailbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the mailbox, `mbx_…`. */
                mailboxId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome",
                 *       "status": "active"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateMailboxBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Mailbox"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    listMcpCalls: {
        parameters: {
            query?: {
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Only those of this API key or mailbox token: its id. */
                credentialId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpCallList"];
                };
            };
        };
    };
    readEventFeed: {
        parameters: {
            query?: {
                /** @description Id of the last event you have, e.g. a Webhook-Id. */
                after?: string;
                /** @description Only events of this type. */
                type?: string;
                /** @description Default 100; at most 500. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadEventFeedAnswer"];
                };
            };
        };
    };
    listWebhookEventTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEventTypeList"];
                };
            };
        };
    };
    createContact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Other names are custom properties: `planName` or `plan_name`; string, number or boolean; null clears. The first value determines the type. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.net"
                 *     }
                 */
                "application/json": components["schemas"]["CreateContactBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateContactAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    updateContact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Other names are custom properties: `planName` or `plan_name`; string, number or boolean; null clears. The first value determines the type. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.net"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateContactBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateContactAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    findContact: {
        parameters: {
            query?: {
                /** @description The whole address; case is ignored. */
                email?: string;
                /** @description Your id for the contact. With both, the contact must have both. */
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        email: string;
                        /** @description Your id for this person. */
                        userId: string | null;
                        firstName: string | null;
                        lastName: string | null;
                        /** @description Where the contact comes from. */
                        source: string | null;
                        /** @description Consent to marketing mail. */
                        subscribed: boolean;
                        userGroup: string | null;
                        locale: string | null;
                        timezone: string | null;
                        /** @description List id: true, for each active subscription. */
                        mailingLists: {
                            [key: string]: unknown;
                        };
                        /**
                         * @description The state of the last confirmation request; null when there was none.
                         * @enum {string|null}
                         */
                        optInStatus: "pending" | "accepted" | "rejected" | null;
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        updatedAt: string;
                    }[];
                };
            };
        };
    };
    deleteContact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.net"
                 *     }
                 */
                "application/json": components["schemas"]["DeleteContactBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogoutAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    previewSegment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "field": "plan",
                 *         "op": "eq",
                 *         "value": "pro"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PreviewSegmentBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewSegmentAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    listSegmentContacts: {
        parameters: {
            query?: {
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the segment, `seg_…`. */
                segmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentContactList"];
                };
            };
        };
    };
    listSegments: {
        parameters: {
            query?: {
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentList"];
                };
            };
        };
    };
    createSegment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome",
                 *       "filter": {
                 *         "field": "plan",
                 *         "op": "eq",
                 *         "value": "pro"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateSegmentBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    getSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the segment, `seg_…`. */
                segmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
        };
    };
    deleteSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the segment, `seg_…`. */
                segmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogoutAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    updateSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the segment, `seg_…`. */
                segmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome",
                 *       "filter": {
                 *         "field": "plan",
                 *         "op": "eq",
                 *         "value": "pro"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateSegmentBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    getSuppressionStatus: {
        parameters: {
            query?: {
                /** @description The address to look up. */
                email?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionStatus"];
                };
            };
        };
    };
    removeSuppression: {
        parameters: {
            query?: {
                /** @description May be given in a JSON body instead. */
                email?: string;
                /** @description The userId of a contact, instead of its address. */
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.net",
                 *       "userId": "user-4711"
                 *     }
                 */
                "application/json": components["schemas"]["RemoveSuppressionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveSuppressionAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    listSuppressions: {
        parameters: {
            query?: {
                /** @description The whole address; case is ignored. */
                email?: string;
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionList"];
                };
            };
        };
    };
    addSuppression: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.net"
                 *     }
                 */
                "application/json": components["schemas"]["AddSuppressionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionItem"] & components["schemas"]["Warned"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionItem"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    addSuppressions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "emails": [
                 *         "ada@example.net"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AddSuppressionsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddSuppressionsAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    importContacts: {
        parameters: {
            query?: {
                /** @description Also subscribes everybody who agreed to this list. */
                mailingListId?: string;
                /** @description JSON: `{"subscribed": true, "statement": "where and how they agreed"}`. Applies to everybody for whom the file itself says nothing; required if it has no consent column. The statement is recorded in the ledger. */
                consent?: string;
                /** @description JSON: header, or `#3` for the third column -> a field, a consent column (`subscribed`, `status`, `unsubscribed`, `confirmed`, `bounced`, `complained`, `blocklisted`), what proves it (`consentAt`, a time as in RFC 3339; `consentIp`), a property with or without its type (`seats:number`), or null to skip it. */
                columns?: string;
                /** @description Reads the file and reports; no contact changes. */
                dryRun?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The first line names the columns; one of them is email or userId. */
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    previewImport: {
        parameters: {
            query?: {
                /** @description Also subscribes everybody who agreed to this list. */
                mailingListId?: string;
                /** @description JSON: `{"subscribed": true, "statement": "where and how they agreed"}`. Applies to everybody for whom the file itself says nothing; required if it has no consent column. The statement is recorded in the ledger. */
                consent?: string;
                /** @description JSON: header, or `#3` for the third column -> a field, a consent column (`subscribed`, `status`, `unsubscribed`, `confirmed`, `bounced`, `complained`, `blocklisted`), what proves it (`consentAt`, a time as in RFC 3339; `consentIp`), a property with or without its type (`seats:number`), or null to skip it. */
                columns?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The first line names the columns; one of them is email or userId. */
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewImportAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    listImports: {
        parameters: {
            query?: {
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportList"];
                };
            };
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the import. */
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    getBadRows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the import. */
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    exportContacts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    previewExportImport: {
        parameters: {
            query: {
                /** @description The service that wrote the export. */
                format: "listmonk" | "mailchimp" | "loops" | "resend" | "brevo" | "sendy" | "ses-suppression";
                /** @description The name of the file, for the report; not for a ZIP. */
                name?: string;
                /** @description Also subscribes everybody who agreed to this list. */
                mailingListId?: string;
                /** @description JSON: `{"subscribed": true, "statement": "where and how they agreed"}`. Applies to everybody for whom the file itself says nothing; required if it has no consent column. The statement is recorded in the ledger. */
                consent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The file, or a ZIP of all files of the export: CSV, JSON, HTML of templates. At most 100 MB. */
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewExportImportAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    importExport: {
        parameters: {
            query: {
                /** @description The service that wrote the export. */
                format: "listmonk" | "mailchimp" | "loops" | "resend" | "brevo" | "sendy" | "ses-suppression";
                /** @description The name of the file, for the report; not for a ZIP. */
                name?: string;
                /** @description Also subscribes everybody who agreed to this list. */
                mailingListId?: string;
                /** @description JSON: `{"subscribed": true, "statement": "where and how they agreed"}`. Applies to everybody for whom the file itself says nothing; required if it has no consent column. The statement is recorded in the ledger. */
                consent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The file, or a ZIP of all files of the export: CSV, JSON, HTML of templates. At most 100 MB. */
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    getTimeline: {
        parameters: {
            query?: {
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the contact, `con_…`. */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
        };
    };
    exportContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the contact, `con_…`. */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportContactAnswer"];
                };
            };
        };
    };
    eraseContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the contact, `con_…`. */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EraseContactAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    listContacts: {
        parameters: {
            query?: {
                /** @description The beginning of the address. */
                email?: string;
                /** @description A custom property, with `value`. */
                property?: string;
                /** @description The value of `property`. */
                value?: string;
                /** @description Contacts on this list; with `state`, those in that state. */
                listId?: string;
                /** @description Without a list: `subscribed`, `unsubscribed`, `pending` or `rejected`. */
                state?: "subscribed" | "pending" | "active" | "unsubscribed" | "rejected" | "expired" | "bounced" | "complained";
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactList"];
                };
            };
        };
    };
    getContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the contact, `con_…`. */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    getConsent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the contact, `con_…`. */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Consent"];
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description Only jobs of this lane. */
                lane?: "mail.tx" | "mail.optin" | "opt_in" | "mail.campaign" | "webhook" | "template_job" | "campaign.page" | "import" | "maintenance";
                /** @description Only those in this state. */
                state?: "pending" | "held" | "running" | "ambiguous" | "done" | "dead" | "cancelled";
                /** @description Only jobs of this kind. */
                kind?: string;
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobList"];
                };
            };
        };
    };
    retryJobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jobIds": [
                 *         "text"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RetryJobsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryJobsAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    cancelJobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jobIds": [
                 *         "text"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RetryJobsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryJobsAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    resolveJobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "verdict": "done",
                 *       "jobIds": [
                 *         "text"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ResolveJobsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryJobsAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    retryJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the job, `job_…`. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryJobAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the job, `job_…`. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryJobAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    resolveJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the job, `job_…`. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "verdict": "done"
                 *     }
                 */
                "application/json": components["schemas"]["ResolveJobBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryJobAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                /** @description Only campaigns in this state. */
                status?: "draft" | "approved" | "scheduled" | "sending" | "paused" | "sent" | "cancelled" | "failed";
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignList"];
                };
            };
        };
    };
    createCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome",
                 *       "subject": "Welcome, {{name}}",
                 *       "mailingListId": "lst_01a1fcabeb8708d89cc1576fb35b95d0"
                 *     }
                 */
                "application/json": components["schemas"]["CreateCampaignBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateCampaignAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    getCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
        };
    };
    deleteCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogoutAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    updateCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome",
                 *       "subject": "Welcome, {{name}}"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateCampaignBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateCampaignAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    listCampaignContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignContentList"];
                };
            };
        };
    };
    setCampaignContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
                /** @description A language tag (BCP 47), e.g. `pt-BR`; case is ignored. */
                locale: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": [
                 *         {
                 *           "type": "text",
                 *           "text": "Hello {{name}}"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SetCampaignContentBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetCampaignContentAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    scheduleCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scheduledAt": "2027-01-15T12:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["ScheduleCampaignBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateCampaignAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    unscheduleCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateCampaignAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    sendCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scheduledAt": "2027-01-15T12:00:00Z",
                 *       "dryRun": true
                 *     }
                 */
                "application/json": components["schemas"]["SendCampaignBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendCampaignAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    pauseCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateCampaignAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    resumeCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateCampaignAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    cancelCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateCampaignAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    previewCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "locale": "de",
                 *       "email": "ada@example.net"
                 *     }
                 */
                "application/json": components["schemas"]["PreviewCampaignBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewContentAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    testCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "emails": [
                 *         "ada@example.net"
                 *       ],
                 *       "locale": "de"
                 *     }
                 */
                "application/json": components["schemas"]["TestCampaignBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestTemplateAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    listRecipients: {
        parameters: {
            query?: {
                /** @description Only those in this state. */
                state?: "queued" | "sending" | "delayed" | "sent" | "bounced" | "suppressed" | "unconfirmed" | "unsubscribed" | "rate_guardrail" | "failed" | "uncertain" | "cancelled";
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientList"];
                };
            };
        };
    };
    explainRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
                /** @description The id of the contact, `con_…`. */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainRecipientAnswer"];
                };
            };
        };
    };
    listAudience: {
        parameters: {
            query?: {
                /** @description Only those who would have it; `recipients`: who would get a mail. */
                outcome?: "recipients" | "sent" | "bounced" | "suppressed" | "unconfirmed" | "unsubscribed" | "rate_guardrail" | "failed" | "uncertain" | "cancelled";
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AudienceList"];
                };
            };
        };
    };
    listCampaignLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignLinkList"];
                };
            };
        };
    };
    getCampaignSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignSettings"];
                };
            };
        };
    };
    listTemplateRevisions: {
        parameters: {
            query?: {
                /** @description Only those of this locale. */
                locale?: string;
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The slug of the template. */
                templateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateRevisionList"];
                };
            };
        };
    };
    getTemplateRevision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the template. */
                templateId: string;
                /** @description The id of the revision, `rev_…`. */
                revisionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateRevision"];
                };
            };
        };
    };
    compareTemplateRevisions: {
        parameters: {
            query?: {
                /** @description Id of the older revision. Default: the one before it in its locale. */
                from?: string;
            };
            header?: never;
            path: {
                /** @description The slug of the template. */
                templateId: string;
                /** @description The id of the revision, `rev_…`. */
                revisionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompareTemplateRevisionsAnswer"];
                };
            };
        };
    };
    compareTemplateDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the template. */
                templateId: string;
                /** @description The id of the revision, `rev_…`. */
                revisionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": [
                 *         {
                 *           "type": "text",
                 *           "text": "Hello {{name}}"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CompareTemplateDraftBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompareTemplateDraftAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    restoreTemplateRevision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the template. */
                templateId: string;
                /** @description The id of the revision, `rev_…`. */
                revisionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "expectedRevisionId": "text"
                 *     }
                 */
                "application/json": components["schemas"]["RestoreTemplateRevisionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutContentAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    listCampaignRevisions: {
        parameters: {
            query?: {
                /** @description Only those of this locale. */
                locale?: string;
                /** @description Default 20; at most 100. */
                perPage?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateRevisionList"];
                };
            };
        };
    };
    getCampaignRevision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
                /** @description The id of the revision, `rev_…`. */
                revisionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateRevision"];
                };
            };
        };
    };
    compareCampaignRevisions: {
        parameters: {
            query?: {
                /** @description Id of the older revision. Default: the one before it in its locale. */
                from?: string;
            };
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
                /** @description The id of the revision, `rev_…`. */
                revisionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompareTemplateRevisionsAnswer"];
                };
            };
        };
    };
    compareCampaignDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
                /** @description The id of the revision, `rev_…`. */
                revisionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": [
                 *         {
                 *           "type": "text",
                 *           "text": "Hello {{name}}"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CompareTemplateDraftBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompareTemplateDraftAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    restoreCampaignRevision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, `cmp_…`. */
                campaignId: string;
                /** @description The id of the revision, `rev_…`. */
                revisionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "expectedRevisionId": "text"
                 *     }
                 */
                "application/json": components["schemas"]["RestoreTemplateRevisionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetCampaignContentAnswer"] & components["schemas"]["Warned"];
                };
            };
        };
    };
    onContactCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "contact.created",
                 *       "eventName": "contact.created",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "contact.created";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "contact.created";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        contact?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onContactUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "contact.updated",
                 *       "eventName": "contact.updated",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "contact.updated";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "contact.updated";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        contact?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onContactUnsubscribed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "contact.unsubscribed",
                 *       "eventName": "contact.unsubscribed",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "contact.unsubscribed";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "contact.unsubscribed";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        contact?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onContactDeleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "contact.deleted",
                 *       "eventName": "contact.deleted",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "contact.deleted";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "contact.deleted";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        contact?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onContactMailingListSubscribed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "contact.mailingList.subscribed",
                 *       "eventName": "contact.mailingList.subscribed",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "mailingList": {
                 *           "id": "lst_019a3f0c6d4e7b20a5c81f2e9d7b6a01",
                 *           "name": "Newsletter"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "contact.mailingList.subscribed";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "contact.mailingList.subscribed";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        mailingList: {
                            id: string;
                            name: string;
                        };
                        mailingLists?: {
                            id: string;
                            name: string;
                        }[];
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onContactMailingListUnsubscribed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "contact.mailingList.unsubscribed",
                 *       "eventName": "contact.mailingList.unsubscribed",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "mailingList": {
                 *           "id": "lst_019a3f0c6d4e7b20a5c81f2e9d7b6a01",
                 *           "name": "Newsletter"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "contact.mailingList.unsubscribed";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "contact.mailingList.unsubscribed";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        mailingList: {
                            id: string;
                            name: string;
                        };
                        mailingLists?: {
                            id: string;
                            name: string;
                        }[];
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSubscriptionPending: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "subscription.pending",
                 *       "eventName": "subscription.pending",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "subscriptionId": "sub_019a3f0c6d4e7b20a5c81f2e9d7b6a03",
                 *         "sourceId": "src_019a3f0c6d4e7b20a5c81f2e9d7b6a04",
                 *         "mailingLists": [
                 *           {
                 *             "id": "lst_019a3f0c6d4e7b20a5c81f2e9d7b6a01",
                 *             "name": "Newsletter"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "subscription.pending";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "subscription.pending";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        subscriptionId: string;
                        sourceId?: string;
                        mailingLists: {
                            id: string;
                            name: string;
                        }[];
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSubscriptionConfirmed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "subscription.confirmed",
                 *       "eventName": "subscription.confirmed",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "subscriptionId": "sub_019a3f0c6d4e7b20a5c81f2e9d7b6a03",
                 *         "sourceId": "src_019a3f0c6d4e7b20a5c81f2e9d7b6a04",
                 *         "mailingLists": [
                 *           {
                 *             "id": "lst_019a3f0c6d4e7b20a5c81f2e9d7b6a01",
                 *             "name": "Newsletter"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "subscription.confirmed";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "subscription.confirmed";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        subscriptionId: string;
                        sourceId?: string;
                        mailingLists: {
                            id: string;
                            name: string;
                        }[];
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSubscriptionHeld: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "subscription.held",
                 *       "eventName": "subscription.held",
                 *       "data": {
                 *         "by": "network",
                 *         "network": "203.0.113.0/24",
                 *         "until": "2026-05-04T09:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "subscription.held";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "subscription.held";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        by: "network" | "source";
                        network?: string;
                        sourceId?: string;
                        /** Format: date-time */
                        until: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTransactionalEmailSent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "transactional.email.sent",
                 *       "eventName": "transactional.email.sent",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "email": {
                 *           "id": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55",
                 *           "emailMessageId": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55@example.com",
                 *           "subject": "Your receipt"
                 *         },
                 *         "sourceType": "transactional",
                 *         "transactionalId": "receipt"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "transactional.email.sent";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "transactional.email.sent";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        email: {
                            id: string;
                            emailMessageId: string;
                            subject: string;
                        };
                        sourceType: "transactional" | "campaign" | "rule";
                        transactionalId?: string;
                        campaignId?: string;
                        ruleId?: string;
                        mailingLists?: {
                            id: string;
                            name: string;
                        }[];
                        code?: string;
                        detail?: string;
                        url?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignEmailSent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "campaign.email.sent",
                 *       "eventName": "campaign.email.sent",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "email": {
                 *           "id": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55",
                 *           "emailMessageId": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55@example.com",
                 *           "subject": "News in May"
                 *         },
                 *         "sourceType": "campaign",
                 *         "campaignId": "cmp_019a3f0c6d4e7b20a5c81f2e9d7b6a02",
                 *         "mailingLists": [
                 *           {
                 *             "id": "lst_019a3f0c6d4e7b20a5c81f2e9d7b6a01",
                 *             "name": "Newsletter"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "campaign.email.sent";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "campaign.email.sent";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        email: {
                            id: string;
                            emailMessageId: string;
                            subject: string;
                        };
                        sourceType: "transactional" | "campaign" | "rule";
                        transactionalId?: string;
                        campaignId?: string;
                        ruleId?: string;
                        mailingLists?: {
                            id: string;
                            name: string;
                        }[];
                        code?: string;
                        detail?: string;
                        url?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRuleEmailSent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "rule.email.sent",
                 *       "eventName": "rule.email.sent",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "email": {
                 *           "id": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55",
                 *           "emailMessageId": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55@example.com",
                 *           "subject": "Your receipt"
                 *         },
                 *         "sourceType": "rule",
                 *         "transactionalId": "receipt",
                 *         "ruleId": "rule_019a3f0c6d4e7b20a5c81f2e9d7b6a08"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "rule.email.sent";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "rule.email.sent";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        email: {
                            id: string;
                            emailMessageId: string;
                            subject: string;
                        };
                        sourceType: "transactional" | "campaign" | "rule";
                        transactionalId?: string;
                        campaignId?: string;
                        ruleId?: string;
                        mailingLists?: {
                            id: string;
                            name: string;
                        }[];
                        code?: string;
                        detail?: string;
                        url?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailQueued: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "email.queued",
                 *       "eventName": "email.queued",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "email": {
                 *           "id": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55",
                 *           "emailMessageId": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55@example.com",
                 *           "subject": "Your receipt"
                 *         },
                 *         "sourceType": "transactional",
                 *         "transactionalId": "receipt"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "email.queued";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "email.queued";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        email: {
                            id: string;
                            emailMessageId: string;
                            subject: string;
                        };
                        sourceType: "transactional" | "campaign" | "rule";
                        transactionalId?: string;
                        campaignId?: string;
                        ruleId?: string;
                        mailingLists?: {
                            id: string;
                            name: string;
                        }[];
                        code?: string;
                        detail?: string;
                        url?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailDelayed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "email.delayed",
                 *       "eventName": "email.delayed",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "email": {
                 *           "id": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55",
                 *           "emailMessageId": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55@example.com",
                 *           "subject": "Your receipt"
                 *         },
                 *         "sourceType": "transactional",
                 *         "transactionalId": "receipt",
                 *         "code": "451 4.7.1",
                 *         "detail": "Try again later"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "email.delayed";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "email.delayed";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        email: {
                            id: string;
                            emailMessageId: string;
                            subject: string;
                        };
                        sourceType: "transactional" | "campaign" | "rule";
                        transactionalId?: string;
                        campaignId?: string;
                        ruleId?: string;
                        mailingLists?: {
                            id: string;
                            name: string;
                        }[];
                        code?: string;
                        detail?: string;
                        url?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailDelivered: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "email.delivered",
                 *       "eventName": "email.delivered",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "email": {
                 *           "id": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55",
                 *           "emailMessageId": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55@example.com",
                 *           "subject": "Your receipt"
                 *         },
                 *         "sourceType": "transactional",
                 *         "transactionalId": "receipt"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "email.delivered";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "email.delivered";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        email: {
                            id: string;
                            emailMessageId: string;
                            subject: string;
                        };
                        sourceType: "transactional" | "campaign" | "rule";
                        transactionalId?: string;
                        campaignId?: string;
                        ruleId?: string;
                        mailingLists?: {
                            id: string;
                            name: string;
                        }[];
                        code?: string;
                        detail?: string;
                        url?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailSoftBounced: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "email.softBounced",
                 *       "eventName": "email.softBounced",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "email": {
                 *           "id": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55",
                 *           "emailMessageId": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55@example.com",
                 *           "subject": "Your receipt"
                 *         },
                 *         "sourceType": "transactional",
                 *         "transactionalId": "receipt",
                 *         "code": "4.2.2"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "email.softBounced";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "email.softBounced";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        email: {
                            id: string;
                            emailMessageId: string;
                            subject: string;
                        };
                        sourceType: "transactional" | "campaign" | "rule";
                        transactionalId?: string;
                        campaignId?: string;
                        ruleId?: string;
                        mailingLists?: {
                            id: string;
                            name: string;
                        }[];
                        code?: string;
                        detail?: string;
                        url?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailHardBounced: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "email.hardBounced",
                 *       "eventName": "email.hardBounced",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "email": {
                 *           "id": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55",
                 *           "emailMessageId": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55@example.com",
                 *           "subject": "Your receipt"
                 *         },
                 *         "sourceType": "transactional",
                 *         "transactionalId": "receipt",
                 *         "code": "hard_bounce",
                 *         "detail": "550 5.1.1 No such user"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "email.hardBounced";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "email.hardBounced";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        email: {
                            id: string;
                            emailMessageId: string;
                            subject: string;
                        };
                        sourceType: "transactional" | "campaign" | "rule";
                        transactionalId?: string;
                        campaignId?: string;
                        ruleId?: string;
                        mailingLists?: {
                            id: string;
                            name: string;
                        }[];
                        code?: string;
                        detail?: string;
                        url?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "email.failed",
                 *       "eventName": "email.failed",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "email": {
                 *           "id": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55",
                 *           "emailMessageId": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55@example.com",
                 *           "subject": "Your receipt"
                 *         },
                 *         "sourceType": "transactional",
                 *         "transactionalId": "receipt",
                 *         "code": "refused",
                 *         "detail": "552 5.3.4 Too large"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "email.failed";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "email.failed";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        email: {
                            id: string;
                            emailMessageId: string;
                            subject: string;
                        };
                        sourceType: "transactional" | "campaign" | "rule";
                        transactionalId?: string;
                        campaignId?: string;
                        ruleId?: string;
                        mailingLists?: {
                            id: string;
                            name: string;
                        }[];
                        code?: string;
                        detail?: string;
                        url?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailSuppressed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "email.suppressed",
                 *       "eventName": "email.suppressed",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "email": {
                 *           "id": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55",
                 *           "emailMessageId": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55@example.com",
                 *           "subject": "Your receipt"
                 *         },
                 *         "sourceType": "transactional",
                 *         "transactionalId": "receipt",
                 *         "code": "hardBounce"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "email.suppressed";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "email.suppressed";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        email: {
                            id: string;
                            emailMessageId: string;
                            subject: string;
                        };
                        sourceType: "transactional" | "campaign" | "rule";
                        transactionalId?: string;
                        campaignId?: string;
                        ruleId?: string;
                        mailingLists?: {
                            id: string;
                            name: string;
                        }[];
                        code?: string;
                        detail?: string;
                        url?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailUncertain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "email.uncertain",
                 *       "eventName": "email.uncertain",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "email": {
                 *           "id": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55",
                 *           "emailMessageId": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55@example.com",
                 *           "subject": "Your receipt"
                 *         },
                 *         "sourceType": "transactional",
                 *         "transactionalId": "receipt",
                 *         "code": "no_final_reply"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "email.uncertain";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "email.uncertain";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        email: {
                            id: string;
                            emailMessageId: string;
                            subject: string;
                        };
                        sourceType: "transactional" | "campaign" | "rule";
                        transactionalId?: string;
                        campaignId?: string;
                        ruleId?: string;
                        mailingLists?: {
                            id: string;
                            name: string;
                        }[];
                        code?: string;
                        detail?: string;
                        url?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailOpened: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "email.opened",
                 *       "eventName": "email.opened",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "email": {
                 *           "id": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55",
                 *           "emailMessageId": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55@example.com",
                 *           "subject": "News in May"
                 *         },
                 *         "sourceType": "campaign",
                 *         "campaignId": "cmp_019a3f0c6d4e7b20a5c81f2e9d7b6a02",
                 *         "mailingLists": [
                 *           {
                 *             "id": "lst_019a3f0c6d4e7b20a5c81f2e9d7b6a01",
                 *             "name": "Newsletter"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "email.opened";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "email.opened";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        email: {
                            id: string;
                            emailMessageId: string;
                            subject: string;
                        };
                        sourceType: "transactional" | "campaign" | "rule";
                        transactionalId?: string;
                        campaignId?: string;
                        ruleId?: string;
                        mailingLists?: {
                            id: string;
                            name: string;
                        }[];
                        code?: string;
                        detail?: string;
                        url?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailClicked: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "email.clicked",
                 *       "eventName": "email.clicked",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "email": {
                 *           "id": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55",
                 *           "emailMessageId": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55@example.com",
                 *           "subject": "News in May"
                 *         },
                 *         "sourceType": "campaign",
                 *         "campaignId": "cmp_019a3f0c6d4e7b20a5c81f2e9d7b6a02",
                 *         "mailingLists": [
                 *           {
                 *             "id": "lst_019a3f0c6d4e7b20a5c81f2e9d7b6a01",
                 *             "name": "Newsletter"
                 *           }
                 *         ],
                 *         "url": "https://example.com/may"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "email.clicked";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "email.clicked";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        email: {
                            id: string;
                            emailMessageId: string;
                            subject: string;
                        };
                        sourceType: "transactional" | "campaign" | "rule";
                        transactionalId?: string;
                        campaignId?: string;
                        ruleId?: string;
                        mailingLists?: {
                            id: string;
                            name: string;
                        }[];
                        code?: string;
                        detail?: string;
                        url?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailUnsubscribed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "email.unsubscribed",
                 *       "eventName": "email.unsubscribed",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "email": {
                 *           "id": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55",
                 *           "emailMessageId": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55@example.com",
                 *           "subject": "News in May"
                 *         },
                 *         "sourceType": "campaign",
                 *         "campaignId": "cmp_019a3f0c6d4e7b20a5c81f2e9d7b6a02",
                 *         "mailingLists": [
                 *           {
                 *             "id": "lst_019a3f0c6d4e7b20a5c81f2e9d7b6a01",
                 *             "name": "Newsletter"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "email.unsubscribed";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "email.unsubscribed";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        email: {
                            id: string;
                            emailMessageId: string;
                            subject: string;
                        };
                        sourceType: "transactional" | "campaign" | "rule";
                        transactionalId?: string;
                        campaignId?: string;
                        ruleId?: string;
                        mailingLists?: {
                            id: string;
                            name: string;
                        }[];
                        code?: string;
                        detail?: string;
                        url?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailResubscribed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "email.resubscribed",
                 *       "eventName": "email.resubscribed",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "email": {
                 *           "id": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55",
                 *           "emailMessageId": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55@example.com",
                 *           "subject": "News in May"
                 *         },
                 *         "sourceType": "campaign",
                 *         "campaignId": "cmp_019a3f0c6d4e7b20a5c81f2e9d7b6a02",
                 *         "mailingLists": [
                 *           {
                 *             "id": "lst_019a3f0c6d4e7b20a5c81f2e9d7b6a01",
                 *             "name": "Newsletter"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "email.resubscribed";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "email.resubscribed";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        email: {
                            id: string;
                            emailMessageId: string;
                            subject: string;
                        };
                        sourceType: "transactional" | "campaign" | "rule";
                        transactionalId?: string;
                        campaignId?: string;
                        ruleId?: string;
                        mailingLists?: {
                            id: string;
                            name: string;
                        }[];
                        code?: string;
                        detail?: string;
                        url?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEmailSpamReported: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "email.spamReported",
                 *       "eventName": "email.spamReported",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "email": {
                 *           "id": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55",
                 *           "emailMessageId": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55@example.com",
                 *           "subject": "News in May"
                 *         },
                 *         "sourceType": "campaign",
                 *         "campaignId": "cmp_019a3f0c6d4e7b20a5c81f2e9d7b6a02",
                 *         "mailingLists": [
                 *           {
                 *             "id": "lst_019a3f0c6d4e7b20a5c81f2e9d7b6a01",
                 *             "name": "Newsletter"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "email.spamReported";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "email.spamReported";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        email: {
                            id: string;
                            emailMessageId: string;
                            subject: string;
                        };
                        sourceType: "transactional" | "campaign" | "rule";
                        transactionalId?: string;
                        campaignId?: string;
                        ruleId?: string;
                        mailingLists?: {
                            id: string;
                            name: string;
                        }[];
                        code?: string;
                        detail?: string;
                        url?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSuppressionAdded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "suppression.added",
                 *       "eventName": "suppression.added",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "reason": "hardBounce",
                 *         "messageId": "msg_019a3f0c6d4e7b20a5c81f2e9d7b6a55"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "suppression.added";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "suppression.added";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        reason: string;
                        messageId?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSuppressionRemoved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "suppression.removed",
                 *       "eventName": "suppression.removed",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "reason": "manual"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "suppression.removed";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "suppression.removed";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        reason: string;
                        messageId?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignScheduled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "campaign.scheduled",
                 *       "eventName": "campaign.scheduled",
                 *       "data": {
                 *         "campaignId": "cmp_019a3f0c6d4e7b20a5c81f2e9d7b6a02",
                 *         "name": "News in May",
                 *         "scheduledAt": "2026-05-04T08:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "campaign.scheduled";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "campaign.scheduled";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        campaignId: string;
                        name: string;
                        /** Format: date-time */
                        scheduledAt?: string;
                        recipients?: number;
                        reason?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignStarted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "campaign.started",
                 *       "eventName": "campaign.started",
                 *       "data": {
                 *         "campaignId": "cmp_019a3f0c6d4e7b20a5c81f2e9d7b6a02",
                 *         "name": "News in May",
                 *         "recipients": 1200
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "campaign.started";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "campaign.started";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        campaignId: string;
                        name: string;
                        /** Format: date-time */
                        scheduledAt?: string;
                        recipients?: number;
                        reason?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignPaused: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "campaign.paused",
                 *       "eventName": "campaign.paused",
                 *       "data": {
                 *         "campaignId": "cmp_019a3f0c6d4e7b20a5c81f2e9d7b6a02",
                 *         "name": "News in May",
                 *         "reason": "missed_window"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "campaign.paused";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "campaign.paused";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        campaignId: string;
                        name: string;
                        /** Format: date-time */
                        scheduledAt?: string;
                        recipients?: number;
                        reason?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignCompleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "campaign.completed",
                 *       "eventName": "campaign.completed",
                 *       "data": {
                 *         "campaignId": "cmp_019a3f0c6d4e7b20a5c81f2e9d7b6a02",
                 *         "name": "News in May",
                 *         "recipients": 1200
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "campaign.completed";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "campaign.completed";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        campaignId: string;
                        name: string;
                        /** Format: date-time */
                        scheduledAt?: string;
                        recipients?: number;
                        reason?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMailboxEmailReceived: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "mailbox.email.received",
                 *       "eventName": "mailbox.email.received",
                 *       "data": {
                 *         "mailbox": {
                 *           "id": "mbx_019a3f0c6d4e7b20a5c81f2e9d7b6a05",
                 *           "address": "help@example.com"
                 *         },
                 *         "message": {
                 *           "id": "rcv_019a3f0c6d4e7b20a5c81f2e9d7b6a06"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "mailbox.email.received";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "mailbox.email.received";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        mailbox: {
                            id: string;
                            address: string;
                        };
                        message: {
                            id: string;
                        };
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMailboxEmailReplied: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "mailbox.email.replied",
                 *       "eventName": "mailbox.email.replied",
                 *       "data": {
                 *         "mailbox": {
                 *           "id": "mbx_019a3f0c6d4e7b20a5c81f2e9d7b6a05",
                 *           "address": "help@example.com"
                 *         },
                 *         "message": {
                 *           "id": "rcv_019a3f0c6d4e7b20a5c81f2e9d7b6a06"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "mailbox.email.replied";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "mailbox.email.replied";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        mailbox: {
                            id: string;
                            address: string;
                        };
                        message: {
                            id: string;
                        };
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDomainVerified: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "domain.verified",
                 *       "eventName": "domain.verified",
                 *       "data": {
                 *         "domain": {
                 *           "id": "dom_019a3f0c6d4e7b20a5c81f2e9d7b6a07",
                 *           "name": "mail.example.com"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "domain.verified";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "domain.verified";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        domain: {
                            id: string;
                            name: string;
                        };
                        reason?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDomainFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "domain.failed",
                 *       "eventName": "domain.failed",
                 *       "data": {
                 *         "domain": {
                 *           "id": "dom_019a3f0c6d4e7b20a5c81f2e9d7b6a07",
                 *           "name": "mail.example.com"
                 *         },
                 *         "reason": "dkim_missing"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "domain.failed";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "domain.failed";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        domain: {
                            id: string;
                            name: string;
                        };
                        reason?: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEventReceived: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "event.received",
                 *       "eventName": "event.received",
                 *       "data": {
                 *         "contactIdentity": {
                 *           "id": "con_019a3f0c6d4e7b20a5c81f2e9d7b6a54",
                 *           "email": "ada@example.com",
                 *           "userId": "user-42"
                 *         },
                 *         "event": {
                 *           "id": "evt_019a3f0c6d4e7b20a5c81f2e9d7b6a09",
                 *           "name": "signedUp",
                 *           "properties": {
                 *             "plan": "pro"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "event.received";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "event.received";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        contactIdentity: {
                            id: string | null;
                            email: string;
                            userId: string | null;
                        };
                        event: {
                            id: string;
                            name: string;
                            properties: {
                                [key: string]: unknown;
                            };
                        };
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkspaceTrustLevelChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "workspace.trustLevelChanged",
                 *       "eventName": "workspace.trustLevelChanged",
                 *       "data": {
                 *         "from": "M1",
                 *         "to": "M2"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "workspace.trustLevelChanged";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "workspace.trustLevelChanged";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        from: string;
                        to: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookEndpointDisabled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "webhookEndpoint.disabled",
                 *       "eventName": "webhookEndpoint.disabled",
                 *       "data": {
                 *         "endpointId": "whe_019a3f0c6d4e7b20a5c81f2e9d7b6a10",
                 *         "url": "https://hooks.example.com/",
                 *         "reason": "failing"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "webhookEndpoint.disabled";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "webhookEndpoint.disabled";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        endpointId: string;
                        url: string;
                        reason: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTestingTestEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timestamp": "2027-01-15T12:00:00.000Z",
                 *       "eventTime": 1800014400,
                 *       "webhookSchemaVersion": "1.0.0",
                 *       "type": "testing.testEvent",
                 *       "eventName": "testing.testEvent",
                 *       "data": {
                 *         "message": "test"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    type: "testing.testEvent";
                    /** Format: date-time */
                    timestamp: string;
                    /** @constant */
                    eventName: "testing.testEvent";
                    /** @description Unix seconds. */
                    eventTime: number;
                    webhookSchemaVersion: string;
                    /**
                     * @description Of a test workspace; missing otherwise.
                     * @constant
                     */
                    test?: true;
                    data: {
                        message: string;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
