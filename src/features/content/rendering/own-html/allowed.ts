// The allow-list for a caller's HTML: the elements, attributes and styles that mails are made of, and nothing that runs, loads or submits.
// What is not in these lists is not sent.

const words = (text: string) => text.trim().split(/\s+/)

const bodyElements = new Set(
  words(`
    a abbr address area article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div dl dt em
    figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd label li main map mark nav ol p pre q s samp section small span
    strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr`),
)
/** Left out with what they hold. Of any other element what it holds stays. */
const withContent = new Set(
  words(`
    applet audio base basefont canvas datalist embed frame frameset iframe input link math meta noembed noframes object option param
    plaintext progress script select source svg template textarea title track xmp`),
)
export const voidElements = new Set(words('area br col hr img input wbr'))

/** By which menus and galleries open without a script. It sends nothing: there is no form around it. */
export function isSwitch({ name, attributes }: { name: string; attributes: Record<string, string> }): boolean {
  return name === 'input' && /^(?:checkbox|radio)$/i.test(attributes['type'] ?? '')
}

/** Shapes of Outlook for Windows, within its comments, by name in lower case: as Word spells them. */
const outlookElements = new Map(
  words(`
    v:background v:fill v:image v:imagedata v:line v:oval v:rect v:roundrect v:shape v:stroke v:textbox w:anchorlock xml o:p
    o:OfficeDocumentSettings o:AllowPNG o:PixelsPerInch noscript`).map((name) => [name.toLowerCase(), name]),
)

export type Standing = { as: string } | 'with its content' | 'but its content'

/** How an element is written, or how much of it is left out. */
export function standingOf(name: string, forOutlook: boolean): Standing {
  if (bodyElements.has(name)) return { as: name }
  const shape = forOutlook ? outlookElements.get(name) : undefined
  if (shape !== undefined) return { as: shape }
  return withContent.has(name) ? 'with its content' : 'but its content'
}

/** Whose value is text: it is quoted, whatever it says. */
const textAttributes = new Set(
  words(`
    abbr align alt axis bgcolor border bordercolor cellpadding cellspacing char charoff checked class clear color cols colspan compact coords
    datetime dir face for frame headers height hidden hspace id lang link alink vlink marginheight marginwidth topmargin leftmargin name
    noshade nowrap rel reversed role rowspan rules scope shape size span start summary tabindex text title translate type valign value
    vspace width xml:lang
    arcsize aspect color2 coordorigin coordsize fill fillcolor filled focus from gradientshapeok inset o:button o:gfxdata opacity
    origin position rotate strokecolor stroked stroke strokeweight to`),
)
const families = /^(?:aria-[a-z]{1,30}|data-[a-z0-9-]{1,40})$/
const namespaces = new Set([
  'http://www.w3.org/1999/xhtml',
  'urn:schemas-microsoft-com:vml',
  'urn:schemas-microsoft-com:office:office',
  'urn:schemas-microsoft-com:office:word',
])

export type ValueKind = 'text' | 'link' | 'picture' | 'style' | 'target' | 'place' | 'namespace'

/** What the value of an attribute is; null for one that is left out. */
export function valueKindOf(name: string): ValueKind | null {
  if (textAttributes.has(name) || families.test(name)) return 'text'
  if (name === 'href' || name === 'cite') return 'link'
  if (name === 'src' || name === 'background') return 'picture'
  if (name === 'style' || name === 'target') return name
  if (name === 'usemap') return 'place'
  return /^xmlns(?::[vow])?$/.test(name) ? 'namespace' : null
}

export const isNamespace = (value: string) => namespaces.has(value)

const properties = new Set(
  words(`
    align-items align-self align-content background bottom left position right top background-attachment background-clip background-color background-image
    background-origin background-position background-repeat background-size border border-bottom border-bottom-color
    border-bottom-left-radius border-bottom-right-radius border-bottom-style border-bottom-width border-collapse border-color
    border-left border-left-color border-left-style border-left-width border-radius border-right border-right-color
    border-right-style border-right-width border-spacing border-style border-top border-top-color border-top-left-radius
    border-top-right-radius border-top-style border-top-width border-width box-shadow box-sizing caption-side clear color
    color-scheme supported-color-schemes column-count column-gap columns content cursor direction display empty-cells fill filter
    flex flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap float font font-display font-family font-feature-settings
    font-kerning font-optical-sizing font-size font-size-adjust font-stretch font-style font-variant font-variant-numeric font-weight
    forced-color-adjust gap grid grid-area grid-column grid-gap grid-row grid-template grid-template-areas grid-template-columns
    grid-template-rows height hyphens justify-content justify-items justify-self letter-spacing line-break line-height list-style
    list-style-image list-style-position list-style-type margin margin-block margin-bottom margin-inline margin-left margin-right
    margin-top max-height max-width min-height min-width mix-blend-mode object-fit object-position opacity order orphans outline
    outline-color outline-offset outline-style outline-width overflow overflow-wrap overflow-x overflow-y padding padding-block
    padding-bottom padding-inline padding-left padding-right padding-top page-break-after page-break-before page-break-inside
    print-color-adjust quotes resize row-gap size src tab-size table-layout text-align text-align-last text-decoration
    text-decoration-color text-decoration-line text-decoration-skip-ink text-decoration-style text-decoration-thickness text-indent
    text-justify text-overflow text-rendering text-shadow text-size-adjust text-transform text-underline-offset touch-action transform
    transform-origin transition unicode-bidi unicode-range user-select vertical-align visibility white-space widows width word-break
    word-spacing word-wrap writing-mode z-index zoom
    font-smoothing interpolation-mode osx-font-smoothing tap-highlight-color text-fill-color appearance v-text-anchor`),
)
/** Of Word, which draws mail in Outlook for Windows. */
const ofWord = /^(?:mso|panose)-[a-z0-9-]{1,50}$|^(?:tab-stops|text-raise|layout-grid-mode|text-underline)$/

export function isProperty(name: string): boolean {
  return properties.has(name.replace(/^-(?:webkit|moz|ms|o)-/, '')) || ofWord.test(name) || name === 'panose-1'
}

const functions = new Set(
  words(`
    rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix calc min max clamp linear-gradient radial-gradient conic-gradient
    repeating-linear-gradient repeating-radial-gradient cubic-bezier steps rotate rotatex rotatey scale scalex scaley skew skewx skewy
    translate translatex translatey translate3d matrix perspective blur brightness contrast drop-shadow grayscale hue-rotate invert
    saturate sepia repeat minmax fit-content light-dark local format tech`),
)

export const isFunction = (name: string) => functions.has(name.replace(/^-(?:webkit|moz|ms|o)-/, ''))

/** Whose style sheets hold nothing but fonts. */
const fontSheets = /^https:\/\/(?:fonts\.googleapis\.com|fonts\.bunny\.net)\/css2?\?[\w\s%=&:;,.+@|~-]{1,1000}$/

export const isFontSheet = (url: string) => fontSheets.test(url)

const metaNames = new Set([
  ...words('viewport color-scheme supported-color-schemes x-apple-disable-message-reformatting format-detection'),
])

export const isMeta = (name: string) => metaNames.has(name)
