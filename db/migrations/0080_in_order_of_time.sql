DROP INDEX `rule_runs_workspace`;--> statement-breakpoint
CREATE INDEX `rule_runs_workspace` ON `rule_runs` (`workspace_id`,`event_id`);--> statement-breakpoint
DROP INDEX `confirmation_mails_workspace`;--> statement-breakpoint
CREATE INDEX `confirmation_mails_workspace` ON `confirmation_mails` (`workspace_id`,`sent_at`);