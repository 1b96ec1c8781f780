CREATE TABLE `figures` (
	`workspace_id` text NOT NULL,
	`dimension` text NOT NULL,
	`bucket` text NOT NULL,
	`at` integer NOT NULL,
	`value` text NOT NULL,
	`sent` integer NOT NULL,
	`delivered` integer NOT NULL,
	`bounced` integer NOT NULL,
	`complained` integer NOT NULL,
	`suppressed` integer NOT NULL,
	`failed` integer NOT NULL,
	`opened` integer NOT NULL,
	`clicked` integer NOT NULL,
	`machine_opened` integer NOT NULL,
	`machine_clicked` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `dimension`, `bucket`, `at`, `value`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `figures_age` ON `figures` (`bucket`,`at`);--> statement-breakpoint
-- What happened before now is counted afterwards, in slices (src/features/sending/stats/catch-up.ts).
INSERT INTO `installation` (name, value, updated_at)
  SELECT 'figures_behind', json_object('before', CAST(unixepoch('subsec') * 1000 AS INTEGER), 'after', ''), 0
  WHERE EXISTS (SELECT 1 FROM messages);
