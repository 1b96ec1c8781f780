CREATE TABLE `link_domains` (
	`workspace_id` text NOT NULL,
	`domain` text NOT NULL,
	`is_current` integer NOT NULL,
	`proven_at` integer,
	`ownership` text,
	`target` text,
	`checked_at` integer,
	`misses` integer DEFAULT 0 NOT NULL,
	`missed_since` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `domain`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `link_domains_proven` ON `link_domains` (`domain`) WHERE proven_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `link_domains_domain` ON `link_domains` (`domain`);--> statement-breakpoint
CREATE UNIQUE INDEX `link_domains_current` ON `link_domains` (`workspace_id`) WHERE is_current = 1;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `link_host` text;