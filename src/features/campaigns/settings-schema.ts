// Wire shapes of the settings that all campaigns of a workspace have.

import { t } from 'elysia'
import { refusing } from '../../core/http/unknown-fields.ts'
import { timeOfDayPattern } from '../../kit/local-time.ts'

const timeOfDay = (description: string) =>
  t.String({ pattern: timeOfDayPattern, maxLength: 5, description, examples: ['22:00'] })
const quietHours = t.Union(
  [t.Object({ from: timeOfDay('When they begin.'), to: timeOfDay('When they end.') }), t.Null()],
  {
    description:
      'Between these times of day, in the time zone of each recipient, no campaign mail is prepared for them; it is sent in the ten minutes after. May cross midnight. null: no quiet hours.',
  },
)

export const settingsBody = refusing(
  t.Object({
    hoursBetween: t.Optional(
      t.Number({
        minimum: 0,
        maximum: 168,
        description: 'At most one campaign mail per recipient in this many hours; 0 = no limit.',
      }),
    ),
    mailsPerWeek: t.Optional(
      t.Number({
        minimum: 0,
        maximum: 1_000,
        description: 'At most this many per recipient in seven days; 0 = no limit.',
      }),
    ),
    agentsNeedApproval: t.Optional(
      t.Boolean({ description: 'What an API key or an agent sends must be approved by a member.' }),
    ),
    warmUp: t.Optional(t.Boolean({ description: 'A new sending domain starts with 50 recipients a day.' })),
    trackOpens: t.Optional(t.Boolean({ description: 'A tracking pixel records when a mail is opened.' })),
    trackClicks: t.Optional(t.Boolean({ description: 'Links go through this server, except those marked `notrack`.' })),
    quietHours: t.Optional(quietHours),
  }),
)
export const settingsView = t.Object({
  hoursBetween: t.Number(),
  mailsPerWeek: t.Number(),
  agentsNeedApproval: t.Boolean(),
  warmUp: t.Boolean(),
  trackOpens: t.Boolean(),
  trackClicks: t.Boolean(),
  dailyCap: t.Union([t.Number(), t.Null()], {
    description: 'Recipients in 24 h, instead of the cap of the trust level; set on the command line.',
  }),
  quietHours,
})
