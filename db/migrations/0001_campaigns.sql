-- Edited by hand after drizzle-kit: campaign_contents, campaign_counts, campaign_mails, campaign_recipients, provider_hooks, sending_counts and trust_changes are WITHOUT ROWID.
CREATE TABLE `campaign_contents` (
	`campaign_id` text NOT NULL,
	`locale` text NOT NULL,
	`revision_id` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`campaign_id`, `locale`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `campaign_counts` (
	`campaign_id` text NOT NULL,
	`name` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`campaign_id`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `campaign_mails` (
	`workspace_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`message_id` text NOT NULL,
	`sent_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `contact_id`, `message_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `campaign_mails_age` ON `campaign_mails` (`sent_at`);--> statement-breakpoint
CREATE TABLE `campaign_recipients` (
	`campaign_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`message_id` text,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`campaign_id`, `contact_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `campaign_recipients_attention` ON `campaign_recipients` (`campaign_id`,`state`) WHERE state IN ('bounced', 'failed', 'uncertain');--> statement-breakpoint
CREATE TABLE `campaign_settings` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`hours_between` integer NOT NULL,
	`mails_per_week` integer NOT NULL,
	`agents_need_approval` integer NOT NULL,
	`warm_up` integer NOT NULL,
	`daily_cap` integer,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `campaigns` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`subject` text NOT NULL,
	`preview_text` text NOT NULL,
	`from_name` text,
	`from_email` text,
	`reply_to` text,
	`mailing_list_id` text NOT NULL,
	`template_id` text,
	`locale` text NOT NULL,
	`audience_filter` text,
	`ignore_guardrail` integer NOT NULL,
	`approved_hash` text,
	`approved_by` text,
	`approved_at` integer,
	`scheduled_at` integer,
	`started_at` integer,
	`ended_at` integer,
	`pause_reason` text,
	`snapshot_cursor` text NOT NULL,
	`snapshot_done_at` integer,
	`fill_cursor` text NOT NULL,
	`next_send_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `campaigns_list` ON `campaigns` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `campaigns_active` ON `campaigns` (`workspace_id`,`status`) WHERE status IN ('sending', 'paused');--> statement-breakpoint
CREATE TABLE `domain_checks` (
	`domain_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`dkim` text NOT NULL,
	`spf` text NOT NULL,
	`dmarc` text NOT NULL,
	`dmarc_policy` text,
	`detail` text,
	`checked_at` integer NOT NULL,
	`dkim_good_at` integer,
	`dmarc_good_at` integer
);
--> statement-breakpoint
CREATE TABLE `domain_throttles` (
	`domain` text PRIMARY KEY NOT NULL,
	`step` integer NOT NULL,
	`until` integer NOT NULL,
	`last_reply` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `provider_hooks` (
	`workspace_id` text NOT NULL,
	`provider` text NOT NULL,
	`token_hash` text NOT NULL,
	`verify_with` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `provider`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `provider_hooks_token` ON `provider_hooks` (`token_hash`);--> statement-breakpoint
CREATE TABLE `sending_counts` (
	`workspace_id` text NOT NULL,
	`since` integer NOT NULL,
	`domain` text NOT NULL,
	`reserved` integer DEFAULT 0 NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`bounced` integer DEFAULT 0 NOT NULL,
	`complained` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`workspace_id`, `since`, `domain`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `trust_changes` (
	`workspace_id` text NOT NULL,
	`changed_at` integer NOT NULL,
	`from_level` text NOT NULL,
	`to_level` text NOT NULL,
	`reason` text NOT NULL,
	`detail` text,
	PRIMARY KEY(`workspace_id`, `changed_at`, `to_level`)
) WITHOUT ROWID;
