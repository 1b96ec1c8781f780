// Whom each endpoint admits, with what their credential opens.

import type { OpenMailbox } from '../../features/mailboxes/tokens.ts'
import type { Credential } from '../../people/access/auth.ts'
import type { Workspace } from '../../people/workspaces.ts'
import type { Caller } from './surface.ts'

export interface WorkspaceCaller extends Caller {
  workspace: Workspace
  credential: Credential
}

export interface MailboxCaller extends Caller {
  open: OpenMailbox
}
