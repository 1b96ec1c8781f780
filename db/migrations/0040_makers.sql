ALTER TABLE `provider_hooks` ADD `made_by` text;--> statement-breakpoint
ALTER TABLE `subscription_sources` ADD `made_by` text;--> statement-breakpoint
ALTER TABLE `mailbox_tokens` ADD `made_by` text;--> statement-breakpoint
ALTER TABLE `mailboxes` ADD `inbound_made_by` text;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `made_by` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `made_by` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `role` text DEFAULT 'owner' NOT NULL;