// The OpenAPI document of this checkout, as the server of an empty installation answers it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { noVitals } from '../../src/http/vitals.ts'
import { buildServer } from '../../src/server.ts'

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
