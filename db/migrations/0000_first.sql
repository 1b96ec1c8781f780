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
	`track_opens` integer NOT NULL,
	`track_clicks` integer NOT NULL,
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
CREATE TABLE `tracked_links` (
	`campaign_id` text NOT NULL,
	`number` integer NOT NULL,
	`url` text NOT NULL,
	`clicks` integer DEFAULT 0 NOT NULL,
	`machine_clicks` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`campaign_id`, `number`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `tracked_mails` (
	`message_id` text PRIMARY KEY NOT NULL,
	`opened_at` integer,
	`machine_opened_at` integer,
	`clicked_at` integer,
	`machine_clicked_at` integer
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
--> statement-breakpoint
CREATE TABLE `contact_imports` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`state` text NOT NULL,
	`detail` text,
	`dry_run` integer NOT NULL,
	`mailing_list_id` text,
	`header` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`read_bytes` integer DEFAULT 0 NOT NULL,
	`read_lines` integer DEFAULT 0 NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`updated` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`consent_kept` integer DEFAULT 0 NOT NULL,
	`bad` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `contact_imports_list` ON `contact_imports` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `contact_properties` (
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `contact_values` (
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`value` text NOT NULL,
	`contact_id` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `name`, `value`, `contact_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `contacts` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`user_id` text,
	`first_name` text,
	`last_name` text,
	`source` text,
	`subscribed` integer NOT NULL,
	`user_group` text,
	`locale` text,
	`timezone` text,
	`opt_in_status` text,
	`properties` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_email` ON `contacts` (`workspace_id`,`email_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_user_id` ON `contacts` (`workspace_id`,`user_id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `contacts_list` ON `contacts` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `contacts_subscribed` ON `contacts` (`workspace_id`,`subscribed`,`id`);--> statement-breakpoint
CREATE INDEX `contacts_opt_in` ON `contacts` (`workspace_id`,`opt_in_status`,`id`) WHERE opt_in_status IS NOT NULL;--> statement-breakpoint
CREATE TABLE `counters` (
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`value` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `import_faults` (
	`import_id` text NOT NULL,
	`line` integer NOT NULL,
	`reason` text NOT NULL,
	`row` text NOT NULL,
	PRIMARY KEY(`import_id`, `line`)
);
--> statement-breakpoint
CREATE TABLE `import_pieces` (
	`import_id` text NOT NULL,
	`number` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`import_id`, `number`)
);
--> statement-breakpoint
CREATE TABLE `soft_bounces` (
	`workspace_id` text NOT NULL,
	`email_hash` text NOT NULL,
	`count` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `email_hash`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `suppression_removals` (
	`workspace_id` text NOT NULL,
	`removed_at` integer NOT NULL,
	`email_hash` text NOT NULL,
	`reason` text NOT NULL,
	`removed_by` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `removed_at`, `email_hash`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `suppression_removals_quota` ON `suppression_removals` (`workspace_id`,`reason`,`removed_at`);--> statement-breakpoint
CREATE TABLE `suppressions` (
	`workspace_id` text NOT NULL,
	`email_hash` text NOT NULL,
	`email` text,
	`reason` text NOT NULL,
	`message_id` text,
	`detail` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `email_hash`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `suppressions_list` ON `suppressions` (`workspace_id`,`created_at`,`email_hash`);--> statement-breakpoint
CREATE TABLE `event_rule_cancels` (
	`workspace_id` text NOT NULL,
	`event_name` text NOT NULL,
	`rule_id` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `event_name`, `rule_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `event_rule_cancels_rule` ON `event_rule_cancels` (`rule_id`);--> statement-breakpoint
CREATE TABLE `event_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`event_name` text NOT NULL,
	`filter` text NOT NULL,
	`action` text NOT NULL,
	`template_id` text,
	`delay_amount` integer NOT NULL,
	`delay_unit` text NOT NULL,
	`variables` text NOT NULL,
	`cancel_on` text NOT NULL,
	`mailing_list_id` text,
	`contact_properties` text NOT NULL,
	`re_eligible` integer NOT NULL,
	`enabled` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `event_rules_event` ON `event_rules` (`workspace_id`,`event_name`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`contact_id` text NOT NULL,
	`properties` text NOT NULL,
	`origin` text NOT NULL,
	`caller_event_id` text,
	`occurred_at` integer NOT NULL,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `events_contact` ON `events` (`contact_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `events_caller_id` ON `events` (`workspace_id`,`caller_event_id`) WHERE caller_event_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `rule_runs` (
	`contact_id` text NOT NULL,
	`rule_id` text NOT NULL,
	`event_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`status` text NOT NULL,
	`job_id` text,
	`message_id` text,
	`reason` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`contact_id`, `rule_id`, `event_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `rule_runs_scheduled` ON `rule_runs` (`rule_id`,`job_id`) WHERE status = 'scheduled';--> statement-breakpoint
CREATE TABLE `confirmation_mails` (
	`email_hash` text NOT NULL,
	`sent_at` integer NOT NULL,
	`message_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`source_id` text,
	`ip` text,
	PRIMARY KEY(`email_hash`, `sent_at`, `message_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `confirmation_mails_source` ON `confirmation_mails` (`source_id`,`sent_at`);--> statement-breakpoint
CREATE INDEX `confirmation_mails_ip` ON `confirmation_mails` (`ip`,`sent_at`);--> statement-breakpoint
CREATE TABLE `confirmations` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`email_hash` text NOT NULL,
	`source_id` text,
	`mailing_list_ids` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	`outcome` text
);
--> statement-breakpoint
CREATE INDEX `confirmations_contact` ON `confirmations` (`contact_id`);--> statement-breakpoint
CREATE INDEX `confirmations_expiry` ON `confirmations` (`expires_at`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE TABLE `consent_records` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`email_hash` text NOT NULL,
	`mailing_list_id` text,
	`action` text NOT NULL,
	`method` text NOT NULL,
	`source_id` text,
	`consent_text` text,
	`consent_text_version` integer,
	`ip` text,
	`user_agent` text,
	`url` text,
	`given_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `consent_records_contact` ON `consent_records` (`contact_id`,`id`);--> statement-breakpoint
CREATE INDEX `consent_records_withdrawn` ON `consent_records` (`workspace_id`,`email_hash`) WHERE action = 'withdrawn' AND mailing_list_id IS NULL;--> statement-breakpoint
CREATE TABLE `mailing_lists` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`is_public` integer NOT NULL,
	`opt_in` text NOT NULL,
	`status` text NOT NULL,
	`contact_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mailing_lists_list` ON `mailing_lists` (`workspace_id`,`status`,`id`);--> statement-breakpoint
CREATE TABLE `subscription_sources` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`mailing_list_ids` text NOT NULL,
	`opt_in` text NOT NULL,
	`consent_text` text NOT NULL,
	`consent_text_version` integer NOT NULL,
	`confirmation_template_id` text,
	`redirect_url` text,
	`allowed_origins` text NOT NULL,
	`active` integer NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `subscription_sources_list` ON `subscription_sources` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`mailing_list_id` text NOT NULL,
	`status` text NOT NULL,
	`source_id` text,
	`confirmed_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_contact` ON `subscriptions` (`contact_id`,`mailing_list_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_audience` ON `subscriptions` (`mailing_list_id`,`status`,`contact_id`);--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE `captured_mails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`message_id_header` text NOT NULL,
	`envelope_from` text NOT NULL,
	`envelope_to` text NOT NULL,
	`raw` blob NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `captured_mails_message` ON `captured_mails` (`message_id_header`,`envelope_to`);--> statement-breakpoint
CREATE TABLE `message_attachments` (
	`message_id` text NOT NULL,
	`number` integer NOT NULL,
	`filename` text NOT NULL,
	`content_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`message_id`, `number`)
);
--> statement-breakpoint
CREATE TABLE `message_events` (
	`message_id` text NOT NULL,
	`number` integer NOT NULL,
	`status` text NOT NULL,
	`at` integer NOT NULL,
	`code` text,
	`detail` text,
	PRIMARY KEY(`message_id`, `number`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`email` text NOT NULL,
	`contact_id` text,
	`template_id` text,
	`revision_id` text,
	`campaign_id` text,
	`rule_id` text,
	`subject` text NOT NULL,
	`locale` text NOT NULL,
	`from_name` text,
	`from_email` text NOT NULL,
	`reply_to` text,
	`headers` text,
	`variables` text NOT NULL,
	`tags` text,
	`metadata` text,
	`message_id_header` text NOT NULL,
	`idempotency_key` text,
	`job_id` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `messages_list` ON `messages` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `messages_idempotency` ON `messages` (`workspace_id`,`idempotency_key`) WHERE idempotency_key IS NOT NULL;--> statement-breakpoint
CREATE TABLE `sending_domains` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`domain` text NOT NULL,
	`selector` text NOT NULL,
	`rsa_key_sealed` text NOT NULL,
	`rsa_public_key` text NOT NULL,
	`ed25519_key_sealed` text NOT NULL,
	`ed25519_public_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sending_domains_domain` ON `sending_domains` (`workspace_id`,`domain`);--> statement-breakpoint
CREATE TABLE `outbox_attempts` (
	`job_id` text NOT NULL,
	`fence` integer NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`outcome` text,
	`code` text,
	`detail` text,
	PRIMARY KEY(`job_id`, `fence`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `outbox_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`lane` text NOT NULL,
	`kind` text NOT NULL,
	`partition_key` text DEFAULT '' NOT NULL,
	`dedupe_key` text,
	`priority` integer DEFAULT 0 NOT NULL,
	`state` text NOT NULL,
	`due_at` integer NOT NULL,
	`attempt` integer DEFAULT 0 NOT NULL,
	`attempts_max` integer NOT NULL,
	`give_up_at` integer,
	`fence` integer DEFAULT 0 NOT NULL,
	`lease_owner` text,
	`lease_until` integer,
	`cancel_requested_at` integer,
	`payload` text NOT NULL,
	`last_code` text,
	`last_error` text,
	`parent_id` text,
	`created_at` integer NOT NULL,
	`finished_at` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `outbox_jobs_due` ON `outbox_jobs` (`lane`,`workspace_id`,`partition_key`,`due_at`,`priority`) WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX `outbox_jobs_running` ON `outbox_jobs` (`lease_owner`) WHERE state = 'running';--> statement-breakpoint
CREATE INDEX `outbox_jobs_stuck` ON `outbox_jobs` (`workspace_id`,`state`) WHERE state IN ('dead', 'ambiguous');--> statement-breakpoint
CREATE INDEX `outbox_jobs_finished` ON `outbox_jobs` (`workspace_id`,`state`) WHERE finished_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `outbox_jobs_parent` ON `outbox_jobs` (`parent_id`) WHERE parent_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_jobs_dedupe` ON `outbox_jobs` (`workspace_id`,`kind`,`dedupe_key`) WHERE dedupe_key IS NOT NULL AND state IN ('pending', 'running');--> statement-breakpoint
CREATE TABLE `processes` (
	`boot_id` text PRIMARY KEY NOT NULL,
	`pid` integer NOT NULL,
	`host` text NOT NULL,
	`version` text NOT NULL,
	`started_at` integer NOT NULL,
	`heartbeat_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `send_journal` (
	`message_id` text PRIMARY KEY NOT NULL,
	`job_id` text NOT NULL,
	`phase` text NOT NULL,
	`fence` integer NOT NULL,
	`ambiguous_retries` integer DEFAULT 0 NOT NULL,
	`smtp_reply` text,
	`handed_over_at` integer,
	`accepted_at` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `payment_customers` (
	`workspace_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `provider_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `payment_customers_contact` ON `payment_customers` (`contact_id`);--> statement-breakpoint
CREATE TABLE `payment_events` (
	`integration_id` text NOT NULL,
	`provider_event_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`event_id` text,
	`contact_id` text,
	`body` text NOT NULL,
	`conflict` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`integration_id`, `provider_event_id`)
);
--> statement-breakpoint
CREATE INDEX `payment_events_list` ON `payment_events` (`workspace_id`,`created_at`,`provider_event_id`);--> statement-breakpoint
CREATE INDEX `payment_events_ignored` ON `payment_events` (`workspace_id`,`created_at`,`provider_event_id`) WHERE status = 'ignored';--> statement-breakpoint
CREATE TABLE `payment_integrations` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`enabled` integer NOT NULL,
	`signing_secret_sealed` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_integrations_workspace` ON `payment_integrations` (`workspace_id`);--> statement-breakpoint
CREATE TABLE `template_contents` (
	`template_id` text NOT NULL,
	`locale` text NOT NULL,
	`revision_id` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`template_id`, `locale`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `template_revisions` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`template_id` text NOT NULL,
	`locale` text NOT NULL,
	`subject` text NOT NULL,
	`preview_text` text NOT NULL,
	`content` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `template_revisions_template` ON `template_revisions` (`template_id`);--> statement-breakpoint
CREATE TABLE `templates` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`subject` text NOT NULL,
	`preview_text` text DEFAULT '' NOT NULL,
	`from_name` text,
	`from_email` text,
	`reply_to` text,
	`primary_locale` text NOT NULL,
	`status` text NOT NULL,
	`revision_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `templates_slug` ON `templates` (`workspace_id`,`slug`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `templates_list` ON `templates` (`workspace_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
	`delivery_id` text NOT NULL,
	`number` integer NOT NULL,
	`at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`status` integer,
	`code` text,
	`response` text,
	PRIMARY KEY(`delivery_id`, `number`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`endpoint_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`event_sequence` integer NOT NULL,
	`type` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`last_status` integer,
	`last_code` text,
	`job_id` text,
	`next_attempt_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_list` ON `webhook_deliveries` (`endpoint_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_undelivered` ON `webhook_deliveries` (`endpoint_id`,`state`,`id`) WHERE state IN ('failed', 'skipped');--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`url` text NOT NULL,
	`status` text NOT NULL,
	`disabled_reason` text,
	`description` text NOT NULL,
	`event_filters` text NOT NULL,
	`max_per_second` integer,
	`failing_since` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_list` ON `webhook_endpoints` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_events` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`type` text NOT NULL,
	`payload` text NOT NULL,
	`hops` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_events_id_unique` ON `webhook_events` (`id`);--> statement-breakpoint
CREATE INDEX `webhook_events_feed` ON `webhook_events` (`workspace_id`,`sequence`);--> statement-breakpoint
CREATE TABLE `webhook_secrets` (
	`endpoint_id` text NOT NULL,
	`number` integer NOT NULL,
	`secret_sealed` text NOT NULL,
	`expires_at` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`endpoint_id`, `number`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`prefix` text NOT NULL,
	`key_hash` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`key_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_workspace` ON `api_keys` (`workspace_id`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`workspace_id` text NOT NULL,
	`route` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`status` integer NOT NULL,
	`response` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `route`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_expiry` ON `idempotency_keys` (`expires_at`);--> statement-breakpoint
CREATE TABLE `installation` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `login_links` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `members` (
	`workspace_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `members_user` ON `members` (`user_id`);--> statement-breakpoint
CREATE TABLE `rate_buckets` (
	`bucket` text PRIMARY KEY NOT NULL,
	`tokens` real NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text,
	`password_hash` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`trust_level` text NOT NULL,
	`primary_locale` text DEFAULT 'en' NOT NULL,
	`time_zone` text DEFAULT 'UTC' NOT NULL,
	`brand` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `workspaces_slug_unique` ON `workspaces` (`slug`);--> statement-breakpoint
CREATE TRIGGER outbox_jobs_terminal BEFORE UPDATE ON outbox_jobs
WHEN OLD.state IN ('done', 'dead', 'cancelled')
BEGIN SELECT RAISE(ABORT, 'a finished job does not change'); END;
--> statement-breakpoint
CREATE TRIGGER consent_records_append_only BEFORE UPDATE ON consent_records
BEGIN SELECT RAISE(ABORT, 'a record of consent does not change'); END;
