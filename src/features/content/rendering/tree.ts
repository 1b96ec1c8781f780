// Parses a component tree from a request: every error is listed with its exact path, and nothing unknown is accepted. The size is measured
// first, without recursion, so that a hostile tree costs neither stack nor time.

import { Value } from '@sinclair/typebox/value'
import { AppError, type Issue } from '../../../kit/error.ts'
import { isInlineUrl, isRelativeUrl, isSafeImageUrl, isSafeUrl } from '../../../kit/safe-url.ts'
import { hasControls } from '../../../kit/text.ts'
import type { Reading, SentProperty } from './component.ts'
import { componentOf } from './components.ts'
import { linkTargets, parseInline } from './inline.ts'
import { loopFaults } from './loops.ts'
import { isNodeType, maxNodes, mayHaveChildren, type Node, type NodeType, nodeTypes } from './nodes.ts'
import { type Fields, givenProperties, isFields } from './normalise.ts'
import { faultyPlaceholders, isVariableName, withoutPlaceholders } from './placeholders.ts'
import { describeVariable } from './variable-names.ts'

type Warning = Issue

export interface Tree {
  content: Node[]
  warnings: Warning[]
}

const maxDepth = 8
export const maxTreeBytes = 100 * 1024
const maxIssues = 100
/** Nesting of the JSON itself: two levels a node, and room for props. */
const maxJsonDepth = 4 * maxDepth

/** These could carry markup or style past the renderer, so dropping them with a warning is not enough. */
const forbiddenProperties = new Set(['style', 'css', 'html', 'raw', 'innerHTML', 'dangerouslySetInnerHTML'])
const imageProperties = new Set(['src', 'logoUrl', 'darkLogoUrl'])

export interface TreeOptions {
  /** Whoever sends it may attach pictures, which it shows as `cid:…`. */
  mayAttach?: boolean
  /** Blocks may be used: named, to be filled when the tree is stored, or with what they hold. */
  blocks?: 'named' | 'filled'
}

/** Throws `validation_failed` with all errors (at most 100). Warnings never stop a tree. */
export function parseTree(input: unknown, { mayAttach = false, blocks }: TreeOptions = {}): Tree {
  if (!Array.isArray(input))
    throw refusal([{ path: 'content', code: 'invalid_type', message: 'content must be a list of nodes.' }])
  if (input.length === 0)
    throw refusal([{ path: 'content', code: 'empty_content', message: 'content must hold at least one node.' }])
  const tooBig = sizeFault(input)
  if (tooBig) throw refusal([{ path: 'content', ...tooBig }])
  const reader: TreeReader = { errors: [], warnings: [], nodes: 0, mayAttach, ...(blocks && { blocks }) }
  const content = readNodes(reader, input, 'content', [])
  if (reader.errors.length === 0) reader.errors.push(...loopFaults(content))
  if (reader.errors.length > 0) throw refusal(reader.errors)
  return { content, warnings: reader.warnings.slice(0, maxIssues) }
}

interface TreeReader {
  errors: Issue[]
  warnings: Warning[]
  nodes: number
  mayAttach: boolean
  blocks?: TreeOptions['blocks']
}

function refusal(errors: Issue[]): AppError {
  const first = errors[0]
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  return new AppError('validation_failed', `The component tree is not valid: ${first?.message ?? ''}${more}`, {
    errors: errors.slice(0, maxIssues),
  })
}

/** A loop with its own stack that ends at the first limit exceeded: a tree of any depth or width costs the same. */
function sizeFault(input: unknown[]): Omit<Issue, 'path'> | null {
  const waiting: { value: unknown; depth: number }[] = [{ value: input, depth: 0 }]
  let bytes = 0
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next
    if (depth > maxJsonDepth) return { code: 'too_deep', message: `A tree may be ${maxDepth} nodes deep.` }
    bytes += typeof value === 'string' ? value.length + 2 : 1
    if (typeof value === 'object' && value !== null) {
      const children: unknown[] = Array.isArray(value) ? value : Object.values(value)
      // Each has a character at least, and a comma.
      if (bytes + 2 * children.length > maxTreeBytes) return tooLarge
      bytes += children.length
      if (!Array.isArray(value)) for (const key of Object.keys(value)) bytes += key.length + 2
      for (const child of children) waiting.push({ value: child, depth: depth + 1 })
    }
    if (bytes > maxTreeBytes) return tooLarge
  }
  return Buffer.byteLength(JSON.stringify(input)) > maxTreeBytes ? tooLarge : null
}

const tooLarge = { code: 'too_large', message: `A tree may be ${maxTreeBytes / 1024} KB of JSON.` }

function readNodes(reader: TreeReader, input: unknown, path: string, ancestors: NodeType[]): Node[] {
  if (!Array.isArray(input)) {
    fault(reader, path, 'invalid_type', `${path} must be a list of nodes.`)
    return []
  }
  return input.flatMap((value: unknown, index) => readNode(reader, value, `${path}[${index}]`, ancestors) ?? [])
}

function readNode(reader: TreeReader, input: unknown, path: string, ancestors: NodeType[]): Node | null {
  if (!admit(reader, path, ancestors.length)) return null
  if (!isFields(input)) return fault(reader, path, 'invalid_type', `${path} must be a node: an object with a type.`)
  const type = Object.hasOwn(input, 'type') ? input.type : undefined
  if (!isNodeType(type)) {
    const code = type === undefined ? 'missing_required_property' : 'unknown_node_type'
    return fault(reader, `${path}.type`, code, `${path}.type must be one of ${nodeTypes.join(', ')}.`)
  }
  const misplaced =
    type === 'block' && !reader.blocks
      ? 'a block may stand in a template or a campaign, and not here.'
      : placementFault(type, ancestors)
  if (misplaced) return fault(reader, path, 'invalid_child', `${path}: ${misplaced}`)
  return readTypedNode(reader, type, input, path, ancestors)
}

function admit(reader: TreeReader, path: string, ancestors: number): boolean {
  reader.nodes += 1
  if (reader.nodes === maxNodes + 1)
    fault(reader, 'content', 'too_many_nodes', `A tree may have at most ${maxNodes} nodes.`)
  if (reader.nodes > maxNodes) return false
  if (ancestors >= maxDepth) fault(reader, path, 'too_deep', `${path} is deeper than ${maxDepth} nodes.`)
  return ancestors < maxDepth
}

function placementFault(type: NodeType, ancestors: NodeType[]): string | null {
  const { notInside = [], onlyIn } = componentOf(type)
  const parent = ancestors.at(-1)
  if (onlyIn && (parent === undefined || !onlyIn.includes(parent)))
    return `a node of type ${type} stands directly in one of type ${onlyIn.join(' or ')}.`
  return notInside.some((outer) => ancestors.some((ancestor) => ancestor === outer))
    ? `a ${type} may not stand inside a ${notInside.join(' or ')}.`
    : null
}

function readTypedNode(reader: TreeReader, type: NodeType, input: Fields, path: string, ancestors: NodeType[]): Node {
  const given = givenProperties(type, input, path)
  const component = componentOf(type)
  const { properties, required = [] } = component.schema
  const node: Fields = { type }
  for (const [name, entry] of given) {
    if (name === 'children' || Object.hasOwn(component.reads?.properties ?? {}, name)) continue
    if (Object.hasOwn(properties, name)) readProperty(reader, node, type, name, entry)
    else refuseUnknown(reader, type, name, entry.path)
  }
  for (const name of required) {
    if (given.has(name)) continue
    fault(reader, `${path}.${name}`, 'missing_required_property', `${path}.${name} is required.`)
  }
  if (node.format === 'markdown' && typeof node.text === 'string') {
    const textPath = given.get('text')?.path ?? path
    for (const target of linkTargets(parseInline(node.text))) checkLink(reader, target, textPath, true)
  }
  component.reads?.into(node, given, { path, reading: createReading(reader, type, ancestors) })
  const doubt = component.doubt?.(node)
  if (doubt) warn(reader, `${path}.${doubt.name}`, doubt.code, doubt.message)
  const children = given.get('children')
  const isNamed = type === 'block' && reader.blocks === 'named'
  if (children && children.value !== null && !isNamed) readChildren(reader, node, type, children, ancestors)
  // Every property was checked against the schema that the type is derived from.
  return node as Node
}

function createReading(reader: TreeReader, type: NodeType, ancestors: NodeType[]): Reading {
  return {
    fault: (path, code, message) => void fault(reader, path, code, message),
    warn: (path, code, message) => warn(reader, path, code, message),
    checkText(value, path) {
      if (readableText(reader, value, path)) checkText(reader, type, '', value, path)
    },
    readNode: (input, path) => readNode(reader, input, path, ancestors),
  }
}

function readChildren(
  reader: TreeReader,
  node: Fields,
  type: NodeType,
  given: SentProperty,
  ancestors: NodeType[],
): void {
  if (mayHaveChildren(type)) node.children = readNodes(reader, given.value, given.path, [...ancestors, type])
  else if (!Array.isArray(given.value) || given.value.length > 0) {
    fault(reader, given.path, 'invalid_child', `${given.path}: a ${type} has no children.`)
  }
}

function readProperty(reader: TreeReader, node: Fields, type: NodeType, name: string, given: SentProperty): void {
  const { value, path } = given
  const { properties, required = [] } = componentOf(type).schema
  const schema = properties[name]
  if (!schema || value === undefined) return
  // Editors send null for "not set"; a required property must still be given.
  if (value === null && !required.includes(name)) return
  if (!Value.Check(schema, value)) {
    fault(reader, path, 'invalid_value', `${path} must be ${schema.description ?? 'valid'}.`)
    return
  }
  if (typeof value === 'string' && !readableText(reader, value, path)) return
  if (typeof value === 'string') checkText(reader, type, name, value, path)
  node[name] = value
}

function readableText(reader: TreeReader, value: string, path: string): boolean {
  if (hasControls(value)) fault(reader, path, 'control_character', `${path} contains a control character.`)
  else if (!value.isWellFormed()) fault(reader, path, 'invalid_text', `${path} is not valid Unicode.`)
  else return true
  return false
}

function checkText(reader: TreeReader, type: NodeType, name: string, value: string, path: string): void {
  for (const faulty of faultyPlaceholders(value).slice(0, 10)) {
    warn(reader, path, 'invalid_placeholder', `${faulty.slice(0, 60)} names no variable and is left out.`)
  }
  const { wants = [] } = componentOf(type)
  if (name === 'href') checkLink(reader, value, path, wants.includes('href'))
  else if (imageProperties.has(name)) checkImage(reader, value, path)
  else if (name === 'itemsVariable') checkItemsVariable(reader, value, path)
  else if (name === 'variable' && !isVariableName(value))
    fault(reader, path, 'invalid_variable', `${path} must name a variable.`)
  else if (name === 'text' && wants.includes('text') && value.trim() === '') {
    warn(reader, path, 'missing_text', `The ${type} has no text.`)
  }
}

function checkLink(reader: TreeReader, value: string, path: string, wanted: boolean): void {
  const url = urlWithout(value)
  if (url === null) return
  if (url === '' || url === '#') {
    if (wanted) warn(reader, path, 'missing_href', 'The link leads nowhere.')
  } else if (isRelativeUrl(url)) {
    warn(reader, path, 'invalid_href', `${value.slice(0, 100)} is no full address; the link is sent as plain text.`)
  } else if (!isSafeUrl(url)) {
    fault(reader, path, 'invalid_url', `${path} must be a URL with http, https, mailto or tel.`)
  } else if (/^https?:\/\/[^/?#]*\{\{/i.test(value.trim())) {
    warn(reader, path, 'variable_in_host', 'A placeholder in the host lets its value choose where the link leads.')
  }
}

function checkImage(reader: TreeReader, value: string, path: string): void {
  const url = urlWithout(value)
  if (url === null || isSafeImageUrl(url) || (reader.mayAttach && url === value.trim() && isInlineUrl(url))) return
  const orAttached = reader.mayAttach ? ', or cid: with the contentId of an attachment' : ''
  fault(reader, path, 'invalid_url', `${path} must be a URL with http or https${orAttached}.`)
}

/** The URL with each placeholder replaced; null when it begins with one, and is checked when it is filled in. */
function urlWithout(value: string): string | null {
  const url = value.trim()
  return url.startsWith('{{') && withoutPlaceholders(url, '') !== url
    ? null
    : withoutPlaceholders(url, 'x').replaceAll(' ', '%20')
}

function checkItemsVariable(reader: TreeReader, value: string, path: string): void {
  const name = withoutPlaceholders(value, '') === '' ? value.slice(2, -2).trim() : value
  if (isVariableName(name) && !describeVariable(name).auto) return
  fault(reader, path, 'invalid_variable', `${path} must name an array variable of the caller.`)
}

function refuseUnknown(reader: TreeReader, type: NodeType, name: string, path: string): void {
  if (forbiddenProperties.has(name))
    fault(reader, path, 'forbidden_property', `${path}: raw HTML and CSS are not accepted.`)
  else warn(reader, path, 'unknown_property', `A ${type} has no property ${name.slice(0, 60)}; it is left out.`)
}

function fault(reader: TreeReader, path: string, code: string, message: string): null {
  if (reader.errors.length < maxIssues) reader.errors.push({ path, code, message })
  return null
}

function warn(reader: TreeReader, path: string, code: string, message: string): void {
  if (reader.warnings.length < maxIssues) reader.warnings.push({ path, code, message })
}
