// Properties of a route besides its function: whether it needs a credential, what kind of body it has, whether its path is a secret. They
// are declared with the route (`detail: { ...extension(…), ...uploads }`). By default a route under /v1 needs a credential and accepts
// JSON.

import { maxPictureBytes } from '../../kit/picture/size.ts'
import {
  type BodyRule,
  maxCallBytes,
  maxCallbackBytes,
  maxExportBytes,
  maxPublicBytes,
  maxRequestBytes,
  maxUploadBytes,
} from './body.ts'

export interface Surface {
  body: BodyRule
  /** Needs no credential: it checks something else (a password, a signature, a token in its path) and is limited per address. */
  isOpen?: true
  /** Costs less than a refusal, so monitoring is always answered. Every other request without a credential is limited. */
  isFree?: true
  /** Requires a key before anything else, and limits by that key: others in the same network do not count. */
  isKeyed?: true
  /** Loaded by mail readers and scanners: it must not use up the limit that unsubscribing needs. */
  isTracked?: true
  /** Called by a provider, with a body in its own format. */
  isCallback?: true
  /** Its body is a file: it may take its time as long as bytes arrive. */
  isUpload?: true
  /** Its path parameters are secret or personal, so no log contains them. True for every open route. */
  isSecret?: true
  /** Signs somebody in: a page of another origin is refused before anything of its body is looked at. */
  isSignIn?: true
  /** A page of another origin may call it. */
  isCrossOrigin?: true
}

export interface Declared {
  surface: Surface
  /** For the OpenAPI document: no credentials. */
  security?: []
}

// How much a route reads follows from the weakest credential it accepts: without a secret credential only little is read.
const formBody: BodyRule = { json: false, maxBytes: maxPublicBytes, owner: 'anybody' }
const publicBody: BodyRule = { json: true, maxBytes: maxPublicBytes, owner: 'anybody' }
const jsonBody: BodyRule = { json: true, maxBytes: maxCallBytes, owner: 'caller' }

/** A page for people, with a small form. */
export const openPage: Declared = { surface: { body: formBody, isOpen: true } }
export const trackedPage: Declared = { surface: { body: formBody, isOpen: true, isTracked: true } }
/** Says that the process answers. */
export const heartbeat: Declared = { surface: { body: formBody, isFree: true } }
/** A page for members, about one thing. */
export const secretPage: Declared = { surface: { body: formBody, isSecret: true } }
/** What mail readers load, many at once: it has the limit of pages. Its address is known to whoever got the mail, and is in no log. */
export const mailPicture: Declared = { surface: { body: formBody, isSecret: true } }
/** A small JSON request that signs somebody in. */
export const signInCall: Declared = {
  surface: { body: publicBody, isOpen: true, isSignIn: true },
  security: [],
}
/** Reports by providers: small, signed byte for byte, and refused if too large before anything is computed. */
export const callback: Declared = {
  surface: { body: { json: false, maxBytes: maxCallbackBytes, owner: 'anybody' }, isOpen: true, isCallback: true },
  security: [],
}
/** Mail delivered by a provider. */
export const rawMail: Declared = {
  surface: { body: { json: false, maxBytes: maxRequestBytes, owner: 'anybody' }, isOpen: true, isCallback: true },
  security: [],
}
/** A mail to be sent, with its attachments: nothing else of the API may be as large. */
export const wholeMail: Declared = { surface: { body: { json: true, maxBytes: maxRequestBytes, owner: 'caller' } } }
/** Calls of agents, in a protocol of their own. */
export const agentCalls: Declared = {
  surface: { body: { json: false, maxBytes: maxCallbackBytes, owner: 'anybody' }, isKeyed: true },
}
/** A file, read as a stream. */
export const uploads: Declared = {
  surface: { body: { json: false, maxBytes: maxUploadBytes, owner: 'caller' }, isUpload: true },
}
/** A picture, of which little is held in memory. */
export const pictureUpload: Declared = {
  surface: { body: { json: false, maxBytes: maxPictureBytes, owner: 'caller' }, isUpload: true },
}
/** A file that is held in memory. */
export const exportUpload: Declared = {
  surface: { body: { json: false, maxBytes: maxExportBytes, owner: 'caller' }, isUpload: true },
}
/** Takes what a page shows to everybody as its credential. */
export const crossOrigin: Declared = { surface: { body: publicBody, isCrossOrigin: true } }

const api: Surface = { body: jsonBody }
const other: Surface = { body: formBody }

/** The same routes for clients whose base URL ends in /api. */
export const aliasPrefix = '/api/v1/'

/** Routes that speak like another service; the part after it says like which. */
export const compatPrefix = '/compat/'

/** True for the REST API, its alias, and what speaks like another service. */
export function isApi(path: string): boolean {
  return path.startsWith('/v1/') || path.startsWith(aliasPrefix) || path.startsWith(compatPrefix)
}

/** The properties of a route that declares none. */
export function ordinary(path: string): Surface {
  return isApi(path) ? api : other
}

/** The properties of a path, and which part of it may be logged. */
export interface Surfaces {
  surfaceOf(path: string): Surface
  loggedPath(path: string): string
}

interface DeclaredRoute {
  path: string
  hooks?: { detail?: { surface?: Surface } | undefined } | undefined
}

/** Looked up by full path, or for paths with parameters by the part before the first parameter; each full path once and for all. */
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
  for (const { path } of routes) if (!/[:*]/.test(path)) whole.set(path, declared(path) ?? ordinary(path))
  const secret = starts.filter(([, { isOpen, isSecret }]) => isOpen || isSecret).map(([start]) => start)
  return {
    surfaceOf: (path) => declared(path) ?? ordinary(path),
    loggedPath(path) {
      const alias = path.startsWith(aliasPrefix) ? '/api' : ''
      const start = secret.find((one) => path.startsWith(one, alias.length))
      return withoutAddresses(start === undefined ? path : `${alias}${start}…`)
    },
  }
}

export const idOfOurs = /^[a-z]{2,5}_[0-9a-f]{32}$/
const longestWord = 24

/** Removes everything that may be an address: only our own words, slugs and ids stay. */
function withoutAddresses(path: string): string {
  const isPlain = (part: string) => idOfOurs.test(part) || (part.length <= longestWord && /^[\w.-]*$/.test(part))
  return path
    .split('/')
    .map((part) => (isPlain(part) ? part : '…'))
    .join('/')
}
