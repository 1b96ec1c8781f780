ALTER TABLE `contact_imports` ADD `columns` text;--> statement-breakpoint
ALTER TABLE `contact_imports` ADD `consent` text;--> statement-breakpoint
ALTER TABLE `contact_imports` ADD `actor_id` text;--> statement-breakpoint
ALTER TABLE `contact_imports` ADD `subscribed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `contact_imports` ADD `unsubscribed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `contact_imports` ADD `suppressed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `contact_imports` ADD `without_consent` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `contacts` ADD `made_by_source_id` text;--> statement-breakpoint
ALTER TABLE `consent_records` ADD `route` text;--> statement-breakpoint
ALTER TABLE `consent_records` ADD `actor_id` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `details` text;--> statement-breakpoint
-- Contacts that may be mailed and of which the ledger does not say how they came to be so: nobody knows it any more. The hash of the
-- address stays empty, for SQL cannot compute it; only withdrawals are looked up by it.
INSERT INTO consent_records (id, workspace_id, contact_id, email_hash, mailing_list_id, action, method, given_at, created_at)
SELECT 'cns_' || substr(id, 5), workspace_id, id, '', NULL, 'granted', 'unknown', created_at, created_at
FROM contacts c
WHERE subscribed = 1 AND NOT EXISTS (
  SELECT 1 FROM consent_records r
  WHERE r.contact_id = c.id AND r.mailing_list_id IS NULL AND r.action IN ('granted', 'confirmed')
);
