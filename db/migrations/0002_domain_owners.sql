CREATE TABLE `domain_owners` (
	`domain` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`proof` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `mailboxes_address`;--> statement-breakpoint
CREATE UNIQUE INDEX `mailboxes_address` ON `mailboxes` (`address_key`,`workspace_id`) WHERE deleted_at IS NULL;--> statement-breakpoint
ALTER TABLE `domain_checks` ADD `ownership` text DEFAULT 'missing' NOT NULL;
--> statement-breakpoint
INSERT OR IGNORE INTO `domain_owners` (`domain`, `workspace_id`, `proof`, `created_at`, `updated_at`)
SELECT `d`.`domain`, `d`.`workspace_id`, 'dns', `c`.`checked_at`, `c`.`checked_at`
FROM `sending_domains` AS `d` JOIN `domain_checks` AS `c` ON `c`.`domain_id` = `d`.`id`
WHERE `c`.`dkim` = 'ok' ORDER BY `d`.`id`;
--> statement-breakpoint
INSERT OR IGNORE INTO `domain_owners` (`domain`, `workspace_id`, `proof`, `created_at`, `updated_at`)
SELECT `domain`, `workspace_id`, 'kept', `created_at`, `created_at` FROM `sending_domains` ORDER BY `id`;
--> statement-breakpoint
INSERT OR IGNORE INTO `domain_owners` (`domain`, `workspace_id`, `proof`, `created_at`, `updated_at`)
SELECT substr(`address_key`, instr(`address_key`, '@') + 1), `workspace_id`, 'kept', `created_at`, `created_at`
FROM `mailboxes` WHERE `deleted_at` IS NULL ORDER BY `id`;
