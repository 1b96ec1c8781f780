// What the screens are about, as the API answers it.

import type { Got, Listed, Posted } from './api.ts'

export type Approval = Got<'/v1/approvals/:approvalId'>
export type Campaign = Got<'/v1/campaigns/:campaignId'>
export type ConsentEntry = Listed<'/v1/contacts/:contactId/consent'>
export type Contact = Got<'/v1/contacts/:contactId'>
export type ImportPreview = Posted<'/v1/contacts/import/preview'>
export type MailingList = Listed<'/v1/mailing-lists'>
export type Picture = Listed<'/v1/media'>
export type Recurring = Got<'/v1/recurring-campaigns/:recurringCampaignId'>
export type Sequence = Got<'/v1/sequences/:sequenceId'>
export type Source = Got<'/v1/subscription-sources/:sourceId'>
export type Suppression = Listed<'/v1/suppressions'>
export type Template = Got<'/v1/transactional/:templateId'>
