// What a release contains of others: a CycloneDX document (https://cyclonedx.org/docs/1.6/json/) of every package that the program depends
// on, by the lock file, with its licence.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')

interface Manifest {
  name: string
  version: string
  license?: string
  dependencies?: Record<string, string>
}

/** `name@version`, where it is from, what it needs, and its digest. */
type Locked = [string, string, Pick<Manifest, 'dependencies'> & { hasInstallScript?: boolean }, string]

interface Package {
  name: string
  version: string
  /** SHA-512, in base64. */
  digest: string
  license: string
  /** It asks for a program of its own to be run where it is installed. */
  hasInstallScript: boolean
}

/** Those of package.json and all that they depend on, by name. */
export function packagesOf(): Package[] {
  const { packages } = Bun.JSONC.parse(readFileSync(join(root, 'bun.lock'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const found = new Map<string, Package>()
  const add = (wanted: string, by: string[]) => {
    // A package that needs another version than the others has it below its own name.
    const path = by.map((_, at) => [...by.slice(0, by.length - at), wanted]).find((one) => packages[one.join('/')])
    const names = path ?? [wanted]
    const key = names.join('/')
    const locked = packages[key]
    if (!locked || found.has(key)) return
    const [id, , needs, integrity = ''] = locked
    // An empty one of ours in place of another.
    if (id.includes('@file:')) return
    const { dependencies = {}, hasInstallScript = false } = typeof needs === 'object' ? needs : {}
    const at = id.lastIndexOf('@')
    const [name, version] = [id.slice(0, at), id.slice(at + 1)]
    found.set(key, {
      name,
      version,
      digest: integrity.replace('sha512-', ''),
      license: licenseOf(names),
      hasInstallScript,
    })
    for (const dependency of Object.keys(dependencies)) add(dependency, names)
  }
  for (const name of Object.keys(manifestAt(root).dependencies ?? {})) add(name, [])
  return [...found.values()].sort((one, other) => one.name.localeCompare(other.name))
}

function manifestAt(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function licenseOf(names: string[]): string {
  const folder = join(root, ...names.map((name) => join('node_modules', name)))
  return existsSync(join(folder, 'package.json')) ? (manifestAt(folder).license ?? '') : ''
}

export function billOfMaterials(): object {
  const { name, version } = manifestAt(root)
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': name, name, version } },
    components: [
      { type: 'application', 'bom-ref': 'bun', name: 'bun', version: Bun.version, purl: `pkg:npm/bun@${Bun.version}` },
      ...packagesOf().map(({ name, version, digest, license }) => {
        const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
        return {
          type: 'library',
          'bom-ref': purl,
          name,
          version,
          purl,
          hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
          ...(license === '' ? {} : { licenses: [{ expression: license }] }),
        }
      }),
    ],
  }
}
