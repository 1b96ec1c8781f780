CREATE TABLE `workspace_transfers` (
	`id` text PRIMARY KEY NOT NULL,
	`way` text NOT NULL,
	`workspace_id` text,
	`state` text NOT NULL,
	`detail` text,
	`moves_to` text,
	`slug` text,
	`size_bytes` integer NOT NULL,
	`sha256` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `workspace_transfers_of` ON `workspace_transfers` (`workspace_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `workspace_transfers_export` ON `workspace_transfers` (`workspace_id`) WHERE way = 'export';--> statement-breakpoint
ALTER TABLE `workspace_moves` ADD `run` text;