// The look of mails as it is chosen: what the form holds, what is ready to be taken, and how it goes to the API.

import { asAccent, asGround, contrast, mixed } from '../../../src/kit/colour.ts'
import { mailFontNames } from '../../../src/kit/mail-fonts.ts'

/** As it is typed; empty means the default. */
export interface MailLook {
  primaryColor: string
  backgroundColor: string
  fontFamily: string
  borderRadius: string
}

const preset = (primaryColor: string, backgroundColor: string, fontFamily: string, radius: number): MailLook => ({
  ...{ primaryColor, backgroundColor, fontFamily },
  borderRadius: String(radius),
})

export const presets = {
  harbour: preset('#1d4ed8', '#eef3fb', 'system', 8),
  forest: preset('#166534', '#f0f6f1', 'system', 10),
  clay: preset('#9a3412', '#faf5f0', 'georgia', 4),
  berry: preset('#9d174d', '#fbf1f5', 'trebuchet', 16),
  sea: preset('#0f766e', '#effaf8', 'verdana', 8),
  ink: preset('#1f2937', '#f4f4f5', 'arial', 0),
  letter: preset('#3f3f46', '#ffffff', 'palatino', 2),
  night: preset('#6d28d9', '#15131f', 'system', 12),
}

export type Preset = keyof typeof presets
export const presetNames = Object.keys(presets) as Preset[]

export const isColour = (typed: string) => /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(typed)

/** Of white letters on it. */
export const ratioToWhite = (colour: string) => contrast(colour, '#ffffff').toFixed(1)

/** A colour that was found, as one that can be read, with a page of a breath of it. */
export function lookOf(colour: string): Pick<MailLook, 'primaryColor' | 'backgroundColor'> {
  const primaryColor = asAccent(colour)
  return { primaryColor, backgroundColor: asGround(mixed(primaryColor, '#ffffff', 0.94)) }
}

/** As the API takes it: null clears. */
export function lookBody({ fontFamily, borderRadius, ...colours }: MailLook) {
  const radius = borderRadius.trim() === '' ? null : Number(borderRadius)
  return { ...colours, fontFamily: mailFontNames.find((one) => one === fontFamily) ?? null, borderRadius: radius }
}
