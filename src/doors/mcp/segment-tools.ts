// The tools of segments: what is saved, who would be in one, and saving it. They call what the REST routes call and contain no rules.

import { Type } from '@sinclair/typebox'
import { write } from '../../core/app.ts'
import { countMembers, membersAfter } from '../../features/contacts/segments/members.ts'
import { toSegmentView } from '../../features/contacts/segments/schema.ts'
import { checkedFilter, countSegments, createSegment, listSegments } from '../../features/contacts/segments/segments.ts'
import { defineTool, type Tool } from './tool.ts'
import type { WorkspaceCaller } from './workspace-tools.ts'

const closed = { additionalProperties: false }
const text = Type.String()
const maxExamples = 10
const maxListed = 100

/** readFilter() is what checks it. */
const filter = Type.Unknown({
  type: 'object',
  title: 'Filter',
  description:
    'A condition, or conditions combined as `{"all": […]}`, `{"any": […]}` or `{"not": …}`. Conditions: `{"field": "plan", "op": "eq", "value": "pro"}` (a field or custom property), `{"list": "lst_…", "status": "active"}`, `{"event": "signup", "withinDays": 30, "atLeast": 1}`, `{"campaign": "clicked", "campaignId": "cmp_…"}`.',
})
const segment = {
  id: text,
  name: text,
  filter: Type.Unknown({ type: 'object', description: 'As for create_segment.' }),
}

const list = defineTool({
  name: 'list_segments',
  scope: 'contacts.read',
  title: 'List segments',
  says: {
    purpose: 'Lists the segments of the workspace: saved searches over contacts.',
    notFor: 'Counting the contacts in a segment (preview_segment with its filter), or listing them.',
    returns: '`segments` with id, name and filter, oldest first, at most 100 of `total`.',
    whenToUse: 'To find the `segmentId` for a campaign, or before saving another one.',
  },
  input: Type.Object({}, closed),
  output: Type.Object({ segments: Type.Array(Type.Object(segment)), total: Type.Integer() }),
  touches: { reads: 'own', acts: 'no' },
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(app, { workspace }: WorkspaceCaller) {
    const segments = await listSegments(app, workspace.id, { limit: maxListed })
    const total = await countSegments(app, workspace.id)
    return { structured: { segments: segments.map(({ id, name, filter }) => ({ id, name, filter })), total } }
  },
})

const preview = defineTool({
  name: 'preview_segment',
  scope: 'contacts.read',
  title: 'Preview a segment',
  says: {
    purpose: 'Counts the contacts that match a filter, and lists the first ten. Saves nothing.',
    notFor: 'Exporting contacts, or mailing them: a campaign with a `segmentId` does that.',
    returns:
      '`contacts`, whether that number is `exact` (beyond 20,000 contacts it is an estimate), and the first `emails`.',
    whenToUse: 'To try a filter before create_segment.',
  },
  input: Type.Object({ filter }, closed),
  output: Type.Object({ contacts: Type.Integer(), exact: Type.Boolean(), emails: Type.Array(text) }),
  touches: { reads: 'untrusted', acts: 'no' },
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(app, { workspace }: WorkspaceCaller, input) {
    const checked = await checkedFilter(app, workspace.id, input.filter)
    const wanted = { workspaceId: workspace.id, filter: checked, now: app.clock.now() }
    const members = await membersAfter(app, wanted, { limit: maxExamples })
    return { structured: { ...(await countMembers(app, wanted)), emails: members.map(({ email }) => email) } }
  },
})

const create = defineTool({
  name: 'create_segment',
  scope: 'contacts.write',
  title: 'Create a segment',
  says: {
    purpose: 'Saves a search over contacts under a name.',
    notFor: 'Mailing anybody: give its id as `segmentId` to create_campaign.',
    returns: '`id`, `name` and `filter`.',
    whenToUse: 'When a campaign should reach only part of a list. Try the filter with preview_segment first.',
  },
  input: Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }), filter }, closed),
  output: Type.Object(segment),
  touches: { reads: 'own', acts: 'inside' },
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async run(app, { workspace }: WorkspaceCaller, input) {
    const made = await write(app, (tx) => createSegment(tx, workspace.id, input))
    const { id, name, filter } = toSegmentView(made)
    return { structured: { id, name, filter } }
  },
})

export const segmentTools: Tool<WorkspaceCaller>[] = [list, preview, create]
