// The variables of a compiled template: what the caller has to supply, what the platform fills in, and whether a send has it all.

import { AppError, type ErrorCode, type Issue } from '../../../kit/error.ts'
import { ownValue } from '../../../kit/own-value.ts'
import { maxListItems } from './fill.ts'
import { camelContactName, numberSlot, type Segment } from './segments.ts'
import { type DataType, describeVariable, type VariableKind } from './variable-names.ts'

/** One name a template uses. Stored with the compiled template. */
export interface VariableUse {
  name: string
  /** False when every use has a fallback. */
  required: boolean
  dataType: DataType
  /** The platform fills it; the caller must not. */
  auto: boolean
  /** What depends on a condition shows it without a fallback, or a condition asks for it: whoever can never supply it cannot send this. */
  isAsked?: true
  /** Fields of a list's objects that the template shows. */
  fields?: string[]
  /** Those of the fields that are lists themselves. */
  lists?: VariableUse[]
  /** Those in which it stands, where a template has several. */
  locales?: string[]
}

/** As the interface publishes it; the field names are fixed by the specification. */
interface VariableDescriptor {
  name: string
  label: string
  kind: VariableKind
  data_type: DataType
  required: boolean
  auto_resolved: boolean
  editable_in_rule: boolean
  sources: string[]
  child_fields?: VariableDescriptor[]
  legacy_aliases?: string[]
  locales?: string[]
}

export interface VariableLists {
  variables: string[]
  autoResolvedVariables: string[]
  variableDescriptors: VariableDescriptor[]
}

const maxValueLength = 10_000

/** Every variable of the segments, in order of first use. */
export function listUses(segments: Segment[]): VariableUse[] {
  const uses = new Map<string, VariableUse>()
  collect(segments, { uses, loop: null, isConditional: false })
  return [...uses.values()]
}

/** The variables of all locales of a template: required where one locale requires it, a list where one shows it as a list. */
export function unionOfUses(byLocale: Iterable<[locale: string, uses: VariableUse[]]>): VariableUse[] {
  const all = new Map<string, VariableUse>()
  for (const [locale, uses] of byLocale) {
    for (const use of uses) {
      const known = all.get(use.name) ?? { ...use, locales: [] }
      const kept = known.dataType === 'list' ? known : { ...known, dataType: use.dataType }
      const locales = [...(known.locales ?? []), locale]
      const required = known.required || use.required
      all.set(use.name, {
        ...kept,
        ...partsOfBoth(known, use),
        ...(use.isAsked && { isAsked: true }),
        required,
        locales,
      })
    }
  }
  return [...all.values()]
}

/** What the template shows of a list, where it shows one. */
function partsOfBoth(one: VariableUse, other: VariableUse): Pick<VariableUse, 'fields' | 'lists'> {
  if (!other.fields) return {}
  const fields = [...new Set([...(one.fields ?? []), ...other.fields])]
  const known = one.lists ?? []
  const fresh = (other.lists ?? []).filter(({ name }) => !known.some((list) => list.name === name))
  const lists = [
    ...known.map((list) => {
      const same = other.lists?.find(({ name }) => name === list.name)
      return same ? { ...list, ...partsOfBoth(list, same) } : list
    }),
    ...fresh,
  ]
  return { fields, ...(lists.length > 0 && { lists }) }
}

/** The variables that stay empty without a caller: the required names except those that `isGiven`. */
export function unfilled(uses: VariableUse[], isGiven: (name: string) => boolean = () => false): string[] {
  return uses.filter(({ name, required, auto }) => required && !auto && !isGiven(name)).map(({ name }) => name)
}

/** The same where no caller could supply one: also what only a condition asks for, or shows. */
export function unfillable(uses: VariableUse[], isGiven: (name: string) => boolean = () => false): string[] {
  return unfilled(
    uses.map((use) => ({ ...use, required: use.required || use.isAsked === true })),
    isGiven,
  )
}

/** `variables` and `autoResolvedVariables` are names as the author wrote them; the descriptors cover both. */
export function describeVariables(compiled: { uses: VariableUse[] }): VariableLists {
  const names = (auto: boolean) => compiled.uses.filter((use) => use.auto === auto).map((use) => use.name)
  return {
    variables: names(false),
    autoResolvedVariables: names(true),
    variableDescriptors: compiled.uses.map(descriptor),
  }
}

/**
 * Checks the values a caller sends. Throws `auto_variable_not_allowed`, `validation_failed` or `missing_variable`, the first that
 * applies, with every fault listed; returns warnings for keys the template does not use.
 */
export function checkVariables(compiled: { uses: VariableUse[] }, dataVariables: Record<string, unknown>): Issue[] {
  const uses = usesByName(compiled)
  const names = Object.keys(dataVariables)
  const auto = names.filter((name) => uses.get(name)?.auto ?? describeVariable(name).auto)
  const faults = names.flatMap((name) => valueFaults(`dataVariables.${name}`, dataVariables[name], uses.get(name)))
  const missing = compiled.uses.filter((use) => isMissing(use, dataVariables)).map((use) => use.name)
  const problems: Problem[] = [
    ...auto.map((name): Problem => issue(name, 'auto_variable_not_allowed', `${name} is filled in by the platform.`)),
    ...faults,
    ...missing.map((name): Problem => issue(name, 'missing_variable', `${name} is required by the template.`)),
  ]
  if (problems.length > 0) throw refusal(problems, auto, missing)
  return names
    .filter((name) => !uses.has(name))
    .map((name) => issue(name, 'unused_variable', `The template has no variable ${name}.`))
}

const byName = new WeakMap<VariableUse[], Map<string, VariableUse>>()

function usesByName({ uses }: { uses: VariableUse[] }): Map<string, VariableUse> {
  const known = byName.get(uses) ?? new Map(uses.map((use) => [use.name, use]))
  byName.set(uses, known)
  return known
}

type Problem = Issue

function refusal(errors: Problem[], auto: string[], missing: string[]): AppError {
  const [code, message]: [ErrorCode, string] =
    auto.length > 0
      ? ['auto_variable_not_allowed', `These variables are filled in by the platform: ${auto.join(', ')}.`]
      : errors.length > missing.length
        ? ['validation_failed', errors[0]?.message ?? 'dataVariables is not valid.']
        : ['missing_variable', `These variables are missing: ${missing.join(', ')}.`]
  return new AppError(code, message, { errors })
}

function issue(name: string, code: string, message: string): Issue {
  return { path: `dataVariables.${name}`, code, message }
}

function isMissing(use: VariableUse, dataVariables: Record<string, unknown>): boolean {
  if (!use.required || use.auto) return false
  const value = Object.hasOwn(dataVariables, use.name) ? dataVariables[use.name] : undefined
  return value === undefined || value === null
}

function valueFaults(path: string, value: unknown, use: VariableUse | undefined): Issue[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return listFaults(path, value, use)
  if (use?.dataType === 'list') return [{ path, code: 'invalid_type', message: `${path} must be a list of objects.` }]
  return scalarFaults(path, value, 'a string, a number, a boolean or a list of objects')
}

function listFaults(path: string, items: unknown[], use: VariableUse | undefined): Issue[] {
  if (use && use.dataType !== 'list') {
    return [{ path, code: 'invalid_type', message: `${path} must be a string, a number or a boolean.` }]
  }
  if (countItems(items, use) > maxListItems) {
    return [{ path, code: 'too_long', message: `${path} may have at most ${maxListItems} objects.` }]
  }
  return items.flatMap((item, index) => itemFaults(`${path}[${index}]`, item, use))
}

/** With those of the lists in them. */
function countItems(items: unknown[], use: VariableUse | undefined): number {
  const below = (use?.lists ?? []).map((list) =>
    items.reduce((sum: number, item) => {
      const inside = isObject(item) ? ownValue(item, list.name) : undefined
      return sum + (Array.isArray(inside) ? countItems(inside, list) : 0)
    }, 0),
  )
  return below.reduce((sum, one) => sum + one, items.length)
}

function itemFaults(path: string, item: unknown, use: VariableUse | undefined): Issue[] {
  if (!isObject(item)) return [{ path, code: 'invalid_type', message: `${path} must be an object.` }]
  return Object.entries(item).flatMap(([name, value]) => {
    const at = `${path}.${name}`
    const list = use?.lists?.find((one) => one.name === name)
    if (value === null) return []
    if (list === undefined) return scalarFaults(at, value, 'a string, a number or a boolean')
    if (Array.isArray(value)) return listFaults(at, value, list)
    return [{ path: at, code: 'invalid_type', message: `${at} must be a list of objects.` }]
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function scalarFaults(path: string, value: unknown, wanted: string): Issue[] {
  if (typeof value === 'string') {
    if (value.length <= maxValueLength) return []
    return [{ path, code: 'too_long', message: `${path} may have at most ${maxValueLength} characters.` }]
  }
  if (typeof value === 'number' || typeof value === 'boolean') return []
  return [{ path, code: 'invalid_type', message: `${path} must be ${wanted}.` }]
}

interface Collecting {
  uses: Map<string, VariableUse>
  /** The list whose objects are shown, within those of the loops around it. */
  loop: { prefix: string; use: VariableUse; outer: Collecting['loop'] } | null
  /** What stands here is not in every mail. */
  isConditional: boolean
}

function collect(segments: Segment[], into: Collecting): void {
  const { uses } = into
  for (const segment of segments) {
    if (typeof segment === 'string') continue
    if ('url' in segment) {
      collect(segment.url, into)
      const [first] = segment.url
      if (first !== undefined && typeof first !== 'string' && 'name' in first)
        markUrl(uses.get(first.name), segment.url)
    } else if ('each' in segment) {
      const use = addList(segment.each, into)
      collect(segment.body, { ...into, loop: { prefix: `${segment.as ?? 'item'}.`, use, outer: into.loop } })
    } else if ('when' in segment) {
      const { when, there, otherwise } = segment
      const hidden = { ...into, isConditional: true }
      if (!when.isOfList) addSlot(when.name, { hasFallback: false }, hidden)
      collect(there, when.isOfList ? into : hidden)
      collect(otherwise, hidden)
    } else if (segment.name !== numberSlot) {
      addSlot(segment.name, { hasFallback: segment.fallback !== undefined }, into)
    }
  }
}

/** The list that a name is a field of, and which. */
function fieldOf(name: string, loop: Collecting['loop']): { list: VariableUse; field: string } | null {
  for (let at = loop; at !== null; at = at.outer)
    if (name.startsWith(at.prefix)) return { list: at.use, field: name.slice(at.prefix.length) }
  return null
}

function addField({ list, field }: { list: VariableUse; field: string }): void {
  if (list.fields && !list.fields.includes(field)) list.fields.push(field)
}

function addList(name: string, { uses, loop, isConditional }: Collecting): VariableUse {
  const place = fieldOf(name, loop)
  if (place) {
    addField(place)
    place.list.lists ??= []
    const known = place.list.lists.find((one) => one.name === place.field)
    const list: VariableUse = known ?? { name: place.field, required: false, dataType: 'list', auto: false, fields: [] }
    if (!known) place.list.lists.push(list)
    return list
  }
  const known = uses.get(name)
  const list: VariableUse = {
    name,
    required: !isConditional || known?.required === true,
    dataType: 'list',
    auto: describeVariable(name).auto,
    ...((isConditional || known?.isAsked) && { isAsked: true }),
    fields: known?.fields ?? [],
    ...(known?.lists && { lists: known.lists }),
  }
  uses.set(name, list)
  return list
}

function addSlot(
  name: string,
  { hasFallback }: { hasFallback: boolean },
  { uses, loop, isConditional }: Collecting,
): void {
  const place = fieldOf(name, loop)
  if (place) {
    addField(place)
    return
  }
  const { dataType, auto } = describeVariable(name)
  const use = uses.get(name) ?? { name, required: false, dataType, auto }
  uses.set(name, use)
  if (hasFallback) return
  if (isConditional) use.isAsked = true
  else use.required = true
}

/** A name that is a whole link by itself holds a URL. */
function markUrl(use: VariableUse | undefined, url: Segment[]): void {
  if (use && url.length === 1 && use.dataType === 'string') use.dataType = 'url'
}

function descriptor(use: VariableUse): VariableDescriptor {
  const { kind: family, auto } = describeVariable(use.name)
  const kind = use.dataType === 'list' ? 'collection' : family
  const alias = findAlias(use.name)
  return {
    name: use.name,
    label: label(use.name),
    kind,
    data_type: use.dataType,
    // The platform's own variables are never required of anybody.
    required: use.required && !auto,
    auto_resolved: auto,
    editable_in_rule: kind === 'custom' || kind === 'event',
    sources: sourcesOf[kind],
    ...(use.fields ? { child_fields: use.fields.map((field) => childDescriptor(field, use)) } : {}),
    ...(alias ? { legacy_aliases: [alias] } : {}),
    ...(use.locales ? { locales: use.locales } : {}),
  }
}

const sourcesOf: Record<VariableKind, string[]> = {
  custom: ['data_variables', 'event'],
  collection: ['data_variables', 'event'],
  event: ['event', 'data_variables'],
  contact: ['contact'],
  workspace: ['workspace'],
  system: ['system'],
}

function childDescriptor(field: string, { lists }: VariableUse): VariableDescriptor {
  const list = lists?.find(({ name }) => name === field)
  const child: VariableUse = list ?? { name: field, required: false, dataType: 'string', auto: false }
  return {
    ...descriptor(child),
    kind: list ? 'collection' : 'custom',
    auto_resolved: false,
    editable_in_rule: false,
    sources: ['data_variables'],
  }
}

function findAlias(name: string): string | null {
  if (!name.startsWith('contact.')) return null
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return camelContactName(name) ?? (snake === name ? null : snake)
}

/** `first_name`, `firstName` -> "First name"; `workspace.website_url` -> "Workspace website URL". */
function label(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[._]+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/\b(?:url|id)\b/g, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}
