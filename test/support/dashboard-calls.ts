// Which operations of the API the dashboard calls: read from its sources, for a call names its path where it stands, put together of constants.

import { dirname, join, resolve } from 'node:path'
import { Glob } from 'bun'
import ts from 'typescript-5'

const root = join(import.meta.dir, '..', '..', 'dashboard')
const methods: Record<string, string> = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  remove: 'DELETE',
  upload: 'POST',
}

/** As `GET /v1/campaigns/*`: a star for each parameter. */
export async function dashboardCalls(): Promise<Set<string>> {
  const files = new Map<string, ts.SourceFile>()
  for (const name of new Glob('**/*.{ts,tsx}').scanSync(root)) {
    const path = join(root, name)
    files.set(path, ts.createSourceFile(path, await Bun.file(path).text(), ts.ScriptTarget.Latest, true))
  }
  const calls = new Set<string>()
  const visit = (node: ts.Node): void => {
    const call = callIn(node, files)
    // Of one whose end is only known while it runs nothing is told.
    if (call?.includes(' /v1/') && !call.includes('**')) calls.add(call)
    ts.forEachChild(node, visit)
  }
  for (const file of files.values()) visit(file)
  return calls
}

/** The same of a path of the OpenAPI document. */
export const toCalled = (method: string, path: string): string => `${method} ${path.replace(/\{\w+\}/g, '*')}`

type Files = Map<string, ts.SourceFile>

function callIn(node: ts.Node, files: Files): string | null {
  // <Download path=…>
  if (ts.isJsxAttribute(node) && node.name.getText() === 'path' && node.initializer) {
    const { initializer } = node
    const path = ts.isJsxExpression(initializer) ? initializer.expression : initializer
    return path === undefined ? null : called('GET', textOf(path as ts.Expression, files))
  }
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return null
  const [first, second] = node.arguments
  const method = methods[node.expression.text]
  if (method !== undefined && first !== undefined) return called(method, textOf(first, files))
  if (node.expression.text !== 'toCall' || first === undefined || second === undefined) return null
  return called(textOf(first, files) ?? '', textOf(second, files))
}

const called = (method: string, path: string | null) => path && `${method} ${path.replace(/:\w+/g, '*')}`

/** Of an expression of constants; a star for what is known only while it runs. Null: nothing is known. */
function textOf(node: ts.Expression, files: Files): string | null {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node)) return textOf(node.expression, files)
  if (ts.isTemplateExpression(node)) {
    const parts = node.templateSpans.map((span) => (textOf(span.expression, files) ?? '*') + span.literal.text)
    return node.head.text + parts.join('')
  }
  return ts.isIdentifier(node) ? constantOf(node, files) : null
}

/** In the scopes around it, else where it is imported from. */
function constantOf(name: ts.Identifier, files: Files): string | null {
  for (let scope: ts.Node = name.parent; scope !== undefined; scope = scope.parent) {
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) continue
    const found = declaredIn(scope, name.text)
    if (found?.initializer) return textOf(found.initializer, files)
  }
  for (const statement of name.getSourceFile().statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue
    const named = statement.importClause?.namedBindings
    if (!named || !ts.isNamedImports(named)) continue
    const one = named.elements.find((element) => element.name.text === name.text)
    const file = files.get(resolve(dirname(name.getSourceFile().fileName), statement.moduleSpecifier.text))
    const found = one && file && declaredIn(file, (one.propertyName ?? one.name).text)
    if (found?.initializer) return textOf(found.initializer, files)
  }
  return null
}

function declaredIn(scope: ts.Block | ts.SourceFile, name: string): ts.VariableDeclaration | undefined {
  const declared = scope.statements.flatMap((one) =>
    ts.isVariableStatement(one) ? [...one.declarationList.declarations] : [],
  )
  return declared.find((one) => ts.isIdentifier(one.name) && one.name.text === name)
}
