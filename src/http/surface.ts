// What a route is beside what it does: whether it takes a credential, what its body may be, whether its path is a secret. It is declared
// with the route (`detail: { ...extension(…), ...uploads }`). A route that declares nothing is an ordinary one: under /v1 it needs a
// credential and takes JSON.

import { type BodyRule, maxCallbackBytes, maxPublicBytes, maxRequestBytes, maxUploadBytes } from './body.ts'

export interface Surface {
  body: BodyRule
  /** Takes no credential: it checks something else (a password, a signature, a token in its path) and is limited per address. */
  isOpen?: true
  /** What readers of mail and the programs before them load: it must not use up what is left for leaving a list. */
  isTracked?: true
  /** A provider calls it, with a body of its own making. */
  isCallback?: true
  /** Its body is a file: as long as its bytes come, it may take its time. */
  isUpload?: true
  /** Its parameters open something, or tell whose it was: no log holds them. Every open route is so. */
  isSecret?: true
  /** A page of another origin may call it. */
  isCrossOrigin?: true
}

export interface Declared {
  surface: Surface
  /** What the OpenAPI document says of its credentials: none. */
  security?: []
}

const formBody: BodyRule = { json: false, maxBytes: maxPublicBytes, owner: 'anybody' }
const rawBody: BodyRule = { json: false, maxBytes: maxRequestBytes, owner: 'anybody' }
const jsonBody: BodyRule = { json: true, maxBytes: maxRequestBytes, owner: 'caller' }

/** A page for people, with a small form. */
export const openPage: Declared = { surface: { body: formBody, isOpen: true } }
export const trackedPage: Declared = { surface: { body: formBody, isOpen: true, isTracked: true } }
/** A page for members, about one thing. */
export const secretPage: Declared = { surface: { body: rawBody, isSecret: true } }
/** A small call as JSON. */
export const openCall: Declared = {
  surface: { body: { json: true, maxBytes: maxPublicBytes, owner: 'anybody' }, isOpen: true },
  security: [],
}
/** What providers report: small, signed byte by byte, and refused as too large before anything is computed over it. */
export const callback: Declared = {
  surface: { body: { json: false, maxBytes: maxCallbackBytes, owner: 'anybody' }, isOpen: true, isCallback: true },
  security: [],
}
/** Mail that a provider hands over. */
export const rawMail: Declared = { surface: { body: rawBody, isOpen: true, isCallback: true }, security: [] }
/** A file, which is read as a stream. */
export const uploads: Declared = {
  surface: { body: { json: false, maxBytes: maxUploadBytes, owner: 'caller' }, isUpload: true },
}
export const crossOrigin: Declared = { surface: { body: jsonBody, isCrossOrigin: true } }

const api: Surface = { body: jsonBody }
const other: Surface = { body: rawBody }

/** The same routes for clients whose base address ends in /api. */
export const aliasPrefix = '/api/v1/'

/** True for the REST interface: `/v1/…` and its alias. */
export function isApi(path: string): boolean {
  return path.startsWith('/v1/') || path.startsWith(aliasPrefix)
}

/** Of a route that declares nothing. */
export function ordinary(path: string): Surface {
  return isApi(path) ? api : other
}

/** Which surface a path has, and what of it a log may hold. */
export interface Surfaces {
  surfaceOf(path: string): Surface
  loggedPath(path: string): string
}

interface DeclaredRoute {
  path: string
  hooks?: { detail?: { surface?: Surface } | undefined } | undefined
}

/** By what is declared: whole paths, and for those with parameters what stands before the first. */
export function createSurfaces(routes: readonly DeclaredRoute[]): Surfaces {
  const whole = new Map<string, Surface>()
  const before = new Map<string, Surface>()
  for (const { path, hooks } of routes) {
    const surface = hooks?.detail?.surface
    const [start = path] = path.split(/[:*]/, 1)
    if (surface) (start === path ? whole : before).set(start, surface)
  }
  const starts = [...before]
  const declared = (path: string) => {
    const plain = path.startsWith(aliasPrefix) ? path.slice('/api'.length) : path
    return whole.get(plain) ?? starts.find(([start]) => plain.startsWith(start))?.[1]
  }
  const secret = starts.filter(([, { isOpen, isSecret }]) => isOpen || isSecret).map(([start]) => start)
  return {
    surfaceOf: (path) => declared(path) ?? ordinary(path),
    loggedPath(path) {
      const alias = path.startsWith(aliasPrefix) ? '/api' : ''
      const start = secret.find((one) => path.startsWith(one, alias.length))
      return shown(start === undefined ? path : `${alias}${start}…`)
    },
  }
}

const idOfOurs = /^[a-z]{2,5}_[0-9a-f]{32}$/
const longestWord = 24

/** No address, and nothing that may be one: only our words, slugs and ids stay. */
function shown(path: string): string {
  const isPlain = (part: string) => idOfOurs.test(part) || (part.length <= longestWord && /^[\w.-]*$/.test(part))
  return path
    .split('/')
    .map((part) => (isPlain(part) ? part : '…'))
    .join('/')
}
