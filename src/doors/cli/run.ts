// Parses arguments, runs the command, prints its result, and returns the exit code: 0 done, 1 failed, 2 wrong usage.

import { parseArgs } from 'node:util'
import { type Config, ConfigError, readConfig } from '../../core/config.ts'
import { type Act, acting, newAct } from '../../kit/act.ts'
import { AppError } from '../../kit/error.ts'
import { nearest } from '../../kit/nearest.ts'
import { type Paint, paintFor } from './colour.ts'
import { type Command, type Flags, type Output, UsageError } from './command.ts'
import { loadCommands } from './commands.ts'
import { commandHelp, overview } from './help.ts'

export interface Terminal {
  out(text: string): void
  err(text: string): void
  /** Whether it is a terminal: colours are for people. */
  isTerminal: { out: boolean; err: boolean }
  environment: Record<string, string | undefined>
}

const failed = 1
const wrongUsage = 2
const help = ['--help', '-h']
const version = ['--version', '-v', '-V']
const common = { json: { type: 'boolean', says: 'one JSON document on stdout' } } as const

/** Runs one command line, without the program's name. Returns the exit code. */
export async function runCommandLine(args: string[], terminal: Terminal): Promise<number> {
  const asJson = args.includes('--json')
  const paint = paintFor(terminal.isTerminal.out, terminal.environment)
  const config = once(() => readConfig(terminal.environment))
  try {
    const commands = await loadCommands(...firstWords(args))
    const asked = readCommand(commands, args)
    if ('group' in asked) {
      print(listing(commands, asked.group, paint), asJson, paint, terminal)
      return 0
    }
    const { command, rest } = asked
    if (rest.some((word) => help.includes(word))) {
      terminal.out(commandHelp(command, paint))
      return 0
    }
    const values = readFlags(command, rest)
    if (args.length === 0) terminal.err(`no command, so: paquebot ${command.name} (see paquebot --help)`)
    const run = () => command.run(values, config, (told) => print(told, asJson, paint, terminal))
    // What serves is not one act.
    const output = await (command.name === 'serve' ? run() : acting(commandAct(command), run))
    print(output, asJson, paint, terminal)
    return output.ok === false ? failed : 0
  } catch (error) {
    return await fail(error, asJson, terminal, config)
  }
}

/** In the audit log of what a command changes. */
function commandAct({ name }: Command): Act {
  const about = () => ({ operation: name, ip: null, client: `paquebot ${name}` })
  return newAct(about, { actor: { kind: 'operator', id: 'operator' } })
}

type Invocation = { command: Command; rest: string[] } | { group: string | null }

/** The words that say which commands are meant: `serve` and `version` may be meant without theirs. */
function firstWords(args: string[]): [first: string, second: string] {
  const [first = 'serve', second = ''] = args
  if (!first.startsWith('-')) return [first, second]
  return [args.some((word) => help.includes(word)) ? 'help' : version.includes(first) ? 'version' : 'serve', '']
}

/** `serve` without a command; a group if only its word is given (`key`), null for the overview. */
function readCommand(commands: Command[], args: string[]): Invocation {
  const firstFlag = args.findIndex((word) => word.startsWith('-'))
  const words = firstFlag === -1 ? args : args.slice(0, firstFlag)
  const byName = (name: string) => commands.find((command) => command.name === name)
  const [first = '', second = ''] = words
  if (words.length === 0 || first === 'help') {
    const isGroup = commands.some(({ name }) => name.startsWith(`${second} `))
    if (first === 'help') return { group: isGroup ? second : null }
    if (args.some((word) => help.includes(word))) return { group: null }
    const name = version.includes(args[0] ?? '') ? 'version' : 'serve'
    const command = byName(name)
    if (command) return { command, rest: name === 'serve' ? args : args.slice(1) }
  }
  const command = byName(`${first} ${second}`) ?? byName(first)
  if (command) return { command, rest: args.slice(command.name.split(' ').length) }
  if (words.length === 1 && commands.some(({ name }) => name.startsWith(`${first} `))) return { group: first }
  throw new UsageError(`there is no command "${words.slice(0, 2).join(' ')}"; ${commandHint(commands, first, second)}`)
}

function commandHint(commands: Command[], first: string, second: string): string {
  const names = commands.map(({ name }) => name)
  const ofGroup = names.filter((name) => name.startsWith(`${first} `))
  const near = nearest(`${first} ${second}`.trim(), ofGroup.length > 0 ? ofGroup : names)
  const all = ofGroup.length > 0 ? `see paquebot ${first} --help` : 'see paquebot --help'
  return near === null ? all : `did you mean "${near}"? (${all})`
}

function listing(commands: Command[], group: string | null, paint: Paint): Output {
  const listed = commands.filter(({ name }) => group === null || name.startsWith(`${group} `))
  return {
    json: { commands: listed.map(({ name, says }) => ({ name, says })) },
    lines: [overview(commands, group, paint)],
  }
}

function readFlags(command: Command, args: string[]): Record<string, unknown> {
  const flags: Flags = { ...command.flags, ...common }
  const unknown = args.find((word) => word.startsWith('--') && !Object.hasOwn(flags, word.slice(2).split('=')[0] ?? ''))
  if (unknown !== undefined) throw new UsageError(flagHint(command, unknown.split('=')[0] ?? '', Object.keys(flags)))
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, { type: flag.type, multiple: 'multiple' in flag }]),
  )
  const operands = Object.keys(flags).filter((name) => flags[name]?.operand)
  const { values, positionals } = parsed(args, options, operands.length > 0)
  const unnamed = operands.filter((name) => values[name] === undefined)
  const last = unnamed.at(-1)
  const rest = last !== undefined && flags[last]?.multiple ? positionals.splice(unnamed.length - 1) : []
  if (positionals.length > unnamed.length)
    throw new UsageError(`paquebot ${command.name} takes no ${JSON.stringify(positionals[unnamed.length])}`)
  for (const [index, value] of positionals.entries()) values[unnamed[index] ?? ''] = value
  if (last !== undefined && rest.length > 0) values[last] = rest
  const missing = Object.entries(flags).find(([name, flag]) => flag.required && values[name] === undefined)
  if (missing) throw new UsageError(`paquebot ${command.name} needs ${flagName(missing[0], missing[1])}`)
  return { ...defaults(flags), ...values }
}

function flagName(name: string, { value = '', operand }: Flags[string]): string {
  return operand ? value : `--${name} ${value}`.trim()
}

function flagHint({ name }: Command, flag: string, flags: string[]): string {
  const near = nearest(flag, flags)
  const all = `see paquebot ${name} --help`
  return `paquebot ${name} has no flag ${flag}; ${near === null ? all : `did you mean --${near}? (${all})`}`
}

function parsed(
  args: string[],
  options: Record<string, { type: 'string' | 'boolean'; multiple: boolean }>,
  allowPositionals: boolean,
) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals })
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

function print({ json, lines }: Output, asJson: boolean, paint: Paint, terminal: Terminal): void {
  if (asJson) terminal.out(JSON.stringify(json))
  else for (const line of typeof lines === 'function' ? lines(paint) : lines) terminal.out(line)
}

/** One line on stderr; with --json also a document on stdout. */
async function fail(error: unknown, asJson: boolean, terminal: Terminal, config: () => Config): Promise<number> {
  const isUsage = error instanceof UsageError || error instanceof ConfigError
  const code = isUsage ? 'wrong_usage' : error instanceof AppError ? error.code : 'failed'
  const { diskRefusal } = await import('./disk-words.ts')
  const said = diskRefusal(error, config) ?? (error instanceof Error ? error.message : String(error))
  const lines = said.split('\n').map((line) => line.trim())
  const message = lines.filter(Boolean).join(' ')
  const paint = paintFor(terminal.isTerminal.err, terminal.environment)
  terminal.err(`${paint.bad('paquebot:')} ${message}`)
  if (asJson) terminal.out(JSON.stringify({ success: false, code, message }))
  return isUsage ? wrongUsage : failed
}

function once(read: () => Config): () => Config {
  let config: Config | null = null
  return () => {
    config ??= read()
    return config
  }
}
