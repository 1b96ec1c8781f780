CREATE TABLE `deleted_segments` (
	`workspace_id` text NOT NULL,
	`segment_id` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `segment_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `segment_marks` (
	`workspace_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`topic` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `contact_id`, `topic`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `segment_members` (
	`segment_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`since` integer NOT NULL,
	PRIMARY KEY(`segment_id`, `contact_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `segment_moments` (
	`segment_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`segment_id`, `contact_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `segment_moments_next` ON `segment_moments` (`workspace_id`,`at`);--> statement-breakpoint
CREATE TABLE `segment_topics` (
	`workspace_id` text NOT NULL,
	`topic` text NOT NULL,
	`segment_id` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `topic`, `segment_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `segment_topics_segment` ON `segment_topics` (`segment_id`);--> statement-breakpoint
CREATE TABLE `touched_partitions` (
	`key` text PRIMARY KEY NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `segments` ADD `members` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `segments` ADD `building` text DEFAULT '{"after":"","done":0,"of":0}';--> statement-breakpoint
ALTER TABLE `segments` ADD `built_at` integer;--> statement-breakpoint
CREATE INDEX `segments_building` ON `segments` (`workspace_id`,`id`) WHERE building IS NOT NULL;--> statement-breakpoint
-- What the filters of segments ask about. Their keys are those of the notation, and only conditions have these.
CREATE TRIGGER segments_topics_new AFTER INSERT ON segments WHEN NOT EXISTS (SELECT 1 FROM installation WHERE name = 'copy')
BEGIN INSERT INTO segment_topics (workspace_id, topic, segment_id)
  SELECT NEW.workspace_id, CASE WHEN one.key <> 'campaign' THEN one.key || ' ' || one.atom
    ELSE rtrim('campaign ' || coalesce(json_extract(NEW.filter, one.path || '.campaignId'), '')) END, NEW.id
  FROM json_tree(NEW.filter) AS one WHERE one.key IN ('field', 'list', 'event', 'campaign') ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER segments_topics_changed AFTER UPDATE OF filter ON segments
BEGIN DELETE FROM segment_topics WHERE segment_id = NEW.id;
INSERT INTO segment_topics (workspace_id, topic, segment_id)
  SELECT NEW.workspace_id, CASE WHEN one.key <> 'campaign' THEN one.key || ' ' || one.atom
    ELSE rtrim('campaign ' || coalesce(json_extract(NEW.filter, one.path || '.campaignId'), '')) END, NEW.id
  FROM json_tree(NEW.filter) AS one WHERE one.key IN ('field', 'list', 'event', 'campaign') ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER segments_topics_gone AFTER DELETE ON segments
BEGIN DELETE FROM segment_topics WHERE segment_id = OLD.id; END;
--> statement-breakpoint
-- Of whom something changed that a segment asks about. A copy brings the marks of its source.
CREATE TRIGGER segment_marks_contact_new AFTER INSERT ON contacts
WHEN EXISTS (SELECT 1 FROM segment_topics WHERE workspace_id = NEW.workspace_id) AND NOT EXISTS (SELECT 1 FROM installation WHERE name = 'copy')
BEGIN INSERT INTO segment_marks (workspace_id, contact_id, topic, at) SELECT NEW.workspace_id, NEW.id, '', NEW.updated_at WHERE true ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER segment_marks_contact_changed AFTER UPDATE ON contacts
WHEN EXISTS (SELECT 1 FROM segment_topics WHERE workspace_id = NEW.workspace_id)
BEGIN INSERT INTO segment_marks (workspace_id, contact_id, topic, at) SELECT NEW.workspace_id, NEW.id, asked.topic, NEW.updated_at
  FROM (SELECT DISTINCT topic FROM segment_topics WHERE workspace_id = NEW.workspace_id AND topic >= 'field ' AND topic < 'field!') AS asked
  WHERE CASE asked.topic
    WHEN 'field email' THEN OLD.email IS NOT NEW.email
    WHEN 'field userId' THEN OLD.user_id IS NOT NEW.user_id
    WHEN 'field firstName' THEN OLD.first_name IS NOT NEW.first_name
    WHEN 'field lastName' THEN OLD.last_name IS NOT NEW.last_name
    WHEN 'field source' THEN OLD.source IS NOT NEW.source
    WHEN 'field userGroup' THEN OLD.user_group IS NOT NEW.user_group
    WHEN 'field locale' THEN OLD.locale IS NOT NEW.locale
    WHEN 'field timezone' THEN OLD.timezone IS NOT NEW.timezone
    WHEN 'field subscribed' THEN OLD.subscribed IS NOT NEW.subscribed
    WHEN 'field createdAt' THEN OLD.created_at IS NOT NEW.created_at
    WHEN 'field domain' THEN OLD.email_key IS NOT NEW.email_key
    ELSE (OLD.properties -> ('$."' || substr(asked.topic, 7) || '"')) IS NOT (NEW.properties -> ('$."' || substr(asked.topic, 7) || '"')) END
  ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
-- A contact takes along what is kept of it.
CREATE TRIGGER segment_members_contact_gone AFTER DELETE ON contacts
WHEN EXISTS (SELECT 1 FROM segments WHERE workspace_id = OLD.workspace_id) OR EXISTS (SELECT 1 FROM deleted_segments WHERE workspace_id = OLD.workspace_id)
BEGIN
  UPDATE segments SET members = members - 1 WHERE workspace_id = OLD.workspace_id
    AND EXISTS (SELECT 1 FROM segment_members AS m WHERE m.segment_id = segments.id AND m.contact_id = OLD.id);
  DELETE FROM segment_members WHERE contact_id = OLD.id AND segment_id IN (SELECT id FROM segments WHERE workspace_id = OLD.workspace_id
    UNION ALL SELECT segment_id FROM deleted_segments WHERE workspace_id = OLD.workspace_id);
  DELETE FROM segment_moments WHERE contact_id = OLD.id AND segment_id IN (SELECT id FROM segments WHERE workspace_id = OLD.workspace_id
    UNION ALL SELECT segment_id FROM deleted_segments WHERE workspace_id = OLD.workspace_id);
  DELETE FROM segment_marks WHERE workspace_id = OLD.workspace_id AND contact_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER segment_marks_subscription_new AFTER INSERT ON subscriptions
WHEN EXISTS (SELECT 1 FROM segment_topics WHERE workspace_id = NEW.workspace_id AND topic = 'list ' || NEW.mailing_list_id) AND NOT EXISTS (SELECT 1 FROM installation WHERE name = 'copy')
BEGIN INSERT INTO segment_marks (workspace_id, contact_id, topic, at) SELECT NEW.workspace_id, NEW.contact_id, 'list ' || NEW.mailing_list_id, NEW.updated_at WHERE true ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER segment_marks_subscription_changed AFTER UPDATE OF status ON subscriptions
WHEN OLD.status IS NOT NEW.status AND EXISTS (SELECT 1 FROM segment_topics WHERE workspace_id = NEW.workspace_id AND topic = 'list ' || NEW.mailing_list_id)
BEGIN INSERT INTO segment_marks (workspace_id, contact_id, topic, at) SELECT NEW.workspace_id, NEW.contact_id, 'list ' || NEW.mailing_list_id, NEW.updated_at WHERE true ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER segment_marks_subscription_gone AFTER DELETE ON subscriptions
WHEN EXISTS (SELECT 1 FROM segment_topics WHERE workspace_id = OLD.workspace_id AND topic = 'list ' || OLD.mailing_list_id)
BEGIN INSERT INTO segment_marks (workspace_id, contact_id, topic, at) SELECT OLD.workspace_id, OLD.contact_id, 'list ' || OLD.mailing_list_id, OLD.updated_at WHERE true ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER segment_marks_event_new AFTER INSERT ON events
WHEN EXISTS (SELECT 1 FROM segment_topics WHERE workspace_id = NEW.workspace_id AND topic = 'event ' || NEW.name) AND NOT EXISTS (SELECT 1 FROM installation WHERE name = 'copy')
BEGIN INSERT INTO segment_marks (workspace_id, contact_id, topic, at) SELECT NEW.workspace_id, NEW.contact_id, 'event ' || NEW.name, NEW.created_at WHERE true ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER segment_marks_event_gone AFTER DELETE ON events
WHEN EXISTS (SELECT 1 FROM segment_topics WHERE workspace_id = OLD.workspace_id AND topic = 'event ' || OLD.name)
BEGIN INSERT INTO segment_marks (workspace_id, contact_id, topic, at) SELECT OLD.workspace_id, OLD.contact_id, 'event ' || OLD.name, OLD.created_at WHERE true ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER segment_marks_recipient_new AFTER INSERT ON campaign_recipients
WHEN NEW.state = 'sent' AND EXISTS (SELECT 1 FROM segment_topics) AND NOT EXISTS (SELECT 1 FROM installation WHERE name = 'copy')
BEGIN INSERT INTO segment_marks (workspace_id, contact_id, topic, at)
  SELECT DISTINCT one.workspace_id, NEW.contact_id, asked.topic, NEW.updated_at FROM campaigns AS one
  JOIN segment_topics AS asked ON asked.workspace_id = one.workspace_id AND asked.topic IN ('campaign', 'campaign ' || NEW.campaign_id)
  WHERE one.id = NEW.campaign_id ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER segment_marks_recipient_changed AFTER UPDATE OF state, message_id, updated_at ON campaign_recipients
WHEN (OLD.state = 'sent' OR NEW.state = 'sent') AND EXISTS (SELECT 1 FROM segment_topics)
BEGIN INSERT INTO segment_marks (workspace_id, contact_id, topic, at)
  SELECT DISTINCT one.workspace_id, NEW.contact_id, asked.topic, NEW.updated_at FROM campaigns AS one
  JOIN segment_topics AS asked ON asked.workspace_id = one.workspace_id AND asked.topic IN ('campaign', 'campaign ' || NEW.campaign_id)
  WHERE one.id = NEW.campaign_id ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER segment_marks_recipient_gone AFTER DELETE ON campaign_recipients
WHEN OLD.state = 'sent' AND EXISTS (SELECT 1 FROM segment_topics)
BEGIN INSERT INTO segment_marks (workspace_id, contact_id, topic, at)
  SELECT DISTINCT one.workspace_id, OLD.contact_id, asked.topic, OLD.updated_at FROM campaigns AS one
  JOIN segment_topics AS asked ON asked.workspace_id = one.workspace_id AND asked.topic IN ('campaign', 'campaign ' || OLD.campaign_id)
  WHERE one.id = OLD.campaign_id ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER segment_marks_engagement_new AFTER INSERT ON tracked_mails
WHEN coalesce(NEW.opened_at, NEW.clicked_at) IS NOT NULL AND EXISTS (SELECT 1 FROM segment_topics) AND NOT EXISTS (SELECT 1 FROM installation WHERE name = 'copy')
BEGIN INSERT INTO segment_marks (workspace_id, contact_id, topic, at)
  SELECT DISTINCT one.workspace_id, one.contact_id, asked.topic, max(coalesce(NEW.opened_at, 0), coalesce(NEW.clicked_at, 0)) FROM messages AS one
  JOIN segment_topics AS asked ON asked.workspace_id = one.workspace_id AND asked.topic IN ('campaign', 'campaign ' || one.campaign_id)
  WHERE one.id = NEW.message_id AND one.contact_id IS NOT NULL ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER segment_marks_engagement_changed AFTER UPDATE OF opened_at, clicked_at ON tracked_mails
WHEN (OLD.opened_at IS NOT NEW.opened_at OR OLD.clicked_at IS NOT NEW.clicked_at) AND EXISTS (SELECT 1 FROM segment_topics)
BEGIN INSERT INTO segment_marks (workspace_id, contact_id, topic, at)
  SELECT DISTINCT one.workspace_id, one.contact_id, asked.topic, max(coalesce(NEW.opened_at, 0), coalesce(NEW.clicked_at, 0)) FROM messages AS one
  JOIN segment_topics AS asked ON asked.workspace_id = one.workspace_id AND asked.topic IN ('campaign', 'campaign ' || one.campaign_id)
  WHERE one.id = NEW.message_id AND one.contact_id IS NOT NULL ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
CREATE TRIGGER segment_marks_engagement_gone AFTER DELETE ON tracked_mails
WHEN coalesce(OLD.opened_at, OLD.clicked_at) IS NOT NULL AND EXISTS (SELECT 1 FROM segment_topics)
BEGIN INSERT INTO segment_marks (workspace_id, contact_id, topic, at)
  SELECT DISTINCT one.workspace_id, one.contact_id, asked.topic, max(coalesce(OLD.opened_at, 0), coalesce(OLD.clicked_at, 0)) FROM messages AS one
  JOIN segment_topics AS asked ON asked.workspace_id = one.workspace_id AND asked.topic IN ('campaign', 'campaign ' || one.campaign_id)
  WHERE one.id = OLD.message_id AND one.contact_id IS NOT NULL ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
-- As wakeSegments() does (src/features/contacts/segments/wake.ts), at the time of the change: SQL has no clock that a test moves.
CREATE TRIGGER segment_marks_wake AFTER INSERT ON segment_marks
WHEN NOT EXISTS (SELECT 1 FROM outbox_jobs WHERE workspace_id = NEW.workspace_id AND kind = 'keep-segments' AND dedupe_key = 'segments' AND state IN ('pending', 'held', 'running') AND (state = 'running' OR due_at <= NEW.at + 1000)) AND NOT EXISTS (SELECT 1 FROM installation WHERE name = 'copy')
BEGIN INSERT INTO outbox_jobs (id, workspace_id, lane, kind, dedupe_key, state, due_at, attempts_max, payload, created_at)
  SELECT 'job_' || printf('%012x', NEW.at) || '7' || substr(chance, 1, 3) || '8' || substr(chance, 4, 15), NEW.workspace_id, 'segments', 'keep-segments',
    'segments', 'pending', NEW.at, 5, '{}', NEW.at FROM (SELECT lower(hex(randomblob(9))) AS chance) WHERE true
  ON CONFLICT (workspace_id, kind, dedupe_key) WHERE dedupe_key IS NOT NULL AND state IN ('pending', 'held', 'running')
  DO UPDATE SET due_at = min(due_at, excluded.due_at);
  INSERT INTO touched_partitions (key) VALUES (json_array('segments', NEW.workspace_id, '')) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
-- Segments that are there: their topics, and a mark of nobody, for the job that builds them.
UPDATE segments SET filter = filter;
--> statement-breakpoint
INSERT INTO segment_marks (workspace_id, contact_id, topic, at) SELECT workspace_id, '', '', max(updated_at) FROM segments GROUP BY workspace_id;