CREATE TABLE `content_sources` (
	`source_id` text NOT NULL,
	`number` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`source_id`, `number`)
);
--> statement-breakpoint
CREATE TABLE `message_contents` (
	`message_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`source_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `message_contents_source` ON `message_contents` (`source_id`);