// What the properties of components are made of. A property's `description` is also the end of its error message ("must be …").

import { Type } from '@sinclair/typebox'

const maxIdLength = 100
/** What every server is expected to take (RFC 9110, 4.1). */
const maxUrlChars = 8_000
export const maxListEntries = 200
export const maxCells = 6
export const maxTotals = 20

export const words = () => Type.String({ description: 'text' })
export const address = () => url('a URL (http, https, mailto or tel)')
export const picture = () => url('an image URL (http or https)')
const url = (what: string) =>
  Type.String({
    maxLength: maxUrlChars,
    description: `${what} of at most ${maxUrlChars.toLocaleString('en')} characters; placeholders are allowed`,
  })
export const colour = () =>
  Type.String({ pattern: '^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$', description: 'a colour such as #1a2b3c or #123' })
export const pixels = (minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, description: `a whole number of pixels from ${minimum} to ${maximum}` })
export const whole = (minimum: number, maximum: number, what = 'a whole number') =>
  Type.Integer({ minimum, maximum, description: `${what} from ${minimum} to ${maximum}` })
export const flag = () => Type.Boolean({ description: 'true or false' })
export const oneOf = <const T extends string>(...values: T[]) =>
  Type.Unsafe<T>(
    Type.String({
      enum: values,
      pattern: `^(?:${values.join('|')})$`,
      description: `one of ${values.join(', ')}`,
    }),
  )
export const align = () => oneOf('left', 'center', 'right')

export const listName = () =>
  Type.String({ description: 'the name of an array variable; {{item.field}} is of an entry' })
export const variable = (what: string) => Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_.]{0,99}$', description: what })
export const constant = () =>
  Type.Union([Type.String({ maxLength: 500 }), Type.Number(), Type.Boolean()], {
    description: 'text (500 characters), a number, true or false',
  })

export const row = (what: string) => Type.Array(Type.String(), { maxItems: maxCells, description: what })

export const shared = {
  id: Type.Optional(Type.String({ maxLength: maxIdLength, description: `text of at most ${maxIdLength} characters` })),
}
export const copyStyle = {
  align: Type.Optional(align()),
  color: Type.Optional(colour()),
  fontSize: Type.Optional(pixels(12, 64)),
  lineHeight: Type.Optional(whole(100, 300, 'a line height in per cent')),
}
