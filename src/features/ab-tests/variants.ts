// The variants of a test: as they are given, and as they are stored.

import type { AbTest, TestVariant } from '../../../db/tables/ab-tests.ts'
import type { App } from '../../core/app.ts'
import { addressProblem, headerTextProblem } from '../../core/http/text-checks.ts'
import { parseAddress } from '../../kit/email-address.ts'
import { AppError, type Issue, invalidField } from '../../kit/error.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import { checkAddress } from '../../people/domain-owners.ts'

/** Where a test stands in what the caller gave: `path` is the test, `of` one of its variants. */
export interface TestPlace {
  path: string
  of(index: number): string
}

/** Every fault of names, texts, addresses and shares. */
export function testProblems(test: AbTest, place: TestPlace): Issue[] {
  return [
    ...test.variants.flatMap((variant, index) => variantProblems(variant, place.of(index))),
    ...nameProblems(test, place),
    ...shareProblems(test, place),
  ]
}

/** As it is stored, addresses in one form. Throws 422 with every problem. */
export function toStoredTest<T extends AbTest>(test: T, problems: Issue[]): T {
  const [first] = problems
  if (first) throw new AppError('validation_failed', first.message, { errors: problems })
  return { ...test, variants: test.variants.map(toStored) }
}

function toStored({ name, ...fields }: TestVariant): TestVariant {
  const address = (text: string | undefined) => {
    const parsed = text === undefined ? undefined : parseAddress(text)
    return parsed?.ok ? parsed.address : undefined
  }
  const addresses = { fromEmail: address(fields.fromEmail), replyTo: address(fields.replyTo) }
  return { name, ...withoutUndefined({ ...fields, ...addresses }) }
}

function variantProblems(variant: TestVariant, at: string): Issue[] {
  return [
    ...(['name', 'subject', 'previewText', 'fromName'] as const).flatMap((field) =>
      headerTextProblem(`${at}.${field}`, variant[field]),
    ),
    ...(['fromEmail', 'replyTo'] as const).flatMap((field) => addressProblem(`${at}.${field}`, variant[field])),
  ]
}

function nameProblems({ variants }: AbTest, place: TestPlace): Issue[] {
  return variants.flatMap(({ name }, index) => {
    if (variants.findIndex((one) => one.name === name) === index) return []
    const path = `${place.of(index)}.name`
    return [{ path, message: `${path} is the name of another variant`, code: 'contradiction' }]
  })
}

function shareProblems({ share, holdOut }: AbTest, { path }: TestPlace): Issue[] {
  if (share + holdOut <= 100) return []
  const message = `${path}.share and ${path}.holdOut are ${share + holdOut} percent together, of at most 100`
  return [{ path: `${path}.share`, message, code: 'contradiction' }]
}

/** The first variant that says the same from the same sender as one before, with what they take from `own`. */
export function findSame(variants: TestVariant[], own: Partial<Record<keyof TestVariant, string | null>>) {
  const said = variants.map(({ name: _, ...fields }) => JSON.stringify({ ...own, ...fields }))
  const index = said.findIndex((one, at) => said.indexOf(one) < at)
  const other = variants[said.indexOf(said[index] ?? '')]
  return other === undefined ? null : { index, message: `is the same as ${other.name}: a test needs a difference` }
}

/** The name of the one that is sent where nothing tells them apart. */
export function firstOf({ variants: [first] }: AbTest): string {
  if (first === undefined) throw new Error('a test without variants was stored')
  return first.name
}

/** Throws 422 for a name that no variant has. */
export function getVariant({ variants }: AbTest, name: string): TestVariant {
  const found = variants.find((one) => one.name === name)
  if (found) return found
  throw invalidField('variant', `must be one of ${variants.map((one) => one.name).join(', ')}`, 'unknown_variant')
}

/** Warnings, in capture mode. Throws `domain_not_verified` for an address that the workspace may not use. */
export async function checkAddresses(
  app: App,
  workspaceId: string,
  { variants }: Pick<AbTest, 'variants'>,
  place: TestPlace,
): Promise<Issue[]> {
  const warnings: Issue[] = []
  for (const [index, { fromEmail: address }] of variants.entries())
    if (address !== undefined)
      warnings.push(...(await checkAddress(app, workspaceId, { address, path: `${place.of(index)}.fromEmail` })))
  return warnings
}
