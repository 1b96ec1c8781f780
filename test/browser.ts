// bun run test:browser: every test in a browser; the walks through the dashboard against the single binary, each screen in every look. CI
// runs the same walks, most against the checkout (run.ts), each screen in one look.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')
const directory = mkdtempSync(join(tmpdir(), 'paquebot-browser-'))
const binary = join(directory, 'paquebot')

async function run(command: string[], environment: Record<string, string> = {}): Promise<void> {
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdout: 'inherit',
    stderr: 'inherit',
  })
  const code = await child.exited
  if (code === 0) return
  rmSync(directory, { recursive: true, force: true })
  process.exit(code)
}

const inBrowser = [...new Bun.Glob('test/**/*.test.ts').scanSync(root)]
  .filter((file) => readFileSync(join(root, file), 'utf8').includes('openBrowser('))
  .sort()

await run(['tools/build.ts', binary])
await run(['test', '--timeout=600000', ...process.argv.slice(2), ...inBrowser.map((file) => `./${file}`)], {
  BROWSER_TESTS_BINARY: binary,
})
rmSync(directory, { recursive: true, force: true })
