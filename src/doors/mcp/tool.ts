// A tool: defined once, served by every transport. Its input is validated before it runs, its result matches its output schema, and a
// refusal is an AppError like everywhere else.

import type { Static, TObject } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { App } from '../../core/app.ts'
import type { ToolWords, Touches } from '../../core/http/operation.ts'
import { AppError, type Issue } from '../../kit/error.ts'
import { fitted, type ToolAnswer } from './answer.ts'
import { type Exchange, isQuestion, type Question } from './exchange.ts'

/** Hints for the client (MCP, ToolAnnotations): they help a person decide but enforce nothing. */
interface Hints {
  readOnlyHint?: boolean
  destructiveHint?: boolean
  idempotentHint?: boolean
  openWorldHint?: boolean
}

export interface ToolResult<O> {
  structured: O
  /** What a model reads, around the JSON of what is shown of `structured`; default: that JSON. */
  text?: (json: string) => string
}

export interface Tool<C> {
  name: string
  title: string
  /** The scope that the credential needs besides access to the endpoint: that of the matching route. Null: none. */
  scope: string | null
  description: string
  input: TObject
  output: TObject
  hints: Hints
  touches: Touches
  /** Of the specification: it acts at once for a key or token that was not made for the airlock. */
  actsAtOnce: boolean
  /** What it does instead of acting outside: keeps it for a person, and says so. Throws as run(). */
  ask(app: App, caller: C, input: Record<string, unknown>): Promise<ToolAnswer>
  /** Throws AppError. When it returns a question it has done nothing yet, and is run again with the answer. */
  run(app: App, caller: C, input: Record<string, unknown>, exchange: Exchange): Promise<ToolAnswer | Question>
}

interface Basics<C, I extends TObject, O extends TObject>
  extends Omit<Tool<C>, 'description' | 'run' | 'ask' | 'actsAtOnce' | 'touches'> {
  says: ToolWords
  input: I
  output: O
  run(app: App, caller: C, input: Static<I>, exchange: Exchange): Promise<ToolResult<Static<O>> | Question>
}

/** What acts outside says what it does where it may not. */
type Definition<C, I extends TObject, O extends TObject> = Basics<C, I, O> &
  (
    | { touches: Touches & { acts: 'no' | 'inside' } }
    | {
        touches: Touches & { acts: 'outside' }
        actsAtOnce: boolean
        ask(app: App, caller: C, input: Static<I>): Promise<ToolResult<Static<O>>>
      }
  )

/** Arguments of former versions of the API, accepted and ignored. */
const ignoredArguments = ['_apiKey']
const maxIssues = 20

/** Types the input by its schema and validates it. */
export function defineTool<C, I extends TObject, O extends TObject>(definition: Definition<C, I, O>): Tool<C> {
  const { says, input, run, ...rest } = definition
  const ask = 'ask' in definition ? definition.ask : null
  const checked = (given: Record<string, unknown>): Static<I> => {
    const wanted = Object.fromEntries(Object.entries(given).filter(([name]) => !ignoredArguments.includes(name)))
    if (!Value.Check(input, wanted)) throw invalidInput(input, wanted)
    return wanted
  }
  return {
    actsAtOnce: false,
    ...rest,
    input,
    description: describe(says),
    async run(app, caller, given, exchange) {
      const done = await run(app, caller, checked(given), exchange)
      return isQuestion(done) ? done : fitted(done, rest.touches)
    },
    async ask(app, caller, given) {
      if (ask === null) throw new Error(`${rest.name} does nothing outside`)
      return fitted(await ask(app, caller, checked(given)), rest.touches)
    },
  }
}

function describe({ purpose, notFor, returns, whenToUse }: ToolWords): string {
  return `**Purpose:** ${purpose}\n\n**NOT for:** ${notFor}\n\n**Returns:** ${returns}\n\n**When to use:** ${whenToUse}`
}

function invalidInput(schema: TObject, input: unknown): AppError {
  const errors: Issue[] = [...Value.Errors(schema, input)].slice(0, maxIssues).map(({ path, message }) => ({
    path: path.slice(1).replaceAll('/', '.'),
    message,
    code: 'invalid',
  }))
  const [first] = errors
  const message = first ? `${first.path || 'arguments'}: ${first.message}` : 'the arguments do not fit the input schema'
  return new AppError('validation_failed', message, { errors })
}
