CREATE TABLE `segments` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`filter` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `segments_list` ON `segments` (`workspace_id`,`id`);--> statement-breakpoint
ALTER TABLE `campaigns` ADD `segment_id` text;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `segment_filter` text;--> statement-breakpoint
CREATE INDEX `campaigns_segment` ON `campaigns` (`workspace_id`,`segment_id`) WHERE segment_id IS NOT NULL;