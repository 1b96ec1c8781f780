// The components and their properties by name. What is not named here is shown as the API names it.

import { ownValue } from '../../../src/kit/own-value.ts'
import { inLanguage } from '../../words.ts'

const types: Record<string, string> = inLanguage(catalogue.templates.types)

const properties: Record<string, string> = inLanguage(catalogue.templates.properties)

export function typeName(type: string): string {
  return ownValue(types, type) ?? type
}

export function propertyName(name: string): string {
  return ownValue(properties, name) ?? name
}
