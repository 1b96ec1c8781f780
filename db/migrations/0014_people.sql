CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`shown_hash` text NOT NULL,
	`mailed_hash` text,
	`invited_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_shown_hash_unique` ON `invitations` (`shown_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_mailed_hash_unique` ON `invitations` (`mailed_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_address` ON `invitations` (`workspace_id`,`email`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `signed_in_by` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `ip` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `user_agent` text;--> statement-breakpoint
ALTER TABLE `users` ADD `email_proven_at` integer;--> statement-breakpoint
-- Until now every account was made by who runs the installation.
UPDATE `users` SET `email_proven_at` = `created_at`;
