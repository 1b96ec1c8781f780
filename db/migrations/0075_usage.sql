ALTER TABLE `workspace_days` ADD `events` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `workspace_days` ADD `contacts_made` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `workspace_days` ADD `media_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `workspace_days` ADD `received_bytes` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- What came in of a workspace with limits, by days of UTC, in the transaction that writes it. A copied row was counted where it came from.
CREATE TRIGGER workspace_days_event AFTER INSERT ON events
WHEN (SELECT limits FROM workspaces WHERE id = NEW.workspace_id) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM installation WHERE name = 'copy')
BEGIN INSERT INTO workspace_days (workspace_id, day, mails, events) VALUES (NEW.workspace_id, NEW.created_at - NEW.created_at % 86400000, 0, 1)
  ON CONFLICT (workspace_id, day) DO UPDATE SET events = events + excluded.events; END;
--> statement-breakpoint
CREATE TRIGGER workspace_days_contact AFTER INSERT ON contacts
WHEN (SELECT limits FROM workspaces WHERE id = NEW.workspace_id) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM installation WHERE name = 'copy')
BEGIN INSERT INTO workspace_days (workspace_id, day, mails, contacts_made) VALUES (NEW.workspace_id, NEW.created_at - NEW.created_at % 86400000, 0, 1)
  ON CONFLICT (workspace_id, day) DO UPDATE SET contacts_made = contacts_made + excluded.contacts_made; END;
--> statement-breakpoint
CREATE TRIGGER workspace_days_media AFTER INSERT ON media
WHEN (SELECT limits FROM workspaces WHERE id = NEW.workspace_id) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM installation WHERE name = 'copy')
BEGIN INSERT INTO workspace_days (workspace_id, day, mails, media_bytes) VALUES (NEW.workspace_id, NEW.created_at - NEW.created_at % 86400000, 0, NEW.size_bytes)
  ON CONFLICT (workspace_id, day) DO UPDATE SET media_bytes = media_bytes + excluded.media_bytes; END;
--> statement-breakpoint
CREATE TRIGGER workspace_days_received AFTER INSERT ON received_messages
WHEN (SELECT limits FROM workspaces WHERE id = NEW.workspace_id) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM installation WHERE name = 'copy')
BEGIN INSERT INTO workspace_days (workspace_id, day, mails, received_bytes) VALUES (NEW.workspace_id, NEW.created_at - NEW.created_at % 86400000, 0, NEW.size_bytes)
  ON CONFLICT (workspace_id, day) DO UPDATE SET received_bytes = received_bytes + excluded.received_bytes; END;
