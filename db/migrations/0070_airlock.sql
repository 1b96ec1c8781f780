CREATE TABLE `agent_reads` (
	`workspace_id` text NOT NULL,
	`reader` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `reader`)
);
--> statement-breakpoint
CREATE TABLE `held_actions` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`author_kind` text NOT NULL,
	`author_id` text NOT NULL,
	`action` text NOT NULL,
	`input` text NOT NULL,
	`state` text NOT NULL,
	`decided_by` text,
	`decided_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `held_actions_open` ON `held_actions` (`workspace_id`,`id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `held_actions_author` ON `held_actions` (`author_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `mailbox_drafts` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`mailbox_id` text NOT NULL,
	`received_id` text,
	`thread_id` text NOT NULL,
	`author_id` text NOT NULL,
	`state` text NOT NULL,
	`waits_for` text NOT NULL,
	`email` text NOT NULL,
	`subject` text NOT NULL,
	`headers` text NOT NULL,
	`said` text NOT NULL,
	`first` text NOT NULL,
	`decided_by` text,
	`decided_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mailbox_drafts_open` ON `mailbox_drafts` (`workspace_id`,`id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `mailbox_drafts_mailbox` ON `mailbox_drafts` (`mailbox_id`,`id`);--> statement-breakpoint
CREATE INDEX `mailbox_drafts_author` ON `mailbox_drafts` (`author_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `mailbox_drafts_thread` ON `mailbox_drafts` (`thread_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `mailbox_drafts_email` ON `mailbox_drafts` (`workspace_id`,`email`);--> statement-breakpoint
INSERT INTO `mailbox_drafts`("id", "workspace_id", "mailbox_id", "received_id", "thread_id", "author_id", "state", "waits_for", "email", "subject", "headers", "said", "first", "decided_by", "decided_at", "created_at", "updated_at") SELECT "id", "workspace_id", "mailbox_id", "received_id", "thread_id", "token_id", CASE "state" WHEN 'held' THEN 'waiting' ELSE "state" END, 'mailbox', "email", "subject", "headers", "said", "first", "decided_by", "decided_at", "created_at", "updated_at" FROM `held_replies`;--> statement-breakpoint
DROP TABLE `held_replies`;--> statement-breakpoint
CREATE TABLE `__new_mailbox_replies` (
	`message_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`mailbox_id` text NOT NULL,
	`received_id` text,
	`thread_id` text NOT NULL,
	`author_id` text NOT NULL,
	`message_id_header` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_mailbox_replies`("message_id", "workspace_id", "mailbox_id", "received_id", "thread_id", "author_id", "message_id_header", "created_at") SELECT "message_id", "workspace_id", "mailbox_id", "received_id", "thread_id", "token_id", "message_id_header", "created_at" FROM `mailbox_replies`;--> statement-breakpoint
DROP TABLE `mailbox_replies`;--> statement-breakpoint
ALTER TABLE `__new_mailbox_replies` RENAME TO `mailbox_replies`;--> statement-breakpoint
CREATE INDEX `mailbox_replies_author` ON `mailbox_replies` (`author_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `mailbox_replies_thread` ON `mailbox_replies` (`thread_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `mailbox_replies_header` ON `mailbox_replies` (`mailbox_id`,`message_id_header`);--> statement-breakpoint
ALTER TABLE `mailbox_tokens` ADD `airlock` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `mailboxes` ADD `writes_to` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `airlock` integer DEFAULT false NOT NULL;