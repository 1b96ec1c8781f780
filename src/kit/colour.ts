// Colours of six digits: how well one can be read on another, and the nearest one that can.

/** Of text to what it stands on (WCAG 2.2, 1.4.3). */
export const readable = 4.5

const white = '#ffffff'
const black = '#000000'

/** `#1af` -> `#11aaff`: Outlook's VML knows the long form only. */
export function sixDigits(colour: string): string {
  const lower = colour.toLowerCase()
  return lower.length === 4 ? `#${[...lower.slice(1)].map((digit) => digit + digit).join('')}` : lower
}

/** WCAG 2.2 contrast ratio of two colours of six digits, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [bright, dim] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return ((bright ?? 0) + 0.05) / ((dim ?? 0) + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
}

/** How far it is from grey, 0 to 1. */
export function colourfulness(colour: string): number {
  const all = channels(colour)
  return (Math.max(...all) - Math.min(...all)) / 255
}

/** `share` of the other in it, 0 to 1. */
export function mixed(colour: string, other: string, share: number): string {
  const into = channels(other)
  const all = channels(colour).map((value, at) => Math.round(value + ((into[at] ?? 0) - value) * share))
  return `#${all.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** The colour, or the nearest towards `other` that is as wanted; `other` itself is. */
function nearest(colour: string, other: string, isAsWanted: (one: string) => boolean): string {
  for (let step = 0; step < 100; step++) {
    const one = mixed(colour, other, step / 100)
    if (isAsWanted(one)) return one
  }
  return other
}

/** What white letters can be read on: the colour of buttons, and of links on white. */
export function isAccent(colour: string): boolean {
  return contrast(colour, white) >= readable
}

export function asAccent(colour: string): string {
  return nearest(colour, black, isAccent)
}

/** Greys that stand on the page of a mail are read where it is nearly white, or so dark that they are light. */
const mostOnLight = 1.2
const leastOnDark = 13.5

/** Whether footers and headers can be read on it, whichever mode the reader is in. */
export function isGround(colour: string): boolean {
  const ratio = contrast(colour, white)
  return ratio <= mostOnLight || ratio >= leastOnDark
}

/** Towards the one that is nearer. */
export function asGround(colour: string): string {
  return nearest(colour, contrast(colour, white) < contrast(colour, black) ? white : black, isGround)
}
