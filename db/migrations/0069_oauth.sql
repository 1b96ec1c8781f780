CREATE TABLE `oauth_clients` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_allowed_at` integer
);
--> statement-breakpoint
CREATE INDEX `oauth_clients_use` ON `oauth_clients` (`last_allowed_at`,`created_at`);--> statement-breakpoint
CREATE TABLE `oauth_grants` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`mailbox_id` text,
	`client_id` text NOT NULL,
	`client_name` text NOT NULL,
	`client_host` text NOT NULL,
	`scopes` text NOT NULL,
	`made_by` text,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	`began_at` integer,
	`last_used_at` integer,
	`revoked_at` integer,
	`end_reason` text
);
--> statement-breakpoint
CREATE INDEX `oauth_grants_workspace` ON `oauth_grants` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `oauth_grants_client` ON `oauth_grants` (`client_id`);--> statement-breakpoint
CREATE INDEX `oauth_grants_unbegun` ON `oauth_grants` (`created_at`) WHERE began_at IS NULL;--> statement-breakpoint
CREATE TABLE `oauth_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`grant_id` text NOT NULL,
	`kind` text NOT NULL,
	`code_challenge` text,
	`redirect_uri` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE INDEX `oauth_tokens_grant` ON `oauth_tokens` (`grant_id`);--> statement-breakpoint
CREATE INDEX `oauth_tokens_expiry` ON `oauth_tokens` (`expires_at`);