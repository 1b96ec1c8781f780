ALTER TABLE `campaigns` ADD `watched` text;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `newcomers` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `shown_change` text;--> statement-breakpoint
CREATE INDEX `campaigns_approved` ON `campaigns` (`workspace_id`) WHERE approved_hash IS NOT NULL AND ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `campaigns_approved_list` ON `campaigns` (`mailing_list_id`) WHERE approved_hash IS NOT NULL AND started_at IS NULL;