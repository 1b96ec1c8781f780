CREATE TABLE `domain_findings` (
	`domain_id` text NOT NULL,
	`kind` text NOT NULL,
	`receiver` text NOT NULL,
	`requirement` text NOT NULL,
	`workspace_id` text NOT NULL,
	`since` integer NOT NULL,
	`last_at` integer NOT NULL,
	`evidence` text NOT NULL,
	PRIMARY KEY(`domain_id`, `kind`, `receiver`, `requirement`)
);
--> statement-breakpoint
CREATE INDEX `domain_findings_workspace` ON `domain_findings` (`workspace_id`);--> statement-breakpoint
CREATE TABLE `domain_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`domain_id` text NOT NULL,
	`kind` text NOT NULL,
	`reporter` text NOT NULL,
	`verified` integer NOT NULL,
	`organization` text NOT NULL,
	`report_id` text NOT NULL,
	`begins_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`policy` text,
	`total` integer NOT NULL,
	`others` integer DEFAULT 0 NOT NULL,
	`rows` integer NOT NULL,
	`lines` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `domain_reports_once` ON `domain_reports` (`domain_id`,`kind`,`reporter`,`report_id`,`verified`);--> statement-breakpoint
CREATE INDEX `domain_reports_list` ON `domain_reports` (`domain_id`,`id`);--> statement-breakpoint
CREATE INDEX `domain_reports_age` ON `domain_reports` (`created_at`);--> statement-breakpoint
CREATE TABLE `report_sessions` (
	`domain_id` text NOT NULL,
	`day` integer NOT NULL,
	`result` text NOT NULL,
	`server` text NOT NULL,
	`sessions` integer NOT NULL,
	PRIMARY KEY(`domain_id`, `day`, `result`, `server`)
);
--> statement-breakpoint
CREATE INDEX `report_sessions_age` ON `report_sessions` (`day`);--> statement-breakpoint
CREATE TABLE `report_sources` (
	`domain_id` text NOT NULL,
	`day` integer NOT NULL,
	`reporter` text NOT NULL,
	`verdict` text NOT NULL,
	`source` text NOT NULL,
	`signer` text NOT NULL,
	`messages` integer NOT NULL,
	`quarantined` integer NOT NULL,
	`rejected` integer NOT NULL,
	`proven` integer NOT NULL,
	PRIMARY KEY(`domain_id`, `day`, `reporter`, `verdict`, `source`, `signer`)
);
--> statement-breakpoint
CREATE INDEX `report_sources_age` ON `report_sources` (`day`);--> statement-breakpoint
CREATE INDEX `report_sources_verdict` ON `report_sources` (`domain_id`,`verdict`,`day`,`reporter`,`source`,`signer`);--> statement-breakpoint
CREATE INDEX `report_sources_proven` ON `report_sources` (`domain_id`,`reporter`,`source`) WHERE proven = 1;--> statement-breakpoint
ALTER TABLE `domain_checks` ADD `dmarc_record` text;