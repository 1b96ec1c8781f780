// A command: its name, its help, its flags, and what it does. run.ts parses the arguments and prints the result.

import { readFileSync } from 'node:fs'
import type { Config } from '../../core/config.ts'
import type { Paint } from './colour.ts'

interface Flag {
  type: 'string' | 'boolean'
  /** The placeholder for the value in the help: `SLUG`. */
  value?: string
  required?: true
  multiple?: true
  /** May be given without its name, in the order of the flags. */
  operand?: true
  says: string
}

export type Flags = Record<string, Flag>

/** The parsed flags of a command. */
type Values<F extends Flags> = {
  [Name in keyof F]: F[Name] extends { type: 'boolean' }
    ? boolean
    : F[Name] extends { multiple: true }
      ? string[]
      : F[Name] extends { required: true }
        ? string
        : string | undefined
}

/** The result of a command: one JSON document with --json, else lines of text. */
export interface Output {
  json: unknown
  lines: string[] | ((paint: Paint) => string[])
  /** False ends the process with exit code 1. */
  ok?: boolean
}

export interface Command {
  /** One or two words: `key create`. */
  name: string
  says: string
  flags: Flags
  /** `config` is read when the command asks for it; a wrong setting ends it with exit 2. */
  run(values: Record<string, unknown>, config: () => Config, print: Print): Promise<Output>
}

/** Prints something before the end. */
export type Print = (output: Output) => void

interface Definition<F extends Flags> extends Omit<Command, 'flags' | 'run'> {
  flags: F
  run(values: Values<F>, config: () => Config, print: Print): Promise<Output>
}

/** Infers the types of the values from the flags. */
export function defineCommand<const F extends Flags>(definition: Definition<F>): Command {
  return { ...definition, run: (values, config, print) => definition.run(values as Values<F>, config, print) }
}

/** A table with aligned columns. */
export function columns(rows: string[][], gap = '  '): string[] {
  const width = (at: number) => Math.max(...rows.map((row) => row[at]?.length ?? 0))
  const pad = (cell: string, at: number) => cell.padEnd(width(at))
  return rows.map((row) => row.map(pad).join(gap).trimEnd())
}

/** Wrong usage: one line on stderr, exit code 2. */
export class UsageError extends Error {}

/** The text of a file; `-`: of stdin. Throws UsageError. */
export const readText = (from: string): string => reading(from, () => readFileSync(from === '-' ? 0 : from, 'utf8'))

/** What `read` returns of a file. Throws UsageError where it cannot be read. */
export function reading<T>(from: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new UsageError(`${from} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}
