CREATE TABLE `mailbox_replies` (
	`message_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`mailbox_id` text NOT NULL,
	`received_id` text NOT NULL,
	`thread_id` text NOT NULL,
	`token_id` text NOT NULL,
	`message_id_header` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mailbox_replies_token` ON `mailbox_replies` (`token_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `mailbox_replies_thread` ON `mailbox_replies` (`thread_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `mailbox_replies_header` ON `mailbox_replies` (`mailbox_id`,`message_id_header`);--> statement-breakpoint
CREATE TABLE `mailbox_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`mailbox_id` text NOT NULL,
	`name` text NOT NULL,
	`prefix` text NOT NULL,
	`token_hash` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mailbox_tokens_hash` ON `mailbox_tokens` (`token_hash`);--> statement-breakpoint
CREATE INDEX `mailbox_tokens_mailbox` ON `mailbox_tokens` (`mailbox_id`);--> statement-breakpoint
CREATE TABLE `mailboxes` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`address` text NOT NULL,
	`address_key` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`inbound_token_hash` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mailboxes_address` ON `mailboxes` (`address_key`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `mailboxes_inbound` ON `mailboxes` (`inbound_token_hash`) WHERE inbound_token_hash IS NOT NULL;--> statement-breakpoint
CREATE INDEX `mailboxes_workspace` ON `mailboxes` (`workspace_id`);--> statement-breakpoint
CREATE TABLE `mcp_calls` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`mailbox_id` text,
	`credential_id` text NOT NULL,
	`tool` text NOT NULL,
	`outcome` text NOT NULL,
	`duration_ms` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mcp_calls_list` ON `mcp_calls` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `mcp_calls_age` ON `mcp_calls` (`created_at`);--> statement-breakpoint
CREATE TABLE `received_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`mailbox_id` text NOT NULL,
	`thread_id` text NOT NULL,
	`via` text NOT NULL,
	`envelope_from` text NOT NULL,
	`message_id_header` text,
	`digest` text,
	`from_name` text NOT NULL,
	`from_address` text NOT NULL,
	`subject` text NOT NULL,
	`snippet` text NOT NULL,
	`attachment_count` integer NOT NULL,
	`size_bytes` integer NOT NULL,
	`auth` text NOT NULL,
	`automatic` text,
	`read_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `received_messages_list` ON `received_messages` (`mailbox_id`,`id`);--> statement-breakpoint
CREATE INDEX `received_messages_thread` ON `received_messages` (`mailbox_id`,`message_id_header`);--> statement-breakpoint
CREATE UNIQUE INDEX `received_messages_digest` ON `received_messages` (`mailbox_id`,`digest`) WHERE digest IS NOT NULL;--> statement-breakpoint
CREATE INDEX `received_messages_age` ON `received_messages` (`created_at`);--> statement-breakpoint
CREATE TABLE `received_sources` (
	`received_id` text NOT NULL,
	`number` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`received_id`, `number`)
);
