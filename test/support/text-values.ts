// A value of a type of ours that is full of a given text: read from the declarations of the sources.

import { dirname, join } from 'node:path'
import ts from 'typescript-5'
import { parsed } from './text-finder.ts'

/** Makes the value that holds the text. */
export type Filled = (text: string) => unknown

/** How deep properties are filled; below, and where they need not be there, they are left out. */
const maxDepth = 3

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration

/** What a name of a type means where it stands: in its file, or where that has it from. */
function declarationOf(name: ts.Node): Declaration | undefined {
  const file = name.getSourceFile()
  const own = typesOf(file).get(name.getText())
  if (own) return own
  for (const one of file.statements) {
    if (!ts.isImportDeclaration(one) || !ts.isStringLiteral(one.moduleSpecifier)) continue
    const named = one.importClause?.namedBindings
    const found =
      named && ts.isNamedImports(named) && named.elements.find(({ name: { text } }) => text === name.getText())
    if (!found || !one.moduleSpecifier.text.startsWith('.')) continue
    const from = parsed(join(dirname(file.fileName), one.moduleSpecifier.text))
    return typesOf(from).get((found.propertyName ?? found.name).text)
  }
  return undefined
}

function typesOf(file: ts.SourceFile): Map<string, Declaration> {
  const types = file.statements.filter((one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one))
  return new Map(types.map((one) => [one.name.text, one]))
}

export function createFiller() {
  /** Undefined for a type that only its caller can make. */
  function filled(type: ts.TypeNode | undefined, depth = 0): Filled | undefined {
    if (!type || depth > maxDepth) return undefined
    const simple = simpleTypes[type.getText().replace(/^readonly /, '')]
    if (simple) return simple
    if (byItself.test(type.getText())) return undefined
    if (ts.isTypeOperatorNode(type) || ts.isParenthesizedTypeNode(type)) return filled(type.type, depth)
    if (ts.isLiteralTypeNode(type)) return literal(type)
    if (ts.isUnionTypeNode(type)) return firstOf(type.types.map((one) => filled(one, depth)))
    if (ts.isArrayTypeNode(type)) return listOf(filled(type.elementType, depth))
    if (ts.isTupleTypeNode(type)) return together(type.elements.map((one) => filled(elementOf(one), depth)))
    if (ts.isTypeLiteralNode(type)) return object(type.members, depth)
    if (!ts.isTypeReferenceNode(type)) return undefined
    const one = declarationOf(type.typeName)
    if (!one || one.typeParameters) return undefined
    if (ts.isTypeAliasDeclaration(one)) return filled(one.type, depth)
    const inherited = (one.heritageClauses ?? []).flatMap(({ types }) =>
      types.flatMap(({ expression }) => {
        const base = declarationOf(expression)
        return base && ts.isInterfaceDeclaration(base) ? [...base.members] : []
      }),
    )
    return object([...inherited, ...one.members], depth)
  }

  function object(members: readonly ts.TypeElement[], depth: number): Filled | undefined {
    const properties: [string, Filled][] = []
    for (const one of members) {
      const value = ts.isPropertySignature(one) ? filled(one.type, depth + 1) : undefined
      if (value && one.name) properties.push([one.name.getText().replaceAll(/^['"]|['"]$/g, ''), value])
      else if (!one.questionToken) return undefined
    }
    return (text) => Object.fromEntries(properties.map(([name, value]) => [name, value(text)]))
  }

  return ({ type, initializer }: ts.ParameterDeclaration) =>
    initializer && ts.isStringLiteral(initializer) ? simpleTypes.string : filled(type)
}

/** Of others, though declarations of ours may have their names. */
const byItself = /^(Request|Response|URL|Buffer|Socket)$/
const pieces = (text: string) => text.match(/[\s\S]{1,20}/g) ?? []
export const rawOf = (text: string) => ({ pieces: [Buffer.from(text)], bytes: Buffer.byteLength(text) })
const simpleTypes: Record<string, Filled> = {
  string: (text) => text,
  'string[]': pieces,
  Buffer: (text) => Buffer.from(text),
  Uint8Array: (text) => Buffer.from(text),
  Headers: (text) => new Headers({ a: text.replaceAll(/[^\x20-\x7e]/g, 'a') }),
  RawMail: rawOf,
  unknown: (text) => text,
  number: () => 1,
  boolean: () => true,
  Date: () => new Date(0),
  'Record<string, string>': (text) => ({ [text]: text }),
  'Record<string, unknown>': (text) => ({ [text]: text, a: pieces(text) }),
  'Map<string, string>': (text) => new Map([[text, text]]),
  'Set<string>': (text) => new Set(pieces(text)),
}

/** Text first, because that is what is looked for. */
function firstOf(types: (Filled | undefined)[]): Filled | undefined {
  return types.find((one) => one === simpleTypes.string) ?? types.find((one) => one !== undefined)
}

function literal({ literal: value }: ts.LiteralTypeNode): Filled {
  return () => (ts.isStringLiteral(value) ? value.text : value.kind === ts.SyntaxKind.TrueKeyword ? true : null)
}

const listOf = (one: Filled | undefined): Filled | undefined => one && ((text) => pieces(text).map(one))

function together(all: (Filled | undefined)[]): Filled | undefined {
  const made = all.filter((one) => one !== undefined)
  return made.length === all.length ? (text) => made.map((one) => one(text)) : undefined
}

const elementOf = (one: ts.TypeNode) => (ts.isNamedTupleMember(one) ? one.type : one)
