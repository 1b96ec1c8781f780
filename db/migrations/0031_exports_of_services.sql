ALTER TABLE `contact_imports` ADD `format` text;--> statement-breakpoint
ALTER TABLE `contact_imports` ADD `report` text;