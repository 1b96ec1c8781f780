// The paths of the two MCP surfaces. By OAuth, a client is connected to `path` (features/oauth/resources.ts). Messages of the oldest transport are posted to `messagePath`; its GET is also at `streamPath`.

import { type Endpoint, endpointPaths } from '../../features/oauth/resources.ts'

export interface Address {
  endpoint: Endpoint
  path: string
  streamPath: string
  messagePath: string
}

export const workspaceAddress = {
  endpoint: 'workspace',
  path: endpointPaths.workspace,
  streamPath: '/sse',
  messagePath: '/messages',
} satisfies Address
export const mailboxAddress = {
  endpoint: 'mailbox',
  path: endpointPaths.mailbox,
  streamPath: '/mailbox/sse',
  messagePath: '/mailbox/messages',
} satisfies Address
