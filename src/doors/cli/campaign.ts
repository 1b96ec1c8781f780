// paquebot campaign check | explain: what a campaign would do, and why somebody got it or did not.

import { getCampaign } from '../../features/campaigns/campaigns.ts'
import { explainRecipient } from '../../features/campaigns/explain.ts'
import { toExplanationView } from '../../features/campaigns/schema.ts'
import { preflight } from '../../features/campaigns/send.ts'
import { findContactByEmail } from '../../features/contacts/consent/find-contact.ts'
import { AppError } from '../../kit/error.ts'
import { getWorkspaceBySlug } from '../../people/workspaces.ts'
import { columns, defineCommand } from './command.ts'
import { withApp } from './with-app.ts'

const workspace = { type: 'string', value: 'SLUG', required: true, says: 'which workspace' } as const
const campaign = { type: 'string', value: 'ID', required: true, says: 'which campaign' } as const

const check = defineCommand({
  name: 'campaign check',
  says: 'Shows who would get a campaign now, who would not and why, and when it would finish. Sends nothing.',
  flags: { workspace, campaign },
  run: ({ workspace: slug, campaign: id }, config) =>
    withApp(config(), async (app) => {
      const place = await getWorkspaceBySlug(app, slug)
      const found = await preflight(app, place, await getCampaign(app, place.id, id))
      const rows = [
        ['recipients', String(found.recipients)],
        ...Object.entries(found.skipped).map(([why, n]) => [why, String(n)]),
      ]
      return { json: found, lines: [...columns(rows), found.forecast, ...found.warnings.map(({ message }) => message)] }
    }),
})

const explain = defineCommand({
  name: 'campaign explain',
  says: 'Explains why somebody got a campaign, or did not: every check and every attempt.',
  flags: { workspace, campaign, email: { type: 'string', value: 'ADDR', required: true, says: 'the contact' } },
  run: ({ workspace: slug, campaign: id, email }, config) =>
    withApp(config(), async (app) => {
      const place = await getWorkspaceBySlug(app, slug)
      const contact = await findContactByEmail(app, place.id, email)
      if (!contact) throw new AppError('not_found', `there is no contact ${email}`)
      const view = toExplanationView(await explainRecipient(app, place, id, contact.id))
      const checks = view.checks.map(({ check, ok, value }) => [ok ? 'ok' : 'NO', check, value])
      const attempts = view.attempts.map(({ at, status, code, detail }) => [at, status, code ?? '', detail ?? ''])
      return { json: view, lines: [...columns(checks), ...(attempts.length > 0 ? columns(attempts) : [])] }
    }),
})

export const campaignCommands = [check, explain]
