// Constants as a person writes them: `3` and `true` are a number and a truth; the texts that look like them stand in quotes.

type Constant = string | number | boolean

/** Null is `null`. */
export function writeConstant(value: unknown): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value)
  return typeof readConstant(value) === 'string' && !/^".*"$/.test(value) ? value : JSON.stringify(value)
}

export function readConstant(text: string): Constant {
  const trimmed = text.trim()
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true'
  if (/^-?\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed)
  return /^".*"$/.test(trimmed) ? trimmed.slice(1, -1) : text
}
