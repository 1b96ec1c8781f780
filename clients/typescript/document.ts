// The OpenAPI document of this checkout, as the server of an empty installation answers it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/core/app.ts'
import { readConfig } from '../../src/core/config.ts'
import { buildServer } from '../../src/doors/server.ts'
import { noVitals } from '../../src/operator/health/vitals.ts'

export async function documentOfCheckout() {
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-document-'))
  const app = await createApp(readConfig({ DATA_DIR: directory }), { opening: { mayMake: true } })
  const { server, mcpSessions } = buildServer(app, noVitals)
  try {
    return await (await server.handle(new Request(`${app.config.baseUrl}/openapi.json`))).json()
  } finally {
    mcpSessions.close()
    await app.close()
    rmSync(directory, { recursive: true })
  }
}
