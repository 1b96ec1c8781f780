CREATE TABLE `relay_routes` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text,
	`position` integer NOT NULL,
	`streams` text,
	`domains` text,
	`relays` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `relay_routes_list` ON `relay_routes` (`workspace_id`,`position`);--> statement-breakpoint
CREATE TABLE `relays` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text,
	`name` text NOT NULL,
	`url_sealed` text NOT NULL,
	`address` text NOT NULL,
	`state` text NOT NULL,
	`weight` integer NOT NULL,
	`most_per_second` integer,
	`most_per_day` integer,
	`streams` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `relays_list` ON `relays` (`workspace_id`,`id`);--> statement-breakpoint
ALTER TABLE `outbox_attempts` ADD `relay_id` text;--> statement-breakpoint
ALTER TABLE `send_journal` ADD `relay_id` text;--> statement-breakpoint
CREATE INDEX `send_journal_relay` ON `send_journal` (`relay_id`,`handed_over_at`) WHERE relay_id IS NOT NULL;