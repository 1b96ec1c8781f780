CREATE TABLE `sequence_enrolments` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`sequence_id` text NOT NULL,
	`segment_id` text NOT NULL,
	`cursor` text NOT NULL,
	`started` integer NOT NULL,
	`skipped` integer NOT NULL,
	`done_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sequence_enrolments_open` ON `sequence_enrolments` (`sequence_id`,`id`) WHERE done_at IS NULL;--> statement-breakpoint
CREATE INDEX `sequence_enrolments_list` ON `sequence_enrolments` (`sequence_id`,`id`);--> statement-breakpoint
CREATE TABLE `sequence_path` (
	`run_id` text NOT NULL,
	`number` integer NOT NULL,
	`step_id` text NOT NULL,
	`at` integer NOT NULL,
	`outcome` text NOT NULL,
	`detail` text,
	`message_id` text,
	PRIMARY KEY(`run_id`, `number`)
);
--> statement-breakpoint
CREATE INDEX `sequence_path_message` ON `sequence_path` (`message_id`) WHERE message_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `sequence_people` (
	`sequence_id` text NOT NULL,
	`state` text NOT NULL,
	`people` integer NOT NULL,
	PRIMARY KEY(`sequence_id`, `state`)
);
--> statement-breakpoint
CREATE TABLE `sequence_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`sequence_id` text NOT NULL,
	`version` integer NOT NULL,
	`contact_id` text NOT NULL,
	`key` text NOT NULL,
	`state` text NOT NULL,
	`step_id` text NOT NULL,
	`entered` integer NOT NULL,
	`entered_at` integer NOT NULL,
	`due_at` integer,
	`arrived_event_id` text,
	`postponed_since` integer,
	`message_id` text,
	`reason` text,
	`event_id` text,
	`started_at` integer NOT NULL,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `sequence_runs_due` ON `sequence_runs` (`sequence_id`,`due_at`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `sequence_runs_open` ON `sequence_runs` (`contact_id`) WHERE state IN ('waiting', 'sending', 'uncertain', 'failed');--> statement-breakpoint
CREATE INDEX `sequence_runs_list` ON `sequence_runs` (`sequence_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `sequence_runs_contact` ON `sequence_runs` (`contact_id`,`sequence_id`,`key`);--> statement-breakpoint
CREATE UNIQUE INDEX `sequence_runs_once` ON `sequence_runs` (`sequence_id`,`contact_id`,`key`) WHERE state IN ('waiting', 'sending', 'uncertain', 'failed');--> statement-breakpoint
CREATE TABLE `sequence_signals` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`signal` text NOT NULL,
	`event_id` text,
	`about` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sequence_signals_contact` ON `sequence_signals` (`contact_id`,`id`);--> statement-breakpoint
CREATE INDEX `sequence_signals_list` ON `sequence_signals` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `sequence_step_counts` (
	`sequence_id` text NOT NULL,
	`version` integer NOT NULL,
	`step_id` text NOT NULL,
	`entered` integer NOT NULL,
	`here` integer NOT NULL,
	`sent` integer NOT NULL,
	`skipped` integer NOT NULL,
	`opened` integer DEFAULT 0 NOT NULL,
	`clicked` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`sequence_id`, `version`, `step_id`)
);
--> statement-breakpoint
CREATE TABLE `sequence_triggers` (
	`workspace_id` text NOT NULL,
	`signal` text NOT NULL,
	`sequence_id` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `signal`, `sequence_id`)
);
--> statement-breakpoint
CREATE INDEX `sequence_triggers_sequence` ON `sequence_triggers` (`sequence_id`);--> statement-breakpoint
CREATE TABLE `sequence_versions` (
	`sequence_id` text NOT NULL,
	`version` integer NOT NULL,
	`definition` text NOT NULL,
	`content_hash` text NOT NULL,
	`published_at` integer NOT NULL,
	`published_by` text NOT NULL,
	PRIMARY KEY(`sequence_id`, `version`)
);
--> statement-breakpoint
CREATE TABLE `sequences` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`state` text NOT NULL,
	`draft` text NOT NULL,
	`revision` integer NOT NULL,
	`version` integer,
	`moves` text,
	`dates_up_to` integer,
	`pause_reason` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sequences_list` ON `sequences` (`workspace_id`,`id`);--> statement-breakpoint
ALTER TABLE `messages` ADD `sequence_id` text;