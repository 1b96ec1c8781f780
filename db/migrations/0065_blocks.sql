CREATE TABLE `block_contents` (
	`block_id` text NOT NULL,
	`locale` text NOT NULL,
	`revision_id` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`block_id`, `locale`)
);
--> statement-breakpoint
CREATE TABLE `blocks` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`primary_locale` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `blocks_list` ON `blocks` (`workspace_id`,`id`);