// A release in dist/release: the binary for each machine as an archive, their checksums, and what they contain of others. The one for this
// machine is started from its archive. `bun run release [TARGET …]`: some of them.

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { ownValue } from '../src/kit/own-value.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { buildBinary } from './binary.ts'
import { linesOf, until } from './process.ts'

const root = join(import.meta.dir, '..')
const folder = join(root, 'dist/release')

interface Machine {
  target: Bun.Build.CompileTarget
  /** The first bytes of a program for it, and where they begin. */
  magic: [at: number, bytes: number[]][]
}

const elf: [number, number[]] = [0, [0x7f, 0x45, 0x4c, 0x46]]
/** e_machine of ELF, cputype of Mach-O. */
const x64: [number, number[]] = [18, [0x3e, 0]]
const arm64: [number, number[]] = [18, [0xb7, 0]]
const mac = (cpu: number): [number, number[]] => [0, [0xcf, 0xfa, 0xed, 0xfe, cpu, 0, 0, 1]]

const machines: Record<string, Machine> = {
  'linux-x64': { target: 'bun-linux-x64', magic: [elf, x64] },
  'linux-arm64': { target: 'bun-linux-arm64', magic: [elf, arm64] },
  'linux-x64-musl': { target: 'bun-linux-x64-musl', magic: [elf, x64] },
  'linux-arm64-musl': { target: 'bun-linux-arm64-musl', magic: [elf, arm64] },
  'macos-x64': { target: 'bun-darwin-x64', magic: [mac(7)] },
  'macos-arm64': { target: 'bun-darwin-arm64', magic: [mac(12)] },
  'windows-x64': { target: 'bun-windows-x64', magic: [[0, [0x4d, 0x5a]]] },
}

const papers = ['LICENSE', 'README.md', 'CHANGELOG.md']
const native = `${process.platform === 'darwin' ? 'macos' : process.platform}-${process.arch}`
const targets = process.argv.slice(2)
const unknown = targets.find((name) => !Object.hasOwn(machines, name))
if (unknown !== undefined) throw new Error(`${unknown} is none of ${Object.keys(machines).join(', ')}`)

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const archives: string[] = []
for (const name of targets.length > 0 ? targets : Object.keys(machines)) archives.push(await release(name))
const bill = `paquebot-${manifest.version}.cdx.json`
await Bun.write(join(folder, bill), `${JSON.stringify(billOfMaterials(), null, 2)}\n`)
const sums = [...archives, bill].map((name) => `${digestOf(join(folder, name))}  ${name}\n`)
await Bun.write(join(folder, 'SHA256SUMS'), sums.join(''))
process.stdout.write(`dist/release: ${archives.length} archives, SHA256SUMS, ${bill}\n`)

/** Returns the name of the archive. */
async function release(name: string): Promise<string> {
  const machine = ownValue(machines, name)
  if (!machine) throw new Error(`${name} is no machine`)
  const { target, magic } = machine
  const work = mkdtempSync(join(tmpdir(), 'paquebot-release-'))
  const program = name.startsWith('windows') ? 'paquebot.exe' : 'paquebot'
  await buildBinary(join(work, program), target)
  check(name, join(work, program), magic)
  for (const file of papers) await Bun.write(join(work, file), Bun.file(join(root, file)))
  const archive = `paquebot-${manifest.version}-${name}.tar.gz`
  // Nothing of who packed it, or when.
  const plain = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0']
  run('tar', ...plain, '-czf', join(folder, archive), '-C', work, program, ...papers)
  rmSync(work, { recursive: true })
  if (name === native) await start(archive)
  const megabytes = (Bun.file(join(folder, archive)).size / 1e6).toFixed(0)
  process.stdout.write(`${archive}: ${megabytes} MB${name === native ? ', started' : ''}\n`)
  return archive
}

function check(name: string, path: string, magic: Machine['magic']): void {
  const bytes = readFileSync(path)
  for (const [at, expected] of magic)
    if (!bytes.subarray(at, at + expected.length).equals(Buffer.from(expected)))
      throw new Error(`what was built for ${name} is not a program for it`)
}

/** From the archive, in an empty place: makes an installation, serves, and is ready. */
async function start(archive: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'paquebot-started-'))
  run('tar', '-xzf', join(folder, archive), '-C', work)
  const env = { PATH: '/usr/bin:/bin', HOME: work, DATA_DIR: join(work, 'data'), PORT: '0' }
  const command = (...args: string[]) => Bun.spawnSync([join(work, 'paquebot'), ...args], { cwd: work, env })
  const made = command('init', '--workspace', 'acme', '--email', 'you@example.com', '--json')
  if (!made.success) throw new Error(`${archive} does not start: ${made.stderr}`)
  const server = Bun.spawn([join(work, 'paquebot'), 'serve'], { cwd: work, env, stdout: 'ignore', stderr: 'pipe' })
  const [, url] = await until(linesOf(server.stderr), /listening on (\S+)/)
  const ready = await fetch(`${url}/readyz`)
  server.kill('SIGTERM')
  const code = await server.exited
  rmSync(work, { recursive: true })
  if (!ready.ok || code !== 0) throw new Error(`${archive} does not serve: ${ready.status}, and ended with ${code}`)
}

function digestOf(path: string): string {
  return new Bun.CryptoHasher('sha256').update(readFileSync(path)).digest('hex')
}

function run(...command: string[]): void {
  const { success, stderr } = Bun.spawnSync(command)
  if (!success) throw new Error(`${command[0]} failed: ${stderr}`)
}
