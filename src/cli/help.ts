// The help texts, made from the commands themselves.

import { type Command, columns } from './command.ts'

/** All commands, or those of one group (`key`). */
export function overview(commands: Command[], [group]: string[]): string {
  const listed = commands.filter(({ name }) => group === undefined || name.startsWith(`${group} `))
  const rows = listed.map(({ name, says }) => [`  ${name}`, says])
  return [
    'Usage: paquebot COMMAND [--flag value …]',
    '',
    ...columns(rows),
    '',
    'Every command takes --json (one JSON document on stdout) and --help.',
    'Settings come from the environment; see docs/configuration.md.',
  ].join('\n')
}

export function commandHelp({ name, says, flags }: Command): string {
  const rows = Object.entries(flags).map(([flag, { value, says, required, multiple }]) => {
    const notes = [required ? 'required' : '', multiple ? 'may be repeated' : ''].filter(Boolean).join(', ')
    return [`  --${flag} ${value ?? ''}`, notes ? `${says} (${notes})` : says]
  })
  const usage = Object.entries(flags).map(([flag, { type, value, required }]) => {
    const text = type === 'boolean' ? `--${flag}` : `--${flag} ${value ?? 'VALUE'}`
    return required ? text : `[${text}]`
  })
  return [
    `Usage: paquebot ${[name, ...usage].join(' ')}`,
    '',
    says,
    '',
    ...columns([...rows, ['  --json', 'one JSON document on stdout'], ['  --help', 'this text']]),
  ].join('\n')
}
