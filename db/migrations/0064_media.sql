CREATE TABLE `media` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`alt` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`animated` integer NOT NULL,
	`removed_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `media_key_unique` ON `media` (`key`);--> statement-breakpoint
CREATE INDEX `media_list` ON `media` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `media_unowned` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `media_unowned_age` ON `media_unowned` (`created_at`);--> statement-breakpoint
CREATE TABLE `media_uses` (
	`media_key` text NOT NULL,
	`source_id` text NOT NULL,
	PRIMARY KEY(`media_key`, `source_id`)
);
