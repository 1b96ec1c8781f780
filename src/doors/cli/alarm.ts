// paquebot alarm test: whether alarms arrive, asked before one is needed.

import { systemClock } from '../../kit/clock.ts'
import { systemRandom } from '../../kit/random.ts'
import { AlarmSender } from '../../operator/attention/alarm-sender.ts'
import { defineCommand, UsageError } from './command.ts'

export const alarmTest = defineCommand({
  name: 'alarm test',
  says: 'Sends a test message to each address in ALARM_TO, and reports whether it was accepted. Exit 1 if one was not.',
  flags: {},
  run: async (_flags, config) => {
    const settings = config()
    const { to } = settings.alarms
    if (to.length === 0) throw new UsageError('paquebot alarm test needs ALARM_TO')
    const sender = new AlarmSender(settings, systemRandom)
    const now = systemClock.now()
    const test = {
      code: 'test',
      severity: 'notice',
      text: 'This is a test of the alarms',
      detail: null,
      todo: 'There is nothing to do.',
      since: now.toISOString(),
      docs: 'docs/operating.md',
    } as const
    const results = []
    for (const address of to) {
      const failure = await sender.tell(address, { begun: [test], over: new Map() }, now)
      results.push({ kind: address.kind, host: new URL(address.url).host, failure })
    }
    sender.close()
    const lines = results.map(({ kind, host, failure }) => `${kind} at ${host}: ${failure ?? 'taken'}`)
    const ok = results.every(({ failure }) => failure === null)
    return { json: { ok, data: results }, lines, ok }
  },
})
