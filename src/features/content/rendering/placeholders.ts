// The placeholder syntax: {{name}}, {{ name }}, {{name|fallback}}. It is read in template text only, never in a value,
// so a value that looks like a placeholder stays text.

export interface Placeholder {
  name: string
  fallback?: string
}

const placeholder = /\{\{([^{}]*)\}\}/g
const namePattern = /^[A-Za-z_][A-Za-z0-9_.]{0,99}$/
/** Own keys only is what protects us; refusing these names as well tells the author early. */
const reserved = new Set(['__proto__', 'prototype', 'constructor'])

export function isVariableName(name: string): boolean {
  return namePattern.test(name) && !name.split('.').some((part) => reserved.has(part))
}

/** Text and placeholders in order. What stands between {{ }} but is no variable name is left out; see `faultyPlaceholders`. */
export function splitPlaceholders(text: string): (string | Placeholder)[] {
  const parts: (string | Placeholder)[] = []
  let end = 0
  for (const match of text.matchAll(placeholder)) {
    if (match.index > end) parts.push(text.slice(end, match.index))
    const read = readPlaceholder(match[1] ?? '')
    if (read) parts.push(read)
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

/** The placeholders of `text` that name no variable, as written. */
export function faultyPlaceholders(text: string): string[] {
  return [...text.matchAll(placeholder)].filter((match) => !readPlaceholder(match[1] ?? '')).map((match) => match[0])
}

/** A name, written as such or as a placeholder. */
export function placeholderName(text: string): string {
  return text.startsWith('{{') && text.endsWith('}}') ? text.slice(2, -2).trim() : text
}

/** `text` with each placeholder replaced by `stand`: for checks on what surrounds them. */
export function withoutPlaceholders(text: string, stand: string): string {
  return text.replace(placeholder, stand)
}

/** The placeholder as it is written in a template. */
export function writePlaceholder(read: Placeholder): string {
  return read.fallback === undefined ? `{{${read.name}}}` : `{{${read.name}|${read.fallback}}}`
}

function readPlaceholder(inside: string): Placeholder | null {
  const bar = inside.indexOf('|')
  const name = (bar < 0 ? inside : inside.slice(0, bar)).trim()
  if (!isVariableName(name)) return null
  return bar < 0 ? { name } : { name, fallback: inside.slice(bar + 1).trim() }
}
