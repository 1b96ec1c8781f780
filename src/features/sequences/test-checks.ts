// What is asked of the test of a send step before it is published: that every mail it may send can be made, that they differ, and that
// clicks are counted where they decide.

import type { TestVariant } from '../../../db/tables/ab-tests.ts'
import type { Definition } from '../../../db/tables/sequences.ts'
import type { App, Reader } from '../../core/app.ts'
import type { Issue } from '../../kit/error.ts'
import { loadCampaignSettings } from '../../people/campaign-settings.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { checkAddresses, findSame } from '../ab-tests/variants.ts'
import { mailIssues, type ProposedMail } from '../events/rule-checks.ts'
import { placeOfTest } from './read-step-test.ts'
import { isTested, type TestedStep } from './step-tests.ts'

export async function testIssues(
  reader: Reader,
  workspace: Workspace,
  { test, templateId }: TestedStep,
  mail: ProposedMail,
): Promise<Issue[]> {
  const same = findSame(test.variants, { templateId })
  const issues: Issue[] =
    same === null ? [] : [{ path: `test.variants[${same.index}]`, code: 'contradiction', message: same.message }]
  if (test.winner.by === 'clicks') issues.push(...(await clickIssues(reader, workspace, mail)))
  return [...issues, ...(await variantIssues(reader, workspace, test.variants, mail))]
}

/** Throws `domain_not_verified` for the address of a variant that the workspace may not use. */
export async function checkTestSenders(app: App, { id }: Workspace, { steps }: Definition): Promise<void> {
  for (const [at, step] of steps.entries()) {
    if (step.type === 'send' && isTested(step)) await checkAddresses(app, id, step.test, placeOfTest(`steps[${at}]`))
  }
}

async function clickIssues(reader: Reader, { id }: Workspace, { purpose }: ProposedMail): Promise<Issue[]> {
  const isCounted = purpose === 'marketing' && (await loadCampaignSettings(reader, id)).trackClicks
  if (isCounted) return []
  const message =
    purpose === 'marketing'
      ? 'needs trackClicks of the campaign settings: without it nobody counts clicks; or choose by hand'
      : 'nobody counts the clicks of transactional mail: choose by hand'
  return [{ path: 'test.winner.by', code: 'clicks_not_tracked', message }]
}

/** The variables of the step are those of all its mails: each is used by one of them at least. */
async function variantIssues(
  reader: Reader,
  workspace: Workspace,
  variants: TestVariant[],
  mail: ProposedMail,
): Promise<Issue[]> {
  const found: Issue[] = []
  const unused: Set<string>[] = []
  for (const [index, { templateId = mail.templateId, subject }] of variants.entries()) {
    const { mine = [], others = [] } = Object.groupBy(
      await mailIssues(reader, workspace, { ...mail, templateId, subject }),
      ({ code }) => (code === 'unknown_variable' ? 'others' : 'mine'),
    )
    unused.push(new Set(others.map(({ path }) => path)))
    for (const issue of mine) found.push(issue.path === 'templateId' ? inVariant(issue, variants, index) : issue)
    if (index === variants.length - 1)
      found.push(...others.filter(({ path }) => unused.every((paths) => paths.has(path))))
  }
  const keys = found.map((issue) => JSON.stringify(issue))
  return found.filter((_, at) => keys.indexOf(keys[at] ?? '') === at)
}

/** Its template is that of the variant, or of the step. */
function inVariant(issue: Issue, variants: TestVariant[], index: number): Issue {
  return variants[index]?.templateId === undefined ? issue : { ...issue, path: `test.variants[${index}].templateId` }
}
