CREATE TABLE `received_labels` (
	`mailbox_id` text NOT NULL,
	`label_key` text NOT NULL,
	`received_id` text NOT NULL,
	`label` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`mailbox_id`, `label_key`, `received_id`)
);
--> statement-breakpoint
CREATE INDEX `received_labels_received` ON `received_labels` (`received_id`);--> statement-breakpoint
CREATE TABLE `received_texts` (
	`number` integer PRIMARY KEY NOT NULL,
	`received_id` text NOT NULL,
	`mailbox_id` text NOT NULL,
	`subject` text NOT NULL,
	`sender` text NOT NULL,
	`body` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `received_texts_received` ON `received_texts` (`received_id`);--> statement-breakpoint
CREATE INDEX `received_texts_waiting` ON `received_texts` (`number`) WHERE body IS NULL;--> statement-breakpoint
CREATE INDEX `received_messages_of_thread` ON `received_messages` (`mailbox_id`,`thread_id`,`id`,`read_at`);--> statement-breakpoint
-- Without contents: it holds places of words only. The mailbox is a word of its own column, so that one index serves all of them.
CREATE VIRTUAL TABLE mail_search USING fts5(mailbox, subject, sender, body, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2 tokenchars '_'");
--> statement-breakpoint
CREATE TRIGGER received_texts_made AFTER INSERT ON received_texts WHEN NEW.body IS NOT NULL
BEGIN INSERT INTO mail_search (rowid, mailbox, subject, sender, body) VALUES (NEW.number, NEW.mailbox_id, NEW.subject, NEW.sender, NEW.body); END;
--> statement-breakpoint
CREATE TRIGGER received_texts_read AFTER UPDATE OF body ON received_texts WHEN OLD.body IS NULL AND NEW.body IS NOT NULL
BEGIN INSERT INTO mail_search (rowid, mailbox, subject, sender, body) VALUES (NEW.number, NEW.mailbox_id, NEW.subject, NEW.sender, NEW.body); END;
--> statement-breakpoint
CREATE TRIGGER received_texts_gone AFTER DELETE ON received_texts WHEN OLD.body IS NOT NULL
BEGIN DELETE FROM mail_search WHERE rowid = OLD.number; END;
--> statement-breakpoint
-- Mail that is there: a job reads it (src/features/mailboxes/search-index.ts).
INSERT INTO received_texts (number, received_id, mailbox_id, subject, sender)
  SELECT created_at * 1024 + row_number() OVER (PARTITION BY created_at ORDER BY id) - 1, id, mailbox_id, '', '' FROM received_messages;
