DROP INDEX `sequence_signals_list`;--> statement-breakpoint
ALTER TABLE `sequence_signals` ADD `failure` text;--> statement-breakpoint
ALTER TABLE `sequence_signals` ADD `again_at` integer;--> statement-breakpoint
CREATE INDEX `sequence_signals_aside` ON `sequence_signals` (`contact_id`) WHERE failure IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sequence_signals_again` ON `sequence_signals` (`workspace_id`,`again_at`) WHERE failure IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sequence_signals_list` ON `sequence_signals` (`workspace_id`,`id`) WHERE failure IS NULL;--> statement-breakpoint
ALTER TABLE `segment_marks` ADD `failure` text;--> statement-breakpoint
ALTER TABLE `segment_marks` ADD `again_at` integer;--> statement-breakpoint
CREATE INDEX `segment_marks_again` ON `segment_marks` (`workspace_id`,`again_at`) WHERE failure IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sequence_runs_step` ON `sequence_runs` (`sequence_id`,`step_id`,`state`,`id`);