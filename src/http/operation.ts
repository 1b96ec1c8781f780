// What a route says of itself in the OpenAPI document, beside its schemas. Written where the route is.

/** The words of a route, and the refusals that follow from what it does: those that follow from its kind are added (openapi.ts). */
export interface Operation {
  operationId: string
  summary: string
  description: string
  refusals: readonly Refusal[]
  tags: string[]
  /** Takes an `Idempotency-Key`. */
  repeatable?: true
}

/** 401 and 403 of a route that checks something else than a key or a session; 404 of what a body names; 422 of more than schemas. */
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

/** A route that asks idempotencyKeyOf(). */
export function repeatable(words: Operation): Operation {
  return { ...words, repeatable: true }
}

/** A route of this product beside the specification. */
export function extension(...words: Parameters<typeof specified>): Operation {
  return { ...specified(...words), tags: ['Extensions'] }
}
