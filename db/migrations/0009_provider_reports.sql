CREATE TABLE `provider_tokens` (
	`workspace_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `token_hash`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `provider_tokens_expiry` ON `provider_tokens` (`expires_at`);--> statement-breakpoint
ALTER TABLE `provider_hooks` ADD `topic_arn` text;--> statement-breakpoint
ALTER TABLE `provider_hooks` ADD `confirm_url` text;