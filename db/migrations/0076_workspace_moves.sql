CREATE TABLE `workspace_moves` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`absent` text,
	`file` text,
	`lines` integer DEFAULT 0 NOT NULL,
	`moved_to` text,
	`link_secret_sealed` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `workspace_moves_absent` ON `workspace_moves` (`workspace_id`) WHERE absent IS NOT NULL;