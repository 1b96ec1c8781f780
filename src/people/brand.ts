// The brand of a workspace: the values of company_name and similar variables, and the look of its mail. They are used in headers, links and
// styles, so each is validated for its use.

import type { Brand } from '../../db/tables/workspaces.ts'
import { parseAddress } from '../kit/email-address.ts'
import { invalidField } from '../kit/error.ts'
import { isSafeImageUrl } from '../kit/safe-url.ts'
import { hasControls, isOneLine, notOneLine } from '../kit/text.ts'

export type BrandChange = { [Key in keyof Brand]?: string | null }

const colour = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

const noLineBreak = (text: string) => (isOneLine(text) ? null : notOneLine)

const webAddress = (text: string) => (isSafeImageUrl(text) ? null : 'must be an http or https URL')

/** The check of each value by name: what is wrong, or null. */
const faults: Record<keyof Brand, (text: string) => string | null> = {
  companyName: noLineBreak,
  companyAddress: (text) => (hasControls(text) ? 'must not contain control characters' : null),
  website: webAddress,
  supportEmail: (text) => {
    const parsed = parseAddress(text)
    return parsed.ok ? null : parsed.reason
  },
  senderName: noLineBreak,
  logoUrl: webAddress,
  primaryColor: (text) => (colour.test(text) ? null : 'must be a colour like #0f5c5c'),
}
const names = Object.keys(faults) as (keyof Brand)[]

/** Given members replace the stored ones; null or an empty text clears one. Throws `validation_failed`. */
export function mergeBrand(current: Brand, change: BrandChange): Brand {
  const brand: Brand = {}
  for (const name of names) {
    const given = Object.hasOwn(change, name) ? change[name] : undefined
    const value = given === undefined ? current[name] : given
    if (!value) continue
    const fault = given === undefined ? null : faults[name](value)
    if (fault !== null) throw invalidField(`brand.${name}`, `brand.${name} ${fault}`)
    brand[name] = value
  }
  return brand
}
