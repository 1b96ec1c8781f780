ALTER TABLE `captured_mails` ADD `workspace_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `captured_mails_list` ON `captured_mails` (`workspace_id`,`id`);--> statement-breakpoint
ALTER TABLE `payment_integrations` ADD `create_contacts` integer DEFAULT true NOT NULL;
--> statement-breakpoint
-- A Message-ID begins with the id of the message, or of the job of a notice (4 + 32 characters). What nothing is known of stays hidden.
UPDATE captured_mails SET workspace_id = coalesce(
  (SELECT m.workspace_id FROM messages m WHERE m.id = substr(captured_mails.message_id_header, 1, 36)),
  (SELECT j.workspace_id FROM outbox_jobs j WHERE j.id = substr(captured_mails.message_id_header, 1, 36)),
  ''
);
