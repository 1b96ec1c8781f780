DROP INDEX `outbox_jobs_running`;--> statement-breakpoint
CREATE INDEX `outbox_jobs_running` ON `outbox_jobs` (`lease_owner`,`lease_until`) WHERE state = 'running';