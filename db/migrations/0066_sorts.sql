DROP INDEX `templates_list`;--> statement-breakpoint
CREATE INDEX `templates_changed` ON `templates` (`workspace_id`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `templates_name` ON `templates` (`workspace_id`,name COLLATE NOCASE,`id`);--> statement-breakpoint
CREATE INDEX `templates_list` ON `templates` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `campaigns_started` ON `campaigns` (`workspace_id`,CASE WHEN started_at IS NULL THEN 0 ELSE started_at END,`id`);--> statement-breakpoint
CREATE INDEX `suppressions_address` ON `suppressions` (`workspace_id`,CASE WHEN email IS NULL THEN '' ELSE email END,`email_hash`);--> statement-breakpoint
CREATE INDEX `mailing_lists_name` ON `mailing_lists` (`workspace_id`,`status`,name COLLATE NOCASE,`id`);--> statement-breakpoint
CREATE INDEX `segments_name` ON `segments` (`workspace_id`,name COLLATE NOCASE,`id`);