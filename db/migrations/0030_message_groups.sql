CREATE TABLE `message_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`recipients` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `messages` ADD `group_id` text;--> statement-breakpoint
CREATE INDEX `messages_group` ON `messages` (`group_id`) WHERE group_id IS NOT NULL;