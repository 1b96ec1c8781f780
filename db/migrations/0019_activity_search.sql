CREATE TABLE `activity_terms` (
	`term` integer NOT NULL,
	`block` integer NOT NULL,
	PRIMARY KEY(`term`, `block`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `messages_eventful` ON `messages` (`workspace_id`,`status`) WHERE status IN ('delivered', 'delayed', 'bounced', 'complained', 'suppressed', 'failed', 'uncertain', 'cancelled');--> statement-breakpoint
CREATE TRIGGER messages_rowid_freed AFTER DELETE ON messages
WHEN NOT EXISTS (SELECT 1 FROM messages WHERE rowid > OLD.rowid)
BEGIN DELETE FROM activity_terms WHERE term = 0 AND block >= (SELECT coalesce(max(rowid), 0) + 1 FROM messages) / 128; END;
