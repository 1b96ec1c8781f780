ALTER TABLE `event_rules` ADD `purpose` text DEFAULT 'marketing' NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ADD `purpose` text;