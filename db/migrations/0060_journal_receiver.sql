DROP INDEX `send_journal_relay`;--> statement-breakpoint
ALTER TABLE `send_journal` ADD `receiver` text;--> statement-breakpoint
CREATE INDEX `send_journal_relay` ON `send_journal` (`relay_id`,`handed_over_at`,`receiver`) WHERE relay_id IS NOT NULL;