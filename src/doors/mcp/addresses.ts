// The paths of the two MCP surfaces. Messages of the oldest transport are posted to `messagePath`; its GET is also at `streamPath`.

export interface Address {
  path: string
  streamPath: string
  messagePath: string
}

export const workspaceAddress = { path: '/mcp', streamPath: '/sse', messagePath: '/messages' } satisfies Address
export const mailboxAddress = {
  path: '/mailbox/mcp',
  streamPath: '/mailbox/sse',
  messagePath: '/mailbox/messages',
} satisfies Address
