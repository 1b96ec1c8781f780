CREATE TABLE `contact_imports` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`state` text NOT NULL,
	`detail` text,
	`dry_run` integer NOT NULL,
	`mailing_list_id` text,
	`header` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`read_bytes` integer DEFAULT 0 NOT NULL,
	`read_lines` integer DEFAULT 0 NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`updated` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`consent_kept` integer DEFAULT 0 NOT NULL,
	`bad` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `contact_imports_list` ON `contact_imports` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `import_faults` (
	`import_id` text NOT NULL,
	`line` integer NOT NULL,
	`reason` text NOT NULL,
	`row` text NOT NULL,
	PRIMARY KEY(`import_id`, `line`)
);
--> statement-breakpoint
CREATE TABLE `import_pieces` (
	`import_id` text NOT NULL,
	`number` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`import_id`, `number`)
);
--> statement-breakpoint
CREATE INDEX `contacts_opt_in` ON `contacts` (`workspace_id`,`opt_in_status`,`id`) WHERE opt_in_status IS NOT NULL;--> statement-breakpoint
CREATE INDEX `suppression_removals_quota` ON `suppression_removals` (`workspace_id`,`reason`,`removed_at`);--> statement-breakpoint
CREATE INDEX `consent_records_withdrawn` ON `consent_records` (`workspace_id`,`email_hash`) WHERE action = 'withdrawn' AND mailing_list_id IS NULL;