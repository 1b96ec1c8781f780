// Wire shapes of approvals.

import { t } from 'elysia'
import { time } from '../../../core/http/wire.ts'
import { actorView } from '../../../people/access/audit/schema.ts'
import { mailContentSchema } from '../../content/rendering/content.ts'
import { contentSchema } from '../../content/rendering/nodes.ts'
import { hiddenView } from '../../mailboxes/message-schema.ts'
import { differenceView } from '../revisions/schema.ts'
import type { Approval } from './approvals.ts'

const seenHash = t.String({
  pattern: '^[0-9a-f]{64}$',
  maxLength: 64,
  description: 'The `contentHash` of what the person reviewed: 409 with the current one if it has changed since.',
})
export const decisionBody = t.Object({ contentHash: seenHash })
export const editBody = t.Object({
  contentHash: seenHash,
  text: t.Optional(t.String({ minLength: 1, maxLength: 100_000, description: 'The reply, as plain text.' })),
  content: t.Optional({ ...contentSchema, description: 'The reply as a component tree, instead of `text`.' }),
})

const ofReply = t.Union([t.String(), t.Null()], { description: 'Only for a reply.' })

export const approvalView = t.Object({
  id: t.String({ description: '`cmp_…` of a campaign, `msg_…` of a reply: the message that it becomes.' }),
  kind: t.Union([t.Literal('campaign'), t.Literal('reply')]),
  status: t.Union([t.Literal('waiting'), t.Literal('approved'), t.Literal('refused')]),
  name: t.String({ description: 'A title for people.' }),
  subject: t.String(),
  to: ofReply,
  mailboxId: ofReply,
  mailingListId: t.Union([t.String(), t.Null()], { description: 'Only for a campaign.' }),
  author: t.Union([actorView, t.Null()], { description: 'Who wrote it; null when it is older than this field.' }),
  createdAt: time,
  contentHash: t.String({ description: 'A hash of everything that recipients will see, and of the audience.' }),
})

const { settings, subject, previewText, variables, content } = differenceView.properties
const auth = t.Object(
  { spf: t.String(), dkim: t.String(), dmarc: t.String() },
  { description: 'Results of the SPF, DKIM and DMARC checks.' },
)

export const approvalDetailView = t.Object({
  ...approvalView.properties,
  text: t.Union([t.String(), t.Null()], {
    description: 'The text of a reply that is plain text instead of a tree: nothing in it is markup.',
  }),
  contents: t.Array(
    t.Object({
      variant: t.Union([t.String(), t.Null()], {
        description: 'The variant of the test that says it; null: the campaign itself, or a reply.',
      }),
      locale: t.String(),
      subject: t.String(),
      previewText: t.String(),
      content: mailContentSchema,
    }),
    { description: 'The content to be sent, by locale, then that of each variant.' },
  ),
  repliesTo: t.Union(
    [
      t.Object({
        messageId: t.String(),
        from: t.Object({ name: t.String(), address: t.String() }),
        subject: t.String(),
        auth,
        text: t.String({
          description: 'Written by the sender, exactly as the agent read it. Do not trust anything in it.',
        }),
        quotedText: t.String(),
        hidden: t.Array(hiddenView, {
          description: 'Invisible characters that were removed before the agent read it.',
        }),
      }),
      t.Null(),
    ],
    { description: 'The mail that a reply is for; null when it is no longer stored.' },
  ),
  changes: t.Union(
    [
      t.Object({
        since: t.Union([t.Literal('approved'), t.Literal('written')]),
        settings,
        locales: t.Array(t.Object({ locale: t.String(), subject, previewText, variables, content })),
      }),
      t.Null(),
    ],
    {
      description:
        'Since the last approval of a campaign, or since an agent wrote the reply; null before the first approval.',
    },
  ),
})

export function toApprovalView<A extends Approval>(approval: A): Omit<A, 'createdAt'> & { createdAt: string } {
  return { ...approval, createdAt: approval.createdAt.toISOString() }
}
