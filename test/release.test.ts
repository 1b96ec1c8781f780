// What a release is made from: the list of what it contains of others, and the files by which a public forge and Docker build it.

import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { billOfMaterials, packagesOf } from '../tools/bill-of-materials.ts'

const root = join(import.meta.dir, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const bun = /npx -y bun@(\S+)/.exec(read('.ci/run'))?.[1] ?? ''

test('the bill of materials names every package that the program depends on, with its digest and a licence', () => {
  const packages = packagesOf()
  const named = new Map(packages.map((one) => [one.name, one]))
  for (const [name, version] of Object.entries(manifest.dependencies))
    expect(named.get(name)).toMatchObject({ version })
  // Of those that they depend on.
  expect(named.has('@preact/signals-core')).toBe(true)
  expect(named.has('@biomejs/biome')).toBe(false)
  expect(packages.filter(({ digest, license }) => digest.length !== 88 || license === '')).toEqual([])
  expect(JSON.stringify(billOfMaterials())).toContain(`"purl":"pkg:npm/bun@${bun}"`)
})

test('no package of the program runs a program where it is installed, or reports that it was', () => {
  const packages = packagesOf()
  expect(packages.filter(({ hasInstallScript }) => hasInstallScript)).toEqual([])
  const reporting = /scarf|telemetry|analytics|posthog|amplitude|mixpanel|sentry|opencollective|@vercel\/|insight/
  expect(packages.filter(({ name }) => reporting.test(name))).toEqual([])
  // Both are seen where they are: of the tools one has such a program, and swagger-ui-dist asks for the other.
  expect(read('bun.lock')).toContain('"hasInstallScript": true')
  expect(manifest.overrides['@scarf/scarf']).toBe('file:.ci/no-telemetry')
  expect(read('bun.lock')).not.toMatch(/"@scarf\/scarf@\d/)
})

interface Step {
  run?: string
  uses?: string
}

function stepsOf(workflow: string): string[] {
  const { jobs } = Bun.YAML.parse(read(`.github/workflows/${workflow}`)) as { jobs: Record<string, { steps: Step[] }> }
  return Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))
}

describe('the forge', () => {
  test('does for a change what .ci/run does, and nothing else', () => {
    expect(stepsOf('ci.yml')).toEqual(['.ci/run'])
  })

  test('releases what passed, by the same Bun', () => {
    const steps = stepsOf('release.yml')
    expect(steps[0]).toBe('.ci/run')
    expect(steps).toContain(`npx -y bun@${bun} run release`)
    expect(read('compose.yaml')).toContain(`bun@${bun} run build`)
  })

  test('releases nothing with an advisory against it, and says of each file where it was built', () => {
    const text = read('.github/workflows/release.yml')
    expect(stepsOf('release.yml')).toContain(`npx -y bun@${bun} audit --production --audit-level=high`)
    const { permissions, jobs } = Bun.YAML.parse(text) as {
      permissions: Record<string, string>
      jobs: { release: { steps: Step[] } }
    }
    expect(permissions).toEqual({ contents: 'write', 'id-token': 'write', attestations: 'write' })
    const order = jobs.release.steps.map(({ run = '', uses = '' }) => run + uses)
    const at = (pattern: RegExp) => order.findIndex((step) => pattern.test(step))
    expect(order[at(/attest-build/)]).toMatch(/^actions\/attest-build-provenance@v\d+$/)
    // Of what was built, before anybody has it.
    expect(at(/run release/)).toBeLessThan(at(/attest-build/))
    expect(at(/attest-build/)).toBeLessThan(at(/gh release create/))
  })
})

test('a container has no rights that it does not need', () => {
  const { services } = Bun.YAML.parse(read('compose.yaml')) as { services: Record<string, Record<string, unknown>> }
  for (const service of Object.values(services))
    expect(service).toMatchObject({ cap_drop: ['ALL'], read_only: true, security_opt: ['no-new-privileges:true'] })
  expect(services['paquebot']).toMatchObject({ volumes: ['data:/data'], stop_grace_period: '60s' })
  expect(read('Dockerfile')).toMatch(/^USER paquebot$/m)
})
