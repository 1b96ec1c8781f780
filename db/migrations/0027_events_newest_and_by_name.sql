CREATE INDEX `events_newest` ON `events` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `events_name` ON `events` (`workspace_id`,`name`,`id`);