// The brand of a workspace: the values of company_name and similar variables, and the look of its mail. They are used in headers, links and
// styles, so each is validated for its use.

import type { Brand } from '../../db/tables/workspaces.ts'
import { contrast, isGround, sixDigits } from '../kit/colour.ts'
import { parseAddress } from '../kit/email-address.ts'
import { invalidField } from '../kit/error.ts'
import { mailFontNames } from '../kit/mail-fonts.ts'
import { isSafeImageUrl } from '../kit/safe-url.ts'
import { hasControls, isOneLine, notOneLine } from '../kit/text.ts'

export type BrandChange = { [Key in keyof Brand]?: Brand[Key] | null }

/** Of the corners of cards, panels and buttons, in pixels. */
export const mostRadius = 32

const colour = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

const noLineBreak = (text: string) => (isOneLine(text) ? null : notOneLine)

const webAddress = (text: string) => (isSafeImageUrl(text) ? null : 'must be an http or https URL')

type FullBrand = Required<Brand>
type Faults = { [Key in keyof FullBrand]: (value: FullBrand[Key]) => string | null }

/** The check of each value by name: what is wrong, or null. */
const faults: Faults = {
  companyName: noLineBreak,
  companyAddress: (text) => (hasControls(text) ? 'must not contain control characters' : null),
  website: webAddress,
  supportEmail: (text) => {
    const parsed = parseAddress(text)
    return parsed.ok ? null : parsed.reason
  },
  senderName: noLineBreak,
  logoUrl: webAddress,
  darkLogoUrl: webAddress,
  primaryColor: (text) => (colour.test(text) ? null : 'must be a colour like #0f5c5c'),
  backgroundColor: groundFault,
  fontFamily: (name) =>
    mailFontNames.some((one) => one === name) ? null : `must be one of ${mailFontNames.join(', ')}`,
  borderRadius: (radius) =>
    Number.isInteger(radius) && radius >= 0 && radius <= mostRadius
      ? null
      : `must be a whole number of pixels from 0 to ${mostRadius}`,
}
const names = Object.keys(faults) as (keyof Brand)[]

function groundFault(text: string): string | null {
  if (!colour.test(text)) return 'must be a colour like #eef2f7'
  if (isGround(sixDigits(text))) return null
  const ratio = contrast(sixDigits(text), '#ffffff').toFixed(1)
  return `must be nearly white (at most 1.2 : 1 to white) or very dark (at least 13.5 : 1), else the footer cannot be read on it; ${text} has ${ratio} : 1`
}

/** FullBrand members replace the stored ones; null or an empty text clears one. Throws `validation_failed`. */
export function mergeBrand(current: Brand, change: BrandChange): Brand {
  const brand: Brand = {}
  for (const name of names) mergeOne(brand, name, current, change)
  return brand
}

function mergeOne<Key extends keyof Brand>(brand: Brand, name: Key, current: Brand, change: BrandChange): void {
  const given = Object.hasOwn(change, name) ? change[name] : undefined
  const value = given === undefined ? current[name] : given
  if (value === undefined || value === null || value === '') return
  const fault = given === undefined ? null : faultOf(name, value as FullBrand[Key])
  if (fault !== null) throw invalidField(`brand.${name}`, `brand.${name} ${fault}`)
  brand[name] = value
}

function faultOf<Key extends keyof FullBrand>(name: Key, value: FullBrand[Key]): string | null {
  return faults[name](value)
}
