// Terminal colours; none in a file, in a pipe, or with NO_COLOR (no-color.org).

export interface Paint {
  bold(text: string): string
  good(text: string): string
  bad(text: string): string
}

const style = (code: number) => (text: string) => `\x1b[${code}m${text}\x1b[0m`

const coloured: Paint = { bold: style(1), good: style(32), bad: style(31) }
const uncoloured: Paint = { bold: (text) => text, good: (text) => text, bad: (text) => text }

/** NO_COLOR (not empty) and TERM=dumb turn colours off; FORCE_COLOR turns them on anywhere. */
export function paintFor(isTerminal: boolean, environment: Record<string, string | undefined>): Paint {
  if (environment['NO_COLOR'] || environment['TERM'] === 'dumb') return uncoloured
  return isTerminal || environment['FORCE_COLOR'] ? coloured : uncoloured
}
