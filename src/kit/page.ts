// Server-rendered pages: a template tag that escapes every value, and a frame whose policy forbids scripts.

import { textDirection } from './locale.ts'
import { ownValue } from './own-value.ts'

/** Text that is already HTML. Only html`` creates it. */
export interface Html {
  readonly html: string
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const style = `[hidden] { display: none !important }
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --ground: #fff; --ink: #16181d; --muted: #5b6270; --line: #e1e4ea; --link: #1d4ed8; --accent: #1d4ed8; --on-accent: #fff }
@media (prefers-color-scheme: dark) { :root { --ground: #121317; --ink: #eceef2; --muted: #9aa2b1; --line: #2c3038; --link: #9db8ff } }
body { margin: 0; display: grid; min-height: 100vh; place-items: center; background: var(--ground); color: var(--ink) }
main { box-sizing: border-box; width: min(34rem, 100%); padding: 2rem; overflow-wrap: anywhere }
main.wide { width: min(60rem, 100%); place-self: start center }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
a { color: var(--link) }
button, a.button { font: inherit; padding: .6rem 1.2rem; border: 1px solid var(--muted); border-radius: .4rem; background: var(--accent); color: var(--on-accent); cursor: pointer }
a.button { display: inline-block; text-decoration: none }
button.quiet { background: none; border-color: transparent; color: inherit; text-decoration: underline }
button:focus-visible, a:focus-visible, input:focus-visible, select:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }
code, input:is([type=email], [type=url], [type=password]) { direction: ltr; unicode-bidi: isolate }
[dir=rtl] :is(main, input) { text-align: right }
[dir=rtl] :not(:has(> *), code, input) { unicode-bidi: plaintext }
input { accent-color: var(--accent) }
input, select { font: inherit; max-width: 100%; padding: .5rem; border: 1px solid var(--muted); border-radius: .4rem }
table { border-collapse: collapse; width: 100% }
td, th { text-align: start; padding-block: .4rem; padding-inline: 0 1.5rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere }
th { color: var(--muted); font-weight: 500; white-space: nowrap }
tbody th { width: 1% }
iframe { box-sizing: border-box; width: 100%; max-width: 100%; height: clamp(24rem, 75vh, 60rem); resize: vertical; display: block; border: 1px solid var(--line); border-radius: .6rem; background: #fff; background-clip: padding-box }
main:has(#as-phone:checked) iframe { width: 392px }
fieldset { border: 0; margin: 0 0 1rem; padding: 0; display: flex; flex-wrap: wrap; gap: .5rem 1.5rem }
ul.row { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .5rem 1.5rem }
[aria-current] { color: inherit; font-weight: 600; text-decoration: none }
@media (max-width: 40rem) {
  main { padding: 1.5rem 1rem }
  table.stacked thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  table.stacked tr { display: grid; padding: .6rem 0; border-bottom: 1px solid var(--line) }
  table.stacked td { padding: .1rem 0; border: 0 }
}
p.brand { margin: 0 0 2rem; color: var(--muted); font-weight: 600 }
p.brand img { max-height: 3rem; max-width: 12rem; display: block }
ul.choices { list-style: none; padding: 0 }
ul.choices li { padding: .6rem 0; border-bottom: 1px solid var(--line) }
ul.choices label { display: flex; gap: .8rem; align-items: baseline }
form.fields { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; justify-items: start }
form.fields label { display: grid; grid-template-columns: minmax(0, 1fr); gap: .25rem; width: 100% }
form.fields .choices { margin: 0 }
form.fields .choices label { display: flex; gap: .8rem }
form.fields legend { padding: 0 }
form.fields > p, form.fields > fieldset { margin: 0 }
small { color: var(--muted); display: block }
form.row { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; padding: 1rem; border: 1px solid var(--line); border-radius: .6rem; font-size: .9rem }`

const formAction = "form-action 'self'"

/** No script, no frame, no form to another site; only the page's own style sheet. */
function policyFor(sheet: string): string {
  const hash = new Bun.CryptoHasher('sha256').update(sheet).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self' https: data:; ${formAction}; base-uri 'none'; frame-ancestors 'none'`
}

const plainPolicy = policyFor(style)

/** html`<p>${text}</p>`: every value is escaped unless it is Html; a list is joined, null and false are left out. */
export function html(strings: TemplateStringsArray, ...values: unknown[]): Html {
  const parts = strings.map((part, index) => part + (index < values.length ? escaped(values[index]) : ''))
  return { html: parts.join('') }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ownValue(escapes, char) ?? char)
}

/** A place in a text, for what is HTML: `words.closed({ signIn: slot(0) })`. */
export function slot(number: number): string {
  return `\uE000${number}\uE001`
}

/** The text, escaped, with these in its places. */
export function filled(text: string, ...values: Html[]): Html {
  const parts = text.split(/\uE000(\d)\uE001/)
  return {
    html: parts.map((part, at) => (at % 2 === 1 ? (values[Number(part)]?.html ?? '') : escapeHtml(part))).join(''),
  }
}

export interface Page {
  title: string
  body: Html
  status?: number
  locale?: string
  /** Wide, for pages with tables. */
  wide?: boolean
  /** The brand, on a page that is a workspace's and not ours. `color` is three or six hex digits after a #. */
  brand?: { name: string; logoUrl?: string | undefined; color?: string | undefined }
  headers?: Record<string, string>
  /** The feed of what it lists. Such a page is found by search engines. */
  feed?: string
  /** Directives added to the policy, e.g. `frame-src 'self'`. */
  extraPolicy?: string
  /** Where its form may lead in the end: browsers ask the policy of the page about redirects, too. */
  leadsTo?: string | null | undefined
}

/**
 * A whole page as a response: never cached, never framed. It sends no referrer to other sites, because its address may hold a token; it
 * sends one to our own, because browsers would otherwise hide the Origin of its forms from us.
 */
export function page({
  title,
  body,
  status = 200,
  locale = 'en',
  wide = false,
  brand,
  headers = {},
  feed,
  extraPolicy,
  leadsTo,
}: Page): Response {
  const sheet = brand?.color && colour.test(brand.color) ? style + accent(brand.color) : style
  const own = sheet === style ? plainPolicy : policyFor(sheet)
  const policy = leadsTo ? own.replace(formAction, `${formAction} ${policySource(leadsTo)}`) : own
  const text = `<!doctype html>
<html lang="${escapeHtml(locale)}"${textDirection(locale) === 'rtl' ? ' dir="rtl"' : ''}>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${feed === undefined ? '<meta name="robots" content="noindex">' : `<link rel="alternate" type="application/atom+xml" href="${escapeHtml(feed)}">`}
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${brand ? 'data:,' : '/favicon.svg'}">
<style>${sheet}</style>
<main${wide ? ' class="wide"' : ''}>
${brand ? brandLine(brand).html : ''}<h1>${escapeHtml(title)}</h1>
${body.html}
</main>
</html>
`
  return new Response(text, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': extraPolicy === undefined ? policy : `${policy}; ${extraPolicy}`,
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      ...headers,
    },
  })
}

/** How a policy names where a form leads: by its origin, or where there is none that a policy can hold (another scheme, IPv6) by its scheme. */
function policySource(address: string): string {
  const { origin, protocol, hostname } = new URL(address)
  return /^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol
}

const colour = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i

/** The brand's colour for buttons, with black or white text, whichever is readable (WCAG relative luminance). */
function accent(color: string): string {
  const hex = color.length === 4 ? [...color.slice(1)].map((digit) => digit + digit).join('') : color.slice(1)
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return `\n:root { --accent: ${color}; --on-accent: ${luminance > 0.179 ? '#000' : '#fff'} }`
}

function brandLine({ name, logoUrl }: NonNullable<Page['brand']>): Html {
  return logoUrl
    ? html`<p class="brand"><img src="${logoUrl}" alt="${name}"></p>\n`
    : html`<p class="brand">${name}</p>\n`
}

function escaped(value: unknown): string {
  if (value === null || value === undefined || value === false) return ''
  if (Array.isArray(value)) return value.map(escaped).join('')
  return isHtml(value) ? value.html : escapeHtml(String(value))
}

function isHtml(value: unknown): value is Html {
  return typeof value === 'object' && value !== null && 'html' in value && typeof value.html === 'string'
}
