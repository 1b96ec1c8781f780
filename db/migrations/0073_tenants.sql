CREATE TABLE `workspace_days` (
	`workspace_id` text NOT NULL,
	`day` integer NOT NULL,
	`mails` integer NOT NULL,
	`paced_until` integer DEFAULT 0 NOT NULL,
	`met` text DEFAULT '[]' NOT NULL,
	PRIMARY KEY(`workspace_id`, `day`)
);
--> statement-breakpoint
ALTER TABLE `workspaces` ADD `limits` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `suspended_at` integer;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `suspended_reason` text;--> statement-breakpoint
CREATE INDEX `workspaces_suspended` ON `workspaces` (`id`) WHERE suspended_at IS NOT NULL;