CREATE TABLE `recurring_campaigns` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`state` text NOT NULL,
	`draft` text NOT NULL,
	`schedule` text NOT NULL,
	`time_zone` text NOT NULL,
	`feed` text,
	`next_at` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`failing_since` integer,
	`revision` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `recurring_campaigns_list` ON `recurring_campaigns` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `recurring_feeds` (
	`recurring_campaign_id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`etag` text,
	`last_modified` text,
	`seen` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `recurring_runs` (
	`recurring_campaign_id` text NOT NULL,
	`at` integer NOT NULL,
	`outcome` text NOT NULL,
	`code` text,
	`reason` text,
	`campaign_id` text,
	`items` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`recurring_campaign_id`, `at`)
);
