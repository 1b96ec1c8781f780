// paquebot campaign check | report | explain: what a campaign would do, what it did and how right the forecast was, and why somebody got it or
// did not.

import { loadCampaignView } from '../../features/campaigns/campaign-view.ts'
import { getCampaign } from '../../features/campaigns/campaigns.ts'
import { explainRecipient } from '../../features/campaigns/explain.ts'
import { type CampaignForecastView, lateText } from '../../features/campaigns/forecast-schema.ts'
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
      const { before: found } = await preflight(app, place, await getCampaign(app, place.id, id))
      const rows = [
        ['recipients', String(found.recipients)],
        ...Object.entries(found.skipped).map(([why, n]) => [why, String(n)]),
      ]
      const last = found.lastAt === null ? [] : [`its last mail would leave ${found.lastAt}`]
      const limit = found.limit === null ? [] : [`what limits it: ${found.limit.message}`]
      const warnings = found.warnings.map(({ message }) => message)
      return { json: found, lines: [...columns(rows), found.forecast, ...last, ...limit, ...warnings] }
    }),
})

const report = defineCommand({
  name: 'campaign report',
  says: 'Shows what became of a campaign: its recipients by outcome, and how wrong the forecast of its last mail was.',
  flags: { workspace, campaign },
  run: ({ workspace: slug, campaign: id }, config) =>
    withApp(config(), async (app) => {
      const found = await loadCampaignView(app, await getWorkspaceBySlug(app, slug), id)
      const { status, waitsFor, stats, startedAt, endedAt, forecast } = found
      const rows = [
        ['status', status],
        ...(waitsFor === null ? [] : [['waits for', waitsFor]]),
        ...Object.entries(stats).flatMap(([name, count]) => (count === 0 ? [] : [[name, String(count)]])),
        ['started', startedAt ?? '-'],
        ['ended', endedAt ?? '-'],
        ...(forecast === null ? [] : forecastRows(forecast)),
      ]
      return { json: found, lines: columns(rows) }
    }),
})

function forecastRows({ lastAt, limit, lateSeconds }: CampaignForecastView): string[][] {
  const wrong = lateSeconds === null ? [] : [['it was wrong by', lateText(lateSeconds)]]
  return [['forecast of the last mail', lastAt ?? '-'], ['limited by', limit?.message ?? 'nothing'], ...wrong]
}

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

export const campaignCommands = [check, report, explain]
