CREATE TABLE `held_replies` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`mailbox_id` text NOT NULL,
	`received_id` text NOT NULL,
	`thread_id` text NOT NULL,
	`token_id` text NOT NULL,
	`state` text NOT NULL,
	`email` text NOT NULL,
	`subject` text NOT NULL,
	`headers` text NOT NULL,
	`said` text NOT NULL,
	`first` text NOT NULL,
	`decided_by` text,
	`decided_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `held_replies_open` ON `held_replies` (`workspace_id`,`id`) WHERE state = 'held';--> statement-breakpoint
CREATE INDEX `held_replies_token` ON `held_replies` (`token_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `held_replies_thread` ON `held_replies` (`thread_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `held_replies_email` ON `held_replies` (`workspace_id`,`email`);--> statement-breakpoint
ALTER TABLE `campaigns` ADD `approved` text;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `refused_by` text;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `created_by` text;--> statement-breakpoint
ALTER TABLE `mailboxes` ADD `hold_replies` integer DEFAULT false NOT NULL;