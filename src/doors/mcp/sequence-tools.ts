// The tools of sequences: what one says and how its people fare, and drafting one. Publishing is for people. They call what
// the REST routes call and contain no rules.

import { Type } from '@sinclair/typebox'
import { type App, write } from '../../core/app.ts'
import { createSequence, getSequence, updateSequence } from '../../features/sequences/sequences.ts'
import type { Sequence } from '../../features/sequences/versions.ts'
import { loadSequenceView } from '../../features/sequences/views.ts'
import type { Workspace } from '../../people/workspaces.ts'
import type { WorkspaceCaller } from './callers.ts'
import { defineTool, type Tool } from './tool.ts'

const closed = { additionalProperties: false }
const text = Type.String()
const nullableNumber = Type.Union([Type.Integer(), Type.Null()])
const id = Type.String({ minLength: 1, maxLength: 100, description: 'The id of the sequence, `seq_…`.' })
const people = Type.Record(text, Type.Integer(), { description: 'How many are in each state.' })
const issues = Type.Array(Type.Object({ path: text, message: text, code: text }))

/** readDefinition() is what checks it. */
const definition = Type.Unknown({
  type: 'object',
  title: 'Definition',
  description:
    '`{"start": {"event": "signed_up"}, "steps": […]}`, optionally `exits`, `goals` (lists like `start`), `reEntry`, `mailingListId`. A start is `{"event"}`, `{"list", "change"}`, `{"property", "equals"}` or null. Steps have an `id` and a `type`: `send` (`templateId`, `variables`, `test`: `{"variants": [{"name": "A"}, {"name": "B", "subject": "…"}], "winner": {"by": "clicks", "afterHours": 48}}`, also `by` `hand`, `share`, `holdOut`), `wait` (`for` `{"amount": 3, "unit": "d"}`, `at` "09:00", `weekdays`, `date`), `event` (`event`, `atMost`, `otherwise`), `digest` (`event`, `for` or `at`, `templateId`: one mail with a list of all that came, as `digest.items`), `branch` (`branches` of `if` and `next`), `update` (`properties`), `subscribe`, `unsubscribe` (`list`), `webhook`. `next` names the step that follows; null ends.',
  properties: {
    start: { type: 'object', properties: { event: { type: 'string' } }, additionalProperties: true },
    steps: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'string' }, type: { type: 'string' } },
        additionalProperties: true,
      },
    },
  },
  additionalProperties: true,
})

const draftView = Type.Object({
  id: text,
  name: text,
  state: text,
  version: nullableNumber,
  pauseReason: Type.Union([text, Type.Null()]),
  waitsFor: Type.Union([text, Type.Null()]),
  people,
  definition: Type.Unknown({ type: 'object' }),
  issues,
  steps: Type.Array(
    Type.Object({
      version: Type.Integer(),
      stepId: text,
      entered: Type.Integer(),
      here: Type.Integer(),
      sent: Type.Integer(),
      skipped: Type.Integer(),
      opened: Type.Integer(),
      clicked: Type.Integer(),
    }),
  ),
  tests: Type.Array(Type.Object({ stepId: text, sentence: text, winner: Type.Union([text, Type.Null()]) })),
})

async function loadView(app: App, workspace: Workspace, sequence: Sequence) {
  const { id, name, state, version, pauseReason, waitsFor, people, definition, issues, steps, tests } =
    await loadSequenceView(app, workspace, sequence)
  const said = tests.map(({ stepId, sentence, winner }) => ({ stepId, sentence, winner }))
  return { id, name, state, version, pauseReason, waitsFor, people, definition, issues, steps, tests: said }
}

const get = defineTool({
  name: 'get_sequence',
  scope: 'sequences.read',
  title: 'Look at a sequence',
  says: {
    purpose: 'Shows the draft of a sequence, what is wrong with it, and how many people went through each step.',
    notFor: 'One person: that is in the dashboard and the API.',
    returns: '`definition`, `issues` with the path of each, `people` by state, `steps` with their counts by version.',
    whenToUse: 'Before changing one with draft_sequence, or to say how it does.',
  },
  input: Type.Object({ sequenceId: id }, closed),
  output: draftView,
  touches: { reads: 'own', acts: 'no' },
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(app, { workspace }: WorkspaceCaller, { sequenceId }) {
    return { structured: await loadView(app, workspace, await getSequence(app, workspace.id, sequenceId)) }
  },
})

const draft = defineTool({
  name: 'draft_sequence',
  scope: 'sequences.write',
  title: 'Draft a sequence',
  says: {
    purpose:
      'Saves the draft of a sequence, a new one or that of `sequenceId`. Nobody is mailed: a person publishes it.',
    notFor: 'Publishing, pausing or putting people in. One mail to a list is create_campaign.',
    returns: 'As get_sequence: `issues` lists what keeps it from being published, such as templates that are missing.',
    whenToUse:
      'When several mails should follow an event. Make the templates first (create_template), then draft, mend the issues, and ask a person to look at it and publish it.',
  },
  input: Type.Object(
    {
      sequenceId: Type.Optional(id),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Needed for a new one.' })),
      definition,
    },
    closed,
  ),
  output: draftView,
  touches: { reads: 'own', acts: 'inside' },
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async run(app, { workspace }: WorkspaceCaller, { sequenceId, name, definition }) {
    const saved = await write(app, (tx) =>
      sequenceId === undefined
        ? createSequence(tx, workspace.id, { name: name ?? 'Draft', definition })
        : updateSequence(tx, workspace.id, sequenceId, { name, definition }),
    )
    return { structured: await loadView(app, workspace, saved) }
  },
})

export const sequenceTools: Tool<WorkspaceCaller>[] = [get, draft]
