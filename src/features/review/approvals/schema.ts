// Wire shapes of approvals.

import { t } from 'elysia'
import { oneOf, time } from '../../../core/http/wire.ts'
import { actorView } from '../../../people/access/audit/schema.ts'
import { answerBody, requestView } from '../../../people/sign-in/passkeys/schema.ts'
import { mailContentSchema } from '../../content/rendering/content.ts'
import { contentSchema } from '../../content/rendering/nodes.ts'
import { hiddenView } from '../../mailboxes/message-schema.ts'
import { differenceView } from '../revisions/schema.ts'
import type { Approval } from './approvals.ts'
import type { Decided } from './decide.ts'

const seenHash = t.String({
  pattern: '^[0-9a-f]{64}$',
  maxLength: 64,
  description: 'The `contentHash` of what the person reviewed: 409 with the current one if it has changed since.',
})
const maxDecisions = 50
const approvals = t.Array(t.Object({ id: t.String({ maxLength: 100 }), contentHash: seenHash }), {
  minItems: 1,
  maxItems: maxDecisions,
  description: 'Each with the hash of what the person saw of it.',
})
export const decisionsBody = t.Object({ approvals })
export const approveBody = t.Object({
  approvals,
  credential: t.Optional({
    ...answerBody,
    description:
      'The result of `navigator.credentials.get()` with the options of `POST /v1/approvals/options` for this very list, if they were not null. Its bytes as base64url.',
  }),
})
export const confirmationView = t.Object({
  passkey: t.Union(
    [
      t.Object({
        ...requestView.properties,
        allowCredentials: t.Array(
          t.Object({ type: t.Literal('public-key'), id: t.String(), transports: t.Array(t.String()) }),
          { description: 'Your passkeys.' },
        ),
      }),
      t.Null(),
    ],
    { description: 'For `navigator.credentials.get()`; null when this list needs no passkey.' },
  ),
})
export const editBody = t.Object({
  contentHash: seenHash,
  text: t.Optional(t.String({ minLength: 1, maxLength: 100_000, description: 'The reply, as plain text.' })),
  content: t.Optional({ ...contentSchema, description: 'The reply as a component tree, instead of `text`.' }),
})

const ofMail = t.Union([t.String(), t.Null()], { description: 'Only for mail of an agent.' })

export const approvalView = t.Object({
  id: t.String({
    description: '`cmp_…` of a campaign, `msg_…` of mail: the message that it becomes, `act_…` of a call.',
  }),
  kind: oneOf(
    ['campaign', 'reply', 'mail', 'action'] as const,
    '`mail` begins a thread; `action` is a call of a tool.',
  ),
  status: oneOf(['waiting', 'approved', 'refused', 'withdrawn'] as const, '`withdrawn`: by its agent.'),
  waitsFor: oneOf(
    ['workspace', 'mailbox', 'airlock', 'draft'] as const,
    'Why: `agentsNeedApproval`, `holdReplies`, because its agent has read what people outside the workspace wrote, or because it asked for a draft.',
  ),
  name: t.String({ description: 'A title for people.' }),
  subject: t.String(),
  to: ofMail,
  mailboxId: ofMail,
  mailingListId: t.Union([t.String(), t.Null()], { description: 'Only for a campaign.' }),
  author: t.Union([actorView, t.Null()], { description: 'Who wrote it; null when it is older than this field.' }),
  createdAt: time,
  decidedBy: t.Union([actorView, t.Null()], { description: 'Who approved or refused it; null while it waits.' }),
  contentHash: t.String({ description: 'A hash of everything that recipients will see, and of the audience.' }),
})

const { settings, subject, previewText, variables, content } = differenceView.properties
const auth = t.Object(
  { spf: t.String(), dkim: t.String(), dmarc: t.String() },
  { description: 'Results of the SPF, DKIM and DMARC checks.' },
)

export const decisionsView = t.Object({
  results: t.Array(
    t.Object({
      id: t.String(),
      approval: t.Union([approvalView, t.Null()], { description: 'Null when it was not decided.' }),
      error: t.Union(
        [t.Object({ code: t.String(), message: t.String(), contentHash: t.Union([t.String(), t.Null()]) }), t.Null()],
        { description: 'Why not. `contentHash`: that of what it is now, when it has changed since it was reviewed.' },
      ),
    }),
    { description: 'In the order of the request.' },
  ),
})

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
        'Since the last approval of a campaign, or since an agent wrote the mail; null before the first approval.',
    },
  ),
  action: t.Union(
    [
      t.Object({
        name: t.String({ description: 'The tool.' }),
        title: t.String(),
        input: t.Record(t.String(), t.Unknown(), { description: 'Exactly what it is called with.' }),
      }),
      t.Null(),
    ],
    { description: 'The call of a tool that is done on approval.' },
  ),
})

export function toApprovalView<A extends Approval>(approval: A): Omit<A, 'createdAt'> & { createdAt: string } {
  return { ...approval, createdAt: approval.createdAt.toISOString() }
}

export function toDecisionsView(results: Decided[]): typeof decisionsView.static {
  return {
    results: results.map(({ id, approval, error }) => ({
      id,
      approval: approval && toApprovalView(approval),
      error: error && {
        code: error.code,
        message: error.message,
        contentHash: (error.details.extra?.['contentHash'] as string | undefined) ?? null,
      },
    })),
  }
}
