CREATE TABLE `sending_faults` (
	`scope` text PRIMARY KEY NOT NULL,
	`about` text NOT NULL,
	`reply` text NOT NULL,
	`refusals` integer NOT NULL,
	`since` integer NOT NULL,
	`last_at` integer NOT NULL,
	`held_until` integer
);
