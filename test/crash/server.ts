// What every storm needs: the real server as a process, its commands, a mail server that syncs before it answers, and the hand that kills.

import { join } from 'node:path'
import { linesOf, until } from '../../tools/process.ts'
import { program } from '../support/program.ts'

const sinkFile = join(import.meta.dir, '../support/smtp-sink.ts')

type Environment = Record<string, string | undefined>

/** What a command says with --json. Throws when it fails. */
export async function command(env: Environment, ...args: string[]) {
  const child = Bun.spawn([...(await program()), ...args, '--json'], { env, stdout: 'pipe', stderr: 'inherit' })
  const output = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`${args[0]} failed: ${output}`)
  return JSON.parse(output)
}

export async function serve(env: Environment) {
  const child = Bun.spawn([...(await program()), 'serve'], { env, stdout: 'ignore', stderr: 'pipe' })
  await until(linesOf(child.stderr), /listening on/)
  return child
}

export type Server = Awaited<ReturnType<typeof serve>>

export async function freePort(): Promise<number> {
  const probe = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port } = probe
  await probe.stop(true)
  return port ?? 0
}

/** Writes a line for each mail into `file`, and answers when it is on the disk. */
export async function startSink(file: string) {
  const sink = Bun.spawn(['bun', sinkFile, '--port', '0', '--file', file, '--fsync'], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const port = Number((await until(linesOf(sink.stdout), /listening on (\d+)/))[1])
  return { port, kill: () => sink.kill() }
}

/** Kills the server and starts it again. A moment at random is what the storms are about: there is no state to wait for. */
export async function killAtRandom(server: Server, env: Environment, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL') {
  await Bun.sleep(50 + Math.random() * 450)
  server.kill(signal)
  await server.exited
  return await serve(env)
}
