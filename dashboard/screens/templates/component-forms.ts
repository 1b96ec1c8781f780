// What the components of a mail are made of, for a form: read from the schemas that the server checks with, when the dashboard is built.

import type { TSchema } from '@sinclair/typebox'
import type { Component } from '../../../src/features/content/rendering/component.ts'
import { components } from '../../../src/features/content/rendering/components.ts'

export interface Property {
  name: string
  kind:
    | 'text'
    | 'line'
    | 'picture'
    | 'colour'
    | 'number'
    | 'choice'
    | 'flag'
    | 'entries'
    | 'widths'
    | 'block'
    | 'constant'
  isRequired: boolean
  choices: string[]
}

export interface ComponentForm {
  type: string
  isBranch: boolean
  /** Types that must not contain it, at any depth. */
  notInside: string[]
  /** Types of which one must be what it stands in; null: it stands anywhere. */
  onlyIn: string[] | null
  properties: Property[]
}

export function componentForms(): ComponentForm[] {
  return Object.entries<Component<never>>(components).map(([type, component]) => {
    const { properties, required = [] } = component.schema
    return {
      type,
      // What a block holds is written elsewhere.
      isBranch: component.isBranch === true && component.isTransparent !== true,
      notInside: component.notInside ?? [],
      onlyIn: component.onlyIn ?? null,
      properties: Object.entries<TSchema>(properties).map(([name, schema]) => ({
        name,
        kind: name === 'blockId' ? 'block' : propertyKind(schema),
        isRequired: required.includes(name),
        choices: schema['enum'] ?? [],
      })),
    }
  })
}

function propertyKind(schema: TSchema): Property['kind'] {
  if (schema['enum']) return 'choice'
  if (schema['anyOf']) return 'constant'
  if (schema['type'] === 'array') return schema['items'].type === 'integer' ? 'widths' : 'entries'
  if (schema['type'] === 'boolean') return 'flag'
  if (schema['type'] === 'integer') return 'number'
  if (String(schema['pattern'] ?? '').startsWith('^#')) return 'colour'
  if (String(schema['description']).startsWith('an image URL')) return 'picture'
  return schema['description'] === 'text' ? 'text' : 'line'
}
