// Runs commands of this program as child processes: copying and compressing would block the thread that serves everybody.

import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../core/config.ts'

interface Beside {
  signal?: AbortSignal
  /** Lines that it reads, each as soon as it is known. */
  input?: (string | Promise<string>)[]
  /** Called with what it prints, as it comes. */
  onProgress?: (printed: string) => void
}

/** Runs the command in a process that gives way to others. Null when it went well; else what it said. */
export async function runBeside(
  config: Config,
  args: string[],
  { signal, input = [], onProgress = () => {} }: Beside,
): Promise<string | null> {
  const child = Bun.spawn([...self(), ...args], {
    env: toSettings(config),
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    ...(signal && { signal }),
  })
  setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  void (async () => {
    for (const line of input) child.stdin.write(`${await line}\n`)
    await child.stdin.end()
  })().catch(() => {})
  const printed = (async () => {
    const decoder = new TextDecoder()
    for await (const bytes of child.stdout) onProgress(decoder.decode(bytes, { stream: true }))
  })()
  const said = await new Response(child.stderr).text()
  await printed
  return (await child.exited) === 0 ? null : said.trim().slice(-500)
}

/** The command line of this program: the binary, or bun with the checkout, or with a build that is no binary. */
function self(): string[] {
  const mains = [join(import.meta.dir, '../../main.ts'), join(import.meta.dir, 'main.js')]
  const main = mains.find((path) => existsSync(path))
  return main === undefined ? [process.execPath] : [process.execPath, main]
}

/** What the command reads from its environment. */
function toSettings(config: Config): Record<string, string> {
  const { baseUrl, dataDir, databaseUrl, databaseAuthToken, secretKey, secretKeysPrevious, s3, backup, media } = config
  const { to, keep, seal } = backup
  const sealing = { BACKUP_PASSPHRASE: '', BACKUP_RECIPIENT: '' }
  if (seal && 'passphrase' in seal) sealing.BACKUP_PASSPHRASE = seal.passphrase
  else if (seal) sealing.BACKUP_RECIPIENT = seal.recipient
  return {
    BASE_URL: baseUrl,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    DATABASE_AUTH_TOKEN: databaseAuthToken ?? '',
    SECRET_KEY: secretKey ?? '',
    // The first is the whole of what was set.
    SECRET_KEY_PREVIOUS: secretKeysPrevious[0] ?? '',
    BACKUP_TO: to ?? '',
    BACKUP_KEEP: String(keep),
    MEDIA_TO: media.to,
    ...sealing,
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_ACCESS_KEY_ID: s3.access?.keyId ?? '',
    S3_SECRET_ACCESS_KEY: s3.access?.secret ?? '',
  }
}
