INSERT INTO `receiver_limits` (`relay_id`, `receiver`, `per_second`, `suspended_until`, `step`, `last_reply`, `changed_at`)
SELECT '', `domain`, 1, `until`, `step`, `last_reply`, `updated_at` FROM `domain_throttles`;
--> statement-breakpoint
DROP TABLE `domain_throttles`;
