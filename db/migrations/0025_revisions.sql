ALTER TABLE `content_revisions` ADD `author` text;--> statement-breakpoint
ALTER TABLE `content_revisions` ADD `settings` text;--> statement-breakpoint
CREATE INDEX `content_revisions_owner` ON `content_revisions` (`owner_kind`,`owner_id`,`id`);--> statement-breakpoint
-- What test mails said stood among the revisions of their template or campaign.
UPDATE `content_revisions` SET `owner_kind` = 'test' WHERE `subject` LIKE '[Test] %' AND `owner_kind` IN ('template', 'campaign')
  AND `id` NOT IN (SELECT `revision_id` FROM `template_contents`) AND `id` NOT IN (SELECT `revision_id` FROM `campaign_contents`);
