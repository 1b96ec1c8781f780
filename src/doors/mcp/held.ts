// Keeps the call of a workspace tool for a person, and says so in its answer.

import { Type } from '@sinclair/typebox'
import { type App, write } from '../../core/app.ts'
import {
  type ActionInput,
  type ActionName,
  type HeldAction,
  holdAction,
} from '../../features/review/approvals/actions.ts'
import { waitingText } from './airlock.ts'
import type { WorkspaceCaller } from './callers.ts'
import type { ToolResult } from './tool.ts'

/** Of the answer of a tool that may have to wait. */
export const heldFields = {
  held: Type.Optional(Type.Boolean({ description: 'It was not done: it waits for a person.' })),
  approvalId: Type.Optional(Type.String({ description: 'What the person decides about.' })),
}

/** Throws as holdAction(). */
export async function keep<N extends ActionName>(
  app: App,
  { presented: { kind, id }, workspaceId }: WorkspaceCaller,
  call: { action: N; input: ActionInput<N> },
): Promise<HeldAction> {
  if (kind === 'mailbox_token') throw new Error('a mailbox token has no tools of a workspace')
  return await write(app, (tx) => holdAction(tx, { workspaceId, authorKind: kind, authorId: id }, call))
}

/** `what` has not happened. */
export function toldOf<T extends { approvalId: string }>(
  app: App,
  { workspace: { slug } }: WorkspaceCaller,
  structured: T,
  what?: string,
): ToolResult<T> {
  return { structured, text: (json) => `${waitingText(app, { slug, id: structured.approvalId, what })}\n\n${json}` }
}
