CREATE TABLE `activity_changes` (
	`position` integer PRIMARY KEY NOT NULL,
	`message_id` text NOT NULL,
	`number` integer NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER message_events_in_order AFTER INSERT ON message_events
BEGIN INSERT INTO activity_changes (message_id, number) VALUES (NEW.message_id, NEW.number); END;
