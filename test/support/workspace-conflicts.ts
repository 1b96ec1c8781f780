// What managing workspaces refuses with 409 (test/openapi-statuses.test.ts).

import type { TestApp } from './app.ts'

const own = ({ workspace }: TestApp) => `/v1/workspaces/${workspace.id}`

export const workspaceConflicts = {
  createWorkspaceKey: (t: TestApp) => t.request('POST', `${own(t)}/api-keys`, { name: 'More' }),
  eraseWorkspace: (t: TestApp) => t.request('DELETE', own(t), { confirm: 'acme' }),
  suspendWorkspace: (t: TestApp) => t.request('POST', `${own(t)}/suspend`, { reason: 'Why not' }),
  importWorkspace: (t: TestApp) => t.request('POST', '/v1/workspace-imports', new Uint8Array(1)),
  exportWorkspace: (t: TestApp) => t.request('POST', `${own(t)}/export`, {}),
}
