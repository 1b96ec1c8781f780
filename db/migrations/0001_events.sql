-- Edited by hand after drizzle-kit: nothing has ever written events, rule_runs or payment_events, so they are made anew, the small
-- rows WITHOUT ROWID.
DROP TABLE `events`;--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`contact_id` text NOT NULL,
	`properties` text NOT NULL,
	`origin` text NOT NULL,
	`caller_event_id` text,
	`occurred_at` integer NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `events_contact` ON `events` (`contact_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `events_caller_id` ON `events` (`workspace_id`,`caller_event_id`) WHERE caller_event_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `event_rule_cancels` (
	`workspace_id` text NOT NULL,
	`event_name` text NOT NULL,
	`rule_id` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `event_name`, `rule_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `event_rule_cancels_rule` ON `event_rule_cancels` (`rule_id`);--> statement-breakpoint
DROP TABLE `rule_runs`;--> statement-breakpoint
CREATE TABLE `rule_runs` (
	`contact_id` text NOT NULL,
	`rule_id` text NOT NULL,
	`event_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`status` text NOT NULL,
	`job_id` text,
	`message_id` text,
	`reason` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`contact_id`, `rule_id`, `event_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `rule_runs_scheduled` ON `rule_runs` (`rule_id`,`job_id`) WHERE status = 'scheduled';--> statement-breakpoint
DROP INDEX `outbox_jobs_finished`;--> statement-breakpoint
CREATE INDEX `outbox_jobs_finished` ON `outbox_jobs` (`workspace_id`,`state`) WHERE finished_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `outbox_jobs_parent` ON `outbox_jobs` (`parent_id`) WHERE parent_id IS NOT NULL;--> statement-breakpoint
DROP INDEX `payment_events_list`;--> statement-breakpoint
CREATE INDEX `payment_events_list` ON `payment_events` (`workspace_id`,`created_at`,`provider_event_id`);--> statement-breakpoint
CREATE INDEX `payment_events_ignored` ON `payment_events` (`workspace_id`,`created_at`,`provider_event_id`) WHERE status = 'ignored';
