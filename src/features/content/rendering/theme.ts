// Colours, type and the style sheet of a mail. Inline styles carry the light look everywhere; classes switch to dark
// where a client can. An element with a colour of the author's own gets no class, and so keeps it.

import { contrast, readable, sixDigits } from '../../../kit/colour.ts'

export const defaultAccent = '#3b4fd8'

export const light = {
  page: '#f3f4f6',
  card: '#ffffff',
  heading: '#13151a',
  text: '#3b404c',
  muted: '#626976',
  line: '#e5e7eb',
}
const dark = {
  page: '#0e0f13',
  card: '#181a20',
  heading: '#f5f6f8',
  text: '#c8ccd5',
  muted: '#9298a5',
  line: '#2b2e37',
  panel: '#22252e',
  accent: '#a3b1ff',
}

/** Outlook's own begins with the one that Windows has. */
export function outlookFont(stack: string): string {
  return stack.startsWith('-apple-system') ? "'Segoe UI',Arial,sans-serif" : stack
}

/** Where text is printed: on the theme's own card, which goes dark with the reader, or on a colour of the author's. */
export interface Surface {
  /** Pixels inside the padding. */
  width: number
  /** The author's background, six digits; null on the theme's own, and on any so light that it goes dark with it. */
  background: string | null
}

/** The page of a mail: its colour, and whether it goes dark with the reader. */
export interface Ground {
  color: string
  switches: boolean
}

/** One of the brand's that is nearly white goes dark, any other stays. */
export function groundOf(own: string | undefined): Ground {
  if (own === undefined) return { color: light.page, switches: true }
  const { background } = onBackground(own, { width: 0, background: null })
  return { color: sixDigits(own), switches: background === null }
}

/** A background of the author's: the surface it makes, and the class that switches it in dark mode, if it is near white. */
export function onBackground(
  own: string | undefined,
  surface: Surface,
): { background: string | null; className: string; css: string } {
  if (own === undefined) return { background: surface.background, className: '', css: '' }
  const colour = sixDigits(own)
  const css = `background-color:${colour};`
  // Near white: the light text colours fit by day, and a glaring panel helps nobody at night.
  return contrast(colour, '#ffffff') < 1.3
    ? { background: null, className: 'm-panel', css }
    : { background: colour, className: '', css }
}

export type Tone = 'heading' | 'text' | 'muted' | 'accent'

const darkClass: Record<Tone, string> = { heading: 'm-h', text: 'm-t', muted: 'm-m', accent: 'm-a' }

/** The colour of some text on a surface, and the class that switches it in dark mode, if it may. */
export function ink(
  surface: Surface,
  tone: Tone,
  own: string | undefined,
  accent: string,
): { color: string; className: string } {
  if (own) {
    const color = sixDigits(own)
    // The panel is the lightest of the dark grounds.
    const switches = surface.background === null && contrast(color, dark.panel) < readable
    return { color, className: switches ? darkClass[tone] : '' }
  }
  if (surface.background === null) {
    return { color: tone === 'accent' ? accent : light[tone], className: darkClass[tone] }
  }
  if (contrast(surface.background, '#ffffff') >= 4) {
    return { color: tone === 'accent' ? dark.heading : dark[tone], className: '' }
  }
  const linkColor = contrast(surface.background, accent) >= 3 ? accent : light.heading
  return { color: tone === 'accent' ? linkColor : light[tone], className: '' }
}

/** A thin line on a surface: its border, and the class that switches it in dark mode. */
export function hairline({ background }: Surface): { css: string; className: string } {
  return background === null
    ? { css: `1px solid ${light.line}`, className: 'm-line' }
    : { css: '1px solid', className: '' }
}

/** The class of a button that would vanish on the dark card, and turns light there, or would glare, and is toned down. */
export function buttonClass(background: string, surface: Surface): string {
  const glares = contrast(background, '#ffffff') < 1.3
  if (surface.background !== null) return glares ? 'm-b' : ''
  if (glares) return 'm-w'
  return contrast(background, dark.card) < 1.8 ? 'm-b' : ''
}

/** White or near-black, whichever reads better on `background`. */
export function readableOn(background: string): string {
  return contrast(background, '#ffffff') >= 3.5 ? '#ffffff' : light.heading
}

// One <style> element each: Gmail drops a whole element over one selector it does not know.
const resets = `body{margin:0;padding:0;width:100%;-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%}
table{border-collapse:separate;mso-table-lspace:0;mso-table-rspace:0}
img{border:0;text-decoration:none;-ms-interpolation-mode:bicubic}
a[x-apple-data-detectors]{color:inherit!important;text-decoration:none!important}`

const narrow = `@media only screen and (max-width:620px){
.m-box{border-radius:0!important;border-left:0!important;border-right:0!important}
.m-pad{padding:28px 20px!important}
.m-edge{padding-left:20px!important;padding-right:20px!important}
.m-col{display:block!important;width:100%!important;max-width:100%!important}
.m-cell{padding-left:0!important;padding-right:0!important}
.m-next{padding-top:24px!important}
.m-img{max-width:100%!important}
.m-h1{font-size:24px!important;line-height:32px!important}
}`

/** What each class says in the dark. */
export const darkRules: [string, string][] = [
  ['.m-h', `color:${dark.heading}!important`],
  ['.m-t', `color:${dark.text}!important`],
  ['.m-m', `color:${dark.muted}!important`],
  ['.m-a', `color:${dark.accent}!important`],
  ['.m-page', `background-color:${dark.page}!important`],
  ['.m-b', `background-color:${dark.text}!important;color:${light.heading}!important`],
  [
    '.m-w',
    `background-color:${dark.line}!important;border-color:${dark.line}!important;color:${dark.heading}!important`,
  ],
  ['.m-line', `border-color:${dark.line}!important`],
  ['.m-day', 'display:none!important'],
  ['.m-night', 'display:inline-block!important'],
  ['.m-panel', `background-color:${dark.panel}!important`],
  ['.m-card', `background-color:${dark.card}!important;border-color:${dark.line}!important`],
]

const inDark = (selector: string) => darkRules.map(([name, rule]) => `${selector}${name}{${rule}}`).join('\n')
const outlookDark = darkRules
  .map(([name, rule]) => `${rule.startsWith('color') ? '[data-ogsc]' : '[data-ogsb]'} ${name}{${rule}}`)
  .join('\n')

export const styleSheets = [
  resets,
  narrow,
  `:root{color-scheme:light dark;supported-color-schemes:light dark}\n@media (prefers-color-scheme:dark){\n${inDark('')}\n}`,
  outlookDark,
]
