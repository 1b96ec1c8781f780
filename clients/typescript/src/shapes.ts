// The types of one operation, by its name in the OpenAPI document.

import type { operations } from './generated/schema.ts'

export type Operation = keyof operations

type Content<T> = T extends { content: { 'application/json': infer C } } ? C : never

/** The JSON body of the request. */
export type Body<O extends Operation> = operations[O] extends { requestBody?: infer R }
  ? Content<NonNullable<R>>
  : never

/** The query parameters. */
export type Query<O extends Operation> = operations[O]['parameters'] extends { query?: infer Q }
  ? NonNullable<Q>
  : Record<string, never>

type Good = 200 | 201 | 202

/** The JSON body of a successful response. */
export type Answer<O extends Operation> = {
  [S in keyof operations[O]['responses']]: S extends Good ? Content<operations[O]['responses'][S]> : never
}[keyof operations[O]['responses']]
