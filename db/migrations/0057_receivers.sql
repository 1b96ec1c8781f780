CREATE TABLE `receiver_limits` (
	`relay_id` text NOT NULL,
	`receiver` text NOT NULL,
	`per_second` real,
	`ceiling` real,
	`connections` integer,
	`suspended_until` integer,
	`step` integer NOT NULL,
	`last_reply` text NOT NULL,
	`changed_at` integer NOT NULL,
	PRIMARY KEY(`relay_id`, `receiver`)
);
--> statement-breakpoint
CREATE TABLE `receiver_replies` (
	`hour` integer NOT NULL,
	`relay_id` text NOT NULL,
	`receiver` text NOT NULL,
	`outcome` text NOT NULL,
	`words` text NOT NULL,
	`stage` text NOT NULL,
	`reply` text NOT NULL,
	`last_at` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`hour`, `relay_id`, `receiver`, `outcome`, `words`)
);
--> statement-breakpoint
CREATE TABLE `receiver_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL,
	`rule` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `relay_routes` ADD `receivers` text;