// What some mail clients do not support, of everything that our HTML uses, and what their readers see instead. The data is that of
// caniemail.com of 2026-05-13 for Gmail, Outlook, Apple Mail and Yahoo; test/inspection.test.ts compares the two, so neither changes
// unnoticed.

import type { Issue } from '../../../kit/error.ts'
import { type Node, nodePaths } from '../rendering/nodes.ts'

export interface ClientGap {
  /** Its name at https://www.caniemail.com/features/{feature}/ */
  feature: string
  /** Clients without it. */
  clients: string[]
  /** What their readers see. */
  instead: string
}

interface SignedGap extends ClientGap {
  /** What stands in the HTML where it is used. */
  sign: string
}

const gmailPhoneWeb = ['gmail.mobile-webmail']
const oldOutlook = ['outlook.windows', 'outlook.windows-mail']
const phonesOfYahoo = ['yahoo.android', 'yahoo.ios']
const allOfYahoo = ['yahoo.android', 'yahoo.desktop-webmail', 'yahoo.ios']
const withoutScheme = [
  'gmail.android',
  'gmail.desktop-webmail',
  'gmail.ios',
  'gmail.mobile-webmail',
  'outlook.android',
  'outlook.ios',
  'outlook.macos',
  'outlook.outlook-com',
  'outlook.windows',
  ...allOfYahoo,
]
const inline = 'The light look, which every element carries itself; the style sheet only adds dark mode and phones.'

const gaps: SignedGap[] = [
  gap('html-style', '<style', gmailPhoneWeb, inline),
  gap('css-selector-type', '<style', gmailPhoneWeb, inline),
  gap('css-selector-class', '<style', gmailPhoneWeb, inline),
  gap('css-selector-descendant', '<style', gmailPhoneWeb, inline),
  gap('css-selector-attribute', '[data-ogsc]', [...gmailPhoneWeb, ...oldOutlook], inline),
  gap(
    'css-at-media',
    '@media',
    [...gmailPhoneWeb, ...oldOutlook],
    'Columns that wrap by themselves, and the look by day.',
  ),
  gap('css-color-scheme', 'color-scheme:', withoutScheme, 'The client uses its own dark mode.'),
  gap(
    'html-meta-color-scheme',
    'name="color-scheme"',
    [...withoutScheme, 'apple-mail.ios', 'outlook.windows-mail'],
    'The client uses its own dark mode.',
  ),
  gap('html-body', '<body', ['outlook.macos', ...phonesOfYahoo], 'The same: the outer table repeats its look.'),
  gap('css-border-radius', 'border-radius:', oldOutlook, 'Square corners.'),
  gap('css-max-height', 'max-height:', oldOutlook, 'The same: the preview text is hidden by mso-hide.'),
  gap('css-overflow', 'overflow:', oldOutlook, 'The same: the preview text is hidden by mso-hide.'),
  gap('css-display-none', 'display:none', gmailPhoneWeb, 'The preview text as the first line of the mail.'),
  gap(
    'html-aria-label',
    'aria-label=',
    ['outlook.windows-mail', ...allOfYahoo],
    'Nothing else: it is for screen readers.',
  ),
  gap('html-role', 'role=', ['outlook.windows-mail'], 'Nothing else: it is for screen readers.'),
  gap('css-height', 'height:', allOfYahoo, 'The same: the height is also in an attribute and in the line height.'),
]

function gap(feature: string, sign: string, clients: string[], instead: string): SignedGap {
  return { feature, clients: [...clients].sort(), instead, sign }
}

/** Pictures that some client does not show, by the end of their address. */
const pictures: [RegExp, { feature: string; clients: string[] }][] = [
  [/\.svgz?$/i, { feature: 'image-svg', clients: ['gmail.desktop-webmail', 'gmail.mobile-webmail'] }],
  [/\.webp$/i, { feature: 'image-webp', clients: ['outlook.windows'] }],
  [/\.avif$/i, { feature: 'image-avif', clients: oldOutlook }],
  [
    /\.tiff?$/i,
    {
      feature: 'image-tiff',
      clients: ['outlook.android', 'outlook.outlook-com', 'outlook.windows', 'yahoo.android', 'yahoo.desktop-webmail'],
    },
  ],
  [
    /\.hei[cf]$/i,
    {
      feature: 'image-heif',
      clients: ['outlook.android', 'outlook.outlook-com', 'outlook.windows', 'outlook.windows-mail', 'yahoo.android'],
    },
  ],
  [/\.ico$/i, { feature: 'image-ico', clients: ['outlook.windows'] }],
]

/** Gaps of what this mail uses; each is bridged, as `instead` says. */
export function clientGaps(html: string): ClientGap[] {
  return gaps.filter(({ sign }) => html.includes(sign)).map(({ sign: _, ...shown }) => shown)
}

/** Pictures that nothing stands in for. */
export function pictureFaults(content: Node[]): Issue[] {
  return [...nodePaths(content)].flatMap(([node, path]) => ownPictures(node, path))
}

function ownPictures(node: Node, path: string): Issue[] {
  const shown = Object.entries(node).filter(([name]) => name === 'src' || name === 'logoUrl' || name === 'darkLogoUrl')
  return shown.flatMap(([name, url]) => pictureFault(String(url), `${path}.${name}`))
}

/** Of a picture by the end of its address. */
export function pictureFault(url: string, path: string): Issue[] {
  const [address = ''] = url.split(/[?#]/)
  const found = pictures.find(([ending]) => ending.test(address))?.[1]
  if (!found) return []
  const message = `${found.clients.join(', ')} shows no such picture (caniemail.com: ${found.feature}); use PNG, JPEG or GIF.`
  return [{ path, code: 'unsupported_picture', message }]
}
