ALTER TABLE `campaign_recipients` ADD `variant` text;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `test` text;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `variant_contents` text;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `winner_due_at` integer;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `winner` text;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `winner_chosen_at` integer;