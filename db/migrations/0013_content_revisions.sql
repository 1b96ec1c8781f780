CREATE TABLE `content_revisions` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`owner_kind` text NOT NULL,
	`owner_id` text NOT NULL,
	`locale` text NOT NULL,
	`subject` text NOT NULL,
	`preview_text` text NOT NULL,
	`content` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
-- Who a revision belongs to stood in template_id: the id of a template, a campaign or a mailbox, or the words of a notice.
INSERT INTO content_revisions (id, workspace_id, owner_kind, owner_id, locale, subject, preview_text, content, created_at)
  SELECT id, workspace_id,
    CASE substr(template_id, 1, 4) WHEN 'tpl_' THEN 'template' WHEN 'cmp_' THEN 'campaign' WHEN 'mbx_' THEN 'mailbox' ELSE 'workspace' END,
    CASE WHEN substr(template_id, 1, 4) IN ('tpl_', 'cmp_', 'mbx_') THEN template_id ELSE workspace_id END,
    locale, subject, preview_text, content, created_at FROM template_revisions;--> statement-breakpoint
DROP TABLE `template_revisions`;