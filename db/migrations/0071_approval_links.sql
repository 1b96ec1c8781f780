CREATE TABLE `approval_links` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`user_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`approvals` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `approval_links_token` ON `approval_links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `approval_links_user` ON `approval_links` (`user_id`);--> statement-breakpoint
CREATE INDEX `approval_links_expiry` ON `approval_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `approval_mails` (
	`workspace_id` text NOT NULL,
	`user_id` text NOT NULL,
	`due_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `approval_mails_due` ON `approval_mails` (`due_at`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `passkey_removed_at` integer;