// A document as it is pasted: its shell blocks in order, run in one bash in an empty folder, and what they should print.
//
// In a shell block a line that begins with `# ` is what the lines before it printed; a json, http or text block right after the shell
// block is what all of it printed. `…` stands for anything; white space, ids, keys and times do not count.
//
//   <!-- not run: REASON -->      before a shell block: this machine cannot run it
//   <!-- begins as: api.md -->    the first shell block of that document is run first

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { program } from './program.ts'

export interface ShellBlock {
  /** Of the opening fence. */
  line: number
  steps: Step[]
  /** Why it is not run. */
  notRun: string | null
}

/** Commands, and what they print; null where the document does not say. */
interface Step {
  commands: string
  printed: string | null
}

const answerLanguages = ['json', 'http', 'text']

export function readDocument(path: string): { blocks: ShellBlock[]; beginsAs: string | null } {
  const text = readFileSync(path, 'utf8')
  const lines = text.split('\n')
  const blocks: ShellBlock[] = []
  let remark = ''
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const language = /^```(\w*)$/.exec(line)?.[1]
    if (language === undefined) {
      if (line.trim() !== '') remark = line
      continue
    }
    const end = lines.indexOf('```', at + 1)
    const body = lines.slice(at + 1, end).join('\n')
    if (language === 'sh') {
      const notRun = /^<!-- not run: (.+) -->$/.exec(remark)?.[1] ?? null
      blocks.push({ line: at + 1, steps: readSteps(body), notRun })
    } else if (answerLanguages.includes(language) && remark === 'shell') answer(blocks.at(-1), body)
    remark = language === 'sh' ? 'shell' : ''
    at = end
  }
  return { blocks, beginsAs: /^<!-- begins as: (\S+) -->$/m.exec(text)?.[1] ?? null }
}

function readSteps(body: string): Step[] {
  const steps: Step[] = []
  let commands: string[] = []
  let printed: string[] = []
  const end = () => {
    if (commands.length > 0 || printed.length > 0) {
      steps.push({ commands: commands.join('\n'), printed: printed.length > 0 ? printed.join('\n') : null })
    }
    commands = []
    printed = []
  }
  for (const line of body.split('\n')) {
    if (line.startsWith('# ')) {
      printed.push(line.slice(2))
      continue
    }
    if (printed.length > 0) end()
    commands.push(line)
  }
  end()
  return steps
}

/** A block of answers belongs to everything the shell block before it printed. */
function answer(block: ShellBlock | undefined, printed: string): void {
  if (block) block.steps = [{ commands: block.steps.map(({ commands }) => commands).join('\n'), printed }]
}

export function fits(wanted: string, got: string): boolean {
  const pattern = plain(wanted)
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
    .join('[^]*?')
  return new RegExp(`^${pattern}$`).test(plain(got))
}

function plain(text: string): string {
  return text
    .replace(/\b([a-z]{2,5})_[0-9a-f]{32}\b/g, '$1_ID')
    .replace(/\bpqk_\w+/g, 'pqk_KEY')
    .replace(/\b(session)(_[0-9a-f]{8})?=[\w-]{43}/g, (_, name, of) => `${name}${of ? '_ID' : ''}=ID`)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME')
    .replace(/\s+/g, '')
}

export interface Shell extends AsyncDisposable {
  /** What the commands print on stdout; throws when one of them fails. */
  run(commands: string): Promise<string>
  /** Ports and folders of this run in place of those that the document names. */
  here(text: string): string
}

/** One bash for one document, in a folder of its own, with `paquebot` on its PATH and no Bun. */
export async function startShell(folder: string, path: string): Promise<Shell> {
  const bin = join(folder, 'bin')
  const place = join(folder, 'empty')
  for (const made of [bin, place, join(folder, 'tmp')]) mkdirSync(made, { recursive: true })
  const command = (await program()).map((word) => `'${word}'`).join(' ')
  writeFileSync(join(bin, 'paquebot'), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 })
  const ports = new Map<string, number>()
  const here = (text: string) =>
    text
      .replace(/(127\.0\.0\.1:|PORT=)(\d{4,5})\b/g, (_, before, port) => before + portFor(ports, port))
      .replace(/\/tmp\//g, `${join(folder, 'tmp')}/`)
  const bash = Bun.spawn(['bash', '--noprofile', '--norc'], {
    cwd: place,
    env: { HOME: place, PATH: `${bin}:${path}`, LC_ALL: 'C.UTF-8', PORT: String(portFor(ports, '3000')) },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const heard = { out: '', err: '' }
  let more = Promise.withResolvers<void>()
  const hear = (stream: 'out' | 'err') => (text: string) => {
    heard[stream] += text
    more.resolve()
    more = Promise.withResolvers()
  }
  const reading = [listen(bash.stdout, hear('out')), listen(bash.stderr, hear('err'))]
  let isOver = false
  void bash.exited.then(() => {
    isOver = true
    more.resolve()
  })
  bash.stdin.write(`set -E; trap 'echo "failed: $BASH_COMMAND" >&2; FAILED=1' ERR\n`)
  let count = 0
  return {
    here,
    async run(commands) {
      const end = `-- end of step ${++count}`
      const file = join(folder, `step-${count}.sh`)
      writeFileSync(file, `${here(commands)}\n`)
      const from = heard.out.length
      bash.stdin.write(`FAILED=; . '${file}'; echo; echo "${end}$FAILED"\n`)
      await bash.stdin.flush()
      const look = () => new RegExp(`\\n${end}(1?)\\n`).exec(heard.out.slice(from))
      let found = look()
      while (!found && !isOver) {
        await more.promise
        found = look()
      }
      if (!found || found[1] === '1')
        throw new Error(`${here(commands)}\nfailed:\n${heard.err}\n${heard.out.slice(from)}`)
      return heard.out.slice(from, from + found.index).trim()
    },
    async [Symbol.asyncDispose]() {
      bash.stdin.write('kill $(jobs -p) 2>/dev/null; wait; exit\n')
      await bash.stdin.end()
      await Promise.all([bash.exited, ...reading])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function listen(stream: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  for await (const chunk of stream) take(decoder.decode(chunk, { stream: true }))
}

function portFor(ports: Map<string, number>, named: string): number {
  const known = ports.get(named)
  if (known !== undefined) return known
  const free = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const port = free.port ?? 0
  void free.stop(true)
  ports.set(named, port)
  return port
}
