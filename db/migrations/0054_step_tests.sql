CREATE TABLE `sequence_test_counts` (
	`sequence_id` text NOT NULL,
	`step_id` text NOT NULL,
	`version` integer NOT NULL,
	`name` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`sequence_id`, `step_id`, `version`, `name`)
);
--> statement-breakpoint
CREATE TABLE `sequence_tests` (
	`sequence_id` text NOT NULL,
	`step_id` text NOT NULL,
	`version` integer NOT NULL,
	`workspace_id` text NOT NULL,
	`winner_due_at` integer,
	`winner` text,
	`winner_chosen_at` integer,
	PRIMARY KEY(`sequence_id`, `step_id`, `version`)
);
--> statement-breakpoint
CREATE INDEX `sequence_tests_workspace` ON `sequence_tests` (`workspace_id`);--> statement-breakpoint
ALTER TABLE `sequence_path` ADD `variant` text;--> statement-breakpoint
ALTER TABLE `sequence_runs` ADD `variant` text;