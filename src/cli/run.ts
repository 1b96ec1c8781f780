// Arguments -> command -> what is printed and how the process ends: 0 done, 1 failed, 2 wrong usage.

import { parseArgs } from 'node:util'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { AppError } from '../lib/error.ts'
import { type Command, type Flags, type Output, UsageError } from './command.ts'
import { commandHelp, overview } from './help.ts'

export interface Terminal {
  out(text: string): void
  err(text: string): void
  environment: Record<string, string | undefined>
}

const failed = 1
const wrongUsage = 2

/** Runs one command line, without the program's name. Returns the exit code. */
export async function runCommandLine(commands: Command[], args: string[], terminal: Terminal): Promise<number> {
  const asJson = args.includes('--json')
  try {
    const { command, rest } = findCommand(commands, args)
    if (command === null) {
      terminal.out(overview(commands, rest))
      return 0
    }
    if (rest.includes('--help') || rest.includes('-h')) {
      terminal.out(commandHelp(command))
      return 0
    }
    const values = readFlags(command, rest)
    const config = once(() => readConfig(terminal.environment))
    const output = await command.run(values, config)
    print(output, asJson, terminal)
    return output.ok === false ? failed : 0
  } catch (error) {
    return fail(error, asJson, terminal)
  }
}

/** `serve` when no command is named. Null asks for the overview of those that begin with `rest`. */
function findCommand(commands: Command[], args: string[]): { command: Command | null; rest: string[] } {
  const firstFlag = args.findIndex((word) => word.startsWith('-'))
  const words = firstFlag === -1 ? args : args.slice(0, firstFlag)
  const name = [words.slice(0, 2).join(' '), words[0]].find((one) => commands.some((command) => command.name === one))
  const command = commands.find((one) => one.name === (words.length === 0 ? 'serve' : name))
  if (words.length === 0 && (args.includes('--help') || args.includes('-h'))) return { command: null, rest: [] }
  if (command) return { command, rest: args.slice(words.length === 0 ? 0 : command.name.split(' ').length) }
  const [group = ''] = words
  const isGroup = words.length === 1 && commands.some((one) => one.name.startsWith(`${group} `))
  if (isGroup && (args.includes('--help') || args.includes('-h'))) return { command: null, rest: [group] }
  if (words.length === 1 && group === 'help') return { command: null, rest: [] }
  throw new UsageError(`there is no command "${words.slice(0, 2).join(' ')}"; see paquebot --help`)
}

function readFlags(command: Command, args: string[]): Record<string, unknown> {
  const { flags } = command
  const options = Object.fromEntries(
    Object.entries({ ...flags, json: { type: 'boolean' } as const }).map(([name, flag]) => [
      name,
      { type: flag.type, multiple: 'multiple' in flag },
    ]),
  )
  const { values } = parsed(args, options)
  const missing = Object.entries(flags).find(([name, flag]) => flag.required && values[name] === undefined)
  if (missing) throw new UsageError(`paquebot ${command.name} needs --${missing[0]} ${missing[1].value ?? ''}`.trim())
  return { ...defaults(flags), ...values }
}

function parsed(args: string[], options: Record<string, { type: 'string' | 'boolean'; multiple: boolean }>) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false })
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. To specify')[0] ?? '') : 'wrong arguments')
  }
}

function defaults(flags: Flags): Record<string, unknown> {
  const entries = Object.entries(flags).map(([name, flag]) => {
    return [name, flag.type === 'boolean' ? false : flag.multiple ? [] : undefined] as const
  })
  return Object.fromEntries(entries)
}

function print({ json, lines }: Output, asJson: boolean, terminal: Terminal): void {
  if (asJson) terminal.out(JSON.stringify(json))
  else for (const line of lines) terminal.out(line)
}

/** One line on stderr, and with --json the same as a document on stdout. */
function fail(error: unknown, asJson: boolean, terminal: Terminal): number {
  const isUsage = error instanceof UsageError || error instanceof ConfigError
  const code = isUsage ? 'wrong_usage' : error instanceof AppError ? error.code : 'failed'
  const message = error instanceof Error ? error.message : String(error)
  terminal.err(`paquebot: ${message.replace(/\s*\n\s*/g, ' ')}`)
  if (asJson && !isUsage) terminal.out(JSON.stringify({ success: false, code, message }))
  return isUsage ? wrongUsage : failed
}

function once(read: () => Config): () => Config {
  let config: Config | null = null
  return () => {
    config ??= read()
    return config
  }
}
