DROP INDEX `contacts_list`;--> statement-breakpoint
CREATE INDEX `contacts_search` ON `contacts` (`workspace_id`,`id`,`email_key`,`first_name`,`last_name`,`user_id`);--> statement-breakpoint
CREATE INDEX `suppressions_email` ON `suppressions` (`workspace_id`,`email`) WHERE email IS NOT NULL;