CREATE TABLE `captured_sources` (
	`source_id` text NOT NULL,
	`number` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`source_id`, `number`)
);
--> statement-breakpoint
ALTER TABLE `captured_mails` ADD `source_id` text;--> statement-breakpoint
CREATE INDEX `captured_mails_source` ON `captured_mails` (`source_id`) WHERE source_id IS NOT NULL;