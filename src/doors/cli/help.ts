// The help texts, generated from the commands.

import type { Paint } from './colour.ts'
import { type Command, columns } from './command.ts'

/** All commands, or those of one group (`key`). */
export function overview(commands: Command[], group: string | null, paint: Paint): string {
  const listed = commands.filter(({ name }) => group === null || name.startsWith(`${group} `))
  const rows = listed.map(({ name, says }) => [`  ${name}`, says])
  return [
    `${paint.bold('Usage:')} paquebot ${group ?? 'COMMAND'} ${group === null ? '' : 'COMMAND '}[--flag value …]`,
    '',
    ...columns(rows),
    '',
    ...(group === null
      ? [
          'Without a command, paquebot runs the server (paquebot serve).',
          'Every other operation of the API is also a command: `paquebot api` lists them.',
        ]
      : []),
    'Every command takes --json (one JSON document on stdout) and --help.',
    'Settings come from the environment. The documentation is at /docs of the server, and in docs/ of a checkout.',
  ].join('\n')
}

export function commandHelp({ name, says, flags }: Command, paint: Paint): string {
  const rows = Object.entries(flags).map(([flag, { value, says, required, multiple }]) => {
    const notes = [required ? 'required' : '', multiple ? 'may be repeated' : ''].filter(Boolean).join(', ')
    return [`  --${flag} ${value ?? ''}`, notes ? `${says} (${notes})` : says]
  })
  const usage = Object.entries(flags).map(([flag, { type, value, required, operand }]) => {
    if (operand) return value ?? 'VALUE'
    const text = type === 'boolean' ? `--${flag}` : `--${flag} ${value ?? 'VALUE'}`
    return required ? text : `[${text}]`
  })
  return [
    `${paint.bold('Usage:')} paquebot ${[name, ...usage].join(' ')}`,
    '',
    says,
    '',
    ...columns([...rows, ['  --json', 'one JSON document on stdout'], ['  --help', 'this text']]),
  ].join('\n')
}
