// Finds in the sources what takes text of callers and looks at it: functions, arrow functions with a name and methods of classes, whichever
// of their parameters it is, whole or as a property. Only syntax is read, because types of a whole program take half a minute.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-5'

const root = join(import.meta.dir, '../..')

/** A function that can be called from outside its file. */
export interface Found {
  path: string
  /** `csvCells`, or `ReplyReader.push`. */
  name: string
  isMethod: boolean
  parameters: ts.ParameterDeclaration[]
}

/** How long the cost may depend on how long the text is. */
const looks = new Set(
  'matchAll exec match replace replaceAll split indexOf lastIndexOf test search charCodeAt codePointAt slice subarray substring'.split(
    ' ',
  ),
)
const reads = /^(parse|read|decode|split|rewrite|write)/
const textual =
  /^(?:readonly )?(?:string|Buffer|Uint8Array|RawMail|string\[\])(?: \| (?:null|undefined|string|string\[\]))*$/

const files = new Map<string, ts.SourceFile>()

export function parsed(path: string, source = readFileSync(join(root, path), 'utf8')): ts.SourceFile {
  const known = files.get(path)
  if (known) return known
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, kind)
  files.set(path, file)
  return file
}

interface Declared extends Found {
  body: ts.Node
  isReachable: boolean
}

export function* lookingAtText(path: string): Generator<Found> {
  const declared = [...declaredIn(parsed(path), path)]
  const looking = whatLooks(declared)
  for (const one of declared) {
    if (!one.isReachable) continue
    const takesText = one.parameters.some(({ type }) => textual.test(type?.getText() ?? ''))
    const isReader = takesText && (reads.test(one.name) || one.isMethod)
    if (isReader || (looking.get(one.name)?.size ?? 0) > 0) yield one
  }
}

function* declaredIn(file: ts.SourceFile, path: string): Generator<Declared> {
  for (const one of file.statements) {
    const isReachable = isExported(one)
    if (ts.isFunctionDeclaration(one) && one.name && one.body)
      yield declared(path, one.name.text, one, { body: one.body, isReachable })
    if (ts.isVariableStatement(one))
      for (const { name, initializer } of one.declarationList.declarations)
        if (initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)))
          yield declared(path, name.getText(), initializer, { body: initializer.body, isReachable })
    if (ts.isClassDeclaration(one) && one.name)
      for (const member of one.members)
        if (ts.isMethodDeclaration(member) && member.body) {
          const isOpen = isReachable && !ts.isPrivateIdentifier(member.name)
          const name = `${one.name.text}.${member.name.getText()}`
          yield declared(path, name, member, { body: member.body, isReachable: isOpen })
        }
  }
}

function declared(
  path: string,
  name: string,
  { parameters }: ts.SignatureDeclaration,
  rest: Pick<Declared, 'body' | 'isReachable'>,
): Declared {
  return { path, name, isMethod: name.includes('.'), parameters: [...parameters], ...rest }
}

const isExported = (one: ts.Statement) =>
  ts.canHaveModifiers(one) && (ts.getModifiers(one) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)

/** Of each function the parameters that it looks at, or another of its file to which it hands them on. */
function whatLooks(declared: Declared[]): Map<string, Set<number>> {
  const looking = new Map<string, Set<number>>()
  for (let isNew = true; isNew; ) {
    isNew = false
    for (const { name, parameters, body } of declared)
      for (const [index, parameter] of parameters.entries()) {
        if (looking.get(name)?.has(index) || holdsNoText.test(parameter.type?.getText() ?? '')) continue
        if (!isLookedAt(parameter, body, looking)) continue
        looking.set(name, (looking.get(name) ?? new Set()).add(index))
        isNew = true
      }
  }
  return looking
}

const holdsNoText = /^(App|Tx|Reader|Workspace|Config|number|boolean|Date)$/

function isLookedAt(parameter: ts.ParameterDeclaration, body: ts.Node, looking: Map<string, Set<number>>): boolean {
  /** What holds some of it. */
  const names = new Set(namesIn(parameter.name))
  const isOfIt = (expression: ts.Node) => rootsOf(expression).some((name) => names.has(name))
  const take = (name: ts.BindingName) => {
    for (const each of namesIn(name)) names.add(each)
  }
  const visit = (node: ts.Node): boolean => {
    if (ts.isVariableDeclaration(node) && node.initializer && isOfIt(node.initializer)) take(node.name)
    if (ts.isForOfStatement(node) && isOfIt(node.expression) && ts.isVariableDeclarationList(node.initializer))
      for (const { name } of node.initializer.declarations) take(name)
    // What a list hands to a function is of the list.
    if (ts.isArrowFunction(node) && ts.isCallExpression(node.parent) && isOfIt(node.parent.expression))
      for (const { name } of node.parameters) take(name)
    if (ts.isCallExpression(node)) {
      const { expression, arguments: given } = node
      if (ts.isPropertyAccessExpression(expression) && looks.has(expression.name.text)) {
        if (isOfIt(expression.expression)) return true
        if (/^(test|exec)$/.test(expression.name.text) && given.some(isOfIt)) return true
      }
      const called = ts.isIdentifier(expression) ? looking.get(expression.text) : undefined
      if (called && given.some((one, index) => called.has(index) && isOfIt(one))) return true
    }
    return ts.forEachChild(node, (child) => visit(child) || undefined) ?? false
  }
  return visit(body)
}

function namesIn(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((one) => (ts.isOmittedExpression(one) ? [] : namesIn(one.name)))
}

/** The names that an expression is made of. */
function rootsOf(node: ts.Node): string[] {
  if (ts.isIdentifier(node)) return [node.text]
  if (ts.isConditionalExpression(node)) return [...rootsOf(node.whenTrue), ...rootsOf(node.whenFalse)]
  if (ts.isBinaryExpression(node)) return [...rootsOf(node.left), ...rootsOf(node.right)]
  if (ts.isTemplateExpression(node)) return node.templateSpans.flatMap(({ expression }) => rootsOf(expression))
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(rootsOf)
  if (ts.isCallExpression(node)) {
    const isCopy = /^(Buffer\.(concat|from)|String|Object\.(entries|values|keys))$/.test(node.expression.getText())
    return isCopy ? node.arguments.flatMap(rootsOf) : rootsOf(node.expression)
  }
  return 'expression' in node ? rootsOf(node.expression as ts.Node) : []
}
