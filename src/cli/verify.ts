// paquebot verify: checks the invariants of the outbox over everything that is stored.

import { checkInvariants } from '../outbox/invariants.ts'
import { defineCommand } from './command.ts'
import { withApp } from './with-app.ts'

export const verify = defineCommand({
  name: 'verify',
  says: 'Checks the invariants of the outbox. Exit 1 if one is broken.',
  flags: {},
  run: (_, config) =>
    withApp(config(), async (app) => {
      const violations = await checkInvariants(app)
      const ok = violations.length === 0
      return { json: { ok, violations }, lines: ok ? ['All invariants hold.'] : violations, ok }
    }),
})
