// paquebot completion bash | zsh | fish: shell completion of our commands and their flags.

import { type Command, defineCommand } from './command.ts'

type Shell = 'bash' | 'zsh' | 'fish'

const use: Record<Shell, string> = {
  bash: 'source <(paquebot completion bash)',
  zsh: 'source <(paquebot completion zsh)',
  fish: 'paquebot completion fish | source',
}

/** Completes the `commands`, and itself. */
export function completionCommands(commands: Command[]): Command[] {
  const own: Command[] = []
  const all = () => [...commands, ...own]
  own.push(
    ...(['bash', 'zsh', 'fish'] as const).map((shell) =>
      defineCommand({
        name: `completion ${shell}`,
        says: `Prints the completion for ${shell}: ${use[shell]}`,
        flags: {},
        run: async () => {
          const script = scripts[shell](all())
          return { json: { shell, script }, lines: [script] }
        },
      }),
    ),
  )
  return own
}

const scripts: Record<Shell, (commands: Command[]) => string> = {
  bash: (commands) => `${bashFunction(commands)}
complete -F _paquebot paquebot`,
  // zsh can use bash completions.
  zsh: (commands) => `autoload -U +X compinit && compinit -u
autoload -U +X bashcompinit && bashcompinit
${bashFunction(commands)}
complete -F _paquebot paquebot`,
  fish: fishScript,
}

/** What may follow each prefix of a command line: words, or the flags of a complete command. */
function followers(commands: Command[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const add = (before: string, word: string) => {
    const words = found.get(before) ?? []
    if (!words.includes(word)) found.set(before, [...words, word])
  }
  for (const { name, flags } of commands) {
    const [first = '', second] = name.split(' ')
    add('', first)
    if (second !== undefined) add(first, second)
    for (const flag of [...Object.keys(flags), 'json', 'help']) add(name, `--${flag}`)
  }
  return found
}

function bashFunction(commands: Command[]): string {
  const cases = [...followers(commands)].map(([before, words]) => `    '${before}') words='${words.join(' ')}' ;;`)
  return `_paquebot() {
  local word=\${COMP_WORDS[COMP_CWORD]} before= words= at
  for ((at = 1; at < COMP_CWORD; at++)); do
    [[ \${COMP_WORDS[at]} == -* ]] && break
    before+=\${before:+ }\${COMP_WORDS[at]}
  done
  case "$before" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}`
}

/** What may follow depends on the preceding words and their position: `key list` is not the group `list`. */
const fishCondition = `function __paquebot_after
  set -l before
  set -l words (commandline -opc)
  set -e words[1]
  for word in $words
    string match -q -- '-*' $word; and break
    set -a before $word
  end
  test "$before" = "$argv"
end`

function fishScript(commands: Command[]): string {
  const quote = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`
  const after = (before: string) => `complete -c paquebot -n ${quote(`__paquebot_after ${before}`.trim())}`
  const lines = commands.flatMap(({ name, says, flags }) => {
    const [first = '', second] = name.split(' ')
    const words =
      second === undefined
        ? [`${after('')} -a ${first} -d ${quote(says)}`]
        : [`${after('')} -a ${first}`, `${after(first)} -a ${second} -d ${quote(says)}`]
    const ofCommand = Object.entries(flags).map(([flag, { type, says }]) => {
      const value = type === 'string' ? ' -x' : ''
      return `${after(name)} -l ${flag}${value} -d ${quote(says)}`
    })
    return [...words, ...ofCommand]
  })
  return [
    fishCondition,
    'complete -c paquebot -f',
    'complete -c paquebot -l json',
    'complete -c paquebot -l help',
    ...new Set(lines),
  ].join('\n')
}
