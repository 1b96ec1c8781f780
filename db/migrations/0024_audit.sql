CREATE TABLE `audit_changes` (
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`thing_id` text NOT NULL,
	`source` text NOT NULL,
	`before` text,
	`after` text,
	`line_id` text NOT NULL,
	`number` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `line_id`, `number`)
);
--> statement-breakpoint
CREATE INDEX `audit_changes_thing` ON `audit_changes` (`workspace_id`,`thing_id`,`line_id`);--> statement-breakpoint
CREATE INDEX `audit_changes_kind` ON `audit_changes` (`workspace_id`,`kind`,`line_id`);--> statement-breakpoint
CREATE TABLE `audit_log` (
	`workspace_id` text NOT NULL,
	`id` text NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`operation` text NOT NULL,
	`request_id` text,
	`ip` text,
	`client` text,
	`count` integer DEFAULT 1 NOT NULL,
	PRIMARY KEY(`workspace_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `audit_log_actor` ON `audit_log` (`workspace_id`,`actor_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_operation` ON `audit_log` (`workspace_id`,`operation`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_age` ON `audit_log` (`id`);--> statement-breakpoint
CREATE TABLE `audit_pending` (
	`number` integer PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`thing_id` text NOT NULL,
	`source` text NOT NULL,
	`before` text,
	`after` text
);
