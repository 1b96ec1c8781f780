// What a route declares for the OpenAPI document besides its schemas, next to the route itself.

/** The texts of a route, and the error responses specific to it; those that follow from its kind are added by openapi.ts. */
export interface Operation {
  operationId: string
  summary: string
  description: string
  refusals: readonly Refusal[]
  tags: string[]
  /** Accepts an `Idempotency-Key`. */
  repeatable?: true
  /** Another address of an operation: clients and the command line know the first. */
  isAlias?: true
  /** Members of a row of its list that the command line prints; default: the first five that are one value. False: it is no command. */
  command?: readonly string[] | false
  /** Changes nothing, though its method could: the audit log has no line of it. */
  looks?: true
  /** Agents may call it as a tool (src/doors/mcp/declared-tools.ts). */
  tool?: DeclaredTool
}

/**
 * What a call of a tool can do (the rule of two): what it may show the caller, and what it may change. Whoever has read what strangers wrote
 * may be doing what they say, so what it does outside is then a person's decision.
 */
export interface Touches {
  /** `untrusted`: its answer may hold a byte that somebody outside the workspace wrote. */
  reads: 'own' | 'untrusted'
  /** `outside`: mail leaves, or what leaves is another one. `inside`: drafts, labels and the like, which change nothing that leaves by itself. */
  acts: 'no' | 'inside' | 'outside'
}

/** The description of a tool, in four parts that help a model choose. */
export interface ToolWords {
  purpose: string
  notFor: string
  returns: string
  whenToUse: string
}

/** A tool that is an operation: its arguments are those of the path, the query and the body, its result is the answer. */
export interface DeclaredTool {
  /** `verb_noun` */
  name: string
  says: ToolWords
  /** What acts outside may have to wait for a person, which no route does. */
  touches: Touches & { acts: 'no' | 'inside' }
  /** Which members of the query and the body it takes; default: all. */
  takes?: readonly string[]
  /** Which members of the answer it shows, of a list those of its rows; default: all. */
  shows?: readonly string[]
}

/** 401 and 403 of a route with a check of its own instead of a key or session; 404 of something named in the body; 422 beyond schemas. */
export type Refusal = 401 | 403 | 404 | 409 | 422

/** A route of the specification. */
export function specified(
  operationId: string,
  summary: string,
  description: string,
  refusals: readonly Refusal[] = [],
): Operation {
  return { operationId, summary, description, refusals, tags: [] }
}

/** A route that uses readIdempotencyKey(). */
export function repeatable(words: Operation): Operation {
  return { ...words, repeatable: true }
}

/** Another address of an operation. */
export function alias(words: Operation): Operation {
  return { ...words, isAlias: true }
}

/** For a route that only reads, whatever its method. */
export const looking = { looks: true } as const

/** A route beyond the specification. */
export function extension(...words: Parameters<typeof specified>): Operation {
  return { ...specified(...words), tags: ['Extensions'] }
}
