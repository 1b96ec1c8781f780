ALTER TABLE `domain_checks` ADD `bimi` text;--> statement-breakpoint
ALTER TABLE `domain_checks` ADD `bimi_detail` text;