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
