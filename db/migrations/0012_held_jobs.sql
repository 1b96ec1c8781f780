-- A campaign that was halted had put its mails some 300 years off (1e13 ms). Now they are held, and due when they were.
UPDATE outbox_jobs SET state = 'held', due_at = due_at - 10000000000000
  WHERE state = 'pending' AND lane = 'mail.campaign' AND due_at > 5000000000000;--> statement-breakpoint
DROP INDEX `outbox_jobs_stuck`;--> statement-breakpoint
DROP INDEX `outbox_jobs_dedupe`;--> statement-breakpoint
CREATE INDEX `outbox_jobs_held` ON `outbox_jobs` (`lane`,`workspace_id`,`partition_key`) WHERE state = 'held';--> statement-breakpoint
CREATE INDEX `outbox_jobs_stuck` ON `outbox_jobs` (`workspace_id`,`kind`,`state`) WHERE state IN ('held', 'dead', 'ambiguous');--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_jobs_dedupe` ON `outbox_jobs` (`workspace_id`,`kind`,`dedupe_key`) WHERE dedupe_key IS NOT NULL AND state IN ('pending', 'held', 'running');