// Validates every JSON body against its route's schema, in one place: validation, unknown names, and the `warnings` in the answer of a
// write.

import type { TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { AppError, type Issue } from '../../kit/error.ts'
import { expectReadable } from './body.ts'
import { compatPrefix, type Declared, isApi, ordinary } from './surface.ts'
import { type Fields, listFields, refusesUnknown, unknownFields } from './unknown-fields.ts'
import { sentence, toIssues, toRefusal } from './validation.ts'

/** The part of an Elysia route that we read and add hooks to; ours run after the route's own. */
export interface CheckedRoute {
  method: string
  path: string
  hooks: { detail?: Partial<Declared>; body?: unknown; transform?: Hook[]; mapResponse?: Hook[]; parse?: Hook[] }
}

interface Hook {
  fn: 'json' | ((context: BodyContext) => unknown)
}

interface BodyContext {
  request: Request
  body: unknown
  responseValue: unknown
  /** The warnings of this request; set only when there are any. */
  unknownNames?: Issue[]
}

const noFields: Fields = { names: new Set(), inside: new Map(), items: null }

/** Adds the checks to all routes. Before the first request, because a route is compiled when it is first used. */
export function checkBodies(routes: CheckedRoute[]): void {
  for (const { method, path, hooks } of routes) {
    if (method === 'GET' || method === 'HEAD') continue
    const schema = isSchema(hooks.body) ? hooks.body : null
    const { body, isCallback } = hooks.detail?.surface ?? ordinary(path)
    const isWrite = isApi(path) && !isCallback
    const isJson = isWrite && hooks.parse === undefined && body.json
    if (schema) add(hooks, 'transform', bodyCheck(schema, isWrite))
    else if (isJson) add(hooks, 'transform', findUnexpected)
    // The edge has checked the content type. Accessing the body's stream would cost more than reading it.
    if (schema && isJson) add(hooks, 'parse', 'json')
    // What speaks like another service answers in its words, and refuses unknown names.
    if (isWrite && !path.startsWith(compatPrefix)) add(hooks, 'mapResponse', addWarnings)
  }
}

/** After the route's own checks, so that a caller without permission learns nothing about the body. */
function bodyCheck(schema: TSchema, isWrite: boolean) {
  let known: Fields | null | undefined
  const refuses = refusesUnknown(schema)
  const isOptional = Object.getOwnPropertySymbols(schema).some((symbol) => symbol.description === 'TypeBox.Optional')
  return (context: BodyContext): void => {
    const { body, request } = context
    if (isOptional) expectReadable(request)
    if (body === undefined && isOptional) return
    // Most routes are not called between two starts.
    if (known === undefined) known = isWrite ? listFields(schema) : null
    const fields = known
    const unknown = fields === null ? [] : unknownFields(body, fields, !refuses)
    const check = compiledCheck(schema)
    const faults = check.Check(body) ? [] : toIssues(check.Errors(body), 'body')
    if (faults.length > 0) throw toRefusal(faults, fields === null ? [] : unknownFields(body, fields, false))
    if (unknown.length === 0) return
    if (refuses)
      throw new AppError('unknown_field', sentence(unknown.map(({ message }) => message)), { errors: unknown })
    context.unknownNames = unknown
  }
}

/** A route without a body: every name is unknown. A handler that uses the whole context has its body read already. */
async function findUnexpected(context: BodyContext): Promise<void> {
  const { request } = context
  const body = request.bodyUsed ? context.body : await request.json()
  const unknown = unknownFields(body, noFields, true)
  if (unknown.length > 0) context.unknownNames = unknown
}

/** The `warnings` of a write, empty or not: those of the route, and the unknown names. */
function addWarnings({ responseValue: answer, unknownNames }: BodyContext): void {
  if (!isPlainObject(answer)) return
  const own = Array.isArray(answer['warnings']) ? answer['warnings'] : []
  answer['warnings'] = unknownNames === undefined ? own : [...own, ...unknownNames]
}

/** By schema, which all servers of this process share. Compiled when first needed, because it takes a millisecond. */
const checks = new WeakMap<TSchema, TypeCheck<TSchema>>()

function compiledCheck(schema: TSchema): TypeCheck<TSchema> {
  const known = checks.get(schema)
  if (known) return known
  const check = TypeCompiler.Compile(lenient(schema))
  checks.set(schema, check)
  return check
}

/** What is wrong with a value that a schema describes, with paths behind `within`. */
export function findFaults(schema: TSchema, value: unknown, within: string): Issue[] {
  const check = compiledCheck(schema)
  return check.Check(value)
    ? []
    : toIssues(check.Errors(value), '').map((one) => ({ ...one, path: below(within, one.path) }))
}

/** `messages[3]` and `email` are `messages[3].email`. */
export function below(within: string, path: string): string {
  return path === '' || path.startsWith('[') ? `${within}${path}` : `${within}.${path}`
}

/** The schema without its ban on additional names: the router adds one everywhere. */
function lenient(schema: TSchema): TSchema {
  return copied(schema) as TSchema
}

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied)
  if (typeof value !== 'object' || value === null) return value
  const entries = Reflect.ownKeys(value).map((key) => [key, Reflect.get(value, key)] as const)
  const kept = entries.filter(([key, member]) => !(key === 'additionalProperties' && member === false))
  return Object.fromEntries(kept.map(([key, member]) => [key, copied(member)]))
}

function add(hooks: CheckedRoute['hooks'], place: 'parse' | 'transform' | 'mapResponse', fn: Hook['fn']): void {
  const present = hooks[place] ?? []
  present.push({ fn })
  hooks[place] = present
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

function isSchema(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null && !('~standard' in value)
}
