ALTER TABLE `received_messages` DROP COLUMN `snippet`;--> statement-breakpoint
ALTER TABLE `received_messages` ADD `snippet` text;
