ALTER TABLE `confirmation_mails` ADD `held_by` text;--> statement-breakpoint
ALTER TABLE `confirmation_mails` ADD `held_at` integer;--> statement-breakpoint
CREATE INDEX `confirmation_mails_sent` ON `confirmation_mails` (`sent_at`);--> statement-breakpoint
CREATE INDEX `confirmation_mails_held` ON `confirmation_mails` (`workspace_id`,`sent_at`) WHERE held_by IS NOT NULL;