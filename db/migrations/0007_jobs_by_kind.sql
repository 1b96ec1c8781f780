DROP INDEX `outbox_jobs_stuck`;--> statement-breakpoint
DROP INDEX `outbox_jobs_finished`;--> statement-breakpoint
CREATE INDEX `outbox_jobs_waiting` ON `outbox_jobs` (`workspace_id`,`kind`) WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX `outbox_jobs_stuck` ON `outbox_jobs` (`workspace_id`,`kind`,`state`) WHERE state IN ('dead', 'ambiguous');--> statement-breakpoint
CREATE INDEX `outbox_jobs_finished` ON `outbox_jobs` (`workspace_id`,`kind`,`state`) WHERE finished_at IS NOT NULL;