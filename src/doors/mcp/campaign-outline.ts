// The outline of a campaign, where the client has no model that writes one.

import type { Node } from '../../features/content/rendering/nodes.ts'
import { invalidField } from '../../kit/error.ts'
import { toOneLine } from '../../kit/text.ts'
import type { Workspace } from '../../people/workspaces.ts'

export interface OutlineInput {
  prompt: string
  mailingListId?: string | undefined
  tone?: string | undefined
  locale?: string | undefined
}

export interface Outline {
  name: string
  subject: string
  previewText: string
  content: Node[]
  locale: string
  mailingListId: string | null
  /** True: the text is not written yet. */
  placeholder: boolean
  /** What to do next. */
  next: string
}

const maxSubject = 80

/** generate_campaign without a model: the same outline for the same prompt, to be filled in. Nothing is stored. */
export function outlineCampaign(workspace: Workspace, { prompt, mailingListId, tone, locale }: OutlineInput): Outline {
  const plain = withoutBraces(prompt).trim()
  if (plain === '') throw invalidField('prompt', 'is empty')
  const company = workspace.brand.companyName ?? workspace.name
  const subject = plain.length <= maxSubject ? plain : `${plain.slice(0, maxSubject - 1).trimEnd()}…`
  const manner = tone ? ` Tone: ${withoutBraces(tone).slice(0, 100)}.` : ''
  const { website } = workspace.brand
  return {
    name: subject,
    subject,
    previewText: `News from ${company}`.slice(0, 200),
    content: [
      { type: 'header', text: company },
      { type: 'heading', text: subject, level: 1 },
      { type: 'text', text: 'Hello {{contact.firstName|there}},' },
      { type: 'text', text: `[One paragraph that says why you write: ${plain.slice(0, 1_000)}.${manner}]` },
      { type: 'text', text: '[One paragraph with the details that matter to the reader.]' },
      ...(website ? [{ type: 'button', text: '[What to do next]', href: website } satisfies Node] : []),
      { type: 'text', text: `Yours,\n${workspace.brand.senderName ?? company}` },
      { type: 'footer' },
    ],
    locale: locale ?? workspace.primaryLocale,
    mailingListId: mailingListId ?? null,
    placeholder: true,
    next: 'Replace every text in [brackets], then call create_campaign with name, subject, mailingListId and content.',
  }
}

/** On one line, without variables. */
function withoutBraces(text: string): string {
  return toOneLine(text).replace(/[\s{}]+/g, ' ')
}
