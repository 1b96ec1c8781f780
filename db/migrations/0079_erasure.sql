CREATE INDEX `held_actions_workspace` ON `held_actions` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `content_revisions_workspace` ON `content_revisions` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `rule_runs_workspace` ON `rule_runs` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `confirmation_mails_workspace` ON `confirmation_mails` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `confirmations_workspace` ON `confirmations` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `consent_records_workspace` ON `consent_records` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `message_contents_workspace` ON `message_contents` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `message_groups_workspace` ON `message_groups` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `payment_events_contact` ON `payment_events` (`contact_id`) WHERE contact_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sequence_signals_workspace` ON `sequence_signals` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `webhook_attempts_addresses` ON `webhook_attempts` (`delivery_id`,`number`) WHERE instr(response, '@') > 0;