CREATE TABLE `write_tokens` (
	`token` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`committed` integer NOT NULL
);
