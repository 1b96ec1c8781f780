// Which tools act at once for a key or token of the specification.

import { mailboxSurface } from '../../src/doors/mcp/surfaces.ts'
import { workspaceSurface } from '../support/mcp.ts'

const tools = [...mailboxSurface.tools, ...workspaceSurface.tools]

export function actsByItself(name: string): boolean {
  return tools.find((tool) => tool.name === name)?.actsAtOnce ?? false
}
