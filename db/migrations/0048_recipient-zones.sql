ALTER TABLE `campaign_recipients` ADD `send_after` integer;--> statement-breakpoint
CREATE INDEX `campaign_recipients_waiting` ON `campaign_recipients` (`campaign_id`,`send_after`) WHERE state = 'queued' AND send_after IS NOT NULL;--> statement-breakpoint
ALTER TABLE `campaign_settings` ADD `quiet_hours` text;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `local_time` text;